import CardFeed
import CardFeedTesting
import Synchronization
import Testing

@testable import CardFeedExperiments

@Suite("Audits of exposure, group by group")
struct ExposureAuditTests {
  private typealias Engine = FeedEngine<ToyDeck, InMemoryStore, ManualClock, SplitMix64>

  private struct World {
    let store = InMemoryStore()
    let clock = ManualClock()
    let feed: Engine
    private let events = EventNames()

    init(_ cards: [ToyCard]) async throws {
      var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
      builder.hand = HandPolicy(size: 2, refillBelow: 1, rewind: 5, ties: .id)
      feed = try await Engine.open(
        deck: ToyDeck(), store: store, pipelines: builder.buildSet(), states: LearnerStates(),
        clock: clock)
      try await feed.put(cards)
    }

    func show(_ card: CardID, to viewer: ViewerID, times: Int = 1) async throws {
      // The audit reads the log alone; a feed would ask whether the card was dealt.
      let numbers = try await store.numbers(for: [viewer, card])
      for _ in 0..<times {
        _ = try await store.recordImpression(
          viewer: numbers[0], card: numbers[1], event: events.next(), time: clock.now)
      }
    }

    func answer(_ viewer: ViewerID, _ card: CardID, _ answer: ToyAnswer) async throws {
      _ = try await feed.record([
        RecordedSwipe(
          Swipe(viewer: viewer, card: card, answer: answer, event: events.next()))
      ])
    }

    func report(_ audit: ExposureAudit) async throws -> ExposureReport {
      try await audit.report(
        store: store, table: feed.cards, deck: ToyDeck(), now: clock.now)
    }
  }

  /// 1, 2, 3 are of group a; 4, 5, 6 of group b; 7 of none.
  private static let cards = (1...7).map { number in
    ToyCard(
      CardID("\(number)"), group: number > 6 ? nil : number < 4 ? "a" : "b",
      weight: Double(number * 10))
  }

  @Test("Counts, means, intervals and the Gini coefficient of a small case")
  func smallCase() async throws {
    let world = try await World(Self.cards)
    try await world.show("1", to: "4", times: 2)
    try await world.show("2", to: "4")
    try await world.show("4", to: "1", times: 3)
    try await world.answer("4", "1", .like)
    try await world.answer("1", "4", .like)
    try await world.answer("5", "1", .pass)
    try await world.answer("5", "2", .skip)
    let report = try await world.report(
      ExposureAudit(
        by: AuditGrouping("group"), fewerThan: 1, smallestGroup: 3, listsStarved: true))
    #expect(report.groups.map(\.name) == ["a", "b"])
    let a = report.groups[0]
    #expect(a.people == 3 && a.shown == 3 && a.answers == 3 && a.likes == 1 && a.matches == 1)
    #expect(a.shownPerPerson.value == 1)
    // x̄ = 1, s = 1, n = 3: 1 ± 1.959964 / √3, not below 0.
    #expect(a.shownPerPerson.low == 0)
    #expect(abs(try #require(a.shownPerPerson.high) - 2.131585) < 1e-6)
    #expect(abs(a.gini - 4.0 / 9) < 1e-12)
    #expect(a.likeShare == 1.0 / 3)
    // Wilson's interval of 1 in 3.
    #expect(abs(a.matchedShare.value - 1.0 / 3) < 1e-12)
    #expect(abs(try #require(a.matchedShare.low) - 0.061492) < 1e-5)
    #expect(abs(try #require(a.matchedShare.high) - 0.792340) < 1e-5)
    #expect(a.starved == 1)
    let b = report.groups[1]
    #expect(b.shown == 3 && b.answers == 1 && b.likes == 1 && b.starved == 2)
    #expect(abs(b.gini - 2.0 / 3) < 1e-12)
    #expect(report.all.people == 6 && report.all.shown == 6 && report.all.matches == 2)
    #expect(report.starved == [["3"], ["5", "6"]])
    #expect(report.peopleLeftOut == 1)
  }

