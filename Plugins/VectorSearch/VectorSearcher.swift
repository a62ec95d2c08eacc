internal import CardFeed
internal import CardFeedVectorIndex

/// How the nearest cards are found.
public enum VectorSearchMethod: Hashable, Sendable {
  /// By a scan that misses nothing and gives the same answer each time.
  case exact
  #if HNSW
    /// Along a graph, for more than some two hundred thousand cards: most of the nearest, in a fraction
    /// of the time. `effort` is how many candidates a search keeps at least.
    ///
    /// Not promised is the same answer for the same cards, since a graph depends on the order in which
    /// they came and changed. While it is made, for minutes at a million cards, searches are exact.
    case graph(effort: Int)
  #endif
}

/// What a table's cards are searched with.
struct VectorSearcher {
  /// The index of the table.
  let index: VectorIndex
  /// Searches along a graph.
  var graph: (@Sendable (_ count: Int, [Float], RowSet) throws -> [Neighbour])?
  /// Why there is no graph, although one is wanted.
  var failure: SourceFailure?

  /// The nearest rows; along a graph most of them.
  func nearest(_ count: Int, to query: [Float], among kept: RowSet) throws -> [Neighbour] {
    guard let graph else { return try index.nearest(count, to: query, among: kept) }
    return try graph(count, query, kept)
  }

  /// How many rows a search for `count` asks for. Pages are cut out of one answer, as long as they lie in
  /// it: answers of a graph for one number and for a greater one need not begin alike.
  func searchedCount(_ count: Int) -> Int {
    guard graph != nil, count < 1 << 40 else { return count }
    var searched = 512
    while searched < count { searched *= 2 }
    return searched
  }
}
