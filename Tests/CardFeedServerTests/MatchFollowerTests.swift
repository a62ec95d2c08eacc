import CardFeed
import CardFeedEventSinks
import CardFeedTesting
import Testing

@testable import CardFeedServer

/// The way from a log to the streams.
@Suite(.timeLimit(.minutes(10))) struct MatchFollowerTests {
  private struct Failure: Error {}

  private func sink(_ store: some FeedStore) -> ServerSentEventSink {
    ServerSentEventSink(stream: 10, store: store, clock: ManualClock())
  }

  private func makeMatch(_ store: InMemoryStore, _ one: CardNumber, _ other: CardNumber)
    async throws
  {
    for (viewer, card) in [(one, other), (other, one)] {
      let like = SwipeCommand(
        viewer: viewer, card: card, event: EventID("\(viewer.rawValue)-\(card.rawValue)"),
        answer: "like", meaning: .positive, time: Timestamp(milliseconds: 5),
        expectation: .recorded, deal: nil, compatibility: nil, remaining: 0,
        matchRule: MutualLike(), learned: [])
      _ = try await store.commit([like])
    }
  }

  private struct MutualLike: MatchRule {
    func isMatch(_ circumstances: MatchCircumstances) -> Bool {
      circumstances.meaning == .positive && circumstances.reverse == .positive
    }
  }

  @Test func whatAFailingStoreHoldsBackIsToldLaterAndCounted() async throws {
    let base = InMemoryStore()
    let fails = Lock(false)
    let store = InterceptedStore(base) { call in
      if call == .read, fails.withLock({ $0 }) { throw Failure() }
    }
    let n = try await base.numbers(for: ["a", "b", "c"])
    let sink = sink(base)
    let follower = try await MatchFollower(store, to: sink)
    let stream = sink.events(of: n[0], after: nil, matched: nil, asOf: sink.place ?? .start)
    try await makeMatch(base, n[0], n[1])
    fails.withLock { $0 = true }
    await #expect(throws: Failure.self) { try await follower.catchUp() }
    await #expect(throws: Failure.self) { try await follower.catchUp() }
    #expect(follower.failures == 2)
    fails.withLock { $0 = false }
    try await follower.catchUp()
    try await makeMatch(base, n[2], n[0])
    try await follower.catchUp()
    #expect(sink.counts.changes == 2)
    await follower.close()
    sink.close()
    var texts: [String] = []
    for await chunk in stream { texts.append(String(decoding: chunk, as: UTF8.self)) }
    #expect(texts.dropFirst().map { $0.contains("\"card\":\"b\"") } == [true, false])
    #expect(texts.last?.contains("\"card\":\"c\"") == true)
  }

  @Test func whoAsksAtTheSameTimeSharesOneReading() async throws {
    let base = InMemoryStore()
    let reads = Lock(0)
    let store = InterceptedStore(base) { call in
      if call == .read { reads.withLock { $0 += 1 } }
    }
    let follower = try await MatchFollower(store, to: sink(base))
    let before = reads.withLock { $0 }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { try? await follower.catchUp() } }
    }
    let after = reads.withLock { $0 }
    #expect((1...100).contains(after - before))
    await follower.close()
    try await follower.catchUp()
    #expect(reads.withLock { $0 } == after, "nothing is read after the end")
  }
}
