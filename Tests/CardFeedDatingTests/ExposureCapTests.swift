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

  @Test func impressionsOfADayAreCounted() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    var feed = try await feed(["impressionsPerDay": 3], clock, store)
    func men(_ woman: ViewerID) async throws -> Set<CardID> {
      try await Set(feed.redeal(for: woman).cards.map(\.id))
    }
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
    for woman in 0..<3 {
      try await plain.impression(of: "m0", by: ViewerID("w\(woman)"), event: "seen")
    }
    let capped = try await feed(["impressionsPerDay": 3], clock, store, isNew: false)
    #expect(try await Set(capped.people(for: "w7")) == ["m1", "m2"])
  }

  @Test func expectedLikesOfImpressions() async throws {
    let (clock, store) = (ManualClock(), InMemoryStore())
    let feed = try await feed(
      ["likesPerDay": 2, "likesOf": "impressions", "prior": 0.5], clock, store)
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
    for day in 0..<3 {
      if day > 0 { clock.advance(byMilliseconds: Timestamp.day) }
      await withTaskGroup(of: Void.self) { group in
        for woman in 0..<8 {
          for number in 0..<25 {
            group.addTask {
              try? await feed.impression(
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

  private let owner = CardNumber(1)
  private let counts = DayCounts(first: 0)

  private func add(_ numbers: LearnedNumbers, _ day: Int64, atOnce many: Int = 1) {
    // Each is worked out before any of them counts.
    let increments = (0..<many).map { _ in
      numbers.read { counts.increments(of: owner, on: day, $0) }
    }
    for one in increments { numbers.apply(one) }
  }

  private func count(_ numbers: LearnedNumbers, _ day: Int64) -> Int64 {
    numbers.read { counts.count(of: owner, on: day, $0) }
  }

  /// The oracle is a dictionary, over days that follow each other with gaps of up to three.
  @Test(arguments: UInt64(1)...20)
  func daysAreCountedOneByOne(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    var expected: [Int64: Int64] = [:]
    var undo: [(day: Int64, increments: [Increment])] = []
    var day: Int64 = 20_000
    for _ in 0..<300 {
      if random.next() % 3 == 0 { day += Int64(random.next() % 4) }
      // Up to three days late.
      let own = random.next() % 5 == 0 ? day - Int64(random.next() % 4) : day
      let newest = undo.map(\.day).max() ?? own
      guard newest - own <= 3 else { continue }
      let increments = numbers.read { counts.increments(of: owner, on: own, $0) }
      numbers.apply(increments)
      undo.append((own, increments))
      expected[own, default: 0] += 1
      for back in 0...3 {
        let asked = max(day, newest) - Int64(back)
        guard abs(asked - max(newest, own)) <= 3, expected[asked] != nil else { continue }
        #expect(count(numbers, asked) == expected[asked])
      }
    }
    for one in undo.reversed() { numbers.apply(one.increments, sign: -1) }
    #expect(numbers.nonzero().isEmpty)
  }

  @Test(arguments: 1...4)
  func firstEventsAtOnceAreAllCounted(many: Int) {
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    add(numbers, 19_999)
    for day in Int64(20_000)...20_020 {
      add(numbers, day, atOnce: many)
      #expect(count(numbers, day) == Int64(many))
      add(numbers, day)
      #expect(count(numbers, day) == Int64(many) + 1)
    }
    // A week without anything: nothing of the past comes back.
    #expect(count(numbers, 20_028) == 0)
    add(numbers, 20_028)
    #expect(count(numbers, 20_028) == 1)
  }

  @Test func moreAtOnceCostNoMoreThanThatMoment() {
    let numbers = LearnedNumbers(stride: DayCounts.slots)
    for day in Int64(20_000)...20_010 {
      add(numbers, day, atOnce: 9)
      for _ in 0..<3 { add(numbers, day) }
      #expect((3...12).contains(count(numbers, day)))
    }
  }
}
