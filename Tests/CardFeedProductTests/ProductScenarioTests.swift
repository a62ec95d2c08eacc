import CardFeed
import CardFeedCalendar
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedProduct

/// Faults that public recommenders had. The numbers are those of the list of scenarios; what concerns
/// the fit of a model alone is tested where the model is.
@Suite("Faults that recommenders had")
struct ProductScenarioTests {
  /// Hands that are always full where they can be, from popular products and nothing else.
  private static func popular(_ size: Int) -> JSONObject {
    [
      "sources": [["use": "popular", "limit": 4]],
      "hand": ["size": JSONValue(size), "refillBelow": JSONValue(size)],
    ]
  }

  /// Five wanted and three filtered away gave eight, or the filtered ones.
  @Test func p01AHandIsExactlyWhatIsWantedOrAvailable() async throws {
    for count in 0...12 {
      let feed = try await productFeed(
        products(count) { index, product in product.stock = index % 4 == 1 ? 0 : 1 },
        Self.popular(5))
      let expected = (0..<count).filter { $0 % 4 != 1 }.prefix(5).map { CardID("p\($0)") }
      #expect(try await feed.shown() == expected, "\(count) products")
    }
  }

  /// Who liked two products was shown these two.
  @Test func p02WhatWasAnsweredIsNotDealtAndTheFallbackFills() async throws {
    let feed = try await productFeed(
      products(9) { _, product in product.repeat = .consumable },
      [
        "sources": [["use": "due-again"], ["use": "popular"]],
        "hand": ["size": 5, "refillBelow": 5],
      ])
    try await feed.note("p0", .save, day: 0)
    try await feed.note("p1", .buy, day: 0)
    let hand = try await feed.hand(for: "v")
    #expect(hand.cards.map(\.id) == ["p2", "p3", "p4", "p5", "p6"])
    #expect(hand.cards.allSatisfy { $0.reason.source == "popular" })

    // Without a fallback there are fewer, and the hand says so.
    let alone = try await productFeed(
      products(2) { _, product in product.repeat = .consumable },
      ["sources": [["use": "due-again"]], "hand": ["size": 5, "refillBelow": 5]])
    try await alone.note("p0", .buy, day: -50)
    try await alone.note("p1", .buy, day: 0)
    let short = try await alone.hand(for: "v")
    #expect(short.cards.map(\.id) == ["p0"])
    guard case .exhausted(let exhaustion) = short.shortfall else {
      Issue.record("a short hand does not say why")
      return
    }
    #expect(exhaustion.removed.map(\.filter) == ["repeat-policy"])
    #expect(exhaustion.nextDue == noon.after(days: 30))
  }

  /// Who had seen everything, or all but two, was shown what they had seen, with a score of -3.4e38.
  @Test(arguments: [0, 2]) func p03WhoHasSeenEverythingGetsWhatIsLeft(left: Int) async throws {
    let feed = try await productFeed(products(40), Self.popular(5))
    for index in left..<40 { try await feed.note(CardID("p\(index)"), .save, day: 0) }
    for _ in 0..<3 {
      let hand = try await feed.redeal(for: "v")
      #expect(Set(hand.cards.map(\.id)) == Set((0..<left).map { CardID("p\($0)") }))
      guard case .exhausted(let exhaustion) = hand.shortfall else {
        Issue.record("a short hand does not say why")
        return
      }
      #expect(exhaustion.removed.map(\.count) == [40 - left])
      #expect(exhaustion.removed.map(\.reason) == ["saved"])
    }
  }

  /// Of whom nothing was known got the products with the greatest numbers, score 0.
  @Test func p04AColdViewerGetsThePopularWhateverItIsCalled() async throws {
    func hand(_ name: (Int) -> String) async throws -> [(Int, String)] {
      let named = (0..<8).map { Product(id: CardID(name($0)), title: "t") }
      let feed = try await productFeed(named, Self.popular(8))
      for viewer in 0..<5 {
        for index in 0..<viewer {
          try await feed.note(named[index * 2 % 8].id, .buy, day: 0, by: CardID("a\(viewer)"))
        }
      }
      let hand = try await feed.hand(for: "cold")
      return hand.cards.map { card in
        (named.firstIndex { $0.id == card.id } ?? -1, card.reason.source)
      }
    }
    let first = try await hand { "p\($0)" }
    #expect(first.map(\.0) == [0, 2, 4, 6, 1, 3, 5, 7])
    #expect(first.allSatisfy { $0.1 == "popular" })
    for name in [{ "\(100 - $0)" }, { "\($0 * 7919 % 8)" }] as [(Int) -> String] {
      let other = try await hand(name)
      #expect(other.map(\.0) == first.map(\.0))
    }
  }

