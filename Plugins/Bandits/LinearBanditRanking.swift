public import CardFeed
internal import CardFeedOnlineLearning

/// Orders cards by a linear model of their columns, with room for what is not known of it.
///
/// Ridge regression of the answers on columns of numbers, for each viewer or for everybody at once.
/// With `upperBound` a card's score is its expectation and so many deviations (LinUCB; Li et al.
/// 2010); with `thompson` the logarithm of the probability that the card wins a sample in which all
/// cards are drawn by their means and deviations, each by itself. Drawn by the slate rule `softmax`
/// with temperature 1 its propensities are exact; that cards of one model move together is left out
/// of the sample.
public struct LinearBanditRanking<D: Deck>: RankingStrategy {
  /// How scores are made.
  public enum Method: Sendable, Hashable {
    /// The logarithm of the probability to win, among so many candidates.
    case thompson(width: Double, pool: Int)
    /// The expectation and so many deviations.
    case upperBound(width: Double)
  }

  private let method: Method
  private let ridge: Double
  private let sums: LinearSums<D>
  /// The same for each period, where answers are forgotten.
  private let periods: [PeriodSums<D>]

  /// A ranking.
  ///
  /// - Parameters:
  ///   - columns: Columns of numbers, and what each is divided by; at most 19.
  ///   - isOfViewer: Whether each viewer has a model of their own.
  ///   - method: How scores are made.
  ///   - ridge: The precision of the prior of each weight, above 0.
  ///   - forgetting: How answers lose weight with their age; nil where they do not.
  ///   - states: Where sums are kept.
  public init(
    columns: [(name: String, scale: Double)], isOfViewer: Bool, method: Method, ridge: Double,
    forgetting: Forgetting? = nil, states: LearnerStates
  ) {
    precondition(ridge > 0, "A ridge is above 0.")
    self.method = method
    self.ridge = ridge
    // What only tells what an answer adds keeps nothing itself.
    let sums = LinearSums<D>(
      features: CardFeatures(columns: columns.map { .init(name: $0.name, scale: $0.scale) }),
      isOfViewer: isOfViewer, states: forgetting == nil ? states : LearnerStates())
    self.sums = sums
    periods =
      forgetting.map { PeriodSums.cycle(of: sums, stride: sums.stride, $0, states: states) } ?? []
  }

  /// The sums.
  public var learners: [any Learner<D>] { periods.isEmpty ? [sums] : periods }

  /// One score for each candidate; a card without one of the numbers is unscored. O(width³ + n ·
  /// width²), for Thompson sampling and O(pool²).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    let read = try sums.features.reader(slate.table, askedBy: "linear-bandit")
    let viewer = slate.context.number
    let own =
      periods.isEmpty
      ? sums.sums(of: viewer)
      : sums.parts(periods.sums(of: [sums.owner(viewer)], now: slate.context.now)[0])
    guard
      let belief = RidgeBelief(triangle: own.triangle, products: own.products, ridge: ridge)
    else { return SlateScores(values: Array(repeating: .nan, count: slate.count)) }
    var (means, deviations) = (Array(repeating: Double.nan, count: slate.count), [Double]())
    deviations = means
    for (place, row) in slate.rows.enumerated() {
      guard let z = read(row) else { continue }
      let moments = belief.moments(of: z)
      means[place] = moments.mean
      deviations[place] = moments.variance.squareRoot()
    }
    let values: [Double]
    switch method {
    case .upperBound(let width): values = zip(means, deviations).map { $0 + width * $1 }
    case .thompson(let width, let pool):
      let known = means.indices.filter { !means[$0].isNaN }
      let scored = WinningScores.scores(
        of: known.map { slate.numbers[$0] }, means: known.map { means[$0] },
        deviations: known.map { width * deviations[$0] }, pool: pool
      ) { places in
        LinearBandit.distribution(
          means: places.map { means[known[$0]] },
          variances: places.map { deviations[known[$0]] * deviations[known[$0]] },
          policy: .thompson(width: width), link: .linear
        ).probabilities()
      }
      var all = Array(repeating: Double.nan, count: slate.count)
      for (place, score) in zip(known, scored) { all[place] = score }
      values = all
    }
    return SlateScores(
      values: values,
      terms: [
        .init(name: "expectation", values: means, isPrivate: true),
        .init(name: "deviation", values: deviations, isPrivate: true),
      ])
  }
}
