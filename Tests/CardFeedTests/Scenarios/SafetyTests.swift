import CardFeed
import CardFeedTesting
import Testing

@Suite("Scenario 9: safety fails closed, taste fails open")
struct SafetyTests {
  @Test("A card whose safety is unknown is withheld, others are dealt; recovered, it comes")
  func unknownIsWithheld() async throws {
    let safety = SwitchableSafety()
    let bench = try await TestBench(InMemoryStore(), cards: [ToyCard("B"), ToyCard("C")]) {
      $0.hand = HandPolicy(size: 2, refillBelow: 2, ties: .id)
      $0.safety = safety
    }
    let number = try #require(try await bench.store.numbers(for: ["B"]).first)
    safety.set(.unknown, of: number)
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["C"])
    let removed = try #require(hand.shortfall?.exhaustion?.removed)
    #expect(removed.map { "\($0.filter): \($0.reason)" }.contains("blocked: data unavailable"))
    guard
      case .notDealt(.unavailable("blocked"), _) = try await bench.feed.explain(
        "B", for: "viewer")
    else { throw TestFailure("the explanation does not say that safety data are unavailable") }

    let questions = safety.questions
    safety.set(.clear, of: number)
    #expect(try await bench.hand() == ["C", "B"])
    #expect(safety.questions > questions, "the failure was not kept")
  }

  @Test("A store that fails to answer what is unsafe withholds every card, for that deal only")
  func failingStore() async throws {
    let fails = Lock(false)
    let store = InterceptedStore(InMemoryStore()) { call in
      if call == .read, fails.withLock({ $0 }) { throw TestFailure("offline") }
    }
    let bench = try await TestBench(store, cards: ToyCard.numbered(3)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 3)
    }
    // The session is in memory, so that only the safety question can fail.
    _ = try await bench.feed.estimates(for: "viewer", cards: [])
    fails.withLock { $0 = true }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids.isEmpty)
    #expect(
      hand.shortfall?.exhaustion?.removed.map { "\($0.filter) \($0.reason) \($0.count)" }
        == ["blocked data unavailable 3"])
    fails.withLock { $0 = false }
    #expect(try await bench.hand().count == 3)
  }

  @Test("A hard filter that throws removes every card; a soft one that throws removes none")
  func failingFilters() async throws {
    for kind in [FilterKind.hard, .soft] {
      let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(3)) {
        $0.hand = HandPolicy(size: 3, refillBelow: 3)
        $0.filter("broken", ClosureSlateFilter(kind: kind) { _ in throw TestFailure("no data") })
      }
      let hand = try await bench.feed.hand(for: "viewer")
      #expect(hand.ids.count == (kind == .hard ? 0 : 3))
      #expect(hand.degradations == [.strategy(name: "broken")])
    }
  }

  @Test("A hard filter without data for one card withholds that card; a soft one deals it")
  func missingForOne() async throws {
    for kind in [FilterKind.hard, .soft] {
      let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(3)) {
        $0.hand = HandPolicy(size: 3, refillBelow: 3, ties: .id)
        $0.filter(
          "partial",
          ClosureFilter(kind: kind) { card, _, _ in card.id == "2" ? .unavailable : .keep })
      }
      #expect(try await bench.hand() == (kind == .hard ? ["1", "3"] : ["1", "2", "3"]))
      let traces = try await bench.traces { _ = try await bench.feed.redeal(for: "viewer") }
      let stage = try #require(traces.first?.stages.first { $0.name == "partial" })
      #expect(stage.unavailable == 1)
      #expect(stage.kept == (kind == .hard ? 2 : 3))
    }
  }

  @Test("A block takes effect on hands that are held already, on both sides")
  func blockEmptiesHands() async throws {
    let people = ["ada", "ben", "cyd"].map { ToyCard($0) }
    let bench = try await TestBench(InMemoryStore(), cards: people) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    #expect(try await bench.hand("ada") == ["ben", "cyd"])
    #expect(try await bench.hand("ben") == ["ada", "cyd"])
    try await bench.feed.block("ben", by: "ada", event: "block")
    #expect(try await bench.hand("ada") == ["cyd"])
    #expect(try await bench.hand("ben") == ["cyd"])
    #expect(try await bench.swipe("ada", .like, by: "ben").isStale)
    guard
      case .notDealt(.removed(let filter, let reason, _), _) = try await bench.feed.explain(
        "ada", for: "ben")
    else { throw TestFailure("the explanation does not say removed") }
    #expect(filter == "blocked")
    #expect(reason == "the two must not meet", "the reason does not say who blocked whom")
  }

  @Test("Blocking or reporting again with the same event is no error; with another payload it is")
  func blockTwice() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ["ada", "ben", "cyd"].map { ToyCard($0) }
    ) { _ in }
    try await bench.feed.report("ben", by: "ada", event: "one")
    try await bench.feed.report("ben", by: "ada", event: "one")
    let error = await #expect(throws: FeedError.self) {
      try await bench.feed.report("cyd", by: "ada", event: "one")
    }
    #expect(error?.code == .eventConflict)
    #expect(try await bench.hand("cyd") == ["ada", "ben"])
  }
}
