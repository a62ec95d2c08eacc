internal import CardFeedExperiments

extension Tool {
  /// Measures the tasks that other programs measure on the same files: `bench perf --inputs`.
  func measurePeerTasks(
    in directory: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitStatus {
    let figures = try vectorTasks(in: directory, arguments, context)
    var table = TextTable(["what", "time", "unit", "recall", "beside"])
    for figure in figures {
      table.append([
        .text(figure.task), .number(figure.time, decimals: 4), .text(figure.unit),
        .optional(figure.recall, decimals: 4), .text(figure.beside),
      ])
    }
    let swipes = "\(directory)/interactions.csv"
    if FileSystem.size(of: swipes) != nil {
      context.note("fitting factors")
      let figures = try RecommenderSpeed(path: swipes).figures()
      if figures.isEmpty {
        context.note("without the trait OpenBLAS there are no factors to measure")
      }
      for figure in figures {
        table.append([
          .text(figure.task), .number(figure.value, decimals: 4), .text(figure.unit), .missing,
          .text(figure.beside),
        ])
      }
    }
    try context.write(table, format: arguments.value("format"))
    return .fine
  }

  private func vectorTasks(
    in directory: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> [VectorSearchSpeed.Figure] {
    let vectors = try PeerArray(path: "\(directory)/vectors.npy").vectors()
    let queries = try PeerArray(path: "\(directory)/queries.npy").vectors()
    let keeps = try PeerArray(path: "\(directory)/keep3.npy").bools()
    guard vectors.dimension == queries.dimension, vectors.count == keeps.count else {
      throw PeerArray.Problem(
        "the inputs in '\(directory)' do not fit together; allowed: queries of the dimension of the "
          + "vectors, and one value of the filter for each vector")
    }
    let speed = VectorSearchSpeed(vectors: vectors, queries: queries, keeps: keeps)
    context.note("searching \(vectors.count) vectors")
    var figures = try speed.exact()
    #if HNSW
      let rows = try arguments.integer("graph-rows", in: 1...100_000_000) ?? 200_000
      context.note("making a graph of \(min(rows, vectors.count))")
      figures += try speed.graph(rows: rows)
    #else
      context.note("without the trait HNSW there is no graph to measure")
    #endif
    return figures
  }
}
