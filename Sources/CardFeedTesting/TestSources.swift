public import CardFeed

/// Proposes a list of cards in order, or without a list the whole table.
public struct ListSource<D: Deck>: CandidateSource {
  private let ids: [CardID]?

  /// Proposes `ids` in order; identifiers that the table does not have are passed over. Without
  /// `ids` it proposes every row of the table.
  public init(_ ids: [CardID]? = nil) { self.ids = ids }

  /// The rows from the cursor on, `limit` of them.
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let count = ids?.count ?? table.count
    let start = min(cursor.rawValue, count)
    let end = min(start + limit, count)
    let rows = (start..<end).compactMap { place in
      if let ids { table.row(of: ids[place]) } else { Row(place) }
    }
    return SourcePage(rows: rows, next: end < count ? SourceCursor(end) : nil)
  }
}

/// Answers every page with a closure: for sources that fail, repeat themselves or lie.
public struct ClosureSource<D: Deck>: CandidateSource {
  /// The page from a cursor on.
  public typealias Body =
    @Sendable (SourceCursor, Int, CardTable<D>, DealContext<D>) async throws -> SourcePage

  private let body: Body

  /// Answers with `body`.
  public init(_ body: @escaping Body) { self.body = body }

  /// What the closure says.
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    try await body(cursor, limit, table, context)
  }
}
