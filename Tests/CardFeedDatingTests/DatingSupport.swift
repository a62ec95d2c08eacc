import CardFeed
import CardFeedBaselines
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

let datingPlugins = PluginSet([BaselinesPlugin(), DatingPlugin()])

/// Noon in UTC on a day.
func noon(_ day: String) throws -> Timestamp {
  let date = try #require(CalendarDate(day))
  return Timestamp(milliseconds: date.daysSinceEpoch * Timestamp.day + Timestamp.day / 2)
}

func datingSlate(
  _ people: [Person], viewer: ViewerID, now: Timestamp = Timestamp(milliseconds: 0)
) -> Slate<DatingDeck> {
  StrategyConformance.slate(of: people, deck: DatingDeck(), viewer: viewer, now: now)
}

typealias DatingFeed = FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64>

/// A feed of a configuration of the dating deck, in memory.
func datingFeed(
  _ people: [Person], _ members: JSONObject = [:], clock: ManualClock = ManualClock(),
  store: InMemoryStore = InMemoryStore()
) async throws -> DatingFeed {
  var object: JSONObject = ["version": 1, "deck": "dating"]
  for member in members.members { object[member.key] = member.value }
  let configuration = try FeedConfiguration(
    JSONValue(object), file: "test.json", plugins: datingPlugins)
  let feed = try await FeedBuilder.open(
    configuration, deck: DatingDeckPlugin(), store: store, plugins: datingPlugins,
    clock: clock)
  try await feed.put(people)
  return feed
}

extension FeedEngine where D == DatingDeck {
  /// Records an answer that was given elsewhere; the event is named after the two.
  func answer(
    _ viewer: ViewerID, _ answer: DatingDeck.Answer, _ card: CardID
  ) async throws {
    let swipe = Swipe(
      viewer: viewer, card: card, answer: answer, event: EventID("\(viewer) \(card)"))
    _ = try await record([RecordedSwipe(swipe)])
  }

  /// Who lies in the viewer's hand.
  func people(for viewer: ViewerID) async throws -> [CardID] {
    try await hand(for: viewer).cards.map(\.id)
  }
}
