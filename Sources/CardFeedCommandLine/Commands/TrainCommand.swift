internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  var trainCommand: Command {
    Command(
      name: "train", summary: "Fits the models of a configuration to the answers of its store.",
      discussion: """
        Reads every answer that stands, fits each strategy that needs training, and writes all \
        models into one file; the strategies load theirs from it with "model": "FILE" when the \
        feed is opened. The same answers and cards give the same bytes. A model file holds \
        numbers about people: train again after somebody was erased, and delete the old file.
        """,
      options: [
        Self.configuration,
        .value("store", "FILE", "The store's file, in place of the configuration's path."),
        .value("out", "FILE", "Where the models go; nothing is written without."),
        Self.textOrJSON,
      ]
    ) { arguments, context in
      let path = arguments.value("config") ?? ""
      let configuration = try trainingConfiguration(path, arguments)
      // Before the first training there is no model to begin with.
      return try await withFeed(
        configuration, models: .filesIfAny, Training(arguments: arguments, context: context))
    }
  }

  private func trainingConfiguration(
    _ path: String, _ arguments: ParsedArguments
  ) throws -> FeedConfiguration {
    let bytes = try FileSystem.read(path)
    guard let store = arguments.value("store") else {
      return try FeedConfiguration(parsing: bytes, file: path, plugins: plugins)
    }
    let root = try JSONDocument(parsing: bytes).root
    guard var object = root.object else {
      return try FeedConfiguration(parsing: bytes, file: path, plugins: plugins)
    }
    var own = object["store"]?.object ?? ["use": "sqlite"]
    own["path"] = JSONValue(store)
    object["store"] = JSONValue(own)
    return try FeedConfiguration(JSONValue(object), file: path, plugins: plugins)
  }

  private struct Training: FeedTask {
    typealias Outcome = ExitStatus

    let arguments: ParsedArguments
    let context: CommandContext

    func run<P: DeckPlugin, Store: FeedStore>(
      _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
    ) async throws -> ExitStatus {
      let progress = ProgressReporter("train", total: nil, context: context)
      let report = try await feed.train { step in
        progress.update(done: step.done, total: step.total)
      }
      progress.finish()
      if report.file.entries.isEmpty {
        context.note("the configuration has no strategy that needs training")
        return .negativeResult
      }
      if let out = arguments.value("out") {
        try FileSystem.write(report.file.bytes, to: out)
        context.note("models in \(out)")
      }
      if arguments.value("format") == "json" {
        try context.write(json(report))
      } else {
        try context.print("\(report.answers) answers")
        for (entry, scored) in zip(report.file.entries, report.scored) {
          let features = scored.isEmpty ? "answers only" : scored.joined(separator: ", ")
          try context.print("\(entry.name): \(entry.model.count) bytes; scores \(features)")
        }
      }
      return .fine
    }

    private func json(_ report: TrainingReport) -> JSONValue {
      [
        "answers": JSONValue(report.answers), "position": JSONValue(report.position.rawValue),
        "models": JSONValue(
          zip(report.file.entries, report.scored).map { entry, scored in
            [
              "strategy": JSONValue(entry.name), "identity": JSONValue(entry.identity),
              "bytes": JSONValue(entry.model.count),
              "scored": JSONValue(scored.map { JSONValue($0) }),
            ] as JSONValue
          }),
      ]
    }
  }
}
