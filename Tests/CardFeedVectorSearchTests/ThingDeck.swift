import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import CardFeedVectorSearch

/// Something with a vector, and the moment after which it is not to be shown.
struct Thing: Hashable, Sendable {
  var id: CardID
  var vector: [Float]?
  var expires: Int64?

  init(_ id: CardID, _ vector: [Float]?, expires: Int64? = nil) {
    self.id = id
    self.vector = vector
    self.expires = expires
  }
}

/// A deck of things, or of people, with vectors of two components.
struct ThingDeck: Deck {
  static let name = "things"
  let policy: DeckPolicy

  init(isMutual: Bool = false) { policy = DeckPolicy(isMutual: isMutual) }

  func id(of card: Thing) -> CardID { card.id }

  var columns: [ColumnDeclaration<Thing>] {
    [.vector("vector", dimension: 2) { $0.vector }, .integer("expires") { $0.expires }]
  }

  func meaning(of answer: ToyAnswer) -> AnswerMeaning { ToyDeck().meaning(of: answer) }

  func encode(_ card: Thing) -> [UInt8] {
    var writer = ByteWriter()
    writer.blob(card.id.bytes)
    writer.optionalDouble(card.vector.map { Double($0[0]) })
    writer.optionalDouble(card.vector.map { Double($0[1]) })
    writer.optionalDouble(card.expires.map(Double.init))
    return writer.bytes
  }

  func decode(_ bytes: [UInt8]) throws -> Thing {
    var reader = ByteReader(bytes)
    let id = CardID(bytes: try reader.blob())
    let first = try reader.optionalDouble()
    let second = try reader.optionalDouble()
    let expires = try reader.optionalDouble()
    return Thing(
      id, first.flatMap { first in second.map { [Float(first), Float($0)] } },
      expires: expires.map { Int64($0) })
  }
}

struct ThingPlugin: DeckPlugin, Plugin {
  var deck = ThingDeck()
  var name: String { "things" }
  var decks: [any DeckPlugin] { [self] }
  var summary: String { "Things." }
  var defaults: JSONValue {
    ["sources": [["use": "all"]], "match": ["use": "threshold", "least": 0.5]]
  }

  func register(in registry: inout StrategyRegistry<ThingDeck>) {}
  func card(from json: JSONValue) throws -> Thing { Thing(CardID("\(json)"), nil) }
  func json(of card: Thing) -> JSONValue { ["id": "\(card.id)"] }
}

let likes = VectorTarget.likes(decay: 0.8, latest: 50)
let start = Timestamp(milliseconds: 1_000_000_000_000)

/// Things "0" … on the unit circle, `step` radians from one to the next.
func circle(_ count: Int, step: Double = 0.01) -> [Thing] {
  (0..<count).map { Thing(CardID("\($0)"), angle(Double($0) * step)) }
}

func angle(_ radians: Double) -> [Float] { [Float(cosine(radians)), Float(sine(radians))] }

/// A Taylor series is enough for angles of a few radians.
private func cosine(_ x: Double) -> Double { series(1, x, from: 0) }
private func sine(_ x: Double) -> Double { series(x, x, from: 1) }
private func series(_ first: Double, _ x: Double, from power: Int) -> Double {
  var term = first
  var sum = first
  for step in 1...30 {
    let next = Double(power + 2 * step)
    term *= -x * x / (next * (next - 1))
    sum += term
  }
  return sum
}

func answered(_ answer: ToyAnswer, event: Int64) -> SeenEntry {
  SeenEntry(
    dealtAt: nil,
    answer: SeenEntry.Answered(
      answer: answer.rawValue, meaning: ToyDeck().meaning(of: answer), time: start,
      event: LogPosition(event)))
}

func slate(
  _ cards: [Thing], viewer: ViewerID = "viewer", seen: [CardID: SeenEntry] = [:],
  deck: ThingDeck = ThingDeck()
) -> Slate<ThingDeck> {
  StrategyConformance.slate(of: cards, deck: deck, viewer: viewer, now: start, seen: seen)
}

typealias ThingFeed = FeedEngine<ThingDeck, InMemoryStore, ManualClock, SplitMix64>

/// A feed whose only source is `vector-nearest`, in the order of `vector-similarity`.
func thingFeed(
  size: Int = 10, clock: ManualClock = ManualClock(), limit: Int = 25
) async throws -> ThingFeed {
  let store = InMemoryStore()
  var builder = PipelineBuilder<ThingDeck>(safety: StoreSafety(store))
  builder.hand = HandPolicy(size: size, refillBelow: 1, ties: .id, batches: 1000)
  builder.source("vector-nearest", limit: limit, VectorNearestSource(CardVectors(), to: likes))
  builder.filter("already-swiped", AlreadySwipedFilter(policy: ThingDeck().policy))
  builder.filter(
    "expired",
    ClosureFilter { card, _, context in
      card.expires.map { context.now.milliseconds >= $0 } ?? false ? .remove() : .keep
    })
  builder.ranking = VectorSimilarityRanking(to: likes)
  builder.matchRule = LikeRule()
  return try await ThingFeed.open(
    deck: ThingDeck(), store: store, pipelines: builder.buildSet(), states: LearnerStates(),
    clock: clock)
}
