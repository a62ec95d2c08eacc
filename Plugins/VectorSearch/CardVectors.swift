public import CardFeed
public import CardFeedVectorIndex

/// An index of a deck's vectors that follows its cards.
///
/// It is made of the first table it meets. For a later one only the rows that changed since are
/// written; searches that hold the earlier index go on with it. Rows of withdrawn cards hold no
/// vector, so nothing finds them.
public final class CardVectors<D: Deck>: Sendable {
  /// The name of the column.
  public let column: String
  /// What makes cards near.
  public let metric: VectorMetric
  /// How the nearest cards are found.
  public let search: VectorSearchMethod
  private let versions = Lock<[Version]>([])
  /// Makes one index at a time, so that waiting for it blocks no thread.
  private let makers = SerialLane()
  #if HNSW
    private let graph: FollowingGraph?
  #endif

  private struct Version {
    let revision: TableRevision
    let index: VectorIndex
  }

  /// How many earlier versions are kept for deals that hold an earlier table. They share all but what
  /// changed between them.
  private static var kept: Int { 4 }

  /// Vectors of one column.
  ///
  /// - Parameters:
  ///   - column: The name of a column of vectors.
  ///   - metric: What makes cards near.
  ///   - search: How the nearest cards are found.
  public init(
    column: String = "vector", metric: VectorMetric = .cosine,
    search: VectorSearchMethod = .exact
  ) {
    self.column = column
    self.metric = metric
    self.search = search
    #if HNSW
      graph = if case .graph(let effort) = search { FollowingGraph(effort: effort) } else { nil }
    #endif
  }

  #if HNSW
    /// Makes the index and the graph of a table, and waits for both: for a program that would rather
    /// begin late than with exact searches of very many cards.
    ///
    /// - Throws: `FeedError.Code.badInput` when the table has no such column.
    public func prepare(for table: CardTable<D>) async throws {
      _ = try await index(of: table)
      await graph?.finished()
    }
  #endif

  /// What a table is searched with; as `index(of:)`.
  func searcher(of table: CardTable<D>) async throws -> VectorSearcher {
    let index = try await index(of: table)
    #if HNSW
      if let graph { return graph.searcher(of: index) }
    #endif
    return VectorSearcher(index: index)
  }

  /// The index of a table, row for row. O(1) for a table that was met before, O(rows + changed rows ·
  /// dimension) for a later one, else O(rows · dimension).
  ///
  /// For an earlier table than those that are kept it is the index of a later one, with more rows
  /// perhaps, and with what changed since.
  ///
  /// - Throws: `FeedError.Code.badInput` when the table has no such column.
  public func index(of table: CardTable<D>) async throws -> VectorIndex {
    if let ready = ready(for: table) { return ready }
    return try await makers.run {
      if let ready = ready(for: table) { return ready }
      let made = try make(for: table)
      #if HNSW
        // Before deals have the index, so that the graph knows no card that is gone.
        graph?.follow(made.index, changed: made.changed, in: makers) { [weak self] in
          self?.versions.withLock { $0.last?.index }
        }
      #endif
      versions.withLock { versions in
        versions.removeAll { !table.revision.isLater(than: $0.revision) }
        versions.append(Version(revision: table.revision, index: made.index))
        if versions.count > Self.kept { versions.removeFirst() }
      }
      return made.index
    }
  }

  private func ready(for table: CardTable<D>) -> VectorIndex? {
    let revision = table.revision
    return versions.withLock { versions in
      versions.first { $0.revision == revision || $0.revision.isLater(than: revision) }?.index
    }
  }

  /// The index, and the rows in which it differs from the latest one; nil where that is another's.
  private func make(
    for table: CardTable<D>
  ) throws -> (index: VectorIndex, changed: [Int]?) {
    let vectors = try VectorColumn(column, metric, of: table, askedBy: "an index of vectors")
    let latest = versions.withLock { $0.last }
    if let latest, latest.index.dimension == vectors.dimension,
      let changed = table.rows(changedSince: latest.revision)
    {
      var index = latest.index
      for row in changed {
        if row.index == index.count {
          append(row, of: vectors, table, to: &index)
        } else if table.isAvailable(row) {
          vectors.set(row, in: &index)
        } else {
          index.remove(at: row.index)
        }
      }
      if index.count == table.count { return (index, changed.map(\.index)) }
    }
    var index = VectorIndex(dimension: vectors.dimension, metric: metric)
    for row in 0..<table.count { append(Row(row), of: vectors, table, to: &index) }
    return (index, nil)
  }

  private func append(
    _ row: Row, of vectors: VectorColumn, _ table: CardTable<D>, to index: inout VectorIndex
  ) {
    guard table.isAvailable(row) else { return index.appendMissing() }
    vectors.append(row, to: &index)
  }
}

/// A card that is like another one.
public struct SimilarCard: Hashable, Sendable {
  /// The card.
  public let id: CardID
  /// How near it is by the metric: the greater, the nearer.
  public let score: Float
}

extension CardVectors {
  /// More like this: the cards nearest to a card, the nearest first, of equal ones the one that came
  /// first. Without the card itself and without withdrawn cards; nothing else is filtered, so a page
  /// for a viewer wants the source `vector-nearest`.
  ///
  /// - Parameters:
  ///   - card: A card of the table, withdrawn or not.
  ///   - limit: How many at most.
  ///   - table: The cards, for example `feed.cards`.
  /// - Returns: None when the card is not in the table or has no vector.
  /// - Throws: `FeedError.Code.badInput` when the table has no such column, and for a card whose vector
  ///   is too long or, with the metric cosine, of length 0.
  public func cards(
    like card: CardID, limit: Int, in table: CardTable<D>
  ) async throws -> [SimilarCard] {
    let vectors = try VectorColumn(column, metric, of: table, askedBy: "an index of vectors")
    guard let row = table.row(of: card), let vector = vectors.vector(at: row) else { return [] }
    var others = RowSet.all(below: table.count)
    others.remove(row.index)
    let searcher = try await searcher(of: table)
    do {
      return try searcher.nearest(limit, to: vector, among: others)
        .map { SimilarCard(id: table.id(at: Row($0.row)), score: $0.score) }
    } catch {
      throw FeedError(
        .badInput, "no card is like the one that was asked about: \(error)",
        hint: "ask about cards with a fit vector, or give the card another one")
    }
  }
}
