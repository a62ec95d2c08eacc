import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedProduct

@Suite("When a product comes back")
struct RepeatPolicyTests {
  /// One of everything that can be said, and one of which nothing is said.
  @Test func skippedDislikedAndNeverShownAreThreeStates() async throws {
    let clock = ManualClock(now: noon)
    let feed = try await productFeed(products(6), clock: clock)
    try await feed.note("p0", .skip, day: 0)
    try await feed.note("p1", .dislike, day: 0)
    try await feed.note("p2", .open, day: 0)
    try await feed.note("p3", .save, day: 0)
    try await feed.note("p4", .buy, day: 0)
    #expect(try await feed.dealtAnew() == ["p5"])
    clock.advance(byMilliseconds: day)
    #expect(Set(try await feed.dealtAnew()) == ["p2", "p5"])
    clock.advance(byMilliseconds: 6 * day)
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p2", "p5"])
    // Nothing else comes back, however long it takes.
    clock.advance(byMilliseconds: 3000 * day)
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p2", "p5"])
  }

  @Test func waitsAreSetByTheOperator() async throws {
    let clock = ManualClock(now: noon)
    let feed = try await productFeed(
      products(3),
      [
        "filters": [
          [
            "use": "repeat-policy", "skippedReturnsAfterDays": 36_500,
            "dislikedReturnsAfterDays": 2, "savedReturnsAfterDays": 3,
          ]
        ]
      ], clock: clock)
    try await feed.note("p0", .skip, day: 0)
    try await feed.note("p1", .dislike, day: 0)
    try await feed.note("p2", .save, day: 0)
    clock.advance(byMilliseconds: 2 * day)
    #expect(try await feed.dealtAnew() == ["p1"])
    clock.advance(byMilliseconds: 1000 * day)
    #expect(Set(try await feed.dealtAnew()) == ["p1", "p2"])
  }

  @Test func aConsumableComesBackByTheViewersOwnRhythm() async throws {
    let clock = ManualClock(now: noon)
    let milk = products(1) { _, product in
      product.repeat = .consumable
      product.rhythmDays = 40
    }
    let feed = try await productFeed(milk, clock: clock)
    // Two of one day are one purchase; 4, 6 and 20 days between the others: the median is 6.
    for time in [-30, -29.99, -26, -20, 0] { try await feed.note("p0", .buy, day: time) }
    clock.advance(byMilliseconds: 6 * day - 1)
    #expect(try await feed.dealtAnew().isEmpty)
    guard case .exhausted(let exhaustion) = try await feed.hand(for: "v").shortfall else {
      Issue.record("an empty hand does not say why")
      return
    }
    #expect(exhaustion.nextDue == noon.after(days: 6))
    clock.advance(byMilliseconds: 1)
    #expect(try await feed.dealtAnew() == ["p0"])
    // Somebody else has their own.
    try await feed.note("p0", .buy, day: 0, by: "w")
    #expect(try await feed.dealtAnew("w").isEmpty)
    clock.advance(byMilliseconds: 34 * day)
    #expect(try await feed.dealtAnew("w") == ["p0"])
  }

  @Test func aRhythmIsTheProductsThenItsCategorysThenTheHosts() {
    func consumable(_ id: String, _ category: [String], _ days: Double?) -> Product {
      Product(
        id: CardID(id), title: id, category: category, repeat: .consumable, rhythmDays: days)
    }
    let all = [
      consumable("own", ["Food", "Milk"], 3), consumable("none", ["Food", "Milk"], nil),
      consumable("milk", ["Food", "Milk"], 7), consumable("bread", ["Food", "Bread"], 2),
      consumable("rice", ["Food", "Rice"], nil), consumable("soap", ["Soap"], nil),
    ]
    let table = CardTable<ProductDeck>.make(
      all.enumerated().map { ($1, CardNumber(Int64($0 + 1))) }, deck: ProductDeck())
    let rhythm = PurchaseRhythm(intervals: 2, fallbackDays: 30, early: 0)
    let once = [noon]
    #expect(all.map { rhythm.days(once, $0, in: table) } == [3, 5, 7, 2, 3, 30])
    let thrice = [noon, noon.after(days: 10), noon.after(days: 14)]
    #expect(rhythm.days(thrice, all[0], in: table) == 7)
    #expect(rhythm.days([noon, noon.after(days: 10)], all[0], in: table) == 3)
    #expect(PurchaseRhythm.median([]) == nil)
    #expect(PurchaseRhythm.median([5, 1, 9]) == 5)
  }

