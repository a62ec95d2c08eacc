internal import CardFeedConfiguration
public import CardFeedTwoSidedMarket

/// A way of making lists for both sides of a market.
public enum ListMethod: Hashable, Sendable {
  /// Every order is equally likely.
  case random
  /// Everybody's list by whom they like themselves.
  case naive
  /// By P(a likes b) · P(b likes a).
  case product
  /// By the harmonic mean of the two.
  case harmonicMean
  /// By the masses of the equilibrium with transferable utility.
  case transferableUtility(TransferableUtility)
  /// Best responses, from the lists of the equilibrium.
  case bestResponse(TransferableUtility)
  /// A lottery that makes a welfare great.
  case welfare(FairLists)

  /// What lists come to: how likely everybody looks at whom, and how likely each stands among the
  /// first places of whom.
  struct Outcome: Sendable {
    let examination: MutualExamination
    /// The same under `Examination.first`, of the left and of the right side's lists.
    let left: DenseMatrix?
    let right: DenseMatrix?
  }

  /// Makes the lists.
  ///
  /// - Parameters:
  ///   - market: What is believed.
  ///   - examination: How places are looked at.
  ///   - budget: The share of a list whose places count as exposure; nil counts nothing.
  func outcome(
    for market: TwoSidedMarket, _ examination: Examination, budget: Double?
  ) -> Outcome {
    let (n, m) = (market.leftCount, market.rightCount)
    let first = budget.map { budget in
      (
        left: Examination.first(MatchShare.cards(budget: budget, opposite: m)),
        right: Examination.first(MatchShare.cards(budget: budget, opposite: n))
      )
    }
    func lists(_ left: RankedLists, _ right: RankedLists) -> Outcome {
      Outcome(
        examination: MutualExamination(left: left, right: right, examination),
        left: first.map { left.examination($0.left, of: m) },
        right: first.map { right.examination($0.right, of: n) })
    }
    func byScore(_ left: DenseMatrix, _ right: DenseMatrix? = nil) -> Outcome {
      lists(RankedLists(ranking: left), RankedLists(ranking: right ?? left.transposed()))
    }
    switch self {
    case .random:
      func uniform(_ rows: Int, _ columns: Int, _ examination: Examination) -> DenseMatrix {
        let sum = examination.weights(columns).reduce(0, +)
        return DenseMatrix(rows: rows, columns: columns, repeating: sum / Double(max(1, columns)))
      }
      return Outcome(
        examination: MutualExamination(
          left: uniform(n, m, examination), right: uniform(m, n, examination)),
        left: first.map { uniform(n, m, $0.left) }, right: first.map { uniform(m, n, $0.right) })
    case .naive: return byScore(market.likes, market.likesBack.transposed())
    case .product: return byScore(market.match)
    case .harmonicMean:
      let values = zip(market.likes.values, market.likesBack.values).map { a, b in
        a + b > 0 ? 2 * a * b / (a + b) : 0
      }
      return byScore(DenseMatrix(rows: n, columns: m, values: values))
    case .transferableUtility(let utility):
      return byScore(utility.masses(utility.equilibrium(of: market), of: market))
    case .bestResponse(let utility):
      let masses = utility.masses(utility.equilibrium(of: market), of: market)
      let responses = BestResponse().lists(for: market, from: masses, examination)
      return lists(responses.left, responses.right)
    case .welfare(let fair):
      let lottery = fair.lottery(for: market, examination, counting: first)
      return Outcome(
        examination: lottery.examination, left: lottery.counted?.left,
        right: lottery.counted?.right)
    }
  }
}

extension ListMethod {
  private static let utility = [
    ParameterDescription(
      "beta", .number(1.0 / 256...1e6), default: 1,
      help: "How much of the utility is unobserved taste; greater is flatter."),
    ParameterDescription(
      "joint", .choice(["sum", "harmonic-mean"]), default: "sum",
      help: "What a pair has of each other, made of the two probabilities."),
  ]

  private static let steps = [
    ParameterDescription(
      "stepSize", .number(Double.leastNonzeroMagnitude...1), default: 0.1,
      help: "How far a step goes towards the sorted lists."),
    ParameterDescription(
      "tolerance", .number(.nonNegative), unit: "expected matches", default: 0.01,
      help: "A step that changes less is the last."),
    ParameterDescription(
      "steps", .integer(1...100_000), default: 100, help: "At most so many steps."),
  ]

  /// What arms can be, for decoding and error texts.
  static let descriptions: [StrategyDescription] = [
    StrategyDescription("random", .ranking, summary: "Every order is equally likely."),
    StrategyDescription("naive", .ranking, summary: "By whom everybody likes themselves."),
    StrategyDescription("product", .ranking, summary: "By P(a likes b) · P(b likes a)."),
    StrategyDescription("harmonic-mean", .ranking, summary: "By the harmonic mean of the two."),
    StrategyDescription(
      "transferable-utility", .ranking, summary: "By the equilibrium of the whole market.",
      parameters: utility),
    StrategyDescription(
      "best-response", .ranking, summary: "Best responses of the two sides, from the equilibrium.",
      parameters: utility),
    StrategyDescription(
      "social-welfare", .ranking, summary: "A lottery with many expected matches.",
      parameters: steps),
    StrategyDescription(
      "nash-welfare", .ranking, summary: "A lottery that nobody has reason to envy.",
      parameters: steps),
  ]

  init(_ specification: StrategySpecification) {
    let parameters = specification.parameters
    var utility: TransferableUtility {
      TransferableUtility(
        beta: parameters.number("beta"),
        joint: parameters.text("joint") == "sum" ? .sum : .harmonicMean)
    }
    func fair(_ objective: FairLists.Objective) -> FairLists {
      FairLists(
        objective, stepSize: parameters.number("stepSize"),
        tolerance: parameters.number("tolerance"), maximumSteps: parameters.integer("steps"))
    }
    switch specification.use {
    case "random": self = .random
    case "naive": self = .naive
    case "product": self = .product
    case "harmonic-mean": self = .harmonicMean
    case "transferable-utility": self = .transferableUtility(utility)
    case "best-response": self = .bestResponse(utility)
    case "social-welfare": self = .welfare(fair(.socialWelfare))
    case "nash-welfare": self = .welfare(fair(.nashSocialWelfare))
    default:
      preconditionFailure("The method '\(specification.use)' is described and not made.")
    }
  }
}
