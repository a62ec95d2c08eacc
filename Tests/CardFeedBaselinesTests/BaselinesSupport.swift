import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting

/// The toy deck as a plugin, with a source as its only default.
struct ToyPlugin: Plugin, DeckPlugin {
  var name: String { "toy" }
  var decks: [any DeckPlugin] { [self] }
  var deck: ToyDeck { ToyDeck() }
  var summary: String { "Toy cards." }
  var defaults: JSONValue { ["sources": [["use": "all"]], "match": ["use": "mutual-like"]] }

  func register(in registry: inout StrategyRegistry<ToyDeck>) {}

  func card(from json: JSONValue) throws -> ToyCard {
    guard let id = json["id"]?.string else {
      throw CardProblem(path: JSONPath([.key("id")]), location: nil, message: "no text")
    }
    if id == "opaque" { throw SomeError() }
    return ToyCard(CardID(id))
  }

  func json(of card: ToyCard) -> JSONValue { ["id": "\(card.id)"] }
}

struct SomeError: Error {}

let toyPlugins = PluginSet([BaselinesPlugin(), ToyPlugin()])

let noon = Timestamp(milliseconds: 1_000_000_000_000)

func toySlate(
  _ cards: [ToyCard], viewer: ViewerID = "viewer", seed: UInt64 = 1,
  candidates: [Int]? = nil, seen: [CardID: SeenEntry] = [:],
  received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = [],
  deck: ToyDeck = ToyDeck()
) -> Slate<ToyDeck> {
  StrategyConformance.slate(
    of: cards, deck: deck, viewer: viewer, now: noon, seed: seed, candidates: candidates,
    seen: seen, received: received)
}

func answered(
  _ answer: ToyAnswer, daysAgo days: Double, dealtAt: Timestamp? = nil
) -> SeenEntry {
  SeenEntry(
    dealtAt: dealtAt,
    answer: SeenEntry.Answered(
      answer: answer.rawValue, meaning: ToyDeck().meaning(of: answer),
      time: noon.advanced(byMilliseconds: -Int64(days * Double(Timestamp.day))),
      event: LogPosition(1)))
}

/// The places of a slate in the order of scores, ties by place; unscored ones last.
func order(_ scores: SlateScores) -> [Int] {
  let keys = scores.values.map { $0.isNaN ? -Double.infinity : $0 }
  return keys.indices.sorted { left, right in
    keys[left] != keys[right] ? keys[left] > keys[right] : left < right
  }
}

func estimates(_ probabilities: [Double?]) -> MatchEstimates {
  var estimates = MatchEstimates(count: probabilities.count)
  for (index, probability) in probabilities.enumerated() {
    estimates[index] = MatchEstimate(match: probability.flatMap(Probability.init))
  }
  return estimates
}

extension [ToyCard] {
  static func numbered(_ count: Int) -> [ToyCard] { ToyCard.numbered(count) }
}
