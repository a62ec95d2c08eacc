import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

@Suite("A feed of questions")
struct QuizFeedTests {
  private static let noon = Timestamp(milliseconds: 1_767_268_800_000)

  /// Three notes with two cards each: one of a note is asked on a day, whatever order they lie in.
  @Test("Scenario 11: siblings are not asked on one day")
  func siblingsAreNotAskedOnOneDay() async throws {
    let cards = (0..<6).map {
      QuizCard(id: CardID("c\($0)"), prompt: "p", answer: "a", note: "n\($0 % 3)")
    }
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(cards, clock: clock)
    var served: [CardID] = []
    while let card = try await feed.answer(.easy, event: "e\(served.count)") { served.append(card) }
    #expect(served == ["c0", "c1", "c2"])
    clock.advance(byMilliseconds: day)
    #expect(try await feed.asked() == ["c3", "c4", "c5"])

    let all = try await quizFeed(
      cards, ["slate": [["use": "study-limits", "siblings": "ask"]], "hand": ["size": 6]],
      clock: clock)
    #expect(try await all.asked().count == 6)
  }

  @Test func aNewCardGoesThroughItsSteps() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(
      questions(1),
      [
        "sources": [["use": "relearning"], ["use": "due"], ["use": "new"]],
        "filters": [["use": "study-schedule"]],
      ], clock: clock)
    try await feed.answer(.again, event: "1")
    #expect(try await feed.asked().isEmpty)
    clock.advance(byMilliseconds: minute - 1)
    #expect(try await feed.asked().isEmpty)
    clock.advance(byMilliseconds: 1)
    #expect(try await feed.asked() == ["c0"])
    try await feed.answer(.good, event: "2")
    clock.advance(byMilliseconds: 10 * minute)
    try await feed.answer(.good, event: "3")
    // Graduated: the rest of the day it is not asked.
    clock.advance(byMilliseconds: 11 * hour)
    #expect(try await feed.asked().isEmpty)
    // An empty hand says when there is more.
    guard case .exhausted(let exhaustion) = try await feed.hand(for: "v").shortfall else {
      Issue.record("an empty hand does not say why")
      return
    }
    let due = try #require(exhaustion.nextDue)
    #expect(due > clock.now)
    clock.advance(byMilliseconds: due.milliseconds - clock.now.milliseconds - 1)
    #expect(try await feed.asked().isEmpty)
    clock.advance(byMilliseconds: 1)
    #expect(try await feed.asked() == ["c0"])
  }

  @Test func aDayHasItsLimits() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(
      questions(9),
      ["slate": [["use": "study-limits", "newPerDay": 2]], "hand": ["size": 5]],
      clock: clock)
    #expect(try await feed.asked() == ["c0", "c1"])
    try await feed.answer(.easy, event: "1")
    #expect(try await feed.asked() == ["c1"])
    try await feed.answer(.easy, event: "2")
    #expect(try await feed.asked().isEmpty)
    clock.advance(byMilliseconds: day)
    #expect(try await feed.asked() == ["c2", "c3"])
  }

  @Test func theOrderOfNewCardsIsTheirColumn() async throws {
    var cards = questions(4)
    cards[0].order = 7
    cards[2].order = -3
    cards[3].order = 7
    #expect(try await quizFeed(cards).asked() == ["c2", "c0", "c3", "c1"])
  }

  /// Suspending is not burying, and what becomes free is filled at once.
  @Test func suspendedAndBuriedCardsAreNotAsked() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(
      questions(5), ["hand": ["size": 2, "refillBelow": 2]], clock: clock)
    #expect(try await feed.asked() == ["c0", "c1"])
    try await feed.answer(.suspend, event: "1")
    #expect(try await feed.asked() == ["c1", "c2"])
    try await feed.answer(.bury, event: "2")
    #expect(try await feed.asked() == ["c2", "c3"])
    try await feed.note("c0", .bury, event: "3", at: clock.now)
    clock.advance(byMilliseconds: day)
    let shown = Set(try await feed.redeal(for: "v").cards.map(\.id))
    #expect(!shown.contains("c0"))
    #expect(try await feed.explain("c1", for: "v").isHere)
    try await feed.note("c0", .resume, event: "4", at: clock.now)
    #expect(try await feed.explain("c0", for: "v").isHere)
  }

  @Test func aLeechIsSuspendedAndARewindTakesItBack() async throws {
    let clock = ManualClock(now: Self.noon)
    let schedule: JSONValue = ["use": "fsrs-7", "leechAfter": 2, "relearningSteps": []]
    let feed = try await quizFeed(
      questions(1),
      [
        "sources": [["use": "due", "memory": schedule], ["use": "new", "memory": schedule]],
        "filters": [["use": "study-schedule", "memory": schedule]],
        "slate": [["use": "study-limits", "memory": schedule]],
        "matchProbability": schedule,
      ], clock: clock)
    try await feed.answer(.easy, event: "0")
    for lapse in 1...2 {
      clock.advance(byMilliseconds: 400 * day)
      #expect(try await feed.asked() == ["c0"], "lapse \(lapse)")
      try await feed.answer(.again, event: "lapse \(lapse)")
    }
    let recall = try await feed.recall(["c0"])
    clock.advance(byMilliseconds: 400 * day)
    #expect(try await feed.asked().isEmpty)
    guard case .applied(let back, _) = try await feed.rewind(for: "v", event: "undo") else {
      Issue.record("the lapse was not taken back")
      return
    }
    #expect(back?.id == "c0")
    #expect(try await feed.asked() == ["c0"])
    #expect(try await feed.recall(["c0"]) != recall)
    try await feed.answer(.good, event: "known after all")
    clock.advance(byMilliseconds: 4000 * day)
    #expect(try await feed.asked() == ["c0"])
  }

  /// A card lies once in a stack; its answers before it was dealt again are taken back all the same,
  /// the last one first, also by a process that has only the log.
  @Test(arguments: [false, true])
  func anAnswerIsTakenBackAlthoughItsCardWasDealtAgain(restarts: Bool) async throws {
    let clock = ManualClock(now: Self.noon)
    let store = InMemoryStore()
    let settings: JSONObject = ["hand": ["size": 2, "refillBelow": 2]]
    var feed = try await quizFeed(questions(2), settings, clock: clock, store: store)
    func restart() async throws {
      guard restarts else { return }
      feed = try await quizFeed(questions(2), settings, clock: clock, store: store)
    }
    func rewind(_ event: EventID) async throws -> CardID? {
      try await restart()
      guard case .applied(let back, _) = try await feed.rewind(for: "v", event: event) else {
        Issue.record("\(event): nothing is taken back")
        return nil
      }
      try await restart()
      return back?.id
    }

    var hands = [try await feed.asked()]
    var recalls = [try await feed.recall(["c0", "c1"])]
    for (event, answer) in [QuizDeck.Answer.again, .again, .again, .good, .easy].enumerated() {
      try await feed.answer(answer, event: "answer \(event)")
      try await restart()
      hands.append(try await feed.asked())
      recalls.append(try await feed.recall(["c0", "c1"]))
    }
    #expect(hands[1] == ["c1", "c0"] && hands[2] == ["c0", "c1"] && hands[3] == ["c1", "c0"])
    for event in (0..<5).reversed() {
      let top = try await rewind(EventID("rewind \(event)"))
      #expect(top == hands[event].first)
      #expect(try await feed.asked() == hands[event])
      #expect(try await feed.recall(["c0", "c1"]) == recalls[event])
    }
    guard case .nothingToRewind = try await feed.rewind(for: "v", event: "one more") else {
      Issue.record("there were five answers")
      return
    }
  }

  /// A rewind reaches as far as the configuration says, counting answers and not places.
  @Test func aRewindReachesTheLastAnswersOnly() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(
      questions(2), ["hand": ["size": 2, "refillBelow": 2, "rewind": 2]], clock: clock)
    for event in 0..<5 { try await feed.answer(.again, event: "answer \(event)") }
    for event in 0..<2 {
      guard case .applied = try await feed.rewind(for: "v", event: EventID("rewind \(event)"))
      else {
        Issue.record("one of the last two answers is not taken back")
        return
      }
    }
    guard case .tooOld = try await feed.rewind(for: "v", event: "too far") else {
      Issue.record("an answer out of reach is taken back")
      return
    }
  }

  @Test func aRightAnswerIsAMatchAndARepeatedEventCountsOnce() async throws {
    let feed = try await quizFeed(questions(2))
    let swipe = Swipe<QuizDeck.Answer>(viewer: "v", card: "c0", answer: .right, event: "e")
    _ = try await feed.hand(for: "v")
    let first = try await feed.swipe(swipe)
    let recall = try await feed.recall(["c0"])
    guard case .repeated(let receipt) = try await feed.swipe(swipe) else {
      Issue.record("the second sending is not answered as one")
      return
    }
    #expect(receipt == first.receipt)
    #expect(receipt.match == receipt.event)
    #expect(try await feed.recall(["c0"]) == recall)
    #expect(try await feed.matches(of: "v") == ["c0"])
  }

  /// A clock that goes back makes no time negative and no number disappear.
  @Test func aClockThatGoesBack() async throws {
    let clock = ManualClock(now: Self.noon)
    let feed = try await quizFeed(questions(2), clock: clock)
    try await feed.answer(.good, event: "1")
    clock.set(Self.noon.advanced(byMilliseconds: -3 * day))
    try await feed.answer(.hard, event: "2")
    for recall in try await feed.recall(["c0", "c1"]) {
      let recall = try #require(recall)
      #expect(recall > 0 && recall <= 1)
    }
  }

  @Test func whatHasNoScheduleIsNoMemory() async throws {
    await #expect(throws: (any Error).self) {
      _ = try await quizFeed(
        [], ["sources": [["use": "due", "memory": ["use": "constant", "probability": 0.5]]]])
    }
  }
}

extension CardExplanation {
  /// Whether the card lies in the hand, or would be dealt.
  var isHere: Bool {
    switch self {
    case .inHand, .wouldBeDealt: true
    case .notDealt, .notProposed, .unknown: false
    }
  }
}
