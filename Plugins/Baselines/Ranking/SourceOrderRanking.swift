public import CardFeed

/// Keeps the order in which the sources proposed the candidates: earlier sources first, and the
/// order of each source within it.
///
/// The score of a candidate is minus its place in the slate. It is the one ranking that looks at
/// the order of the slate, so here permuting a slate does not permute its scores.
public struct SourceOrderRanking<D: Deck>: RankingStrategy {
  /// Needs nothing.
  public init() {}

  /// 0, −1, −2, … O(n).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(values: (0..<slate.count).map { -Double($0) })
  }
}
