import CardFeedTesting
import Testing

@testable import CardFeed

/// One viewer whose requests reach two processes, each with a session of its own.
@Suite("Two processes hold one hand")
struct SharedHandTests {
  private let store = InMemoryStore()

  private func open(cards: Int = 0) async throws -> TestBench<InMemoryStore> {
    try await TestBench(store, cards: ToyCard.numbered(cards)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 3, rewind: 10, ties: .id)
      $0.filter("already-swiped", AnsweredFilter())
    }
  }

  private func held() async throws -> Int64 {
    let viewer = try await store.numbers(for: ["viewer"])[0]
    return try await store.viewer(viewer, swipes: 0).deals
  }

  @Test("A process that is behind deals onto the hand that is there, not over it")
  func dealing() async throws {
    let one = try await open(cards: 9)
    let other = try await open()
    #expect(try await one.hand() == ["1", "2", "3"])
    #expect(try await other.hand() == ["1", "2", "3"])
    try await one.swipe("1")
    #expect(try await one.hand() == ["2", "3", "4"])
    // The other one still has three cards, of which one was swiped; it is told when it swipes.
    guard case .stale(let top) = try await other.swipe("1", event: "other 1") else {
      throw TestFailure("a swipe of a card that was swiped counted")
    }
    #expect(top?.id == "2")
    try await other.swipe("2", event: "other 2")
    #expect(try await other.hand() == ["3", "4", "5"])
    // Now the first one is behind, and wants to replace what it holds.
    let dealt = try await one.feed.redeal(for: "viewer").ids
    #expect(dealt == ["3", "4", "5"])
    #expect(try await one.swipeAll() == ["3", "4", "5", "6", "7", "8", "9"])
    #expect(try await store.check() == [])
  }

  @Test("The first hand is dealt once, whoever deals it")
  func first() async throws {
    let one = try await open(cards: 9)
    let other = try await open()
    // Both have read that there is no hand.
    for bench in [one, other] { _ = try await bench.feed.matches(of: "viewer") }
    #expect(try await one.hand() == ["1", "2", "3"])
    try await one.swipe("1")
    #expect(try await other.hand() == ["2", "3", "4"])
    #expect(try await held() == 2)
  }

  @Test("A process that is behind takes cards out of the hand that is there")
  func removing() async throws {
    let one = try await open(cards: 9)
    let other = try await open()
    #expect(try await one.hand() == ["1", "2", "3"])
    #expect(try await other.hand() == ["1", "2", "3"])
    try await one.swipe("1")
    #expect(try await one.hand() == ["2", "3", "4"])
    // It knows of the withdrawal, and not of what was swiped and dealt.
    try await other.feed.withdraw(["3"])
    #expect(try await other.hand() == ["2", "4", "5"])
    try await other.swipe("2", event: "other 3")
    #expect(try await open().hand() == ["4", "5", "6"])
    #expect(try await one.swipe("2").isStale)
    #expect(try await store.check() == [])
  }

  @Test("A process that is behind takes the last swipe back, not the last one that it knows")
  func rewinding() async throws {
    let one = try await open(cards: 9)
    let other = try await open()
    #expect(try await one.hand() == ["1", "2", "3"])
    try await one.swipe("1")
    #expect(try await other.hand() == ["2", "3", "4"])
    try await other.swipe("2", event: "other 4")
    #expect(try await one.rewind(event: "back").card == "2")
    #expect(try await one.rewind(event: "back").isRepeated)
    #expect(try await one.hand() == ["2", "3", "4"])
    #expect(try await other.rewind(event: "more").card == "1")
    #expect(try await one.hand().first == "2", "nobody has told it")
    #expect(try await one.swipe("2").isStale)
    #expect(try await one.hand().first == "1")
    #expect(try await store.check() == [])
  }

  @Test("A hand that is moved each time before it is dealt is short, and says so")
  func alwaysMoved() async throws {
    let viewer = Lock<ViewerNumber?>(nil)
    let moved = InterceptedStore(store) { [store] call in
      guard call == .deal, let viewer = viewer.withLock({ $0 }) else { return }
      let stack = StoredStack(
        generation: try await store.viewer(viewer, swipes: 0).stack.map { $0.generation + 1 } ?? 0,
        top: 0, imageStart: 0, image: HandImage.encode([], returned: []))
      try await store.save(stack, of: viewer)
    }
    let bench = try await TestBench(moved, cards: ToyCard.numbered(9)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 3, rewind: 10, ties: .id)
    }
    let number = try await store.numbers(for: ["viewer"])[0]
    try await store.save(
      StoredStack(
        generation: 0, top: 0, imageStart: 0, image: HandImage.encode([], returned: [])),
      of: number)
    viewer.withLock { $0 = number }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.cards.isEmpty)
    guard case .degraded = hand.shortfall else {
      throw TestFailure("the shortfall is \(String(describing: hand.shortfall))")
    }
    viewer.withLock { $0 = nil }
    #expect(try await bench.hand() == ["1", "2", "3"])
  }
}
