public import CardFeed
internal import CardFeedOnlineLearning

/// Orders cards by what is known of their rates of likes, with room for what is not known.
///
/// With `thompson` the score of a card is the logarithm of the probability that it wins a sample of
/// all cards' beta beliefs; drawn by the slate rule `softmax` with temperature 1 that is Thompson
/// sampling with exact propensities. With `upper-bound` it is the mean of the belief and `width` ·
/// √(ln n / answers), n the answers about all candidates.
///
/// Thompson sampling compares the `pool` candidates that may be best; all others come behind them,
/// by their means. What scores are made of follows from what others did, so it is private.
public struct CountRanking<D: Deck>: RankingStrategy {
  /// How scores are made.
  public enum Method: Sendable, Hashable {
    /// The logarithm of the probability to win, among so many candidates.
    case thompson(pool: Int)
    /// Mean and bound, so many times as wide as UCB1's with 1.
    case upperBound(width: Double)
  }

  private let method: Method
  private let a: Double
  private let b: Double
  private let counts: CardCounts<D>
  /// The same for each period, where answers are forgotten.
  private let periods: [PeriodSums<D>]

  /// A ranking.
  ///
  /// - Parameters:
  ///   - method: How scores are made.
  ///   - a: The prior's likes, above 0.
  ///   - b: The prior's passes, above 0.
  ///   - forgetting: How answers lose weight with their age; nil where they do not.
  ///   - states: Where answers are counted.
  public init(
    method: Method, a: Double, b: Double, forgetting: Forgetting? = nil, states: LearnerStates
  ) {
    precondition(a > 0 && b > 0, "A prior is above 0.")
    self.method = method
    self.a = a
    self.b = b
    // What only tells what an answer adds keeps nothing itself.
    let counts = CardCounts<D>(states: forgetting == nil ? states : LearnerStates())
    self.counts = counts
    periods =
      forgetting.map {
        PeriodSums.cycle(of: counts, stride: CardCounts<D>.stride, $0, states: states)
      } ?? []
  }

  /// The counts.
  public var learners: [any Learner<D>] { periods.isEmpty ? [counts] : periods }

  /// One score for each candidate. O(n), for Thompson sampling O(n + pool²).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let (answers, likes) =
      periods.isEmpty
      ? counts.counts(of: slate.numbers)
      : CardCounts<D>.counts(periods.sums(of: slate.numbers, now: slate.context.now))
    let means = zip(answers, likes).map { ($1 + a) / ($0 + a + b) }
    let values: [Double]
    switch method {
    case .upperBound(let width):
      let total = max(answers.reduce(0, +), 1)
      values = means.indices.map { place in
        // What was never answered about counts as half an answer, so that it is first and finite.
        let rounds = max(answers[place], 0.5)
        return means[place] + width * (naturalLogarithm(total + 1) / rounds).squareRoot()
      }
    case .thompson(let pool):
      values = WinningScores.scores(
        of: slate.numbers, means: means,
        deviations: means.indices.map { place in
          (means[place] * (1 - means[place]) / (answers[place] + a + b + 1)).squareRoot()
        }, pool: pool
      ) { places in
        CountBandit(
          rounds: places.map { answers[$0] }, rewards: places.map { likes[$0] },
          settings: .init(policy: .thompson(), a: a, b: b)
        ).distribution().probabilities()
      }
    }
    return SlateScores(
      values: values,
      terms: [
        .init(name: "rate", values: means, isPrivate: true),
        .init(name: "answers", values: answers, isPrivate: true),
      ])
  }
}

/// Scores whose softmax with temperature 1 is the probability to win.
enum WinningScores {
  /// Of the candidates that may be best the logarithm of the probability to win; of all others a
  /// number below, in the order of their means.
  ///
  /// - Parameters:
  ///   - cards: The candidates; of equal ones the lower number comes first, whatever their places.
  ///   - probabilities: Of the candidates at the places given, in order.
  static func scores(
    of cards: [CardNumber], means: [Double], deviations: [Double], pool: Int,
    _ probabilities: ([Int]) -> [Double]
  ) -> [Double] {
    func order(_ places: [Int], _ key: (Int) -> Double) -> [Int] {
      places.sorted {
        key($0) == key($1) ? cards[$0].rawValue < cards[$1].rawValue : key($0) > key($1)
      }
    }
    let all = order(Array(means.indices)) { means[$0] + 3 * deviations[$0] }
    // In the order of the cards, so that rounding does not depend on the order of the slate.
    let compared = all.prefix(pool).sorted { cards[$0].rawValue < cards[$1].rawValue }
    var scores = Array(repeating: 0.0, count: means.count)
    guard !compared.isEmpty else { return scores }
    for (place, probability) in zip(compared, probabilities(compared)) {
      // Far below what is ever drawn, and still finite.
      scores[place] = max(naturalLogarithm(probability), Self.floor)
    }
    for (rank, place) in order(Array(all.dropFirst(pool)), { means[$0] }).enumerated() {
      scores[place] = Self.floor - 1 - Double(rank)
    }
    return scores
  }

  private static let floor = -200.0
}
