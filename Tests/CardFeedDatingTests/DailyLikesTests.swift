import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedDating
import CardFeedTesting
import Testing

/// Likes of a day, which begins where the person lives. Scenario D27: ten likes in the first half
/// hour of the day on which Berlin puts its clock forward.
@Suite struct DailyLikesTests {
  static let zonesAreMissing = (try? ZoneDatabase().rules(named: "Europe/Berlin")) == nil

  private let quotas: JSONObject = [
    "hand": ["size": 5],
    "quotas": [
      [
        "use": "daily-quota", "answers": ["like", "super-like"], "perDay": 10,
        "zoneColumn": "zone",
      ],
      ["use": "daily-quota", "answers": ["super-like"], "perDay": 1, "zone": "Europe/Berlin"],
    ],
  ]

  private func feed(
    _ clock: ManualClock, store: InMemoryStore = InMemoryStore(), zone: String? = "Europe/Berlin"
  ) async throws -> DatingFeed {
    let people = (0..<60).map { Person(id: "p\($0)", age: 30) }
    return try await datingFeed(
      people + [Person(id: "A", age: 30, zone: zone)], quotas, clock: clock, store: store)
  }

  /// Answers the top card; nil if it counts.
  private func refusal(
    _ feed: DatingFeed, _ answer: DatingDeck.Answer, _ event: EventID
  ) async throws -> Allowance? {
    let top = try #require(try await feed.people(for: "A").first)
    let outcome = try await feed.swipe(
      Swipe(viewer: "A", card: top, answer: answer, event: event))
    switch outcome {
    case .applied: return nil
    case .overQuota(let quota, _): return quota
    case .repeated, .stale: throw SwipeWasNeither()
    }
  }

  private func remaining(_ feed: DatingFeed) async throws -> Int {
    try #require(try await feed.allowances(for: "A").first).remaining
  }

  private func moment(_ day: String, _ hour: Int64, _ minute: Int64, offset: Int64) throws
    -> Timestamp
  {
    let hours = try #require(CalendarDate(day)).daysSinceEpoch * 24 + hour - offset
    return Timestamp(milliseconds: (hours * 60 + minute) * 60_000)
  }

  @Test(
    .enabled(if: !zonesAreMissing, "skipped: no time zones on this machine (package tzdata)"))
  func d27TheQuotaEndsAtTheViewersMidnight() async throws {
    let clock = ManualClock(now: try moment("2025-03-30", 0, 30, offset: 1))
    let store = InMemoryStore()
    let feed = try await feed(clock, store: store)
    for like in 0..<10 { #expect(try await refusal(feed, .like, EventID("\(like)")) == nil) }
    clock.set(try moment("2025-03-30", 23, 59, offset: 2))
    #expect(try await remaining(feed) == 0)
    let quota = try #require(try await refusal(feed, .like, "over"))
    #expect(quota.end == (try moment("2025-03-31", 0, 0, offset: 2)))
    #expect(quota.end.milliseconds - quota.start.milliseconds == 23 * 3_600_000)
    // The server's midnight, in UTC, was no midnight of theirs.
    clock.set(try moment("2025-03-31", 0, 1, offset: 2))
    #expect(try await remaining(feed) == 10)
    let anew = try await self.feed(clock, store: store)
    #expect(try await remaining(anew) == 10)
    #expect(try await refusal(anew, .like, "over") == nil)
    #expect(try await remaining(anew) == 9)
  }

  @Test(
    .enabled(if: !zonesAreMissing, "skipped: no time zones on this machine (package tzdata)"))
  func theDayOf25HoursHasOneQuota() async throws {
    let clock = ManualClock(now: try moment("2025-10-26", 0, 0, offset: 2))
    let feed = try await feed(clock)
    for like in 0..<10 {
      #expect(try await refusal(feed, .like, EventID("\(like)")) == nil)
      clock.advance(byMilliseconds: 2 * 3_600_000)
    }
    clock.set(try moment("2025-10-26", 23, 59, offset: 1))
    let quota = try #require(try await refusal(feed, .like, "over"))
    #expect(quota.end.milliseconds - quota.start.milliseconds == 25 * 3_600_000)
    clock.set(quota.end)
    #expect(try await refusal(feed, .like, "over") == nil)
  }

  @Test(
    .enabled(if: !zonesAreMissing, "skipped: no time zones on this machine (package tzdata)"))
  func superLikesHaveALimitOfTheirOwnAndCountAsLikes() async throws {
    let clock = ManualClock(now: try moment("2025-06-01", 12, 0, offset: 2))
    let feed = try await feed(clock, zone: nil)
    #expect(try await refusal(feed, .superLike, "s1") == nil)
    #expect(try await refusal(feed, .superLike, "s2")?.answers == ["super-like"])
    #expect(try await feed.allowances(for: "A").map(\.remaining) == [9, 0])
    // Without a zone of their own the zone of each quota counts: UTC and Berlin.
    let ends = try await feed.allowances(for: "A").map(\.end)
    #expect(ends[0].milliseconds - ends[1].milliseconds == 2 * 3_600_000)
    guard case .applied = try await feed.rewind(for: "A", event: "back") else {
      throw SwipeWasNeither()
    }
    #expect(try await feed.allowances(for: "A").map(\.remaining) == [10, 1])
    #expect(try await refusal(feed, .pass, "p") == nil)
    #expect(try await feed.allowances(for: "A").map(\.remaining) == [10, 1])
  }

  @Test(
    .enabled(if: !zonesAreMissing, "skipped: no time zones on this machine (package tzdata)"),
    arguments: ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu"], [UInt64(1), 2, 3])
  func neverMoreThanTheLimitBetweenTwoMidnights(zone: String, seed: UInt64) async throws {
    // Three days around the change of the clock in Berlin, and in São Paulo at midnight.
    let clock = ManualClock(
      now: try moment(zone == "America/Sao_Paulo" ? "2018-11-03" : "2025-03-29", 0, 0, offset: 0))
    let store = InMemoryStore()
    let feed = try await feed(clock, store: store, zone: zone)
    var random = SplitMix64(seed: seed)
    for round in 0..<30 {
      let cards = try await feed.people(for: "A")
      let isRewound = random.next() % 4 == 0
      await withTaskGroup(of: Void.self) { group in
        for card in cards {
          group.addTask {
            _ = try? await feed.swipe(
              Swipe(viewer: "A", card: card, answer: .like, event: EventID("\(round) \(card)")))
          }
        }
        if isRewound {
          group.addTask { _ = try? await feed.rewind(for: "A", event: EventID("back \(round)")) }
        }
      }
      clock.advance(byMilliseconds: Int64(random.next() % (5 * 3_600_000)))
    }
    let rules = try ZoneDatabase().rules(named: zone)
    var counts: [CalendarDate?: Int] = [:]
    for event in try await store.events(after: .start, limit: 10_000)
    where event.kind == .swipe && !event.isRewound {
      counts[rules.day(at: event.time), default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 <= 10 } && counts.count >= 2)
    #expect(counts.values.contains(10), "the limit was reached at all")
  }
}

private struct SwipeWasNeither: Error {}
