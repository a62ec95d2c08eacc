internal import CardFeedExperiments

extension Tool {
  /// Measures the tasks that other programs measure on the same files: `bench perf --inputs`.
  func measurePeerTasks(
    in directory: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitStatus {
    let peers = try arguments.value("peers").map { try PeerFigures(path: $0) }
    var figures = try vectorTasks(in: directory, peers, arguments, context)
    let swipes = "\(directory)/interactions.csv"
    if FileSystem.size(of: swipes) != nil {
      context.note("fitting factors")
      let speed = try RecommenderSpeed(path: swipes)
      let factors = try speed.figures()
      if factors.isEmpty {
        context.note("without the trait OpenBLAS there are no factors to measure")
      }
      figures += try factors + speed.heldOut()
    }
    context.note("learning, and looking at hands as a whole")
    figures += try LearningWorkload(clock: { ProcessorTime.seconds }).all().map { row in
      SpeedFigure(
        task: row.name, value: row.nanoseconds * 1e-3, unit: .microseconds, beside: row.beside)
    }
    try context.write(
      PeerTable(figures: figures, peers: peers).table, format: arguments.value("format"))
    return .fine
  }

  private func vectorTasks(
    in directory: String, _ peers: PeerFigures?, _ arguments: ParsedArguments,
    _ context: CommandContext
  ) throws -> [SpeedFigure] {
    let vectors = try PeerArray(path: "\(directory)/vectors.npy").vectors()
    let queries = try PeerArray(path: "\(directory)/queries.npy").vectors()
    let keeps = try PeerArray(path: "\(directory)/keep3.npy").bools()
    guard vectors.dimension == queries.dimension, vectors.count == keeps.count else {
      throw PeerArray.Problem(
        "the inputs in '\(directory)' do not fit together; allowed: queries of the dimension of the "
          + "vectors, and one value of the filter for each vector")
    }
    let rows = min(
      try arguments.integer("graph-rows", in: 1...100_000_000) ?? 200_000, vectors.count)
    try peers?.check(graphRows: rows)
    let speed = VectorSearchSpeed(vectors: vectors, queries: queries, keeps: keeps)
    context.note("searching \(vectors.count) vectors")
    var figures = try speed.exact()
    #if HNSW
      context.note("making a graph of \(rows)")
      figures += try speed.graph(rows: rows)
    #else
      context.note("without the trait HNSW there is no graph to measure")
    #endif
    return figures
  }
}
