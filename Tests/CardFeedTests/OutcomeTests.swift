import CardFeed
import CardFeedTesting
import Testing

@Suite("Listeners hear what happened, in order, after it is durable")
struct OutcomeTests {
  private func texts(
    of outcomes: AsyncStream<FeedOutcome>, until count: Int
  ) async -> [String] {
    var texts: [String] = []
    for await outcome in outcomes {
      switch outcome {
      case .dealt(let trace, let deal): texts.append("dealt to \(trace.viewer) at \(deal.rawValue)")
      case .swiped(let viewer, let receipt):
        texts.append("\(viewer) swiped \(receipt.card) \(receipt.answer)")
      case .rewound(let viewer, let card, _): texts.append("\(viewer) rewound \(card)")
      case .matched(let viewer, let card, _): texts.append("\(viewer) matched \(card)")
      }
      if texts.count == count { break }
    }
    return texts
  }

  @Test("Deals, swipes, the match and rewinds, to every listener alike")
  func everything() async throws {
    let bench = try await pairBench(1)
    let listeners = [bench.feed.outcomes, bench.feed.outcomes]
    _ = try await bench.hand("a0")
    _ = try await bench.hand("b0")
    try await bench.swipe("b0", .like, by: "a0", event: "e")
    try await bench.swipe("b0", .like, by: "a0", event: "e")
    try await bench.swipe("a0", .like, by: "b0")
    _ = try await bench.rewind("b0")
    let expected = [
      "dealt to a0 at 1", "dealt to b0 at 2", "a0 swiped b0 like", "b0 swiped a0 like",
      "b0 matched a0", "b0 rewound a0",
    ]
    for listener in listeners { #expect(await texts(of: listener, until: 6) == expected) }
  }

  @Test("A listener that comes later hears only what comes later")
  func later() async throws {
    let bench = try await pairBench(1)
    _ = try await bench.hand("a0")
    let outcomes = bench.feed.outcomes
    try await bench.swipe("b0", .pass, by: "a0")
    #expect(await texts(of: outcomes, until: 1) == ["a0 swiped b0 pass"])
  }

  @Test("Closing the feed ends every stream, and streams asked for afterwards are empty")
  func closing() async throws {
    let bench = try await pairBench(1)
    let outcomes = bench.feed.outcomes
    _ = try await bench.hand("a0")
    try await bench.feed.close()
    #expect(await texts(of: outcomes, until: 9) == ["dealt to a0 at 1"])
    #expect(await texts(of: bench.feed.outcomes, until: 9).isEmpty)
  }

  @Test("A listener that falls 1,024 behind loses the oldest, and nobody waits for it")
  func slowListener() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(1)) {
      $0.hand = HandPolicy(size: 1, refillBelow: 1)
    }
    let outcomes = bench.feed.outcomes
    _ = try await bench.hand()
    for round in 0..<600 {
      try await bench.swipe("1", event: EventID("swipe \(round)"))
      _ = try await bench.rewind(event: EventID("rewind \(round)"))
    }
    try await bench.feed.close()
    let heard = await texts(of: outcomes, until: .max)
    #expect(heard.count == 1024)
    #expect(heard.last == "viewer rewound 1")
    #expect(!heard.contains("dealt to viewer at 1"))
  }

  @Test("Only sampled traces name their candidates, in about the share that was asked for")
  func sampling() async throws {
    for share in [0, 0.25, 1] {
      let bench = try await TestBench(
        InMemoryStore(), cards: ToyCard.numbered(3),
        options: FeedOptions(seed: 3, traceShare: share)
      ) { _ in }
      let traces = try await bench.traces {
        for viewer in 0..<800 { _ = try await bench.hand(CardID("viewer-\(viewer)")) }
      }
      #expect(traces.count == 800)
      let found = Double(traces.count { $0.candidates != nil }) / 800
      #expect(abs(found - share) <= 4 * (share * (1 - share) / 800).squareRoot())
    }
  }
}
