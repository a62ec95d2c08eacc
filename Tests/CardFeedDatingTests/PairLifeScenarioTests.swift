import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// Faults of other dating software in the life of a pair, each with its scenario: two likes, what
/// comes back, blocks, leaving, undoing.
@Suite struct PairLifeScenarioTests {
  private func people(_ names: String...) -> [Person] { names.map { Person(id: $0, age: 30) } }

  private func swipe(
    _ viewer: ViewerID, _ card: CardID, _ answer: DatingDeck.Answer = .like,
    event: EventID? = nil
  ) -> Swipe<DatingDeck.Answer> {
    Swipe(
      viewer: viewer, card: card, answer: answer, event: event ?? EventID("\(viewer) \(card)"))
  }

  /// Every order of two sequences that keeps each one's own order.
  private func interleavings(_ one: [String], _ other: [String]) -> [[String]] {
    guard let first = one.first, let second = other.first else { return [one + other] }
    return interleavings(Array(one.dropFirst()), other).map { [first] + $0 }
      + interleavings(one, Array(other.dropFirst())).map { [second] + $0 }
  }

  private func matchEvents(_ store: InMemoryStore) async throws -> Int {
    try await store.events(after: .start, limit: 1000).count { $0.kind == .match }
  }

  @Test func d01TwoLikesMakeOneMatchInEveryOrder() async throws {
    let orders = interleavings(["A", "A", "A"], ["B", "B", "B"])
    #expect(orders.count == 20)
    for order in orders {
      let store = InMemoryStore()
      let feed = try await datingFeed(people("A", "B"), store: store)
      for viewer in ["A", "B"] as [ViewerID] { _ = try await feed.people(for: viewer) }
      var receipts: [String: Set<SwipeReceipt>] = [:]
      for name in order {
        let outcome = try await feed.swipe(swipe(ViewerID(name), name == "A" ? "B" : "A"))
        receipts[name, default: []].insert(try #require(outcome.receipt))
      }
      #expect(receipts.values.allSatisfy { $0.count == 1 }, "sent again, the same receipt")
      #expect(try await feed.matches(of: "A") == ["B"])
      #expect(try await feed.matches(of: "B") == ["A"])
      #expect(try await matchEvents(store) == 1)
    }
  }

  @Test func d01TwoLikesAtOnceMakeOneMatch() async throws {
    for _ in 0..<20 {
      let store = InMemoryStore()
      let feed = try await datingFeed(people("A", "B"), store: store)
      for viewer in ["A", "B"] as [ViewerID] { _ = try await feed.people(for: viewer) }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask { _ = try? await feed.swipe(swipe("A", "B")) }
          group.addTask { _ = try? await feed.swipe(swipe("B", "A")) }
        }
      }
      #expect(try await feed.matches(of: "A") == ["B"])
      #expect(try await feed.matches(of: "B") == ["A"])
      #expect(try await matchEvents(store) == 1)
    }
  }

  @Test func d03WhoWasAnsweredStaysAwayFromTheFallbackToo() async throws {
    let clock = ManualClock()
    let store = InMemoryStore()
    let members: JSONObject = [
      "hand": ["size": 2, "refillBelow": 1],
      "filters": [
        ["use": "already-swiped", "negativeReturnsAfterDays": 30],
        ["use": "mutual-preferences", "whenExhausted": "relax"],
      ],
    ]
    let viewer = Person(id: "A", age: 30, maximumAge: 35)
    let deck = [30.0, 31, 50].enumerated().map { Person(id: "P\($0 + 1)", age: $1) }
    let feed = try await datingFeed([viewer] + deck, members, clock: clock, store: store)
    var answered: Set<CardID> = []
    for answer in [DatingDeck.Answer.like, .pass] {
      let top = try #require(try await feed.people(for: "A").first)
      answered.insert(top)
      _ = try await feed.swipe(swipe("A", top, answer))
      if answer == .pass { #expect(top != "P3", "the fallback comes last") }
    }
    let anew = try await datingFeed([], members, clock: clock, store: store)
    #expect(try await anew.redeal(for: "A").cards.map(\.id) == ["P3"])
    let passed = try #require(
      try await anew.export("A").seen.first { $0.value.answer?.meaning == .negative }?.key)
    let passedID = try #require(try await store.ids(for: [passed]).first.flatMap(\.self))
    #expect(answered.contains(passedID))
    clock.advance(byMilliseconds: 30 * Timestamp.day - 1)
    #expect(try await anew.redeal(for: "A").cards.map(\.id) == ["P3"])
    clock.advance(byMilliseconds: 1)
    #expect(try await Set(anew.redeal(for: "A").cards.map(\.id)) == ["P3", passedID])
    clock.advance(byMilliseconds: 1000 * Timestamp.day)
    let liked = try #require(answered.subtracting([passedID]).first)
    #expect(try await !anew.redeal(for: "A").cards.map(\.id).contains(liked))
  }

  @Test func d06LikesOfPeopleWhoCannotBeDealtAreNotCounted() async throws {
    let viewer = Person(id: "A", age: 30, gender: "m", intents: ["love"])
    let feed = try await datingFeed([
      viewer, Person(id: "B", age: 30, intents: ["friends"]),
      Person(id: "C", age: 30, intents: ["love"]), Person(id: "young", age: 17),
    ])
    for liker in ["B", "C", "young"] as [ViewerID] { try await feed.answer(liker, .like, "A") }
    #expect(try await feed.likersWhoCome(to: "A") == 1)
    let counted = try await feed.likesReceived(for: "A")
    #expect(counted.count == 1 && counted.isExact)
    // A like stands when the liker's own preferences move: they are dealt, and counted.
    try await feed.put([Person(id: "C", age: 30, minimumAge: 38, intents: ["love"])])
    #expect(try await feed.likesReceived(for: "A").count == 1)
    #expect(try await feed.people(for: "A") == ["C"])
  }

  @Test(arguments: ["block", "report", "unmatch"])
  func d08WhoIsKeptApartLeavesHandsAlreadyDealt(kind: String) async throws {
    // Cards that were answered may come back here, so that a match lies in a hand.
    let members: JSONObject = ["filters": [["use": "legal-age"]]]
    let feed = try await datingFeed(people("A", "B", "C"), members)
    try await feed.answer("A", .like, "B")
    try await feed.answer("B", .like, "A")
    for (viewer, other) in [("A", "B"), ("B", "A")] as [(ViewerID, CardID)] {
      #expect(try await Set(feed.people(for: viewer)) == [other, "C"])
    }
    try await feed.part("A", from: "B", kind)
    #expect(try await feed.people(for: "A") == ["C"])
    #expect(try await feed.people(for: "B") == ["C"])
    #expect(try await feed.matches(of: "B").isEmpty)
  }

  @Test func d09WhoBlockedWhomCannotBeInferred() async throws {
    var views: Set<String> = []
    for kind in ["block", "report", "unmatch"] {
      for (viewer, other) in [("A", "B"), ("B", "A")] as [(ViewerID, CardID)] {
        let feed = try await datingFeed(people("A", "B"))
        try await feed.answer("A", .like, "B")
        try await feed.answer("B", .like, "A")
        try await feed.part(viewer, from: other, kind)
        // What A can see.
        let hand = try await feed.hand(for: "A")
        let late = try await feed.swipe(swipe("A", "B", event: "late"))
        views.insert(
          "\(hand.cards.map(\.id)) \(String(describing: hand.shortfall)) \(late) "
            + "\(try await feed.explain("B", for: "A")) \(try await feed.matches(of: "A")) "
            + "\(try await feed.likesReceived(for: "A"))")
      }
    }
    #expect(views.count == 1)
  }

  @Test func d22WhoLeavesIsATombstoneAndComesBackWhole() async throws {
    let feed = try await datingFeed([
      Person(id: "A", age: 30), Person(id: "B", name: "secret", age: 30, bio: "secret"),
      Person(id: "C", age: 30),
    ])
    #expect(try await Set(feed.people(for: "A")) == ["B", "C"])
    try await feed.withdraw(["B"])
    #expect(try await feed.people(for: "A") == ["C"], "filtered before the hand is filled")
    try await feed.reinstate(["B"])
    try await feed.answer("A", .like, "B")
    try await feed.answer("B", .like, "A")
    try await feed.withdraw(["B"])
    let tombstone = try #require(try await feed.matchedCards(of: "A").first)
    #expect(tombstone.id == "B" && tombstone.card == nil)
    #expect(!"\(tombstone)".contains("secret"))
    try await feed.revise([Person(id: "B", name: "secret", age: 31)])
    #expect(try await feed.matchedCards(of: "A").first?.card == nil)
    try await feed.reinstate(["B"])
    #expect(try await feed.matchedCards(of: "A").first?.card?.age == 31)
    #expect(try await feed.unmatch("B", by: "A", event: "over") == .applied)
    #expect(try await feed.matchedCards(of: "A").isEmpty)
  }

  @Test func d22NobodyIsMissedBecauseOthersLeft() async throws {
    let many = (0..<60).map { Person(id: "p\($0)", age: 30) }
    let feed = try await datingFeed(
      many + people("A"),
      ["hand": ["size": 5], "sources": [["use": "all", "limit": 10]]])
    try await feed.withdraw(many.prefix(50).map(\.id))
    #expect(try await feed.people(for: "A").count == 5)
    for _ in 0..<10 {
      let top = try #require(try await feed.people(for: "A").first)
      _ = try await feed.swipe(swipe("A", top, .pass))
    }
    #expect(try await feed.people(for: "A").isEmpty)
  }

  @Test func d23TheOnlyCardComesBackAndItsLikeIsGone() async throws {
    let feed = try await datingFeed(people("A", "P1"))
    guard case .nothingToRewind = try await feed.rewind(for: "A", event: "early") else {
      throw Unexpected()
    }
    #expect(try await feed.people(for: "A") == ["P1"])
    _ = try await feed.swipe(swipe("A", "P1"))
    #expect(try await feed.people(for: "A").isEmpty)
    for _ in 0..<2 {
      _ = try await feed.rewind(for: "A", event: "back")
      #expect(try await feed.people(for: "A") == ["P1"])
    }
    #expect(try await feed.export("A").seen.values.allSatisfy { $0.answer == nil })
    #expect(try await feed.likesReceived(for: "P1").count == 0)
    guard case .nothingToRewind = try await feed.rewind(for: "A", event: "late") else {
      throw Unexpected()
    }
  }

  /// A match rests on both likes: whoever takes theirs back ends it, and the other like stands.
  @Test(arguments: ["A", "B"])
  func d23ARewindAfterAMatchEndsItForBoth(taker: String) async throws {
    let store = InMemoryStore()
    let feed = try await datingFeed(people("A", "B"), store: store)
    for (viewer, other) in [("A", "B"), ("B", "A")] as [(ViewerID, CardID)] {
      _ = try await feed.people(for: viewer)
      _ = try await feed.swipe(swipe(viewer, other))
    }
    let (viewer, other) = (ViewerID(taker), taker == "A" ? "B" : "A")
    guard case .applied(let back, let endedMatch) = try await feed.rewind(for: viewer, event: "r")
    else { throw Unexpected() }
    #expect(back?.id == CardID(other) && endedMatch)
    for person in ["A", "B"] as [ViewerID] { #expect(try await feed.matches(of: person).isEmpty) }
    #expect(try await feed.likesReceived(for: viewer).count == 1, "the other like stands")
    #expect(try await feed.likesReceived(for: ViewerID(other)).count == 0)
    let again = try await feed.swipe(swipe(viewer, CardID(other), event: "again"))
    #expect(again.receipt?.match == again.receipt?.event, "a match of its own")
    #expect(try await matchEvents(store) == 2)
    #expect(try await feed.matches(of: "A") == ["B"])
  }
}

struct Unexpected: Error {}

extension FeedEngine where D == DatingDeck {
  /// Keeps two apart in one of three ways.
  func part(_ viewer: ViewerID, from card: CardID, _ kind: String) async throws {
    switch kind {
    case "block": try await block(card, by: viewer, event: "part")
    case "report": try await report(card, by: viewer, event: "part")
    default: #expect(try await unmatch(card, by: viewer, event: "part") == .applied)
    }
  }

  /// How many of those who like the viewer come when the viewer swipes to the end. Everything is
  /// taken back afterwards.
  func likersWhoCome(to viewer: ViewerID) async throws -> Int {
    var likers: Set<CardID> = []
    var swipes = 0
    let own = try await export(viewer).number
    while let top = try await people(for: viewer).first {
      swipes += 1
      _ = try await swipe(
        Swipe(
          viewer: viewer, card: top, answer: .pass,
          event: EventID("to the end \(swipes) \(viewer)")))
      if try await export(ViewerID("\(top)")).seen[own]?.answer?.meaning == .positive {
        likers.insert(top)
      }
    }
    for step in 0..<swipes {
      _ = try await rewind(for: viewer, event: EventID("back \(step) \(viewer)"))
    }
    return likers.count
  }
}
