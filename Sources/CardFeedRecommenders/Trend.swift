/// A recommender whose scores are raised for cards that are on the rise, and lowered for those that
/// have had their time.
///
/// The base's scores are brought to mean 0 and deviation 1; those above 0 are multiplied by
/// ((recent + 3) / (all + 15))^exponent, where `recent` counts each viewer of a card as rate^(time
/// since) and `all` as 1. For discovery in what has seasons.
public struct Trend: Recommender {
  /// The recommender whose scores are changed.
  public let base: any Recommender
  let factors: [Float]

  init(_ base: any Recommender, factors: [Float]) {
    self.base = base
    self.factors = factors
  }

  /// A trend over a recommender.
  ///
  /// - Parameters:
  ///   - base: The recommender.
  ///   - histories: The swipes that trends are seen in.
  ///   - rate: What each unit of time since a swipe multiplies, 0 … 1.
  ///   - exponent: How strongly trends count; 0 for not at all.
  ///   - now: The present; without one the latest swipe.
  /// - Complexity: O(swipes).
  public init(
    _ base: any Recommender, histories: ViewerHistories, rate: Double = 0.7,
    exponent: Double = 0.3, now: Double? = nil
  ) {
    precondition(histories.cardCount == base.cardCount, "A trend knows the cards of its base.")
    let recent = Popularity(histories, rate: rate, now: now).counts
    let all = Popularity(histories).counts
    self.init(
      base,
      factors: zip(recent, all).map { Float(power(($0 + 3) / ($1 + 15), exponent)) })
  }

  /// Cards are numbered 0 ..< `cardCount`.
  public var cardCount: Int { factors.count }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    base.score(into: scores, history, now: now)
    Blend.standardise(scores)
    for card in 0..<cardCount {
      // What is below the mean keeps its order and stays below.
      scores[card] = scores[card] > 0 ? scores[card] * factors[card] : scores[card] * 1e-3
    }
  }
}
