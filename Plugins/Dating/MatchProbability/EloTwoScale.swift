public import CardFeed

/// Learns two numbers of each person from swipes: how choosy they are and how wanted they are.
///
/// The model, in log-odds: P(a likes b) = σ(base(gender of a) + wanted(b) − choosy(a)). A match
/// takes both, and P(match) is the product of the two sides. The base is the share of likes that
/// people of that gender give, (likes + 10 · 0.4) / (swipes + 10).
///
/// Each number is an estimate in information form: a precision λ + H and a sum η, and the number is
/// η / (λ + H). A swipe y ∈ {0, 1} that the model gave the probability p adds w = p(1 − p) to the
/// precision and w · number ± (y − p) to the sum: one step of Newton's method, that of an extended
/// Kalman filter whose state does not drift. Because the state is a sum of integers (units of
/// 2⁻³²), a swipe is taken back exactly.
///
/// Sources: ratings after each game, Elo, "The Rating of Chessplayers", 1978; what a person does to
/// all others and what all others do to a person as two effects, Kenny, "Interpersonal Perception:
/// A Social Relations Analysis", 1994; the update, Fahrmeir, "Posterior Mode Estimation by Extended
/// Kalman Filtering for Multivariate Dynamic Generalized Linear Models", JASA 87, 1992.
///
/// When not to use it: it knows nothing of who suits whom, so where tastes differ in kind a model
/// with features or hidden factors of both people does better. For people without swipes it
/// answers with the bases alone, the same for all of a gender.
///
/// Deliberately absent: a decay of old swipes, and anything that neutral answers would add.
public struct EloTwoScale: MatchProbabilityStrategy, Learner {
  /// The deck with the column `gender`.
  public typealias D = DatingDeck

  private let prior: Double
  /// Sums and precisions of each person, and the counts of each gender.
  public let numbers: LearnedNumbers

  /// A model over shared learner states.
  ///
  /// - Parameters:
  ///   - prior: The precision λ of the prior of each number, finite and above 0.
  ///   - states: Where the learned numbers are.
  public init(prior: Double = 0.6, states: LearnerStates) {
    precondition(
      prior > 0 && prior.isFinite, "The prior's precision is finite and above 0; got \(prior).")
    self.prior = prior
    numbers = states.numbers(for: Self.identity(prior: prior), stride: EloSlot.count)
  }

  private static func identity(prior: Double) -> String { "elo-two-scale/1 prior=\(prior)" }

  /// The version and the prior, which changes what a swipe adds.
  public var identity: String { Self.identity(prior: prior) }

  /// Itself.
  public var learners: [any Learner<DatingDeck>] { [self] }

  /// What a swipe adds to the numbers of the two people and to the counts of the swiper's gender.
  public func increments(for event: LearningEvent<DatingDeck>) -> [Increment] {
    let likes: Int64
    switch event.meaning {
    case .positive: likes = 1
    case .negative: likes = 0
    case .neutral: return []
    }
    let bucket = GenderBuckets(event.table).bucket(of: event.viewerRow)
    let (choosy, wanted, base) = numbers.read { numbers in
      (
        EloNumber(numbers, event.viewer, EloSlot.choosy, prior: prior),
        EloNumber(numbers, event.card, EloSlot.wanted, prior: prior),
        EloBase.logOdds(numbers, bucket)
      )
    }
    let p = logistic(base + wanted.value - choosy.value)
    let information = p * (1 - p)
    let surprise = Double(likes) - p
    var increments = [
      Increment(
        LearnedKey(owner: event.viewer, slot: EloSlot.choosy),
        EloSlot.fixed(information * choosy.value - surprise)),
      Increment(
        LearnedKey(owner: event.viewer, slot: EloSlot.choosy + 1), EloSlot.fixed(information)),
      Increment(
        LearnedKey(owner: event.card, slot: EloSlot.wanted),
        EloSlot.fixed(information * wanted.value + surprise)),
      Increment(
        LearnedKey(owner: event.card, slot: EloSlot.wanted + 1), EloSlot.fixed(information)),
      Increment(LearnedKey(owner: nil, slot: EloBase.swipes(bucket)), 1),
    ]
    if likes > 0 {
      increments.append(Increment(LearnedKey(owner: nil, slot: EloBase.likes(bucket)), likes))
    }
    return increments
  }

