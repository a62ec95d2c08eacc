import CardFeed
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// The deck in a feed of its own defaults, over a store in memory.
@Suite struct DatingFeedTests {
  private let three = ["A", "B", "C"].map { Person(id: $0, age: 30) }

  @Test func theDefaultsAreAConfiguration() throws {
    let configuration = try FeedConfiguration(
      ["version": 1, "deck": "dating"], file: "test.json", plugins: datingPlugins)
    #expect(configuration.base.sources.map(\.use) == ["likes-received", "all"])
    #expect(
      configuration.base.filters.map(\.use)
        == ["already-swiped", "blocked", "legal-age", "mutual-preferences"])
    #expect(
      configuration.effective["filters"]?[2] == [
        "use": "legal-age", "years": 18, "unknown": "remove", "zone": "UTC", "leapDay": "march-1",
      ])
    #expect(
      configuration.effective["filters"]?[3] == [
        "use": "mutual-preferences", "whenExhausted": "stop", "standingLikes": "honour",
        "zone": "UTC", "leapDay": "march-1",
      ])
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
    let feed = try await datingFeed(three + [Person(id: "D", age: 30)])
    try await feed.answer("A", .like, "B")
    try await feed.answer("A", .pass, "C")
    #expect(try await feed.people(for: "A") == ["D"])
  }

  @Test func nobodyMeetsThemselves() async throws {
    let feed = try await datingFeed(three)
    #expect(try await Set(feed.people(for: "A")) == ["B", "C"])
  }

  @Test func identitiesAreComparedByteByByte() async throws {
    let feed = try await datingFeed(
      ["a", "A", "é", "e\u{301}"].map { Person(id: $0, age: 30) })
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
    let feed = try await datingFeed(Array(three.prefix(2)))
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

  /// B liked A, then B's preferences moved past A. A may like B back, unless the configuration says
  /// otherwise, and A's answer makes the match either way.
  @Test(arguments: [("honour", ["B"]), ("ignore", [])] as [(String, [CardID])])
  func aLikeFromBeforePreferencesMovedStillMatches(
    standingLikes: String, dealt: [CardID]
  ) async throws {
    let filter: JSONValue = [
      "use": "mutual-preferences", "standingLikes": JSONValue(standingLikes),
    ]
    let feed = try await datingFeed(
      [Person(id: "A", age: 30), Person(id: "B", age: 40)],
      ["filters": [["use": "already-swiped"], ["use": "legal-age"], filter]])
    try await feed.answer("B", .like, "A")
    try await feed.put([Person(id: "B", age: 40, minimumAge: 38, maximumAge: 99)])
    #expect(try await feed.people(for: "A") == dealt)
    try await feed.answer("A", .like, "B")
    #expect(try await feed.matches(of: "A") == ["B"])
  }

  /// Who likes the viewer but cannot be dealt is not counted, so that no count promises more people
  /// than there are cards.
  @Test func likersAreCountedWhoCanBeDealt() async throws {
    let viewer = Person(id: "A", age: 30, maximumAge: 50, intents: ["love"])
    let likers = [
      Person(id: "B", age: 30, intents: ["friends"]), Person(id: "C", age: 51),
      Person(id: "D", age: 40, minimumAge: 35), Person(id: "E", age: 50, intents: ["love"]),
    ]
    let feed = try await datingFeed([viewer] + likers)
    for liker in likers { try await feed.answer(ViewerID("\(liker.id)"), .like, "A") }
    let now = ManualClock().now
    let counted = likers.filter {
      MutualPreferences().fit(of: viewer, with: $0, at: now, waiving: .other) == .fits
    }
    #expect(Set(counted.map(\.id)) == ["D", "E"])
    #expect(try await Set(feed.people(for: "A")) == ["D", "E"])
  }

  /// Whichever side does not want the other, and what about, the reason is the same, and a card that
  /// stays because of a like looks like any other.
  @Test func reasonsTellNothingOfTheOtherSide() async throws {
    let viewer = Person(id: "A", age: 30, maximumAge: 50, attributes: ["smoking": "yes"])
    let others = [
      Person(id: "own", age: 60), Person(id: "theirs", age: 40, maximumAge: 25),
      Person(id: "dealbreaker", age: 40, dealbreakers: ["smoking": ["yes"]]),
    ]
    let liker = Person(id: "liker", age: 40, maximumAge: 25)
    let feed = try await datingFeed(
      [viewer, liker, Person(id: "plain", age: 40)] + others,
      [
        "sources": [["use": "all"]], "matchProbability": ["use": "constant"],
        "hand": ["size": 1, "refillBelow": 1],
      ])
    try await feed.answer("liker", .like, "A")
    var fates: Set<String> = []
    for card in others {
      guard case .notDealt(let fate, _) = try await feed.explain(card.id, for: "A") else {
        Issue.record("\(card.id) would be dealt")
        continue
      }
      fates.insert("\(fate)")
    }
    #expect(fates.count == 1, "\(fates)")
    let hand = try await feed.hand(for: "A").cards
    let first = try #require(hand.first)
    #expect(["liker", "plain"].contains(first.id))
    _ = try await feed.swipe(
      Swipe(viewer: "A", card: first.id, answer: DatingDeck.Answer.pass, event: "1"))
    let second = try #require(try await feed.hand(for: "A").cards.first)
    #expect(Set([first.id, second.id]) == ["liker", "plain"])
    #expect(first.reason.forViewer == second.reason.forViewer)
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
    let feed = try await datingFeed([
      viewer, Person(id: "1", age: 70), Person(id: "2"), Person(id: "3", age: 17),
      Person(id: "4", age: 30, wantsVerified: true),
    ])
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
        "mutual-preferences: data unavailable, 1", "legal-age: adults and minors do not meet, 1",
        "legal-age: data unavailable, 1",
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
