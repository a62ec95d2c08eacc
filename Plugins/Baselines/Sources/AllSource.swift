public import CardFeed

/// Proposes every row of the table, in the order in which the cards came.
///
/// Withdrawn cards are proposed too; the built-in safety filters remove and count them. When not to
/// use it alone: in a deck of millions, where a source that knows what the viewer looks for reads
/// fewer rows.
public struct AllSource<D: Deck>: CandidateSource {
  /// Needs nothing.
  public init() {}

  /// The rows from `cursor` on, which counts rows. O(limit).
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let start = min(max(cursor.rawValue, 0), table.count)
    let end = start + min(limit, table.count - start)
    return SourcePage(
      rows: (start..<end).map(Row.init), next: end < table.count ? SourceCursor(end) : nil)
  }
}
