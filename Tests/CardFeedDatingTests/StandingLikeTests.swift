import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedDating

/// A like stands when the liker's preferences move, as long as the liked person is the one that was
/// liked.
@Suite struct StandingLikeTests {
  private let clock = ManualClock()

  private func viewer(_ age: Double = 30, name: String? = nil) -> Person {
    Person(id: "V", name: name, age: age)
  }

  private func feed(
    _ people: [Person], store: InMemoryStore = InMemoryStore(), rewind: Int = 5
  ) async throws -> DatingFeed {
    try await datingFeed(
      people, ["hand": ["size": 9, "refillBelow": 9, "rewind": JSONValue(rewind)]],
      clock: clock, store: store)
  }

  private func later() { clock.advance(byMilliseconds: 1000) }

  /// V was liked at 30 by L, who looks for people up to 35, and then says to be 40.
  @Test(arguments: [true, false])
  func aLikeDoesNotSpeakForAnotherRecord(revises: Bool) async throws {
    let store = InMemoryStore()
    let feed = try await feed(
      [viewer(), Person(id: "L", age: 30, maximumAge: 35), Person(id: "M", age: 30)], store: store)
    try await feed.answer("L", .like, "V")
    #expect(try await Set(feed.people(for: "V")) == ["L", "M"])
    later()
    let changed = [viewer(40)]
    if revises { try await feed.revise(changed) } else { try await feed.put(changed) }
    #expect(try await feed.people(for: "V") == ["M"], "the hand is judged anew")
    #expect(try await feed.likesReceived(for: "V").count == 0)
    let swipe = Swipe(viewer: "V", card: "L", answer: DatingDeck.Answer.like, event: "back")
    #expect(try await feed.swipe(swipe).receipt == nil)
    // A restart knows it as well.
    let reopened = try await self.feed([], store: store)
    #expect(try await reopened.people(for: "V") == ["M"])
    // Becoming again who was liked does not help the like, but the preferences fit.
    later()
    try await reopened.put([viewer()])
    #expect(try await Set(reopened.people(for: "V")) == ["L", "M"])
    try await reopened.put([Person(id: "L", age: 30, maximumAge: 29)])
    #expect(try await reopened.people(for: "V") == ["M"])
    // Who is liked anew is liked as they are.
    later()
    let again = Swipe(viewer: "L", card: "V", answer: DatingDeck.Answer.like, event: "again")
    _ = try await reopened.record([RecordedSwipe(again)])
    _ = try await reopened.redeal(for: "V")
    #expect(try await Set(reopened.people(for: "V")) == ["L", "M"])
    #expect(try await reopened.likesReceived(for: "V").count == 1)
  }

  /// The attack: whoever is left once a record fits nobody likes its person.
  @Test func narrowingDoesNotTellWhoLikesTheViewer() async throws {
    let seekers = (0..<6).map {
      Person(id: "p\($0)", age: 30, gender: "woman", seeks: ["man"], maximumAge: 40)
    }
    let feed = try await feed([Person(id: "V", age: 30, gender: "man")] + seekers)
    for liker in ["p1", "p4"] { try await feed.answer(ViewerID(liker), .like, "V") }
    #expect(try await feed.people(for: "V").count == 6)
    for record in [
      Person(id: "V", age: 99, gender: "man"), Person(id: "V", age: 30, gender: "other"),
      Person(id: "V", age: 30),
    ] {
      later()
      try await feed.put([record])
      #expect(try await feed.people(for: "V").isEmpty)
      #expect(try await feed.redeal(for: "V").cards.isEmpty)
      #expect(try await feed.likesReceived(for: "V").count == 0)
    }
  }

  @Test func aRecordThatStaysTheSameKeepsItsLikes() async throws {
    let feed = try await feed([viewer(), Person(id: "L", age: 30)])
    try await feed.answer("L", .like, "V")
    later()
    try await feed.put([viewer()])
    try await feed.withdraw(["V"])
    try await feed.reinstate(["V"])
    // L's own change is what the like stands over.
    try await feed.put([Person(id: "L", age: 30, minimumAge: 50)])
    #expect(try await feed.people(for: "V") == ["L"])
    let swipe = Swipe(viewer: "V", card: "L", answer: DatingDeck.Answer.like, event: "back")
    #expect(try await feed.swipe(swipe).receipt?.match != nil)
  }

