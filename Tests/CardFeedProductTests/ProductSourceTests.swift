import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedProduct

@Suite("Where products come from")
struct ProductSourceTests {
  @Test func whatIsDueComesFirstTheLongestOverdueAtTheTop() async throws {
    let feed = try await productFeed(
      products(5) { _, product in
        product.repeat = .consumable
        product.rhythmDays = 10
      }, ["sources": [["use": "due-again"], ["use": "all"]]])
    try await feed.note("p2", .buy, day: -15)
    try await feed.note("p4", .buy, day: -25)
    try await feed.note("p3", .buy, day: -5)
    let hand = try await feed.hand(for: "v")
    #expect(hand.cards.map(\.id) == ["p4", "p2", "p0", "p1"])
    #expect(hand.cards.prefix(2).allSatisfy { $0.reason.source == "due-again" })
  }

  @Test func arrivalsAreTheLatestFirst() async throws {
    let days = ["2026-01-01", "2025-12-30", nil, "2026-01-01", "2025-06-01", "2026-01-02"]
    let feed = try await productFeed(
      products(6) { index, product in product.added = days[index].flatMap { CalendarDate($0) } },
      ["sources": [["use": "new-arrivals", "withinDays": 30, "limit": 2]], "hand": ["size": 9]])
    #expect(try await feed.shown() == ["p0", "p3", "p1"])
  }

  @Test func popularIsByMatchesThenByArrival() async throws {
    let feed = try await productFeed(
      products(5), ["sources": [["use": "popular", "limit": 2]], "hand": ["size": 9]])
    for viewer in 0..<3 {
      try await feed.note("p3", .save, day: 0, by: CardID("a\(viewer)"))
      try await feed.note("p1", viewer == 0 ? .buy : .dislike, day: 0, by: CardID("a\(viewer)"))
      try await feed.note("p0", .skip, day: 0, by: CardID("a\(viewer)"))
    }
    #expect(try await feed.shown() == ["p3", "p1", "p0", "p2", "p4"])
  }

  @Test func theMatchRateIsTheShareOfAllAnswersDrawnToTheDecks() async throws {
    let feed = try await productFeed(
      products(2), ["matchProbability": ["use": "match-rate", "prior": 0.25, "weight": 4]])
    let empty = try await feed.estimates(for: "v", cards: ["p0"])
    #expect(empty.first?.match?.value == 0.25)
    for viewer in 0..<4 {
      try await feed.note("p0", viewer == 0 ? .buy : .skip, day: 0, by: CardID("a\(viewer)"))
    }
    // The deck: (1 + .25 · 4) / (4 + 4) = .25; the product: (1 + .25 · 4) / (4 + 4).
    let estimate = try #require(try await feed.estimates(for: "v", cards: ["p0"]).first)
    #expect(estimate.match?.value == 0.25)
    #expect(estimate.standardError == (0.25 * 0.75 / 9).squareRoot())
    try await feed.note("p1", .save, day: 0, by: "b")
    let other = try #require(try await feed.estimates(for: "v", cards: ["p1"]).first)
    let share = 3.0 / 9
    #expect(abs(try #require(other.match?.value) - (1 + share * 4) / 5) < 1e-15)
  }

  @Test func topRowsAreThoseOfASort() {
    var generator = SplitMix64(seed: 7)
    for count in [0, 1, 2, 5, 50, 80] {
      let values = (0..<60).map { _ in Int64(generator.index(below: 9)) }
      var top = TopRows(count: count)
      for (row, value) in values.enumerated() { top.take(row, value) }
      let sorted = values.indices.sorted {
        values[$0] != values[$1] ? values[$0] > values[$1] : $0 < $1
      }
      #expect(top.descending().map(\.index) == Array(sorted.prefix(count)))
    }
  }

  @Test func strategiesKeepTheirPromises() async throws {
    let euro = try #require(Currency("EUR"))
    let cards = products(12) { index, product in
      product.stock = index % 3 == 0 ? nil : Int64(index % 3 - 1)
      product.regions = index % 4 == 0 ? [] : ["R\(index % 2)"]
      product.repeat = index % 2 == 0 ? .consumable : nil
      product.price = index % 5 == 0 ? nil : Price(minorUnits: Int64(index) * 100, currency: euro)
    }
    let slate = StrategyConformance.slate(of: cards, deck: ProductDeck(), viewer: "v", now: noon)
    let rhythm = PurchaseRhythm(intervals: 2, fallbackDays: 30, early: 0)
    let filters: [any FilterStrategy<ProductDeck>] = [
      InStockFilter(least: 1, keepsUnknown: false),
      RegionFilter(regions: UnknownRegions(), fallback: "R1"),
      PriceFilter(currency: euro, least: 100, limits: [300, 500, 900], keepsUnknown: true),
      RepeatPolicyFilter(waits: .init(skipped: 1, opened: 1), rhythm: rhythm),
      FatigueFilter(most: 1, impressions: 2, minimumDwell: nil, days: 3),
    ]
    for filter in filters {
      #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    }
    let states = LearnerStates()
    let answers = ProductAnswers(states: states)
    #expect(
      await StrategyConformance.violations(
        of: MatchRateProbability(prior: 0.1, weight: 3, answers: answers), on: slate
      ).isEmpty)
  }
}
