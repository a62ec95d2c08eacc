internal import CardFeed
public import CardFeedConfiguration

/// An open feed under a name, as a service serves it, whatever its deck and store.
public struct ServedFeed: Sendable {
  /// The name in paths.
  public let name: String
  let operations: any FeedOperations
  /// Reads the text of the configuration again; nil where there is no file.
  let source: Source?
  /// Prepares a viewer who comes for the first time; nil but in a demonstration.
  var welcome: (@Sendable (_ viewer: [UInt8]) async throws -> Void)?
  /// Whom to try it as; nobody but in a demonstration.
  var exampleViewers: [String] = []

  /// Where a configuration comes from.
  public struct Source: Sendable {
    /// What error texts call it.
    public let file: String
    let read: @Sendable () throws -> [UInt8]

    /// Where a configuration comes from.
    ///
    /// - Parameters:
    ///   - file: What error texts call it.
    ///   - read: Its text as it is now.
    public init(file: String, read: @escaping @Sendable () throws -> [UInt8]) {
      self.file = file
      self.read = read
    }
  }

  /// Opens the store of a configuration and the feed over it.
  ///
  /// - Parameters:
  ///   - configuration: What decides.
  ///   - name: The name in paths; nil is the deck's name.
  ///   - source: Where the configuration came from, for `reload`.
  ///   - plugins: The decks, strategies and stores; the same that the configuration was read with.
  ///   - models: Reads the files of models.
  /// - Returns: The feed; the service that serves it closes it.
  /// - Throws: What the store, a strategy or a model throws.
  public static func open(
    _ configuration: FeedConfiguration, name: String? = nil, source: Source? = nil,
    plugins: PluginSet, models: ModelReader = .files
  ) async throws -> ServedFeed {
    guard let deck = plugins.deck(named: configuration.deck) else {
      throw FeedError(.badInput, "no plugin brings the deck '\(configuration.deck)'")
    }
    let store = try await configuration.openStore(plugins: plugins)
    let operations: any FeedOperations
    do {
      operations = try await open(configuration, deck, store, plugins, models)
    } catch {
      // The first error is the one to tell.
      try? await store.close()
      throw error
    }
    return ServedFeed(name: name ?? configuration.deck, operations: operations, source: source)
  }

  private static func open<P: DeckPlugin, Store: FeedStore>(
    _ configuration: FeedConfiguration, _ deck: P, _ store: Store, _ plugins: PluginSet,
    _ models: ModelReader
  ) async throws -> any FeedOperations {
    try await OpenFeed(
      configuration, deck: deck, store: store, plugins: plugins, models: models)
  }
}
