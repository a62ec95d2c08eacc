import CardFeed
import CardFeedTesting
import Testing

@testable import CardFeedSQLite

@Suite(.timeLimit(.minutes(10))) struct StoreMeasuringTests {
  @Test func aSlowerDiskIsSlowerForTheStoreAndForTheMeasureOfIt() async throws {
    let folder = try ScratchFolder()
    let speed = try await StoreSpeed.measure(
      in: folder.path, viewers: 4, swipes: 3, syncDelayMicroseconds: 2_000)
    #expect(speed.swipes == 12)
    #expect((1...12).contains(speed.groups))
    // Sleeping never ends early, and nothing is faster than its sync.
    #expect(speed.syncNanoseconds >= 2_000_000)
    #expect(speed.commitNanoseconds >= 2_000_000)
    #expect(speed.medianNanoseconds >= 2_000_000)
  }

  @Test func statementsAreCountedOnEveryConnection() async throws {
    let folder = try ScratchFolder()
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    let viewer = try await store.numbers(for: [CardID("v"), CardID("w")])[0]
    #expect(store.statementCount == 0)
    try await store.countStatements()

    func statements(_ body: () async throws -> Void) async throws -> Int {
      let before = store.statementCount
      try await body()
      return store.statementCount - before
    }
    // One statement is its own transaction.
    #expect(try await statements { _ = try await store.numbers(for: [CardID("v")]) } == 1)
    #expect(try await statements { _ = try await store.viewer(viewer, swipes: 5) } == 1)
    #expect(try await statements { _ = try await store.unsafe(for: viewer) } == 1)
    let both = [CardID("v"), CardID("w")]
    #expect(try await statements { _ = try await store.numbers(for: both) } == 4)
    #expect(try await statements { try await store.write { _ in } } == 2)
    try await store.close()
  }
}

/// What a quota costs in statements.
@Suite struct QuotaCostTests {
  private struct Always: QuotaStrategy {
    typealias D = ToyDeck

    func limit(for context: QuotaContext<ToyDeck>) -> QuotaLimit? {
      QuotaLimit(
        answers: ["like"], most: 100,
        span: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max))
    }
  }

  private func feed(
    _ store: SQLiteStore, hasQuota: Bool
  ) async throws -> FeedEngine<ToyDeck, SQLiteStore, ManualClock, SplitMix64> {
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    if hasQuota { builder.quotas = [.init("always", Always())] }
    let feed = try await FeedEngine<ToyDeck, SQLiteStore, ManualClock, SplitMix64>.open(
      deck: ToyDeck(), store: store, pipelines: builder.buildSet(), states: LearnerStates(),
      clock: ManualClock())
    try await feed.put(ToyCard.numbered(20))
    return feed
  }

  /// Statements of a cold hand, then of a pass, two likes and a pass.
  private func costs(hasQuota: Bool) async throws -> [Int] {
    let folder = try ScratchFolder()
    let store = try await SQLiteStore.open(path: folder.file(), options: .forTests)
    _ = try await feed(store, hasQuota: hasQuota).hand(for: "v")
    let feed = try await feed(store, hasQuota: hasQuota)
    try await store.countStatements()
    var last = 0
    var costs: [Int] = []
    func count() {
      costs.append(store.statementCount - last)
      last = store.statementCount
    }
    let hand = try await feed.hand(for: "v")
    count()
    for (card, answer) in zip(hand.cards, [ToyAnswer.pass, .like, .like, .pass]) {
      _ = try await feed.swipe(
        Swipe(viewer: "v", card: card.id, answer: answer, event: EventID("\(card.id)")))
      count()
    }
    try await store.close()
    return costs
  }

  @Test func aWarmSessionAsksNothingAndAColdHandNothingMore() async throws {
    let without = try await costs(hasQuota: false)
    #expect(without[0] == 3, "the number, the viewer, and who must not meet the viewer")
    let with = try await costs(hasQuota: true)
    #expect(zip(with, without).map { $0 - $1 } == [0, 0, 1, 0, 0])
  }
}
