import CardFeedCalendar
import CardFeedConfiguration
import CardFeedTesting
import CardFeedTwoSidedMarket
import Testing

@testable import CardFeed
@testable import CardFeedDating

@Suite("One partner a day")
struct DailyPairTests {
  private func feed(
    _ people: [Person], _ clock: ManualClock, _ members: JSONObject = ["use": "most-compatible"]
  ) async throws -> DatingFeed {
    try await datingFeed(
      people,
      [
        "hand": ["size": 1, "refillBelow": 1], "ranking": JSONValue(members),
        "matchProbability": ["use": "elo-two-scale"],
      ], clock: clock)
  }

  /// Whom each person meets first, of those who have a partner that day.
  private func partners(_ feed: DatingFeed, _ people: [Person]) async throws -> [CardID: CardID] {
    var partners: [CardID: CardID] = [:]
    for person in people {
      let hand = try await feed.redeal(for: person.id).cards
      let plan = hand.first?.reason.terms.first { $0.name == "plan" }?.value
      // Below zero by more than the days are is who is in no plan.
      if let plan, let card = hand.first, plan < -10_000, plan > -40_000 {
        partners[person.id] = card.id
      }
    }
    return partners
  }

  @Test("The same all day, also after a training; another one the next day; always mutual")
  func aDay() async throws {
    let people = PlanWorld(5, 6).people
    let clock = ManualClock(now: try noon("2025-06-10"))
    let feed = try await feed(people, clock)
    try await feed.train()
    var yesterday: [CardID: CardID] = [:]
    for day in 0..<5 {
      let today = try await partners(feed, people)
      #expect(today.count == 10)
      for (one, other) in today { #expect(today[other] == one) }
      for (one, other) in yesterday { #expect(today[one] != other) }
      clock.advance(byMilliseconds: Timestamp.day / 4)
      if day % 2 == 0 { try await feed.train() }
      #expect(try await partners(feed, people) == today)
      clock.advance(byMilliseconds: Timestamp.day * 3 / 4)
      yesterday = today
    }
    // Planned are seven days from the last training on, and not more.
    clock.advance(byMilliseconds: Timestamp.day * 8)
    #expect(try await partners(feed, people).isEmpty)
  }

  @Test("The same two again only where nobody else is left, and nobody who was answered")
  func nobodyElse() async throws {
    let people = PlanWorld(1, 1).people
    let clock = ManualClock(now: try noon("2025-06-10"))
    let feed = try await feed(people, clock)
    try await feed.train()
    for _ in 0..<3 {
      #expect(try await partners(feed, people) == ["a10": "b10", "b10": "a10"])
      clock.advance(byMilliseconds: Timestamp.day)
      try await feed.train()
    }
    try await feed.answer("a10", .pass, "b10")
    try await feed.train()
    #expect(try await partners(feed, people)["a10"] == nil)
  }

  @Test("Who had a partner and answered gets no other on that day, who had none may")
  func oneADay() async throws {
    let world = PlanWorld(3, 3)
    let clock = ManualClock(now: try noon("2025-06-10"))
    let feed = try await feed(world.people, clock)
    try await feed.train()
    let before = try await partners(feed, world.people)
    let partner = try #require(before["a10"])
    try await feed.answer("a10", .pass, partner)
    try await feed.put(
      [
        Person(id: "a90", age: 30, gender: "woman", seeks: ["man"]),
        Person(id: "b90", age: 30, gender: "man", seeks: ["woman"]),
      ])
    try await feed.train()
    let after = try await partners(feed, world.people)
    #expect(after["a10"] == nil && after[partner] == nil)
    for (one, other) in before where one != "a10" && one != partner {
      #expect(after[one] == other)
    }
    let newcomers = [Person(id: "a90"), Person(id: "b90")]
    #expect(try await partners(feed, newcomers) == ["a90": "b90", "b90": "a90"])
  }

  @Test(
    "The day is that of the viewer's zone",
    .enabled(
      if: !DailyLikesTests.zonesAreMissing,
      "skipped: no time zones on this machine (package tzdata)"))
  func zones() async throws {
    var people = PlanWorld(4, 4).people
    for index in people.indices {
      people[index].zone = index % 2 == 0 ? "Pacific/Auckland" : "America/Los_Angeles"
    }
    // Noon of the 10th in UTC is midnight in Auckland and five in the morning in Los Angeles.
    let clock = ManualClock(now: try noon("2025-06-10").advanced(byMilliseconds: -1))
    let feed = try await feed(people, clock)
    try await feed.train()
    let before = try await partners(feed, people)
    clock.advance(byMilliseconds: 1)
    let after = try await partners(feed, people)
    for (index, person) in people.enumerated() {
      #expect((before[person.id] == after[person.id]) == (index % 2 == 1), "\(person.id)")
    }
  }

  @Test("A pair of lists never names somebody twice on one day")
  func lists() async throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      let count = 2 + Int(random.next() % 9)
      var pairs: [MatchingPool.Pair] = []
      for one in 0..<count {
        for other in one + 1..<count where random.next() % 3 > 0 {
          pairs.append(
            .init(one, other, likes: random.unitInterval(), likesBack: random.unitInterval()))
        }
      }
      let pool = MatchingPool(count: count, pairs: pairs)
      #expect(MatchingPool(count: count, pairs: pool.pairs) == pool)
      let lists = try await DailyPairs(pool, by: .match).lists(
        days: 100..<110, fixed: [:], met: [], pause: {})
      let allowed = Set(pairs.map { MeetingPair($0.first, $0.second) })
      for (person, list) in lists.enumerated() {
        #expect(Set(list.map(\.score)).count == list.count)
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.score > $1.score })
        for entry in list {
          #expect(allowed.contains(MeetingPair(person, Int(entry.member))))
          #expect(
            lists[Int(entry.member)].contains {
              $0.score == entry.score && Int($0.member) == person
            })
        }
      }
    }
  }

  @Test func scoresThatNoDayHasAreNoDays() {
    for day in [0, 20_000, -3] as [Int64] {
      #expect(DailyPairs.day(ofScore: DailyPairs.score(of: day)) == day)
    }
    for score in [Double.nan, .infinity, -.infinity, 1e300, -1e19, 0.5] {
      #expect(DailyPairs.day(ofScore: score) == nil)
    }
  }
}
