internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  var benchScaleCommand: Command {
    Command(
      name: "scale", summary: "Builds a large store, opens it anew, and measures hands and deals.",
      discussion: """
        The people and what they answer are made up. The store is filled through the feed, closed, \
        and opened anew; a hand is cold when its viewer is not in memory yet. Statements are counted \
        by the store's library. With --store the file stays, and a later run measures it without \
        building; then memory is that of a process that did nothing else. The exit status is 1 if a \
        cold hand takes more than 3 statements or a warm one any.
        """,
      options: [
        .value("cards", "NUMBER", "People in the deck.", default: "50000"),
        .value("viewers", "NUMBER", "How many of them swipe.", default: "5000"),
        .value("swipes", "NUMBER", "Swipes of all of them together.", default: "250000"),
        .value(
          "sample", "NUMBER", "Viewers that each figure is measured with.", default: "500"),
        .value("store", "FILE", "Keeps the store under this name, or measures the one there."),
        .value(
          "in", "DIR", "The folder for a store that is removed afterwards.", default: "results"),
        Self.format,
      ]
    ) { arguments, context in
      guard !Machine.isDebug else {
        context.note("this is a debug build, which measures nothing; build with -c release")
        return .failure
      }
      let cards = try arguments.integer("cards", in: 100...100_000_000) ?? 100
      let viewers = try arguments.integer("viewers", in: 2...cards) ?? 2
      let world = ScaleWorld(
        cards: cards, viewers: viewers,
        swipes: try arguments.integer("swipes", in: 0...1_000_000_000) ?? 0)
      let sample = try arguments.integer("sample", in: 1...viewers / 2) ?? 1
      let figures: ScaleFigures
      if let path = arguments.value("store") {
        figures = try await scale(world, sample: sample, path: path, context)
      } else {
        let parent = arguments.value("in") ?? "."
        try FileSystem.makeDirectory(parent)
        figures = try await FileSystem.withScratchDirectory(in: parent) { folder in
          try await scale(world, sample: sample, path: "\(folder)/scale.db", context)
        }
      }
      try context.write(table(of: figures, world), format: arguments.value("format"))
      let isLean = figures.coldHand.mostStatements <= 3 && figures.warmHand.mostStatements == 0
      return isLean ? .fine : .negativeResult
    }
  }

  /// Builds the store unless it is there, and measures it.
  func scale(
    _ world: ScaleWorld, sample: Int, path: String, _ context: CommandContext
  ) async throws -> ScaleFigures {
    let configuration = try FeedConfiguration(
      [
        "version": 1, "deck": "dating", "store": ["use": "sqlite", "path": JSONValue(path)],
        "hand": ["size": 5, "refillBelow": 3],
      ], file: "built-in benchmark", plugins: plugins)
    guard let deck = plugins.deck(named: configuration.deck) else {
      throw FeedError(.badInput, "no plugin brings the deck '\(configuration.deck)'")
    }
    var seconds: Double?
    if FileSystem.size(of: path) == nil {
      let clock = SystemClock()
      let start = clock.uptimeNanoseconds
      try await withFeed(
        configuration, ScaleBuild(world: world, hands: sample, context: context))
      seconds = Double(clock.uptimeNanoseconds - start) / 1e9
    }
    let store = try await configuration.openStore(plugins: plugins)
    var figures = try await measure(
      ScaleMeasure(world: world, sample: sample), configuration, deck: deck, store: store)
    figures.buildSeconds = seconds
    figures.fileBytes = FileSystem.size(of: path) ?? 0
    guard figures.cards == world.cards else {
      throw FeedError(
        .badInput, "the store holds \(figures.cards) cards instead of \(world.cards)",
        hint: "give the numbers that it was built with, or another file")
    }
    return figures
  }

  private func measure<P: DeckPlugin, Store: FeedStore>(
    _ measure: ScaleMeasure, _ configuration: FeedConfiguration, deck: P, store: Store
  ) async throws -> ScaleFigures {
    do {
      return try await measure.run(configuration, deck: deck, store: store, plugins: plugins)
    } catch {
      // The first error is the one to tell; the store is closed either way.
      try? await store.close()
      throw error
    }
  }

  private func table(of figures: ScaleFigures, _ world: ScaleWorld) -> TextTable {
    var table = TextTable(["measured", "value", "unit"])
    func add(_ name: String, _ value: Double?, _ decimals: Int, _ unit: String) {
      table.append([.text(name), .optional(value, decimals: decimals), .text(unit)])
    }
    func add(_ name: String, _ count: Int) {
      table.append([.text(name), .integer(count), .text("")])
    }
    add("cards", figures.cards)
    add("viewers who swipe", world.viewers)
    add("swipes", world.swipes)
    add("building the store", figures.buildSeconds, 1, "s")
    add("the file", Double(figures.fileBytes) / 1e6, 0, "MB")
    add("opening the feed", figures.openSeconds, 2, "s")
    add("processor time of opening", figures.openProcessorSeconds, 2, "s")
    add("resident memory that it added", Double(figures.openBytes) / 1e6, 0, "MB")
    add(
      "the same for a card", Double(figures.openBytes) / Double(max(1, figures.cards)), 0, "bytes")
    add("a session of a viewer", Double(figures.sessionBytes), 0, "bytes")
    add("resident memory at the end", Double(figures.residentBytes) / 1e6, 0, "MB")
    for (name, series) in [
      ("cold hand", figures.coldHand), ("warm hand", figures.warmHand),
      ("cold deal", figures.coldDeal), ("warm deal", figures.warmDeal),
    ] {
      add("\(name), median", series.percentile(50), 0, "µs")
      add("\(name), p99", series.percentile(99), 0, "µs")
      add("\(name), statements at most", series.mostStatements)
    }
    return table
  }
}
