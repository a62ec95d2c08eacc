import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// Caps of a day: what counts, how exactly, and that it lasts until midnight and over a restart.
@Suite struct ExposureCapTests {
  private let people =
    (0..<8).map { Person(id: "w\($0)", age: 30, gender: "woman", seeks: ["man"]) }
    + (0..<3).map { Person(id: "m\($0)", age: 30, gender: "man", seeks: ["woman"]) }

  private func feed(
    _ caps: JSONObject, _ clock: ManualClock, _ store: InMemoryStore, isNew: Bool = true
  ) async throws -> DatingFeed {
    var rule: JSONObject = ["use": "exposure-cap"]
    for cap in caps.members { rule[cap.key] = cap.value }
    return try await datingFeed(
      isNew ? people : [],
      ["slate": [JSONValue(rule)], "hand": ["size": 5, "refillBelow": 5]], clock: clock,
      store: store)
  }

  /// Only what was dealt can have been shown.
  private func dealToAll(_ feed: DatingFeed) async throws {
    for woman in 0..<8 {
      #expect(try await Set(feed.people(for: ViewerID("w\(woman)"))) == ["m0", "m1", "m2"])
    }
  }

  @Test func impressionsOfADayAreCounted() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    var feed = try await feed(["impressionsPerDay": 3], clock, store)
    func men(_ woman: ViewerID) async throws -> Set<CardID> {
      try await Set(feed.redeal(for: woman).cards.map(\.id))
    }
    try await dealToAll(feed)
    for woman in 0..<2 {
      // Sent twice, it counts once.
      for _ in 0..<2 {
        try await feed.impression(of: "m0", by: ViewerID("w\(woman)"), event: "seen")
      }
    }
    #expect(try await men("w7") == ["m0", "m1", "m2"])
    try await feed.impression(of: "m0", by: "w0", event: "seen again")
    #expect(try await men("w7") == ["m1", "m2"])
    // What a hand holds stays there; answers are no impressions.
    try await feed.answer("w1", .like, "m1")
    #expect(try await men("w6") == ["m1", "m2"])
    // The log holds what was counted, with a blob in between or without.
    feed = try await self.feed(["impressionsPerDay": 3], clock, store, isNew: false)
    #expect(try await men("w7") == ["m1", "m2"])
    try await feed.saveLearners()
    try await feed.impression(of: "m1", by: "w3", event: "m1")
    try await feed.impression(of: "m1", by: "w4", event: "m1")
    try await feed.saveLearners()
    feed = try await self.feed(["impressionsPerDay": 3], clock, store, isNew: false)
    try await feed.impression(of: "m1", by: "w5", event: "m1")
    #expect(try await men("w7") == ["m2"])
    #expect(try await store.check() == [])
    clock.advance(byMilliseconds: Timestamp.day)
    #expect(try await men("w7") == ["m0", "m1", "m2"])
  }

  @Test func aRuleThatComesWithAReloadKnowsTheDay() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    let plain = try await datingFeed(people, clock: clock, store: store)
    try await dealToAll(plain)
    for woman in 0..<3 {
      try await plain.impression(of: "m0", by: ViewerID("w\(woman)"), event: "seen")
    }
    let capped = try await feed(["impressionsPerDay": 3], clock, store, isNew: false)
    #expect(try await Set(capped.redeal(for: "w7").cards.map(\.id)) == ["m1", "m2"])
  }

  @Test func expectedLikesOfImpressions() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    let feed = try await feed(
      ["likesPerDay": 2, "likesOf": "impressions", "prior": 0.5], clock, store)
    try await dealToAll(feed)
    for woman in 0..<3 {
      try await feed.impression(of: "m0", by: ViewerID("w\(woman)"), event: "seen")
    }
    // 3 · 0.5 are below two, 4 · 0.5 are not.
    #expect(try await feed.redeal(for: "w7").cards.contains { $0.id == "m0" })
    try await feed.impression(of: "m0", by: "w3", event: "seen")
    #expect(try await !feed.redeal(for: "w7").cards.contains { $0.id == "m0" })
  }

  @Test func impressionsAtOnceAreAllCounted() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    let feed = try await feed(["impressionsPerDay": 1000], clock, store)
    try await dealToAll(feed)
    for day in 0..<3 {
      if day > 0 { clock.advance(byMilliseconds: Timestamp.day) }
      await withTaskGroup(of: Void.self) { group in
        for woman in 0..<8 {
          for number in 0..<25 {
            group.addTask {
              _ = try? await feed.impression(
                of: "m0", by: ViewerID("w\(woman)"), event: EventID("\(day) \(number)"))
            }
          }
        }
      }
      let counted = ImpressionNumbers(states: feed.learnerStates).impressionsToday(
        of: [try #require(feed.cards.row(of: CardID("m0")).map { feed.cards.number(at: $0) })],
        now: clock.now)
      #expect(counted == [200])
    }
  }

  /// Who says to have answered in years from now would never fade, and have no day until then.
  @Test func answersOfTheFutureCountToday() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    let feed = try await datingFeed(
      people,
      [
        "ranking": ["use": "activity", "of": ["use": "match-probability"]],
        "slate": [["use": "exposure-cap", "answersPerDay": 2]],
      ], clock: clock, store: store)
    for woman in ["w0", "w1"] {
      _ = try await feed.swipe(
        Swipe(
          viewer: ViewerID(woman),
          card: try #require(try await feed.people(for: ViewerID(woman)).first),
          answer: .like, event: "ahead",
          time: clock.now.advanced(byMilliseconds: 1000 * Timestamp.day)))
    }
    let numbers = ExposureNumbers(states: feed.learnerStates).numbers
    let table = feed.cards
    func person(_ id: CardID) throws -> ExposureNumbers.Person {
      let number = table.number(at: try #require(table.row(of: id)))
      return numbers.read { ExposureNumbers.Person($0, number, now: clock.now) }
    }
    let minute = Timestamp(milliseconds: clock.now.milliseconds / 60_000 * 60_000)
    #expect(try person("w0").latestActivity == minute)
    #expect(try ["m0", "m1", "m2"].map { try person($0).answersToday }.reduce(0, +) == 2)
    clock.advance(byMilliseconds: Timestamp.day)
    #expect(try ["m0", "m1", "m2"].map { try person($0).answersToday } == [0, 0, 0])
  }
}