  @Test("Only what lies in the window and stands counts")
  func window() async throws {
    let world = try await World(Self.cards)
    try await world.show("1", to: "4")
    try await world.answer("4", "1", .like)
    try await world.answer("1", "4", .like)
    world.clock.advance(byMilliseconds: 3 * Timestamp.day)
    try await world.show("2", to: "4")
    let top = try #require(try await world.feed.hand(for: "6").cards.first)
    _ = try await world.feed.swipe(
      Swipe(viewer: "6", card: top.id, answer: .like, event: "swipe"))
    func groupA(_ days: Double?, _ counting: ExposureAudit.Counting = .impressions) async throws
      -> ExposureReport.Group
    {
      try await world.report(
        ExposureAudit(
          by: AuditGrouping("group"), counting: counting, days: days, smallestGroup: 1)
      ).groups[0]
    }
    #expect(top.id == "1")
    var a = try await groupA(2)
    #expect(a.shown == 1 && a.answers == 1 && a.matches == 0)
    a = try await groupA(nil)
    #expect(a.shown == 2 && a.answers == 2 && a.matches == 1)
    a = try await groupA(nil, .answers)
    #expect(a.shown == 2)
    // Two cards were dealt, 1 and 2.
    a = try await groupA(nil, .deals)
    #expect(a.shown == 2)
    _ = try await world.feed.rewind(for: "6", event: "rewind")
    a = try await groupA(2)
    #expect(a.answers == 0 && a.likeShare == nil)
    try await world.feed.withdraw(["1"])
    a = try await groupA(nil)
    #expect(a.people == 2 && a.shown == 1 && a.matches == 0)
  }

  @Test("Small groups are put together, or left out with everything that tells of them")
  func smallGroups() async throws {
    let cards = (1...9).map { number in
      ToyCard(CardID("\(number)"), group: number < 6 ? "many" : number < 8 ? "two" : "\(number)")
    }
    let world = try await World(cards)
    for number in 1...9 { try await world.show(CardID("\(number)"), to: "1") }
    func report(_ smallest: Int) async throws -> ExposureReport {
      try await world.report(
        ExposureAudit(by: AuditGrouping("group"), smallestGroup: smallest, listsStarved: true))
    }
    var found = try await report(3)
    #expect(found.groups.map(\.name) == ["many", "groups below 3"])
    #expect(found.groups.map(\.people) == [5, 4])
    #expect(found.all.people == 9 && found.peopleLeftOut == 0)
    found = try await report(5)
    #expect(found.groups.map(\.name) == ["many"])
    #expect(found.all.people == 5 && found.all.shown == 5 && found.peopleLeftOut == 4)
    #expect(found.starved?.flatMap { $0 }.count == 5)
    found = try await report(10)
    #expect(found.groups.isEmpty && found.all.people == 0 && found.peopleLeftOut == 9)
  }

  @Test("Numbers are parted by bounds, the lower one inclusive")
  func bounds() async throws {
    let world = try await World(Self.cards + [ToyCard("8")])
    let report = try await world.report(
      ExposureAudit(by: AuditGrouping("weight", bounds: [20, 45.5]), smallestGroup: 1))
    #expect(
      report.groups.map(\.name) == ["below 20", "20 to below 45.5", "45.5 and above", "unknown"])
    #expect(report.groups.map(\.people) == [1, 3, 3, 1])
  }

  @Test("What parts nothing is refused, with what is allowed")
  func problems() async throws {
    let world = try await World(Self.cards)
    func problem(_ grouping: AuditGrouping) async -> String {
      do {
        _ = try await world.report(ExposureAudit(by: grouping))
        return ""
      } catch { return (error as? FeedError)?.message ?? "\(error)" }
    }
    #expect(
      await problem(AuditGrouping("nothing"))
        == "there is no column and no named number \"nothing\"; allowed: \"group\", \"weight\"")
    #expect(
      await problem(AuditGrouping("tags"))
        == "the column \"tags\" parts cards into no groups; allowed: \"group\", \"weight\"")
    #expect(
      await problem(AuditGrouping("weight"))
        == "\"weight\" holds numbers, which are parted by bounds")
    #expect(
      await problem(AuditGrouping("group", bounds: [1]))
        == "the column \"group\" holds names, which have no bounds")
  }
}

/// A new name for each event.
private final class EventNames: Sendable {
  private let count = Atomic(0)

  func next() -> EventID {
    EventID("event \(count.wrappingAdd(1, ordering: .relaxed).newValue)")
  }
}
