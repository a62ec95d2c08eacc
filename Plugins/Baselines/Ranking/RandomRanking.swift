public import CardFeed

/// Orders candidates at random: each has a number in 0 ..< 1 of its own for each deal.
///
/// The number follows from the seed of the deal and the number of the card, not from the order of
/// the slate, so the same deal gives the same order however the candidates came.
public struct RandomRanking<D: Deck>: RankingStrategy {
  /// Needs nothing.
  public init() {}

  /// One number in 0 ..< 1 for each candidate. O(n).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(values: slate.randomNumbers())
  }
}

extension Slate {
  /// One number in 0 ..< 1 for each candidate, from the seed of the deal and the card's number.
  func randomNumbers() -> [Double] {
    let seed = context.seed(for: "random")
    return rows.map { row in
      var hash = StableHash()
      hash.combine(seed)
      hash.combine(table.number(at: row).rawValue)
      return hash.unitInterval
    }
  }
}