  /// P(match), both sides, and the standard error that follows from the precisions by the delta
  /// method; the bases count as known. O(n).
  public func estimates(for slate: Slate<DatingDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    let genders = GenderBuckets(slate.table)
    let viewerBucket = genders.bucket(of: slate.context.row)
    let viewer = slate.context.number
    numbers.read { numbers in
      let bases = (0..<EloBase.buckets).map { EloBase.logOdds(numbers, $0) }
      let choosy = EloNumber(numbers, viewer, EloSlot.choosy, prior: prior)
      let wanted = EloNumber(numbers, viewer, EloSlot.wanted, prior: prior)
      for (index, row) in slate.rows.enumerated() {
        let card = slate.table.number(at: row)
        let forward = EloSide(
          base: bases[viewerBucket], choosy: choosy,
          wanted: EloNumber(numbers, card, EloSlot.wanted, prior: prior))
        let backward = EloSide(
          base: bases[genders.bucket(of: row)],
          choosy: EloNumber(numbers, card, EloSlot.choosy, prior: prior), wanted: wanted)
        estimates[index] = MatchEstimate(
          match: Probability(forward.p * backward.p), forward: Probability(forward.p),
          backward: Probability(backward.p),
          standardError: forward.p * backward.p
            * (forward.relativeVariance + backward.relativeVariance).squareRoot())
      }
    }
    return estimates
  }

  /// What is not known of the two people's numbers.
  public var uncertainty: MatchUncertainty {
    .standardError(
      covers: "what is not known of the two people's numbers; the shares of likes of their genders "
        + "count as known")
  }

  /// The log-odds of both sides, part by part. O(n).
  public func reasons(for slate: Slate<DatingDeck>) async throws -> [EstimatePart] {
    let genders = GenderBuckets(slate.table)
    let cards = slate.numbers
    let viewer = slate.context.number
    return numbers.read { numbers in
      func value(_ person: CardNumber, _ slot: UInt8) -> Double {
        EloNumber(numbers, person, slot, prior: prior).value
      }
      func same(_ value: Double) -> [Double] { cards.map { _ in value } }
      return [
        EstimatePart(
          name: "viewer-base",
          values: same(EloBase.logOdds(numbers, genders.bucket(of: slate.context.row)))),
        EstimatePart(name: "viewer-choosy", values: same(-value(viewer, EloSlot.choosy))),
        EstimatePart(name: "card-wanted", values: cards.map { value($0, EloSlot.wanted) }),
        EstimatePart(
          name: "card-base",
          values: slate.rows.map { EloBase.logOdds(numbers, genders.bucket(of: $0)) }),
        EstimatePart(name: "card-choosy", values: cards.map { -value($0, EloSlot.choosy) }),
        EstimatePart(name: "viewer-wanted", values: same(value(viewer, EloSlot.wanted))),
      ]
    }
  }
}

/// One of a person's two numbers.
private struct EloNumber {
  let value: Double
  let variance: Double

  init(_ numbers: LearnedNumbers.Reader, _ person: CardNumber, _ slot: UInt8, prior: Double) {
    let precision = prior + EloSlot.number(numbers(person, slot + 1))
    value = EloSlot.number(numbers(person, slot)) / precision
    variance = 1 / precision
  }
}

/// How likely one person is to like another.
private struct EloSide {
  let p: Double
  /// The variance of `p` over its square: dp = p(1 − p) dz.
  let relativeVariance: Double

  init(base: Double, choosy: EloNumber, wanted: EloNumber) {
    p = logistic(base + wanted.value - choosy.value)
    relativeVariance = (1 - p) * (1 - p) * (wanted.variance + choosy.variance)
  }
}
