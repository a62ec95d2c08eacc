import CardFeed
import CardFeedTesting
import Testing

@Suite("What a deal does when it cannot do everything")
struct DealTests {
  @Test("Starved: no source proposed any card")
  func starved() async throws {
    let bench = try await TestBench(InMemoryStore()) { _ in }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids.isEmpty)
    #expect(hand.shortfall == .starved)
    #expect(hand.degradations.isEmpty)
  }

  @Test("Exhausted: cards that lie in the hand already are counted too")
  func exhaustedWithHand() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(2)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 5)
    }
    _ = try await bench.hand()
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids.count == 2)
    #expect(
      hand.shortfall?.exhaustion?.removed.map { "\($0.filter) \($0.count)" } == ["hand 2"])
  }

  @Test("Degraded by the batch limit; the next deals go on until every card was looked at")
  func batchLimit() async throws {
    let wanted: Set<CardID> = ["97", "98", "99"]
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(100)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 5, batches: 4)
      $0.source("pages", limit: 10, ListSource())
      $0.filter(
        "wanted", ClosureFilter { card, _, _ in wanted.contains(card.id) ? .keep : .remove() })
    }
    for _ in 0..<2 {
      let hand = try await bench.feed.hand(for: "viewer")
      #expect(hand.ids.isEmpty)
      #expect(hand.shortfall == .degraded)
      #expect(hand.degradations == [.batchLimit])
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(Set(hand.ids) == wanted)
    #expect(hand.shortfall?.exhaustion != nil)
  }

  @Test("Degraded by the time budget before the ranking: the hand keeps the order of the sources")
  func timeBudgetBeforeRanking() async throws {
    // Readings in a run: one for the deadline, one in front of each stage.
    let clock = ManualClock()
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(6), clock: clock) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id, timeBudget: 10)
      $0.source("backwards", ListSource(["6", "5", "4", "3", "2", "1"]))
      $0.matchProbability = FixedProbabilities(["6": 0.5])
      $0.rule("rule", ClosureRule { _ in SlateAdjustment() })
    }
    clock.stepNanoseconds = 6_000_000
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["6", "5", "4"])
    #expect(hand.degradations == [.timeBudget(stage: "ranking"), .timeBudget(stage: "rule")])
    #expect(hand.shortfall == nil)
    #expect(hand.cards.first?.reason.estimate.match?.value == 0.5)
    #expect(hand.cards.allSatisfy { $0.reason.score == .unscored })
  }

  @Test("A time budget never skips a hard filter")
  func timeBudgetAndFilters() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(6), clock: ManualClock(stepNanoseconds: 1 << 40)
    ) {
      $0.hand = HandPolicy(size: 6, refillBelow: 1, ties: .id, timeBudget: 1)
      $0.filter(
        "odd",
        ClosureFilter { card, _, _ in
          Int(card.weight ?? 0) % 2 == 1 ? .keep : .remove()
        })
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["1", "3", "5"])
    #expect(hand.shortfall == .degraded)
    #expect(hand.degradations.contains(.timeBudget(stage: "sources")))
  }

  @Test("A deal within its time budget is not degraded")
  func withinBudget() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(6)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, timeBudget: 1)
    }
    #expect(try await bench.feed.hand(for: "viewer").degradations.isEmpty)
  }

  @Test("A source that fails, throws or ends early is named; the others fill the hand")
  func sourceFailures() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(6)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
      $0.source("throws", ClosureSource { _, _, _, _ in throw TestFailure("no route") })
      $0.source("offline", ClosureSource { _, _, _, _ in throw SourceFailure.offline })
      $0.source(
        "slow",
        ClosureSource { _, _, _, _ in
          SourcePage(rows: [Row(5)], next: nil, failure: .timeOut)
        })
      $0.source("rest", ListSource(["1", "2"]))
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["1", "2", "6"])
    #expect(
      hand.degradations == [
        .source(name: "throws", failure: .failed), .source(name: "offline", failure: .offline),
        .source(name: "slow", failure: .timeOut),
      ])
    #expect(hand.cards.map(\.reason.source) == ["rest", "rest", "slow"])
  }

  @Test("Soft filters are relaxed from the last listed to the first, one step at a time")
  func relaxationOrder() async throws {
    func soft(_ name: String, steps: Int, keeps: Int) -> ClosureFilter<ToyDeck> {
      ClosureFilter(kind: .soft, relaxations: steps, reasons: [name]) { card, relaxation, _ in
        card.tags.first == name && Int(card.weight ?? 0) > keeps + relaxation ? .remove() : .keep
      }
    }
    let cards =
      ["first", "second"].flatMap { name in
        (1...4).map { ToyCard(CardID("\(name)-\($0)"), weight: Double($0), tags: [name]) }
      }
    let bench = try await TestBench(InMemoryStore(), cards: cards) {
      $0.hand = HandPolicy(size: 1, refillBelow: 1, ties: .id)
      $0.filter("already-swiped", AnsweredFilter())
      $0.filter("first", soft("first", steps: 2, keeps: 0))
      $0.filter("second", soft("second", steps: 3, keeps: 1))
    }
    #expect(
      try await bench.swipeAll() == [
        "second-1", "second-2", "second-3", "second-4", "first-1", "first-2",
      ])
    let exhaustion = try #require(
      try await bench.feed.hand(for: "viewer").shortfall?.exhaustion)
    #expect(
      exhaustion.removed.map { "\($0.filter) \($0.count)" } == ["already-swiped 6", "first 2"])
    let traces = try await bench.traces {
      try await bench.feed.put([ToyCard("first-2b", weight: 2, tags: ["first"])])
      #expect(try await bench.hand() == ["first-2b"])
    }
    let relaxed = traces.flatMap(\.stages).filter { $0.kind == .relaxation }.map(\.name)
    // Nothing of the second is removed any more, so there is nothing to relax in it.
    #expect(relaxed == ["first", "first"])
  }

  @Test("A filter that throws during relaxation fails as softly as before")
  func relaxationThrows() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(3)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 3, ties: .id)
      $0.filter(
        "moody",
        ClosureFilter(kind: .soft, relaxations: 1) { _, relaxation, _ in
          if relaxation > 0 { throw TestFailure("moody") }
          return .remove()
        })
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["1", "2", "3"])
    #expect(hand.degradations == [.strategy(name: "moody")])
  }

  @Test("Every stage of a trace accounts for every card, and every candidate has one fate")
  func traceAddsUp() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(60), options: FeedOptions(traceShare: 1)
    ) {
      $0.hand = HandPolicy(size: 10, refillBelow: 1)
      $0.source("pages", limit: 7, ListSource())
      $0.source("again", limit: 20, ListSource())
      $0.filter(
        "thirds",
        ClosureFilter { card, _, _ in
          switch Int(card.weight ?? 0) % 3 {
          case 0: .keep
          case 1: .remove()
          default: .unavailable
          }
        })
      $0.filter("changing", ChangingFilter(dropping: ["3", "6", "9"]))
      $0.rule(
        "withhold", ClosureRule { _ in SlateAdjustment(withheld: [0: "not now"]) })
    }
    let traces = try await bench.traces { _ = try await bench.hand() }
    let trace = try #require(traces.first)
    for stage in trace.stages {
      #expect(stage.kept + stage.removed + stage.unavailable == stage.entered, "\(stage.name)")
    }
    let candidates = try #require(trace.candidates)
    #expect(Set(candidates.map(\.id)).count == candidates.count)
    let dealt = candidates.filter { if case .dealt = $0.fate { true } else { false } }
    #expect(Set(dealt.map(\.id)) == Set(try await bench.hand()))
    let entered = trace.stages.filter { $0.kind == .source }.reduce(0) { $0 + $1.kept }
    #expect(entered == candidates.count)
  }

  @Test("A card withdrawn from the deck leaves hands when they are next asked for")
  func withdrawn() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    #expect(try await bench.hand() == ["1", "2", "3"])
    try await bench.feed.withdraw(["1", "3", "nobody"])
    #expect(try await bench.hand() == ["2"])
    #expect(try await bench.swipe("1").isStale)
    try await bench.swipe("2")
    #expect(try await bench.hand() == ["2", "4", "5"])
    try await bench.feed.put([ToyCard("1")])
    #expect(try await bench.feed.redeal(for: "viewer").ids == ["1", "2", "4"])
  }
}
