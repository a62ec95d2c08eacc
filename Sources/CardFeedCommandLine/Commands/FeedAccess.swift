internal import CardFeed
internal import CardFeedConfiguration

/// What a command does with an open feed, for any deck and store.
protocol FeedTask {
  associatedtype Outcome
  func run<P: DeckPlugin, Store: FeedStore>(
    _ feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>, deck: P
  ) async throws -> Outcome
}

extension Tool {
  /// Opens the feed of a configuration, runs a task with it, and closes it, also when it fails.
  func withFeed<Work: FeedTask>(
    _ configuration: FeedConfiguration, models: ModelReader = .files, _ task: Work
  ) async throws -> Work.Outcome {
    guard let deck = plugins.deck(named: configuration.deck) else {
      throw FeedError(.badInput, "no plugin brings the deck '\(configuration.deck)'")
    }
    let store = try await configuration.openStore(plugins: plugins)
    return try await open(configuration, deck: deck, store: store, models: models, task)
  }

  private func open<P: DeckPlugin, Store: FeedStore, Work: FeedTask>(
    _ configuration: FeedConfiguration, deck: P, store: Store, models: ModelReader,
    _ task: Work
  ) async throws -> Work.Outcome {
    let feed: FeedEngine<P.D, Store, SystemClock, SplitMix64>
    do {
      feed = try await FeedBuilder.open(
        configuration, deck: deck, store: store, plugins: plugins, clock: SystemClock(),
        models: models)
    } catch {
      try? await store.close()
      throw error
    }
    do {
      let result = try await task.run(feed, deck: deck)
      try await feed.close()
      return result
    } catch {
      // The first error is the one to tell; the store is closed either way.
      try? await store.close()
      throw error
    }
  }

  static let configuration = CommandOption.value(
    "config", short: "c", "FILE", "The feed configuration.", isRequired: true)

  static let viewer = CommandOption.value(
    "viewer", "ID", "Who looks at the cards.", isRequired: true)
}

extension FeedEngine {
  /// Reads cards from a file into the deck. Broken records go to standard error and are skipped.
  func importCards<P: DeckPlugin>(
    from path: String, deck: P, _ context: CommandContext
  ) async throws -> Int where P.D == D {
    let reading = try CardReader(deck).read(FileSystem.read(path))
    for problem in reading.problems { context.note("\(path): \(problem); skipped") }
    try await put(reading.cards)
    return reading.cards.count
  }
}
