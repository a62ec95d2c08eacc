internal import CVectorScan

extension VectorIndex {
  /// The rows nearest to a vector, the nearest first; of equal scores the lower row.
  ///
  /// O(vectors · dimension) with one byte read for each component, or four without codes; rows that
  /// are not kept are not read.
  ///
  /// - Parameters:
  ///   - count: How many rows; there are fewer when fewer are kept.
  ///   - query: As many components as `dimension`, finite.
  ///   - kept: The rows that may be found; nil is all of them.
  /// - Throws: `VectorError` for a vector that is not fit.
  public func nearest(
    _ count: Int, to query: [Float], among kept: RowSet? = nil
  ) throws(VectorError) -> [Neighbour] {
    try search(count, to: [query], among: kept)[0].neighbours
  }

  /// The rows nearest to each of some vectors: what `nearest(_:to:among:)` says of each, in less time.
  ///
  /// Every block is compared with all vectors before the next one, while it lies in the cache.
  ///
  /// - Parameters:
  ///   - count: How many rows for each vector.
  ///   - queries: Vectors of as many components as `dimension`, finite.
  ///   - kept: The rows that may be found; nil is all of them.
  /// - Throws: `VectorError` for a vector that is not fit; it says which.
  public func nearest(
    _ count: Int, toEach queries: [[Float]], among kept: RowSet? = nil
  ) throws(VectorError) -> [[Neighbour]] {
    try search(count, to: queries, among: kept).map(\.neighbours)
  }

  /// The score of one row, the same to the bit as in an answer of `nearest`; nil if it has no
  /// vector. O(dimension).
  ///
  /// - Throws: `VectorError` for a vector that is not fit.
  public func score(of row: Int, to query: [Float]) throws(VectorError) -> Float? {
    try scores(of: [row], to: query)[0]
  }

  /// The scores of some rows, the same to the bit as in an answer of `nearest`; nil for rows without
  /// a vector. O(rows · dimension).
  ///
  /// - Throws: `VectorError` for a vector that is not fit.
  public func scores(of rows: [Int], to query: [Float]) throws(VectorError) -> [Float?] {
    scores(of: rows, to: try prepare(query, "the vector that is looked for"))
  }

  func scores(of rows: [Int], to prepared: PreparedQuery) -> [Float?] {
    let stride = UInt32(shape.stride)
    return prepared.withVector { wanted in
      rows.map { row in
        guard hasVector(at: row) else { return nil }
        let found = blocks[row / VectorBlock.fullCapacity].padded(row % VectorBlock.fullCapacity)
        return metric == .euclidean
          ? -cardfeed_vector_square_distance(kernel.code, found, wanted, stride)
          : cardfeed_vector_product(kernel.code, found, wanted, stride)
      }
    }
  }

  /// An answer, and how many scores were computed in full for it.
  package struct Answer: Sendable {
    package let neighbours: [Neighbour]
    package let evaluated: Int
  }

  package func search(
    _ count: Int, to queries: [[Float]], among kept: RowSet?
  ) throws(VectorError) -> [Answer] {
    precondition(count >= 0, "There are no \(count) nearest rows.")
    var prepared: [PreparedQuery] = []
    for (index, query) in queries.enumerated() {
      let name = queries.count == 1 ? "that is looked for" : "number \(index) that is looked for"
      prepared.append(try prepare(query, "the vector \(name)"))
    }
    let wanted = min(count, kept.map { min($0.count, self.count) } ?? self.count)
    var best = prepared.map { _ in BestRows(capacity: wanted) }
    for (index, block) in blocks.enumerated() where wanted > 0 {
      let first = index * VectorBlock.fullCapacity
      let words = keptWords(of: block, first: first, among: kept)
      if let words, words.allSatisfy({ $0 == 0 }) { continue }
      for query in prepared.indices {
        block.scan(
          prepared[query], kept: words, first: first, kernel: kernel, into: &best[query])
      }
    }
    return best.indices.map { index in
      Answer(neighbours: best[index].sorted(), evaluated: best[index].evaluated)
    }
  }

  /// A bit for each row of a block that counts; nil when all do.
  private func keptWords(
    of block: VectorBlock, first: Int, among kept: RowSet?
  ) -> [UInt64]? {
    guard let kept else { return block.presentCount == block.count ? nil : block.present }
    let start = first / 64
    var words = block.present
    for place in words.indices {
      words[place] &= start + place < kept.words.count ? kept.words[start + place] : 0
    }
    return words
  }

  func prepare(_ query: [Float], _ subject: String) throws(VectorError) -> PreparedQuery {
    guard query.count == dimension else {
      throw .wrongLength(query.count, expected: dimension, of: subject)
    }
    let factor = try factor(of: query.span, subject)
    return PreparedQuery(factor == 1 ? query : query.map { $0 * factor }, shape)
  }

  /// The same rows scanned with other instructions, for tests.
  package func using(_ kernel: VectorKernel) -> VectorIndex {
    var index = self
    index.kernel = kernel
    return index
  }
}
