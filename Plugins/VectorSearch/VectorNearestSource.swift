public import CardFeed
internal import CardFeedVectorIndex

/// Proposes every card, the nearest to a vector first: those that the viewer has not answered, then
/// those they have, then cards without a vector in the order in which they came.
///
/// With an exact search the order is total, of equal scores the earlier card comes first, so pages have no card twice
/// and together every card that was not withdrawn once. When nothing is known of the viewer, no
/// card is near and they come in their order; list another source first for such viewers. The same
/// holds for a vector that no search takes, and then the deal says that the source failed.
///
/// Along a graph most of the nearest come first. A page may then miss a card that a later deal has, and
/// repeat one, which the deal takes once. When not to
/// use it: where nearness is not what is wanted, as it shows more of the same.
public struct VectorNearestSource<D: Deck>: CandidateSource {
  private let vectors: CardVectors<D>
  private let target: VectorTarget

  /// A source by nearness.
  ///
  /// - Parameters:
  ///   - vectors: The index.
  ///   - target: What cards are to be near to.
  public init(_ vectors: CardVectors<D>, to target: VectorTarget) {
    self.vectors = vectors
    self.target = target
  }

  /// The column.
  public var scored: [String] { [vectors.column] }

  /// The rows from `cursor` on, which counts the cards before the page. One search for each page.
  /// Throws `FeedError.Code.badInput` when the deck has no such column of vectors.
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let start = max(cursor.rawValue, 0)
    let searcher = try await vectors.searcher(of: table)
    let column = try VectorColumn(
      vectors.column, vectors.metric, of: table, askedBy: "the source 'vector-nearest'")
    let query = target.query(for: context, in: table, column, searcher.index)
    let order = NearestFirst(
      table: table, searcher: searcher, context: context, query: query.vector)
    let failure = query.failure ?? searcher.failure
    var rows = try order.nearest(answered: false, from: start, limit: limit)
    let newCount = order.newCount
    if rows.count < limit {
      rows += try order.nearest(
        answered: true, from: start + rows.count - newCount, limit: limit - rows.count)
    }
    let nearCount = newCount + order.answeredCount
    guard rows.count < limit else {
      return SourcePage(rows: rows, next: SourceCursor(start + rows.count), failure: failure)
    }
    let others = order.others.dropFirst(max(0, start + rows.count - nearCount))
    let taken = others.prefix(limit - rows.count)
    rows += taken
    return SourcePage(
      rows: rows, next: taken.count < others.count ? SourceCursor(start + rows.count) : nil,
      failure: failure)
  }
}

/// The three parts of the order.
private struct NearestFirst<D: Deck> {
  let table: CardTable<D>
  private let searcher: VectorSearcher
  private let query: [Float]?
  /// Rows that the viewer has answered, with a vector.
  private let answered: RowSet
  private let own: Int?

  init(
    table: CardTable<D>, searcher: VectorSearcher, context: DealContext<D>, query: [Float]?
  ) {
    self.table = table
    self.searcher = searcher
    self.query = query
    let index = searcher.index
    own = context.row?.index
    answered = RowSet(
      context.seen.lazy.compactMap { $1.answer == nil ? nil : table.row(of: $0)?.index }
        .filter { [own] in $0 != own && index.hasVector(at: $0) })
  }

  private var index: VectorIndex { searcher.index }

  var answeredCount: Int { query == nil ? 0 : answered.count }

  var newCount: Int {
    guard query != nil else { return 0 }
    // The index of a later table has rows that this one does not.
    let all =
      index.count == table.count
      ? index.vectorCount : (0..<table.count).count { index.hasVector(at: $0) }
    return all - answered.count - (own.map { index.hasVector(at: $0) ? 1 : 0 } ?? 0)
  }

  /// The nearest of one part from a place on.
  func nearest(answered wanted: Bool, from start: Int, limit: Int) throws -> [Row] {
    guard let query, start >= 0 else { return [] }
    var kept = answered
    if !wanted {
      kept = RowSet.all(below: table.count).subtracting(answered)
      if let own { kept.remove(own) }
    }
    let (count, isTooMany) = start.addingReportingOverflow(limit)
    let searched = searcher.searchedCount(isTooMany ? .max : count)
    let found = try searcher.nearest(searched, to: query, among: kept)
    return found.dropFirst(start).prefix(limit).map { Row($0.row) }
  }

  /// Cards that are near to nothing, in their order.
  var others: [Row] {
    (0..<table.count).map(Row.init).filter { row in
      row.index != own && table.isAvailable(row)
        && (query == nil || !index.hasVector(at: row.index))
    }
  }
}