  /// The same seed gave other factors at two threads. Of the deck: hands do not depend on who else asks
  /// at the same time.
  @Test func p05HandsAreTheSameHoweverManyAskAtOnce() async throws {
    let members: JSONObject = [
      "seed": 5, "ranking": ["use": "random"], "slate": [["use": "epsilon", "epsilon": 0.3]],
    ]
    let viewers = (0..<40).map { CardID("v\($0)") }
    let one = try await productFeed(products(60), members)
    var expected: [CardID: [CardID]] = [:]
    for viewer in viewers { expected[viewer] = try await one.shown(viewer) }
    let many = try await productFeed(products(60), members)
    let found = try await withThrowingTaskGroup(of: (CardID, [CardID]).self) { group in
      for viewer in viewers.reversed() { group.addTask { (viewer, try await many.shown(viewer)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(found == expected)
    #expect(Set(expected.values).count > 30)
  }

  /// More than 2³¹ interactions overflowed 32-bit offsets.
  @Test func p06CountsGoBeyondThirtyTwoBits() async throws {
    let states = LearnerStates()
    let answers = ProductAnswers(states: states)
    let cards = products(2)
    let slate = StrategyConformance.slate(of: cards, deck: ProductDeck(), viewer: "v", now: noon)
    let many: Int64 = 1 << 40
    for owner in [CardNumber(1), nil] {
      for (slot, amount) in [(0, 4 * many), (1, many)] {
        answers.numbers.apply([Increment(LearnedKey(owner: owner, slot: UInt8(slot)), amount)])
      }
    }
    let estimates = try await MatchRateProbability(prior: 0.5, weight: 1, answers: answers)
      .estimates(for: slate)
    #expect(abs(try #require(estimates[0].match?.value) - 0.25) < 1e-9)
    #expect(answers.matches(of: slate.table) == [many, 0])
  }

  /// A user beyond the matrix was an IndexError.
  @Test(arguments: [
    "18446744073709551616", "-1", "2147483648", "nobody", "",
  ]) func p07AnyViewerIsServed(name: String) async throws {
    let feed = try await productFeed(products(9), Self.popular(5))
    let viewer = CardID(name)
    #expect(try await feed.shown(viewer).count == 5)
    #expect(try await feed.answer(.buy, event: "1", by: viewer) == "p0")
    #expect(try await feed.matches(of: viewer) == ["p0"])
    await #expect(throws: FeedError.self) { _ = try await feed.appraise(["gone"], for: viewer) }
    // A history that comes with the request is recorded first, and counts at once.
    try await feed.note("p8", .dislike, day: 0, by: viewer)
    #expect(try await feed.dealtOut(viewer) == (1..<8).map { CardID("p\($0)") })
  }

  /// What was hidden was still served from some source.
  @Test(arguments: ["all", "popular", "new-arrivals", "due-again"])
  func p08WhatIsHiddenIsGoneWithTheNextRequest(source: String) async throws {
    var all = products(12) { index, product in
      product.added = CalendarDate("2025-12-\(10 + index)")
      product.repeat = .consumable
      product.stock = 3
    }
    let feed = try await productFeed(
      all, ["sources": [["use": JSONValue(source)]], "hand": ["size": 4, "refillBelow": 4]])
    for index in 0..<12 { try await feed.note(CardID("p\(index)"), .buy, day: -100) }
    let before = try await feed.shown()
    #expect(before.count == 4)
    // One is taken out of the deck, one is sold out: both leave the hand, and others come.
    try await feed.withdraw([before[0]])
    let soldOut = try #require(all.firstIndex { $0.id == before[1] })
    all[soldOut].stock = 0
    try await feed.put([all[soldOut]])
    for viewer in ["v", "w"] as [CardID] {
      if viewer == "w" {
        for index in 0..<12 {
          try await feed.note(CardID("p\(index)"), .buy, day: -100, by: viewer)
        }
      }
      let after = try await feed.shown(viewer)
      #expect(after.count == 4)
      #expect(Set(after).isDisjoint(with: before.prefix(2)))
    }
    #expect(try await feed.shown().prefix(2) == before.suffix(2))
  }

  /// The second page had three new cards; what was read came back.
  @Test func p09PagesRepeatNothing() async throws {
    let feed = try await productFeed(
      products(47),
      [
        "sources": [["use": "new-arrivals", "limit": 10], ["use": "popular", "limit": 7]],
        "hand": ["size": 10, "refillBelow": 1],
      ])
    var pages: [[CardID]] = []
    while true {
      let page = try await feed.shown()
      if page.isEmpty { break }
      pages.append(page)
      for place in page.indices {
        try await feed.answer(place % 3 == 0 ? .buy : .skip, event: "\(pages.count) \(place)")
      }
    }
    #expect(pages.map(\.count) == [10, 10, 10, 10, 7])
    #expect(Set(pages.joined()).count == 47)
  }

  /// As many wanted as there are gave fewer, and two ways to ask gave two scores.
  @Test func p10AllAreDealtOnceWithTheScoreThatIsAskedFor() async throws {
    let feed = try await productFeed(
      products(30),
      [
        "hand": ["size": 30, "refillBelow": 30],
        "ranking": ["use": "weighted", "terms": ["match-probability": 1, "random": 0.25]],
      ])
    for index in 0..<30 where index % 3 == 0 {
      try await feed.note(CardID("p\(index)"), .buy, day: 0, by: CardID("a\(index)"))
    }
    let hand = try await feed.hand(for: "v").cards
    #expect(Set(hand.map(\.id)).count == 30)
    let asked = try await feed.appraise(hand.map(\.id), for: "v")
    #expect(asked.map(\.estimate.match) == hand.map(\.reason.estimate.match))
    func sure(_ terms: [ScoreTerm]) -> [Double?] {
      terms.filter { $0.name == "match-probability" }.map(\.value)
    }
    #expect(asked.map { sure($0.terms) } == hand.map { sure($0.reason.terms) })
  }

  /// One viewer got 22 lists with a padding item in them.
  @Test func p11TheFirstCardOfTheTableIsACardLikeOthers() async throws {
    let feed = try await productFeed(products(3), ["hand": ["size": 10, "refillBelow": 10]])
    #expect(try await feed.shown() == ["p0", "p1", "p2"])
    for (place, card) in try await feed.shown().enumerated() {
      guard case .inHand(place, _) = try await feed.explain(card, for: "v") else {
        Issue.record("\(card) lies in the hand, and 'explain' says something else")
        return
      }
    }
    #expect(try await feed.answer(.buy, event: "1") == "p0")
    #expect(try await feed.matches(of: "v") == ["p0"])
  }

  /// To score one user all 23,000 were scored.
  @Test func p12WhatAHandCostsDoesNotDependOnHowManyViewersThereAre() async throws {
    func calls(viewers: Int) async throws -> [InterceptedStore<InMemoryStore>.Call: Int] {
      let counter = Counter()
      let feed = try await productFeed(
        products(20), store: InterceptedStore(InMemoryStore()) { counter.count($0) })
      for viewer in 0..<viewers {
        _ = try await feed.record([
          RecordedSwipe(
            Swipe(
              viewer: CardID("a\(viewer)"), card: CardID("p\(viewer % 20)"), answer: .buy,
              event: EventID("e")))
        ])
      }
      counter.clear()
      _ = try await feed.hand(for: "v")
      return counter.calls
    }
    let few = try await calls(viewers: 2)
    #expect(few[.deal] == 1)
    #expect(try await calls(viewers: 400) == few)
  }
}

/// Counts the calls of a store.
private final class Counter: Sendable {
  typealias Call = InterceptedStore<InMemoryStore>.Call

  private let counts = Lock([Call: Int]())

  func count(_ call: Call) { counts.withLock { $0[call, default: 0] += 1 } }

  func clear() { counts.withLock { $0 = [:] } }

  var calls: [Call: Int] { counts.withLock { $0 } }
}
