public import CardFeed

/// Orders candidates by P(match), or by the uncalibrated number of a strategy that knows no more. A
/// candidate without either is unscored.
public struct MatchProbabilityRanking<D: Deck>: RankingStrategy {
  /// Needs nothing.
  public init() {}

  /// P(match) of each candidate, or what stands for it. O(n).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(values: (0..<estimates.count).map { estimates[$0].order ?? .nan })
  }
}
