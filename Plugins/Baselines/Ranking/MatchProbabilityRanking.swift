public import CardFeed

/// Orders candidates by P(match). A candidate without an estimate is unscored.
public struct MatchProbabilityRanking<D: Deck>: RankingStrategy {
  /// Needs nothing.
  public init() {}

  /// P(match) of each candidate. O(n).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(values: (0..<estimates.count).map { estimates[$0].match?.value ?? .nan })
  }
}
