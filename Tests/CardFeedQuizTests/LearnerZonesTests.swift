import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

@Suite("Each learner's own zone")
struct LearnerZonesTests {
  /// Where learners are from a moment on.
  private typealias Homes = [ViewerID: [(from: Timestamp, zone: String)]]

  private static let memory: JSONValue = ["use": "fsrs-7", "zone": "UTC", "dayStart": 4]

  /// Two new cards a day, by the days of the learner.
  private func feed(_ homes: Homes, _ clock: ManualClock) async throws -> QuizFeed {
    let members: JSONObject = [
      "version": 1, "deck": "quiz", "hand": ["size": 2, "refillBelow": 2],
      "sources": [["use": "new", "memory": Self.memory]],
      "filters": [["use": "study-schedule", "memory": Self.memory]],
      "slate": [["use": "study-limits", "memory": Self.memory, "newPerDay": 2]],
      "matchProbability": Self.memory,
    ]
    let configuration = try FeedConfiguration(
      JSONValue(members), file: "test.json", plugins: quizPlugins)
    let feed = try await FeedBuilder.open(
      configuration,
      deck: QuizDeckPlugin(
        zones: LearnerZones { viewer, moment in
          homes[viewer]?.last { $0.from <= moment }?.zone
        }),
      store: InMemoryStore(), plugins: quizPlugins, clock: clock)
    try await feed.put(questions(40))
    return feed
  }

  /// Answers what there is at a moment. Returns how many.
  private func study(
    _ feed: QuizFeed, _ clock: ManualClock, at moment: Timestamp, by viewer: ViewerID
  ) async throws -> Int {
    clock.set(moment)
    var count = 0
    while try await feed.answer(
      .easy, event: "\(moment.milliseconds) \(count)", by: viewer) != nil
    {
      count += 1
    }
    return count
  }

  /// 2026-03-28, 23:00 UTC: a Saturday, the night in which clocks are put forward in Berlin.
  private static let evening = Timestamp(milliseconds: 1_774_738_800_000)

  @Test func aDayBeginsOnEachLearnersOwnClock() async throws {
    let ever = Timestamp(milliseconds: 0)
    let homes: Homes = [
      "berlin": [(ever, "Europe/Berlin")], "lost": [(ever, "Europe/Atlantis")],
    ]
    let clock = ManualClock(now: Self.evening)
    let feed = try await feed(homes, clock)
    for viewer in ["berlin", "lost", "configured"] as [ViewerID] {
      #expect(try await study(feed, clock, at: Self.evening, by: viewer) == 2)
    }
    // 04:00 in Berlin is 02:00 UTC, since the clock has just been put forward.
    let four = Self.evening.advanced(byMilliseconds: 3 * hour)
    for viewer in ["berlin", "lost", "configured"] as [ViewerID] {
      let early = try await study(feed, clock, at: four.advanced(byMilliseconds: -1), by: viewer)
      #expect(early == 0)
    }
    #expect(try await study(feed, clock, at: four, by: "berlin") == 2)
    #expect(try await study(feed, clock, at: four, by: "lost") == 0)
    #expect(try await study(feed, clock, at: four, by: "configured") == 0)
    // 04:00 of the configuration.
    let later = Self.evening.advanced(byMilliseconds: 5 * hour)
    for viewer in ["lost", "configured"] as [ViewerID] {
      #expect(try await study(feed, clock, at: later, by: viewer) == 2)
    }
    #expect(try await study(feed, clock, at: later, by: "berlin") == 0)
  }

  @Test("Scenario 6: a flight across seven zones leaves no day out and has none twice")
  func aFlight() async throws {
    // 2026-06-01, 00:00 UTC. Berlin is then two hours east of it.
    let start = Timestamp(milliseconds: 1_780_272_000_000)
    func local(_ day: Int64, _ clockHour: Int64, _ offset: Int64) -> Timestamp {
      start.advanced(byMilliseconds: (24 * day + clockHour - offset) * hour)
    }
    let homes: Homes = [
      "v": [
        (start, "Europe/Berlin"), (local(3, 12, 2), "-05:00"), (local(6, 23, -5), "Europe/Berlin"),
      ]
    ]
    let clock = ManualClock(now: start)
    let feed = try await feed(homes, clock)
    for day in Int64(0)..<3 {
      #expect(try await study(feed, clock, at: local(day, 9, 2), by: "v") == 2)
      #expect(try await study(feed, clock, at: local(day, 21, 2), by: "v") == 0)
    }
    // West, at noon of day 3: the day is longer, and stays one.
    #expect(try await study(feed, clock, at: local(3, 9, 2), by: "v") == 2)
    for clockHour in [9, 15, 23] as [Int64] {
      #expect(try await study(feed, clock, at: local(3, clockHour, -5), by: "v") == 0)
    }
    #expect(try await study(feed, clock, at: local(4, 3, -5), by: "v") == 0)
    for day in Int64(4)..<7 {
      #expect(try await study(feed, clock, at: local(day, 9, -5), by: "v") == 2)
      #expect(try await study(feed, clock, at: local(day, 21, -5), by: "v") == 0)
    }
    // East, in the night after day 6: the night is shorter, and day 7 begins all the same.
    #expect(try await study(feed, clock, at: local(7, 9, 2), by: "v") == 2)
    #expect(try await study(feed, clock, at: local(7, 22, 2), by: "v") == 0)
    #expect(try await study(feed, clock, at: local(8, 5, 2), by: "v") == 2)
  }
}