  /// In the millisecond of the change it is not known what was liked.
  @Test func aLikeOfTheSameMillisecondWaivesNothing() async throws {
    let feed = try await feed([viewer(), Person(id: "L", age: 30, maximumAge: 35)])
    later()
    try await feed.put([viewer(40)])
    try await feed.answer("L", .like, "V")
    #expect(try await feed.people(for: "V").isEmpty)
  }

  /// A client that claims to like later than it does gets no better like for it.
  @Test func aLikeOfTheFutureIsOneOfNow() async throws {
    let feed = try await feed([viewer(), Person(id: "L", age: 30, maximumAge: 35)])
    _ = try await feed.record([
      RecordedSwipe(
        Swipe(
          viewer: "L", card: "V", answer: DatingDeck.Answer.like, event: "ahead",
          time: clock.now.advanced(byMilliseconds: Timestamp.day)))
    ])
    later()
    try await feed.put([viewer(40)])
    #expect(try await feed.people(for: "V").isEmpty)
  }

  /// The viewer's own like, once it may be taken back: the card is asked about as it is.
  @Test func theViewersOwnLikeIsAboutTheCardAsItWas() async throws {
    let filter = MutualPreferencesFilter()
    let people = [Person(id: "V", age: 30, maximumAge: 35), Person(id: "C", age: 40)]
    for (changed, verdict) in [
      (nil, FilterVerdict.keep), (4, .keep), (5, .remove()), (6, .remove()),
    ] as [(Int64?, FilterVerdict)] {
      let liked = SeenEntry(
        answer: SeenEntry.Answered(
          answer: "like", meaning: .positive, time: Timestamp(milliseconds: 5),
          event: LogPosition(1)))
      let slate = StrategyConformance.slate(
        of: people, deck: DatingDeck(), viewer: "V", now: Timestamp(milliseconds: 9),
        seen: ["C": liked], changed: changed.map { ["C": Timestamp(milliseconds: $0)] } ?? [:])
      #expect(try await filter.verdicts(for: slate, relaxation: 0).last == verdict)
    }
  }

  /// The predicate for two people and the filter over a table, with likes and changes of both sides
  /// before, at and after each other, by the same rule.
  @Test func theFilterAgreesWithThePredicateOfTwoPeople() async throws {
    var kept = 0
    var random = SplitMix64(seed: 7)
    let now = Timestamp(milliseconds: 100)
    for _ in 0..<600 {
      func person(_ id: String) -> Person {
        Person(
          id: id, age: Double(20 + random.index(below: 30)),
          maximumAge: random.index(below: 2) == 0 ? nil : Double(20 + random.index(below: 30)))
      }
      func moment() -> Timestamp? {
        random.index(below: 3) == 0
          ? nil : Timestamp(milliseconds: Int64(1 + random.index(below: 4)))
      }
      let (viewer, card) = (person("V"), person("C"))
      let (viewerChange, cardChange, given, received) = (moment(), moment(), moment(), moment())
      let changes: [CardID: Timestamp] = [("V", viewerChange), ("C", cardChange)].reduce(into: [:])
      {
        $0[CardID($1.0)] = $1.1
      }
      var waiver: PreferenceWaiver = []
      if let given, cardChange.map({ $0 < given }) ?? true { waiver.insert(.own) }
      if let received, viewerChange.map({ $0 < received }) ?? true { waiver.insert(.other) }
      let liked = given.map {
        SeenEntry(
          answer: SeenEntry.Answered(
            answer: "like", meaning: .positive, time: $0, event: LogPosition(1)))
      }
      let slate = StrategyConformance.slate(
        of: [viewer, card], deck: DatingDeck(), viewer: "V", now: now,
        seen: liked.map { ["C": $0] } ?? [:],
        received: received.map { [(from: "C", meaning: .positive, time: $0)] } ?? [],
        changed: changes)
      let verdict = try await MutualPreferencesFilter().verdicts(for: slate, relaxation: 0)[1]
      let fit = MutualPreferences().fit(of: viewer, with: card, at: now, waiving: waiver)
      #expect((verdict == .keep) == (fit == .fits))
      if verdict == .keep, !waiver.isEmpty { kept += 1 }
    }
    #expect(kept > 100)
  }
}
