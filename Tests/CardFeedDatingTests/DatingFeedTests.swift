import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// The deck in a feed of its own defaults, over a store in memory.
@Suite struct DatingFeedTests {
  private let three = [Person(id: "A"), Person(id: "B"), Person(id: "C")]

  @Test func theDefaultsAreAConfiguration() throws {
    let configuration = try FeedConfiguration(
      ["version": 1, "deck": "dating"], file: "test.json", plugins: datingPlugins)
    #expect(configuration.base.sources.map(\.use) == ["likes-received", "all"])
    #expect(
      configuration.base.filters.map(\.use)
        == ["already-swiped", "blocked", "mutual-preferences"])
    #expect(
      configuration.effective["matchProbability"] == ["use": "elo-two-scale", "prior": 0.6])
    #expect(configuration.effective["ranking"] == ["use": "match-probability"])
    #expect(configuration.effective["match"] == ["use": "mutual-like"])
  }

  @Test func aMutualLikeIsOneMatchHoweverOftenItIsSent() async throws {
    let feed = try await datingFeed(three)
    for _ in 0..<2 {
      try await feed.answer("A", .like, "B")
      try await feed.answer("B", .superLike, "A")
    }
    #expect(try await feed.matches(of: "A") == ["B"])
    #expect(try await feed.matches(of: "B") == ["A"])
  }

  @Test func aPassIsNoMatch() async throws {
    let feed = try await datingFeed(three)
    try await feed.answer("A", .like, "B")
    try await feed.answer("B", .pass, "A")
    #expect(try await feed.matches(of: "A").isEmpty)
  }

  @Test func aSwipedCardDoesNotComeBack() async throws {
    let feed = try await datingFeed(three + [Person(id: "D")])
    try await feed.answer("A", .like, "B")
    try await feed.answer("A", .pass, "C")
    #expect(try await feed.people(for: "A") == ["D"])
  }

  @Test func nobodyMeetsThemselves() async throws {
    let feed = try await datingFeed(three)
    #expect(try await Set(feed.people(for: "A")) == ["B", "C"])
  }

  @Test func identitiesAreComparedByteByByte() async throws {
    let feed = try await datingFeed([
      Person(id: "a"), Person(id: "A"), Person(id: "é"), Person(id: "e\u{301}"),
    ])
    #expect(try await Set(feed.people(for: "a")) == ["A", "é", "e\u{301}"])
    #expect(try await Set(feed.people(for: "é")).contains("e\u{301}"))
  }

  @Test func aBlockTakesBothOutOfHandsAlreadyDealt() async throws {
    let feed = try await datingFeed(three)
    #expect(try await feed.people(for: "A").contains("B"))
    #expect(try await feed.people(for: "B").contains("A"))
    try await feed.block("B", by: "A", event: "block")
    #expect(try await feed.people(for: "A") == ["C"])
    #expect(try await feed.people(for: "B") == ["C"])
  }

  @Test func whoWasTakenOutOfTheDeckLeavesTheHand() async throws {
    let feed = try await datingFeed(three)
    #expect(try await feed.people(for: "A").count == 2)
    try await feed.withdraw(["B"])
    #expect(try await feed.people(for: "A") == ["C"])
  }

  @Test func theOnlyCardComesBackByARewindAndNothingIsLearned() async throws {
    let feed = try await datingFeed([Person(id: "A"), Person(id: "B")])
    let learned = feed.learnerStates.numbers(for: "elo-two-scale/1 prior=0.6", stride: 16)
    func sum() -> [Int64] {
      learned.read { numbers in
        (0..<16).flatMap { slot in
          [nil, CardNumber(1), CardNumber(2)].map { numbers($0, UInt8(slot)) }
        }
      }
    }
    try await feed.answer("B", .like, "A")
    let before = sum()
    #expect(try await feed.people(for: "A") == ["B"])
    let swipe = Swipe(viewer: "A", card: "B", answer: DatingDeck.Answer.like, event: "s")
    #expect(try await feed.swipe(swipe).receipt?.match != nil)
    #expect(sum() != before)
    _ = try await feed.rewind(for: "A", event: "r")
    #expect(try await feed.people(for: "A") == ["B"])
    #expect(sum() == before)
    #expect(try await feed.matches(of: "A").isEmpty)
  }

  /// B liked A, then B's preferences moved past A. A's answer still makes the match, and B is not
  /// dealt to A against B's wishes.
  @Test func aLikeFromBeforePreferencesMovedStillMatches() async throws {
    let feed = try await datingFeed([Person(id: "A", age: 30), Person(id: "B", age: 40)])
    try await feed.answer("B", .like, "A")
    try await feed.put([Person(id: "B", age: 40, minimumAge: 38, maximumAge: 99)])
    #expect(try await feed.people(for: "A").isEmpty)
    try await feed.answer("A", .like, "B")
    #expect(try await feed.matches(of: "A") == ["B"])
  }

  /// The best card may be the last of the table: filters and ranking come before any limit.
  @Test func theLastOfManyIsFound() async throws {
    let others = (0..<30).map { Person(id: "\($0)", age: 70) }
    let viewer = Person(id: "viewer", age: 30, maximumAge: 40)
    let feed = try await datingFeed(
      [viewer] + others + [Person(id: "last", age: 35)],
      ["sources": [["use": "all", "limit": 5]]])
    #expect(try await feed.people(for: "viewer") == ["last"])
  }

  @Test func anEmptyHandSaysWhatIsMissing() async throws {
    let viewer = Person(id: "viewer", age: 30, minimumAge: 20, maximumAge: 40)
    let feed = try await datingFeed([viewer, Person(id: "1", age: 70), Person(id: "2")])
    let hand = try await feed.hand(for: "viewer")
    #expect(hand.cards.isEmpty)
    guard case .exhausted(let exhaustion)? = hand.shortfall else {
      Issue.record("the hand does not say why it is empty")
      return
    }
    let reasons = Set(exhaustion.removed.map { "\($0.filter): \($0.reason), \($0.count)" })
    #expect(
      reasons == [
        "self: the viewer's own card, 1", "mutual-preferences: the preferences do not fit, 1",
        "mutual-preferences: data unavailable, 1",
      ])
  }

  @Test func relaxingFillsTheHandWithThoseWhoAgree() async throws {
    let people = [
      Person(id: "viewer", age: 30, minimumAge: 20, maximumAge: 40), Person(id: "1", age: 70),
      Person(id: "2", age: 70, maximumAge: 29), Person(id: "3", age: 35),
    ]
    func dealt(_ whenExhausted: JSONValue) async throws -> Set<CardID> {
      let feed = try await datingFeed(
        people,
        ["filters": [["use": "mutual-preferences", "whenExhausted": whenExhausted]]])
      return Set(try await feed.people(for: "viewer"))
    }
    #expect(try await dealt("stop") == ["3"])
    #expect(try await dealt("relax") == ["1", "3"])
  }
}
