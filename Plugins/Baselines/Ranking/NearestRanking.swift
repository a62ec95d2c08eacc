public import CardFeed

/// Orders candidates by their distance from the viewer, the nearest first, in any deck of people
/// with a column of places.
///
/// The score is minus the distance in kilometres. A candidate whose place is not known is unscored
/// and comes last; so are all when the viewer's place is not known. The distance is a private term:
/// three exact ones tell where somebody is. Show a `ShownDistance` to viewers.
public struct NearestRanking<D: Deck>: RankingStrategy {
  private let column: String

  /// An order by distance.
  ///
  /// - Parameter column: The name of a column of places.
  public init(column: String = "place") { self.column = column }

  /// The column.
  public var scored: [String] { [column] }

  /// Minus the kilometres to each candidate. O(n). Throws `FeedError.Code.badInput` when the column
  /// does not hold places.
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    guard slate.count > 0 else { return SlateScores(values: []) }
    let places = try slate.places(column, askedBy: "the ranking 'nearest'")
    let here = slate.context.row.flatMap { places[$0.index] }
    let values = slate.rows.map { row in
      Distance.between(here, places[row.index]).map { -$0.kilometres } ?? .nan
    }
    return SlateScores(
      values: values,
      terms: [SlateScores.Term(name: "kilometres", values: values, isPrivate: true)])
  }
}
