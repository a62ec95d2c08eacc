public import CardFeed
public import CardFeedVectorIndex

/// Orders candidates by how near their vectors are to what the viewer liked, or to the viewer's own.
///
/// The score is the metric's, to the bit what the source `vector-nearest` orders by: the inner
/// product, the cosine, or minus the squared distance. A candidate without a vector is unscored; so
/// are all when nothing is known of the viewer, and the term's name says why. In a deck of people the score is a private term, as
/// vectors may tell what others did.
public struct VectorSimilarityRanking<D: Deck>: RankingStrategy {
  private let column: String
  private let metric: VectorMetric
  private let target: VectorTarget

  /// An order by nearness.
  ///
  /// - Parameters:
  ///   - column: The name of a column of vectors.
  ///   - metric: What makes cards near.
  ///   - target: What cards are to be near to.
  public init(column: String = "vector", metric: VectorMetric = .cosine, to target: VectorTarget) {
    self.column = column
    self.metric = metric
    self.target = target
  }

  /// The column.
  public var scored: [String] { [column] }

  /// The score of each candidate. O(n · dimension + seen cards). Throws `FeedError.Code.badInput` when
  /// the deck has no such column of vectors.
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    guard slate.count > 0 else { return SlateScores(values: []) }
    let vectors = try VectorColumn(
      column, metric, of: slate.table, askedBy: "the ranking 'vector-similarity'")
    // Copied once, so that scores are computed in the very way of a search.
    var index = VectorIndex(dimension: vectors.dimension, metric: metric, hasCodes: false)
    for row in slate.rows { vectors.append(row, to: &index) }
    let values: [Double]
    var name = "similarity"
    switch target.query(for: slate.context, in: slate.table, vectors, index) {
    case .vector(let query):
      values = try index.scores(of: Array(0..<slate.count), to: query)
        .map { $0.map(Double.init) ?? .nan }
    case .unknown(let reason), .unfit(let reason):
      name += " (\(reason))"
      values = Array(repeating: .nan, count: slate.count)
    }
    return SlateScores(
      values: values,
      terms: [
        SlateScores.Term(
          name: name, values: values, isPrivate: slate.context.deck.policy.isMutual)
      ])
  }
}