  @Test func whatLastsIsNotDealtAgainAlsoWhenItIsSavedLater() async throws {
    let clock = ManualClock(now: noon)
    let feed = try await productFeed(
      products(1) { _, product in product.repeat = .durable }, clock: clock)
    try await feed.note("p0", .buy, day: -400)
    try await feed.note("p0", .open, day: -300)
    #expect(try await feed.dealtAnew().isEmpty)
    guard
      case .notDealt(.removed(let filter, let reason, _), _) = try await feed.explain(
        "p0", for: "v")
    else {
      Issue.record("a product that was bought is not removed")
      return
    }
    #expect(filter == "repeat-policy")
    #expect(reason == "bought, and it lasts")
  }

  /// An answer that was given earlier and is recorded late is folded where it belongs.
  @Test func theOrderOfTheLogMakesNoDifference() async throws {
    let answers: [(ProductDeck.Answer, Double)] = [
      (.dislike, -9), (.buy, -8), (.skip, -3), (.buy, -2),
    ]
    var hands: [[CardID]] = []
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      let clock = ManualClock(now: noon)
      let feed = try await productFeed(
        products(1) { _, product in product.repeat = .consumable },
        ["filters": [["use": "repeat-policy", "intervals": 1]]], clock: clock)
      for index in order {
        try await feed.note("p0", answers[index].0, day: answers[index].1)
      }
      clock.advance(byMilliseconds: 4 * day - 1)
      hands.append(try await feed.dealtAnew())
      clock.advance(byMilliseconds: 1)
      hands.append(try await feed.dealtAnew())
    }
    #expect(hands == [[], ["p0"], [], ["p0"], [], ["p0"]])
  }

  @Test func aRewoundPurchaseWasNeverMade() async throws {
    let feed = try await productFeed(products(1))
    #expect(try await feed.answer(.buy, event: "1") == "p0")
    #expect(try await feed.matches(of: "v") == ["p0"])
    #expect(try await feed.shown().isEmpty)
    guard case .applied(let back, let endedMatch) = try await feed.rewind(for: "v", event: "2")
    else {
      Issue.record("the purchase is not taken back")
      return
    }
    #expect(back?.id == "p0")
    #expect(endedMatch)
    #expect(try await feed.matches(of: "v").isEmpty)
    #expect(try await feed.answer(.save, event: "3") == "p0")
    #expect(try await feed.matches(of: "v") == ["p0"])
  }

  @Test func aProductThatIsLeftUndecidedRests() async throws {
    let clock = ManualClock(now: noon)
    let feed = try await productFeed(
      products(2), ["filters": [["use": "fatigue", "most": 2, "restDays": 10]]], clock: clock)
    try await feed.note("p0", .skip, day: -2)
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p1"])
    try await feed.note("p0", .open, day: 0)
    #expect(try await feed.dealtAnew() == ["p1"])
    clock.advance(byMilliseconds: 10 * day)
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p1"])
    // The next one makes the rest longer, and a decision ends the counting.
    try await feed.note("p0", .skip, day: 10)
    clock.advance(byMilliseconds: 20 * day - 1)
    #expect(try await feed.dealtAnew() == ["p1"])
    try await feed.note("p0", .save, day: 29)
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p1"])
  }

  /// A flick past a product is no sight of it; a look of unknown length is.
  @Test func whatWasShownTooShortlyTiresNobody() async throws {
    let clock = ManualClock(now: noon)
    let filters: JSONValue = [
      ["use": "fatigue", "impressions": 2, "minimumDwell": 1000, "restDays": 10]
    ]
    let feed = try await productFeed(
      products(3), ["filters": filters], clock: clock, store: InMemoryStore())
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p1", "p2"])
    for (card, dwell) in [("p0", 999), ("p1", 1000), ("p2", nil)] as [(CardID, Int64?)] {
      for time in 0..<2 {
        try await feed.impression(
          of: card, by: "v", event: EventID("\(card) \(time)"),
          dwell: try dwell.map { try Dwell(milliseconds: $0) })
      }
    }
    #expect(try await feed.dealtAnew() == ["p0"])
    let error = await #expect(throws: (any Error).self) {
      _ = try await productFeed(products(1), ["filters": [["use": "fatigue", "minimumDwell": 5]]])
    }
    #expect("\(try #require(error))".contains("counts no impressions"))
  }

  /// What lies on top may be shown often; once it was dealt away, and shown so often, it rests.
  @Test func aProductThatIsShownWithoutAnAnswerRests() async throws {
    let clock = ManualClock(now: noon)
    let store = InMemoryStore()
    let feed = try await productFeed(
      products(2), ["filters": [["use": "fatigue", "impressions": 3, "restDays": 10]]],
      clock: clock, store: store)
    _ = try await feed.shown()
    for time in 0..<3 {
      #expect(Set(try await feed.dealtAnew()) == ["p0", "p1"])
      for _ in 0..<2 {
        // Sent twice, it counts once.
        _ = try await feed.impression(of: "p0", by: "v", event: EventID("shown \(time)"))
      }
      clock.advance(byMilliseconds: day)
    }
    // It lies in the hand, where it stays until it is dealt anew.
    #expect(Set(try await feed.shown()) == ["p0", "p1"])
    #expect(try await feed.dealtAnew() == ["p1"])
    guard
      case .notDealt(.removed(_, let reason, let due), _) = try await feed.explain(
        "p0", for: "v")
    else {
      Issue.record("a product that was shown often is not removed")
      return
    }
    #expect(reason == "shown too often without an answer")
    #expect(due == noon.after(days: 12))
    // Who opens the store anew counts the same.
    let again = try await productFeed(
      products(2), ["filters": [["use": "fatigue", "impressions": 3, "restDays": 10]]],
      clock: clock, store: store)
    #expect(try await again.dealtAnew() == ["p1"])
    // Somebody else was not shown it.
    #expect(Set(try await feed.shown("w")) == ["p0", "p1"])
    clock.set(noon.after(days: 12))
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p1"])
    // An answer begins the counting anew.
    try await feed.note("p0", .skip, day: 12)
    clock.advance(byMilliseconds: day)
    #expect(Set(try await feed.dealtAnew()) == ["p0", "p1"])
  }

  /// A client's clock may say anything; no time is out of range.
  @Test func timesOfAnySize() {
    let answers = [Int64.min, Int64.max, 0].enumerated().map { index, time in
      GivenAnswer(
        card: CardNumber(1), answer: "buy", meaning: .positive,
        time: Timestamp(milliseconds: time), event: LogPosition(Int64(index + 1)))
    }
    let entry = ProductHistory(answers)[CardNumber(1)]
    #expect(entry?.purchases.count == 3)
    let table = CardTable<ProductDeck>.make(
      [(Product(id: "p", title: "t", repeat: .consumable), CardNumber(1))], deck: ProductDeck())
    let rhythm = PurchaseRhythm(intervals: 1, fallbackDays: 30, early: 0)
    #expect(entry.flatMap { rhythm.due($0, row: Row(0), in: table) }?.milliseconds == .max)
  }
}
