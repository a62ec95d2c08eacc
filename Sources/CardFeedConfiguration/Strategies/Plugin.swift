public import CardFeed

/// What a plugin brings: strategies for every deck, decks of its own, stores, measurements.
public protocol Plugin: Sendable {
  /// The plugin's name, as in `cardfeed strategies`.
  var name: String { get }

  /// Registers strategies that work on every deck. Nothing by default.
  func register<D: Deck>(in registry: inout StrategyRegistry<D>)

  /// The decks it brings. None by default.
  var decks: [any DeckPlugin] { get }

  /// The stores it brings. None by default.
  var stores: [StoreDescription] { get }

  /// The measurements it brings. None by default.
  var benchmarks: [Benchmark] { get }
}

extension Plugin {
  /// Registers nothing.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {}

  /// None.
  public var decks: [any DeckPlugin] { [] }

  /// None.
  public var stores: [StoreDescription] { [] }

  /// None.
  public var benchmarks: [Benchmark] { [] }
}

/// A deck with everything a configuration and a command line need of it.
public protocol DeckPlugin: Sendable {
  /// The kind of cards.
  associatedtype D: Deck

  /// The deck.
  var deck: D { get }

  /// What the deck is, as one sentence.
  var summary: String { get }

  /// What a configuration of this deck means where it says nothing: an object with any of the keys
  /// of a feed configuration.
  var defaults: JSONValue { get }

  /// Registers strategies that work on this deck only.
  func register(in registry: inout StrategyRegistry<D>)

  /// Reads one card from JSON. Throws a `CardProblem` for a broken record.
  func card(from json: JSONValue) throws -> D.Card

  /// Writes one card as JSON.
  func json(of card: D.Card) -> JSONValue

  /// What a viewer sees of a card, as texts, for clients that know nothing of the deck. By default its
  /// identity.
  func face(of card: D.Card, at now: Timestamp) -> CardFace

  /// Whether something that strategies score is about what people must not be judged by, as its
  /// name tells: for audits. Never by default.
  func isSensitive(_ feature: String) -> Bool
}

extension DeckPlugin {
  /// The identity, and nothing that the deck has not said to be for everybody.
  public func face(of card: D.Card, at now: Timestamp) -> CardFace {
    CardFace(title: deck.id(of: card).description)
  }

  /// No.
  public func isSensitive(_ feature: String) -> Bool { false }
}

/// Why a record is not a card: where, what was found, what is allowed. The record is skipped.
public struct CardProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The key inside the record.
  public let path: JSONPath
  /// Where in the file, if it came from one.
  public let location: JSONLocation?
  /// What is wrong, with what is allowed. Free of private data.
  public let message: String

  /// Why a record is not a card.
  public init(path: JSONPath, location: JSONLocation?, message: String) {
    self.path = path
    self.location = location
    self.message = message
  }

  /// The place and the message.
  public var description: String {
    let place = location.map { "\($0), " } ?? ""
    return "\(place)\(path): \(message)"
  }
}

/// A store that a configuration can ask for.
public struct StoreDescription: Sendable {
  /// Its name and parameters.
  public let description: StrategyDescription
  /// Opens it.
  public let open: @Sendable (Parameters) async throws -> any FeedStore
  /// What can be done to it while it is closed; nil for a store without files of its own.
  public let maintenance: StoreMaintenance?

  /// A store that a configuration can ask for.
  public init(
    _ description: StrategyDescription, maintenance: StoreMaintenance? = nil,
    open: @escaping @Sendable (Parameters) async throws -> any FeedStore
  ) {
    self.description = description
    self.maintenance = maintenance
    self.open = open
  }

  /// The store in the process' memory.
  public static let memory = StoreDescription(
    StrategyDescription(
      "memory", .store, summary: "Keeps everything in the memory of the process, and loses it.")
  ) { _ in InMemoryStore() }
}

/// The plugins of a program.
public struct PluginSet: Sendable {
  /// The plugins, in order.
  public let plugins: [any Plugin]

  /// The plugins of a program.
  public init(_ plugins: [any Plugin]) { self.plugins = plugins }

  /// The decks of all plugins.
  public var decks: [any DeckPlugin] { plugins.flatMap(\.decks) }

  /// The stores of all plugins, and the one in memory.
  public var stores: [StoreDescription] { [.memory] + plugins.flatMap(\.stores) }

  /// The measurements of all plugins.
  public var benchmarks: [Benchmark] { plugins.flatMap(\.benchmarks) }

  /// Every strategy that works on a deck.
  public func registry<P: DeckPlugin>(for deck: P) -> StrategyRegistry<P.D> {
    var registry = StrategyRegistry<P.D>()
    for plugin in plugins { plugin.register(in: &registry) }
    deck.register(in: &registry)
    return registry
  }

  /// The deck of a name.
  public func deck(named name: String) -> (any DeckPlugin)? {
    decks.first { Self.name(of: $0) == name }
  }

  /// The names of all decks.
  public var deckNames: [String] { decks.map { Self.name(of: $0) } }

  /// What a deck's configurations can ask for.
  public func descriptions(for deck: some DeckPlugin) -> [StrategyDescription] {
    registry(for: deck).descriptions
  }

  private static func name<P: DeckPlugin>(of deck: P) -> String { P.D.name }
}
