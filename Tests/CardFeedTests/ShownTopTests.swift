import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("The top that an answer shows is one that may be shown")
struct ShownTopTests {
  private typealias Store = InterceptedStore<InMemoryStore>
  private typealias Act =
    @Sendable (FeedEngine<ToyDeck, Store, ManualClock, SplitMix64>)
    async throws -> Void

  /// Runs `act` in the middle of the first call of its kind, when the hand was checked already.
  private func during(
    _ call: Store.Call, _ act: @escaping Act,
    _ change: (inout PipelineBuilder<ToyDeck>) -> Void = { _ in }
  ) async throws -> (bench: TestBench<Store>, arm: () -> Void) {
    let armed = Lock<(@Sendable () async throws -> Void)?>(nil)
    let store = InterceptedStore(InMemoryStore()) { found in
      guard found == call else { return }
      let act = armed.withLock { armed in
        defer { armed = nil }
        return armed
      }
      try await act?()
    }
    let people = ["1", "2", "3", "4", "v"].map { ToyCard($0, group: "a") }
    let bench = try await TestBench(store, cards: people) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, rewind: 10, ties: .id)
      $0.filter("answered", AnsweredFilter())
      $0.filter("group", ClosureFilter { card, _, _ in card.group == "a" ? .keep : .remove() })
      change(&$0)
    }
    let feed = bench.feed
    return (bench, { armed.withLock { $0 = { try await act(feed) } } })
  }

  @Test(
    "Of a swipe: neither withdrawn nor changed while the store was busy", arguments: [true, false])
  func ofASwipe(withdraws: Bool) async throws {
    let (bench, arm) = try await during(.swipes) { feed in
      if withdraws { try await feed.withdraw(["2"]) } else { try await feed.put([ToyCard("2")]) }
    }
    #expect(try await bench.hand("v") == ["1", "2", "3"])
    arm()
    guard case .applied(_, let top) = try await bench.swipe("1", by: "v") else {
      throw TestFailure("the swipe did not count")
    }
    #expect(top?.id == "3")
    #expect(try await bench.hand("v") == ["3"])
  }

  @Test("Of a swipe that another process's block made stale")
  func ofAStaleSwipe() async throws {
    let (bench, _) = try await during(.swipes) { _ in }
    #expect(try await bench.hand("v") == ["1", "2", "3"])
    let base = bench.store.base
    let numbers = try await base.numbers(for: ["1", "v"])
    _ = try await base.commit(
      BlockCommand(
        viewer: numbers[0], card: numbers[1], event: "b", kind: .block, time: bench.clock.now))
    guard case .stale(let top) = try await bench.swipe("1", by: "v") else {
      throw TestFailure("the swipe counted")
    }
    #expect(top?.id == "2")
  }

  @Test("Of a rewind, and of a swipe over the quota")
  func ofARewind() async throws {
    let (bench, arm) = try await during(.rewind) { feed in try await feed.withdraw(["1"]) }
    #expect(try await bench.hand("v") == ["1", "2", "3"])
    try await bench.swipe("1", by: "v")
    arm()
    #expect(try await bench.rewind("v").card == nil)
    #expect(try await bench.hand("v") == ["2", "3"])

    struct NoLikes: QuotaStrategy {
      typealias D = ToyDeck
      func limit(for context: QuotaContext<ToyDeck>) -> QuotaLimit? {
        QuotaLimit(
          answers: ["like"], most: 0,
          span: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max))
      }
    }
    let (limited, armed) = try await during(
      .swipes, { feed in try await feed.withdraw(["1"]) }
    ) { $0.quotas = [.init("none", NoLikes())] }
    #expect(try await limited.hand("v") == ["1", "2", "3"])
    armed()
    guard case .overQuota(_, let top) = try await limited.swipe("1", .like, by: "v") else {
      throw TestFailure("the swipe counted")
    }
    #expect(top?.id == "2")
  }

  @Test("Of a deal: who changed while it was made is not shown, and is made up for")
  func ofADeal() async throws {
    let (bench, arm) = try await during(.deal) { feed in try await feed.put([ToyCard("2")]) }
    arm()
    #expect(try await bench.hand("v") == ["1", "3"], "refilled below one card only")
    try await bench.swipe("1", by: "v")
    try await bench.swipe("3", by: "v")
    #expect(try await bench.hand("v") == ["4"])
  }
}
