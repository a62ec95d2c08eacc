import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting

/// A card with nothing but a place.
struct PlacedCard: Hashable, Sendable {
  var id: CardID
  var place: Place?

  init(_ id: CardID, _ place: Place? = nil) {
    self.id = id
    self.place = place
  }

  /// Kilometres north of a place on the equator; nil is nowhere.
  init(_ id: CardID, kilometresNorth kilometres: Double?) {
    self.init(id, kilometres.flatMap { Place(latitude: $0 / 111.195_080_2, longitude: 13) })
  }
}

/// A deck of people, or of things, that are somewhere.
struct PlacedDeck: Deck {
  static let name = "placed"
  var policy = DeckPolicy(isMutual: true)

  func id(of card: PlacedCard) -> CardID { card.id }
  func meaning(of answer: ToyAnswer) -> AnswerMeaning { ToyDeck().meaning(of: answer) }
  var columns: [ColumnDeclaration<PlacedCard>] {
    [.place("home") { $0.place }, .text("name") { "\($0.id)" }]
  }

  func encode(_ card: PlacedCard) -> [UInt8] {
    var writer = ByteWriter()
    writer.blob(card.id.bytes)
    writer.optionalDouble(card.place?.latitude)
    writer.optionalDouble(card.place?.longitude)
    return writer.bytes
  }

  func decode(_ bytes: [UInt8]) throws -> PlacedCard {
    var reader = ByteReader(bytes)
    let id = CardID(bytes: try reader.blob())
    guard let north = try reader.optionalDouble(), let east = try reader.optionalDouble() else {
      return PlacedCard(id)
    }
    return PlacedCard(id, Place(latitude: north, longitude: east))
  }
}

struct PlacedPlugin: Plugin, DeckPlugin {
  var deck = PlacedDeck()
  var name: String { "placed" }
  var decks: [any DeckPlugin] { [self] }
  var summary: String { "Cards that are somewhere." }
  var defaults: JSONValue {
    ["sources": [["use": "all"]], "ranking": ["use": "random"], "match": ["use": "mutual-like"]]
  }

  func register(in registry: inout StrategyRegistry<PlacedDeck>) {}
  func card(from json: JSONValue) throws -> PlacedCard { throw SomeError() }
  func json(of card: PlacedCard) -> JSONValue { ["id": "\(card.id)"] }
}

func placedSlate(
  _ cards: [PlacedCard], viewer: ViewerID = "viewer"
) -> Slate<PlacedDeck> {
  StrategyConformance.slate(of: cards, deck: PlacedDeck(), viewer: viewer)
}

typealias PlacedFeed = FeedEngine<PlacedDeck, InMemoryStore, ManualClock, SplitMix64>

func placedFeed(
  _ cards: [PlacedCard], _ members: JSONObject, deck: PlacedDeck = PlacedDeck()
) async throws -> PlacedFeed {
  let plugin = PlacedPlugin(deck: deck)
  let plugins = PluginSet([BaselinesPlugin(), plugin])
  var object: JSONObject = ["version": 1, "deck": "placed"]
  for member in members.members { object[member.key] = member.value }
  let feed = try await FeedBuilder.open(
    try FeedConfiguration(JSONValue(object), file: "test.json", plugins: plugins), deck: plugin,
    store: InMemoryStore(), plugins: plugins, clock: ManualClock())
  try await feed.put(cards)
  return feed
}
