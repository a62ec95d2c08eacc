internal import CardFeedVectorIndex

/// How long searches by vectors take, on vectors that other programs measure as well.
///
/// Processor time of this process, the best of several passes; every answer is checked against a plain
/// scan in single precision, so that a search which finds the wrong rows is seen.
public struct VectorSearchSpeed: Sendable {
  /// Vectors of one length, one after the other.
  public struct Vectors: Sendable {
    let values: [Float]
    /// How many components each has.
    public let dimension: Int

    /// - Parameters:
    ///   - values: The components of all vectors.
    ///   - dimension: How many each has, by which `values.count` is divisible.
    public init(_ values: [Float], dimension: Int) {
      precondition(
        dimension > 0 && values.count % dimension == 0,
        "\(values.count) numbers are no whole vectors of \(dimension).")
      self.values = values
      self.dimension = dimension
    }

    /// How many there are.
    public var count: Int { values.count / dimension }

    /// One of them.
    public subscript(row: Int) -> [Float] {
      Array(values[row * dimension..<(row + 1) * dimension])
    }

    func prefix(_ count: Int) -> Vectors {
      Vectors(Array(values.prefix(count * dimension)), dimension: dimension)
    }
  }

  private let vectors: Vectors
  private let queries: Vectors
  private let kept: RowSet
  private let passes = 5
  private let wanted = 20

  /// A measurement.
  ///
  /// - Parameters:
  ///   - vectors: What is searched in.
  ///   - queries: What is looked for.
  ///   - keeps: For each vector whether a filter keeps it.
  public init(vectors: Vectors, queries: Vectors, keeps: [Bool]) {
    precondition(
      vectors.dimension == queries.dimension && keeps.count == vectors.count,
      "Queries have the dimension of the vectors, and a filter has a value for each vector.")
    self.vectors = vectors
    self.queries = queries
    kept = RowSet(below: keeps.count) { keeps[$0] }
  }

  /// Measures exact searches: one query, one with the filter, and many at once.
  ///
  /// - Throws: Whatever an index refuses.
  public func exact() throws -> [SpeedFigure] {
    let started = ProcessorTime.seconds
    let index = try Self.index(of: vectors, hasCodes: true)
    let making = ProcessorTime.seconds - started
    let plain = try Self.index(of: vectors, hasCodes: false)
    let one = (0..<min(40, queries.count)).map { queries[$0] }
    var figures = [
      SpeedFigure(
        task: "make an index of \(vectors.count)", value: making, unit: .seconds)
    ]
    for (name, filter, beside) in [
      ("", nil, "faiss_flat_top20_ms"),
      (" where a filter keeps \(kept.count)", kept, "faiss_flat_top20_keep3_ms"),
    ] {
      let recall = try Self.recall(
        one.map { try index.nearest(wanted, to: $0, among: filter) },
        one.map { try plain.nearest(wanted, to: $0, among: filter) })
      let time = try best {
        for query in one { _ = try index.nearest(wanted, to: query, among: filter) }
      }
      figures.append(
        SpeedFigure(
          task: "nearest \(wanted) of \(vectors.count)\(name)",
          value: time / Double(one.count) * 1e3, unit: .milliseconds, recall: recall, beside: beside
        ))
    }
    return try figures + batches()
  }

  /// 128 queries at once over the first 100,000, with and without codes.
  private func batches() throws -> [SpeedFigure] {
    let some = vectors.prefix(min(100_000, vectors.count))
    let many = (0..<min(128, queries.count)).map { queries[$0] }
    let plain = try Self.index(of: some, hasCodes: false)
    let expected = try plain.nearest(wanted, toEach: many)
    return try [(true, "bytes and floats"), (false, "floats only")].map { hasCodes, name in
      let index = try Self.index(of: some, hasCodes: hasCodes)
      let recall = try Self.recall(index.nearest(wanted, toEach: many), expected)
      let time = try best { _ = try index.nearest(wanted, toEach: many) }
      return SpeedFigure(
        task: "\(many.count) queries at once over \(some.count), each (\(name))",
        value: time / Double(many.count) * 1e3, unit: .milliseconds, recall: recall,
        beside: "faiss_flat_batch128_100k_ms")
    }
  }

  private static func index(of vectors: Vectors, hasCodes: Bool) throws -> VectorIndex {
    var index = VectorIndex(
      dimension: vectors.dimension, metric: .innerProduct, hasCodes: hasCodes)
    try index.append(rows: vectors.values.span)
    return index
  }

  private static func recall(_ found: [[Neighbour]], _ expected: [[Neighbour]]) throws -> Double {
    let hits = zip(found, expected).reduce(0) { sum, pair in
      sum + Set(pair.0.map(\.row)).intersection(pair.1.map(\.row)).count
    }
    return Double(hits) / Double(max(1, expected.reduce(0) { $0 + $1.count }))
  }

  /// The least processor time of several passes, in seconds.
  private func best(_ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<passes {
      let started = ProcessorTime.seconds
      try body()
      least = min(least, ProcessorTime.seconds - started)
    }
    return least
  }
}

#if HNSW
  extension VectorSearchSpeed {
    /// Measures a graph over the first rows: making it, and searches with more and more effort.
    ///
    /// - Parameter rows: How many rows the graph has, at most.
    /// - Throws: Whatever an index or a graph refuses.
    public func graph(rows: Int) throws -> [SpeedFigure] {
      let some = vectors.prefix(min(rows, vectors.count))
      let index = try Self.index(of: some, hasCodes: true)
      let started = ProcessorTime.seconds
      let graph = try VectorGraph(of: index)
      var figures = [
        SpeedFigure(
          task: "make a graph of \(some.count)", value: ProcessorTime.seconds - started,
          unit: .seconds, beside: "hnswlib_build_cpu_s")
      ]
      let all = (0..<queries.count).map { queries[$0] }
      let expected = try index.nearest(wanted, toEach: all)
      for effort in [24, 32, 40, 50, 64, 80, 120, 200] {
        let recall = try Self.recall(
          all.map { try graph.nearest(wanted, to: $0, effort: effort) }, expected)
        let time = try best {
          for query in all { _ = try graph.nearest(wanted, to: query, effort: effort) }
        }
        figures.append(
          SpeedFigure(
            task: "nearest \(wanted) of \(some.count) along the graph, effort \(effort)",
            value: time / Double(all.count) * 1e3, unit: .milliseconds, recall: recall,
            beside: "hnswlib ef=\(effort)"))
      }
      return figures
    }
  }
#endif
