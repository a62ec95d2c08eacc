#if HNSW
  internal import CHNSW
  internal import CVectorScan
  internal import Glibc

  /// Near vectors of very many, found by steps along a graph: most of the nearest, in a fraction of the
  /// time of a scan.
  ///
  /// The graph is a hierarchical navigable small world (Malkov and Yashunin, "Efficient and robust
  /// approximate nearest neighbor search using hierarchical navigable small world graphs", 2018),
  /// made by hnswlib. Its nodes hold an index's bytes, so that a step reads a quarter of the memory; what
  /// a search finds is ordered by exact scores, which are those of `VectorIndex` to the bit.
  ///
  /// Many may search at once; a change waits for them and they for it. When not to use it: below some
  /// hundred thousand vectors the scan of `VectorIndex` is short and misses nothing, and making a graph
  /// takes minutes for a million. Deliberately absent: choosing the effort for a recall; measure it
  /// against `VectorIndex` on your own vectors.
  public final class VectorGraph: @unchecked Sendable {
    // Safe to share: the graph and the index are read under the shared side of the lock and changed
    // under its exclusive side.

    /// How a graph is made.
    public struct Options: Hashable, Sendable {
      /// Neighbours of a node on upper levels, and half of those on the lowest: more find more and
      /// take more memory. 2 … 1,000.
      public var links = 16
      /// Candidates that an insertion looks at: more find more and take more time. 1 … 100,000.
      public var effort = 100
      /// Of what is drawn; one seed and one order of rows make one graph.
      public var seed: UInt32 = 1

      /// The numbers that most graphs are made with.
      public init() {}
    }

    private let options: Options
    private let graph: OpaquePointer
    private let lock: UnsafeMutablePointer<pthread_rwlock_t>
    private var held: VectorIndex

    /// A graph of all vectors of an index. O(vectors · log vectors · effort).
    ///
    /// - Parameters:
    ///   - index: The vectors, with codes.
    ///   - options: How it is made.
    /// - Throws: `VectorGraphError` without memory.
    public convenience init(
      of index: VectorIndex, options: Options = Options()
    ) throws(VectorGraphError) {
      try self.init(empty: index, options: options)
      for row in 0..<index.count where index.hasVector(at: row) { try put(row, of: index) }
    }

    /// A graph without nodes that holds an index.
    init(empty index: VectorIndex, options: Options) throws(VectorGraphError) {
      precondition(index.shape.hasCodes, "A graph is made of an index with codes.")
      precondition(
        (2...1000).contains(options.links) && (1...100_000).contains(options.effort),
        "A graph has 2 to 1,000 links and an effort of 1 to 100,000; got \(options.links) and "
          + "\(options.effort).")
      let graph = cardfeed_graph_make(
        index.kernel.rawValue, UInt32(index.shape.codeStride), index.shape.hasSquares,
        UInt32(options.links), UInt32(options.effort), options.seed)
      guard let graph else { throw .noMemory }
      self.graph = graph
      self.options = options
      held = index
      lock = .allocate(capacity: 1)
      lock.initialize(to: pthread_rwlock_t())
      let status = pthread_rwlock_init(lock, nil)
      precondition(status == 0, "A lock could not be made; the process is out of resources.")
    }

    deinit {
      cardfeed_graph_free(graph)
      pthread_rwlock_destroy(lock)
      lock.deallocate()
    }

    /// The index whose vectors the graph has.
    public var index: VectorIndex { shared { held } }

    /// Takes changes over: afterwards the graph is one of `index`. O(rows · log vectors · effort).
    ///
    /// - Parameters:
    ///   - index: The index after the changes, of the dimension and metric of before.
    ///   - rows: Every row that was added, set or removed since.
    /// - Throws: `VectorGraphError` without memory. What was taken over until then stays.
    public func update(to index: VectorIndex, rows: [Int]) throws(VectorGraphError) {
      pthread_rwlock_wrlock(lock)
      defer { pthread_rwlock_unlock(lock) }
      precondition(
        index.dimension == held.dimension && index.metric == held.metric
          && index.shape.hasCodes, "A graph follows an index of one dimension and metric.")
      for row in rows {
        if index.hasVector(at: row) {
          try put(row, of: index)
        } else {
          try check(cardfeed_graph_remove(graph, UInt32(row)))
        }
      }
      held = index
    }

    /// Most of the rows nearest to a vector, the nearest first; of equal scores the lower row.
    ///
    /// Where a filter keeps less than an eighth of the vectors, and where the graph finds fewer rows
    /// than there are, it is an exact search.
    ///
    /// - Parameters:
    ///   - count: How many rows; there are fewer only when fewer are kept.
    ///   - query: As many components as the index's dimension, finite.
    ///   - kept: The rows that may be found; nil is all of them.
    ///   - effort: How many candidates the search keeps, at least `count`: more find more of the
    ///     nearest and take longer.
    /// - Throws: `VectorError` for a vector that is not fit.
    public func nearest(
      _ count: Int, to query: [Float], among kept: RowSet? = nil, effort: Int = 64
    ) throws(VectorError) -> [Neighbour] {
      let index = index
      let prepared = try index.prepare(query, "the vector that is looked for")
      let eligible = index.vectorCount
      let keptCount = kept.map { $0.count } ?? eligible
      if keptCount >= eligible / 8, count < eligible / 2 {
        let (rows, index) = near(prepared, max(count, effort), kept)
        let found = zip(rows, index.scores(of: rows, to: prepared)).compactMap { row, score in
          score.map { Neighbour(row: row, score: $0) }
        }
        if found.count >= count {
          return Array(found.sorted { ($1.score, $0.row) < ($0.score, $1.row) }.prefix(count))
        }
      }
      return try index.nearest(count, to: query, among: kept)
    }

    /// What a search along the graph keeps, in no order, and the index of that moment.
    private func near(
      _ query: PreparedQuery, _ effort: Int, _ kept: RowSet?
    ) -> ([Int], VectorIndex) {
      var found = Array(
        repeating: cardfeed_graph_neighbour(distance: 0, row: 0), count: effort)
      var count: UInt32 = 0
      let index = shared {
        query.withCodes { codes, scale, square in
          let vector = cardfeed_graph_vector(codes: codes, scale: scale, square: square)
          let words = kept?.words ?? []
          let status = words.withUnsafeBufferPointer { words in
            cardfeed_graph_search(
              graph, vector, UInt32(effort), kept == nil ? nil : words.baseAddress, words.count,
              &found, &count)
          }
          // Without memory for a search along the graph the scan still answers.
          if status != CARDFEED_GRAPH_FINE { count = 0 }
        }
        return held
      }
      return (found.prefix(Int(count)).map { Int($0.row) }, index)
    }

    private func shared<Result>(_ body: () -> Result) -> Result {
      pthread_rwlock_rdlock(lock)
      defer { pthread_rwlock_unlock(lock) }
      return body()
    }

    private func put(_ row: Int, of index: VectorIndex) throws(VectorGraphError) {
      let block = index.blocks[row / VectorBlock.fullCapacity]
      let (codes, scale, square) = block.encoded(row % VectorBlock.fullCapacity)
      let vector = cardfeed_graph_vector(codes: codes, scale: scale, square: square)
      // The block is held by `index` for as long as this runs.
      try withExtendedLifetime(block) { () throws(VectorGraphError) in
        try check(cardfeed_graph_put(graph, UInt32(row), vector))
      }
    }

    func check(_ status: cardfeed_graph_status) throws(VectorGraphError) {
      switch status {
      case CARDFEED_GRAPH_FINE: return
      case CARDFEED_GRAPH_NO_MEMORY: throw .noMemory
      default: throw VectorGraphError(.failed, "hnswlib refused a change of the graph")
      }
    }

    /// Calls `body` with the graph, the index and the options, while nothing changes.
    func reading<Result>(
      _ body: (OpaquePointer, VectorIndex, Options) throws(VectorGraphError) -> Result
    ) throws(VectorGraphError) -> Result {
      pthread_rwlock_rdlock(lock)
      defer { pthread_rwlock_unlock(lock) }
      return try body(graph, held, options)
    }
  }
#endif
