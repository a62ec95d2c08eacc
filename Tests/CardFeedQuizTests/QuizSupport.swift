import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting

@testable import CardFeedQuiz

typealias QuizFeed = FeedEngine<QuizDeck, InMemoryStore, ManualClock, SplitMix64>

let quizPlugins = PluginSet([BaselinesPlugin(), QuizPlugin()])

/// A feed of questions, with the deck's defaults where `members` say nothing else.
func quizFeed(
  _ cards: [QuizCard], _ members: JSONObject = [:], clock: ManualClock = ManualClock(),
  store: InMemoryStore = InMemoryStore()
) async throws -> QuizFeed {
  var object: JSONObject = ["version": 1, "deck": "quiz"]
  for member in members.members { object[member.key] = member.value }
  let configuration = try FeedConfiguration(
    JSONValue(object), file: "test.json", plugins: quizPlugins)
  let feed = try await FeedBuilder.open(
    configuration, deck: QuizDeckPlugin(), store: store, plugins: quizPlugins, clock: clock)
  try await feed.put(cards)
  return feed
}

/// Questions "c0", "c1" … without siblings.
func questions(_ count: Int) -> [QuizCard] {
  (0..<count).map { QuizCard(id: CardID("c\($0)"), prompt: "p\($0)", answer: "a\($0)") }
}

extension FeedEngine where D == QuizDeck {
  /// The questions in the hand.
  func asked(_ viewer: ViewerID = "v") async throws -> [CardID] {
    try await hand(for: viewer).cards.map(\.id)
  }

  /// Answers the top question and says which it was; nil without one.
  @discardableResult
  func answer(
    _ answer: QuizDeck.Answer, event: String, by viewer: ViewerID = "v"
  ) async throws -> CardID? {
    guard let top = try await hand(for: viewer).cards.first else { return nil }
    let outcome = try await swipe(
      Swipe(viewer: viewer, card: top.id, answer: answer, event: EventID(event)))
    return outcome.receipt == nil ? nil : top.id
  }

  /// Records an answer that was given elsewhere.
  func note(
    _ card: CardID, _ answer: QuizDeck.Answer, event: String, at time: Timestamp,
    by viewer: ViewerID = "v"
  ) async throws {
    _ = try await record([
      RecordedSwipe(
        Swipe(viewer: viewer, card: card, answer: answer, event: EventID(event), time: time))
    ])
  }

  /// P(recall) of each question; nil for a new one.
  func recall(_ cards: [CardID], by viewer: ViewerID = "v") async throws -> [Double?] {
    try await appraise(cards, for: viewer).map { $0.estimate.match?.value }
  }
}

let minute: Int64 = 60_000
let hour: Int64 = 60 * minute
let day: Int64 = 24 * hour
