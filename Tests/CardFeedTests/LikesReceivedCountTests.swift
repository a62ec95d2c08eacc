import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Likes received that can be dealt")
struct LikesReceivedCountTests {
  private func like<Store: FeedStore>(
    _ bench: TestBench<Store>, _ viewers: [ViewerID], _ card: CardID,
    _ answer: ToyAnswer = .like
  ) async throws {
    let swipes = viewers.map { viewer in
      RecordedSwipe(
        Swipe(
          viewer: viewer, card: card, answer: answer,
          event: EventID("\(viewer) \(card) \(answer)")))
    }
    _ = try await bench.feed.record(swipes)
  }

  @Test("Only likes that stand count, and those in the hand count once")
  func whatCounts() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(8)) {
      $0.hand = HandPolicy(size: 2, refillBelow: 1, rewind: 10, ties: .id)
      $0.filter("already-swiped", AnsweredFilter())
    }
    func count() async throws -> Int {
      let count = try await bench.feed.likesReceived(for: "1")
      #expect(count.isExact)
      return count.count
    }
    #expect(try await count() == 0)
    try await like(bench, ["2", "3", "4", "5"], "1")
    try await like(bench, ["6"], "1", .pass)
    #expect(try await count() == 4)
    #expect(try await bench.hand("1") == ["2", "3"])
    #expect(try await count() == 4)
    try await like(bench, ["3"], "1", .pass)
    #expect(try await count() == 3, "who changed their mind")
    try await bench.swipe("2", .like, by: "1")
    #expect(try await count() == 2, "who was answered")
    #expect(try await bench.rewind("1").card == "2")
    #expect(try await count() == 3)
    try await bench.feed.block("4", by: "1", event: "block")
    try await bench.feed.block("1", by: "5", event: "block")
    #expect(try await count() == 1, "blocks count in both directions")
    try await bench.feed.withdraw(["2"])
    #expect(try await count() == 0)
    let things = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(3), deck: ToyDeck(isMutual: false)
    ) { _ in }
    #expect(try await things.feed.likesReceived(for: "1") == DealableCount(count: 0, isExact: true))
  }

  @Test("It says when it may be short: more answers than are read, data that are missing")
  func exactness() async throws {
    let fails = Lock(false)
    let store = InMemoryStore()
    let safety = ClosureSafety { _, _ in fails.withLock { $0 } ? .unknown : .clear }
    var builder = PipelineBuilder<ToyDeck>(safety: safety)
    builder.filter(
      "never known", ClosureFilter { card, _, _ in card.id == "2" ? .unavailable : .keep })
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(8), options: FeedOptions(answersReceivedLimit: 4),
      pipelines: builder.buildSet())
    try await like(bench, ["2", "3", "4"], "1")
    // Nobody will ever know about 2, so two is the truth.
    #expect(try await bench.feed.likesReceived(for: "1") == DealableCount(count: 2, isExact: true))
    fails.withLock { $0 = true }
    #expect(try await bench.feed.likesReceived(for: "1") == DealableCount(count: 0, isExact: false))
    fails.withLock { $0 = false }
    try await like(bench, ["5"], "1")
    #expect(try await bench.feed.likesReceived(for: "1") == DealableCount(count: 3, isExact: false))
  }

  @Test(
    "It is the number of people who like the viewer that swiping to the end brings",
    arguments: 0..<24)
  func swipingToTheEnd(seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    let far = below(12)
    let removed = Set((0..<5).map { _ in CardID("\(below(30) + 1)") })
    let unscored = Set((0..<4).map { _ in CardID("\(below(30) + 1)") })
    let exclude = below(2) == 0
    let isRelaxed = below(2) == 0
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(30)) {
      $0.hand = HandPolicy(
        size: 1 + below(5), refillBelow: 1, rewind: 10, unscored: exclude ? .exclude : .last,
        batches: 1 + below(40))
      $0.source("pages", limit: 1 + below(9), ListSource())
      $0.filter("already-swiped", AnsweredFilter())
      $0.filter(
        "hard", ClosureFilter { card, _, _ in removed.contains(card.id) ? .remove() : .keep })
      $0.filter(
        "soft",
        ClosureFilter(kind: .soft, relaxations: isRelaxed ? 2 : 0) { card, step, _ in
          (card.weight ?? 0) < Double(far - 5 * step) ? .remove() : .keep
        })
      $0.ranking = ClosureRanking { slate, _ in
        SlateScores(
          values: slate.rows.map {
            unscored.contains(slate.table.card(at: $0).id) ? .nan : Double($0.index)
          })
      }
    }
    let viewer: CardID = "7"
    var likers: Set<CardID> = []
    for other in (1...30).map({ CardID("\($0)") }) where other != viewer {
      switch below(6) {
      case 0, 1, 2:
        try await like(bench, [ViewerID("\(other)")], viewer)
        likers.insert(other)
      case 3: try await like(bench, [ViewerID("\(other)")], viewer, .pass)
      case 4: try await bench.feed.block(viewer, by: ViewerID("\(other)"), event: "block")
      default: break
      }
      if below(8) == 0 { try await like(bench, ["7"], other, below(2) == 0 ? .like : .pass) }
      if below(12) == 0 { try await bench.feed.withdraw([other]) }
    }
    if below(2) == 0 { _ = try await bench.hand("7") }
    let counted = try await bench.feed.likesReceived(for: "7")
    #expect(counted.isExact)
    var dealt: [CardID] = []
    var empty = 0
    // A deal that has asked for its pages in vain goes on with the next one.
    while empty < 100 {
      let hand = try await bench.feed.hand(for: "7")
      guard let top = hand.cards.first?.id else {
        guard hand.shortfall == .degraded else { break }
        empty += 1
        continue
      }
      empty = 0
      #expect(try await bench.swipe(top, by: "7").isApplied)
      dealt.append(top)
    }
    #expect(empty < 100)
    #expect(counted.count == likers.intersection(dealt).count)
    #expect(try await bench.feed.likesReceived(for: "7").count == 0)
  }
}
