public import CardFeed

/// Proposes every card of a deck of people, the nearest to the viewer first; those whose place is
/// not known come last, in the order in which they came.
///
/// A page of `all` holds the cards that came first, and a ranking sees no more than the pages that a
/// deal has asked for. With this source the nearest cards are in the first page, however many there
/// are. When not to use it: where the place does not matter; it reads the whole column for each page.
public struct NearestSource<D: Deck>: CandidateSource {
  private let column: String

  /// A source by distance.
  ///
  /// - Parameter column: The name of a column of places.
  public init(column: String = "place") { self.column = column }

  /// The rows from `cursor` on, which counts the cards nearer than the page. O(cards), and a few
  /// times sorting the cards up to the end of the page. Throws `FeedError.Code.badInput` when the
  /// column does not hold places.
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let start = min(max(cursor.rawValue, 0), table.count)
    let end = start + min(limit, table.count - start)
    guard end > start else { return SourcePage(rows: [], next: nil) }
    let places = try table.places(column, askedBy: "the source 'nearest'")
    let here = context.row.flatMap { places[$0.index] }
    var nearest = NearestRows(count: end)
    for row in 0..<table.count {
      let distance = Distance.between(here, places[row]).map(\.metres) ?? .infinity
      nearest.take(row, distance)
    }
    return SourcePage(
      rows: nearest.ascending()[start...].map(Row.init),
      next: end < table.count ? SourceCursor(end) : nil)
  }
}

/// The `count` nearest of the rows that it is given in ascending order; of two at the same distance
/// the one that came first.
private struct NearestRows {
  private let count: Int
  private var rows: [(distance: Double, row: Int)] = []
  private var bound = Double.infinity

  init(count: Int) { self.count = count }

  mutating func take(_ row: Int, _ distance: Double) {
    // Once there are enough, a later row at the bound's own distance comes after them.
    if rows.count >= count, distance >= bound { return }
    rows.append((distance, row))
    // Sorting only when twice as many wait costs O(log count) a row at most.
    if rows.count >= 2 * count { shorten() }
  }

  mutating func ascending() -> [Int] {
    shorten()
    return rows.map(\.row)
  }

  private mutating func shorten() {
    rows.sort { ($0.distance, $0.row) < ($1.distance, $1.row) }
    guard rows.count >= count else { return }
    rows.removeSubrange(count...)
    bound = rows[count - 1].distance
  }
}
