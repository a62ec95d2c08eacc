import CardFeed
import CardFeedTesting
import Testing

@Suite("Scenario 8: rewind at the edges")
struct RewindEdgeTests {
  private static let capacity = 5

  private func bench(cards: Int, rewind: Int) async throws -> TestBench<InMemoryStore> {
    try await TestBench(InMemoryStore(), cards: ToyCard.numbered(cards)) {
      $0.hand = HandPolicy(size: Self.capacity, refillBelow: 1, rewind: rewind, ties: .id)
      $0.filter("already-swiped", AnsweredFilter())
    }
  }

  @Test(
    "A deck swiped to its end can be rewound card by card to its beginning, and not further",
    arguments: [1, 2, capacity, capacity + 1, 3 * capacity])
  func allTheWayBack(count: Int) async throws {
    let bench = try await bench(cards: count, rewind: 20)
    let first = try await bench.hand()
    let swiped = try await bench.swipeAll(.pass)
    #expect(swiped.count == count)
    for card in swiped.reversed() {
      #expect(try await bench.rewind().card == card)
      #expect(try await bench.hand().first == card)
    }
    #expect(try await bench.rewind().isNothing)
    #expect(try await bench.hand().prefix(first.count) == first[...])
    let viewer = try await bench.store.numbers(for: ["viewer"])
    let record = try await bench.store.viewer(viewer[0], swipes: 100)
    #expect(record.seen.values.allSatisfy { $0.answer == nil })
    #expect(record.recentSwipes.isEmpty)
  }

  @Test("Rewinding further back than the depth is too old, and changes nothing")
  func tooOld() async throws {
    let bench = try await bench(cards: 12, rewind: 3)
    let swiped = try await bench.swipeAll(.pass)
    for card in swiped.suffix(3).reversed() {
      #expect(try await bench.rewind().card == card)
    }
    let before = try await bench.hand()
    #expect(try await bench.rewind().isTooOld)
    #expect(try await bench.rewind().isTooOld)
    #expect(try await bench.hand() == before)
    #expect(before == Array(swiped.suffix(3)))
  }

  @Test("A swipe in a full history pushes the oldest one out, and a rewind does not bring it back")
  func fullHistory() async throws {
    let bench = try await bench(cards: 40, rewind: 20)
    var swiped: [CardID] = []
    for _ in 0..<20 { swiped.append(try #require(try await bench.swipeTop())) }
    // As often as one likes: what was pushed out stays out, and nothing else goes.
    for _ in 0..<3 {
      swiped.append(try #require(try await bench.swipeTop()))
      #expect(try await bench.rewind().card == swiped.removeLast())
    }
    for card in swiped.dropFirst().reversed() { #expect(try await bench.rewind().card == card) }
    let before = try await bench.hand()
    #expect(try await bench.rewind().isTooOld)
    #expect(try await bench.rewind().isTooOld)
    #expect(try await bench.hand() == before)
    // A restart reads as far back as the depth reaches in the log.
    #expect(try await bench.swipeTop() == swiped[1])
    #expect(try await bench.rewind().card == swiped[1])
    #expect(try await bench.rewind().isTooOld)
  }

  @Test("With a rewind depth of 0, a swipe is too old at once")
  func depthZero() async throws {
    let bench = try await bench(cards: 3, rewind: 0)
    #expect(try await bench.rewind().isNothing)
    try await bench.swipeTop()
    #expect(try await bench.rewind().isTooOld)
  }

  @Test("A rewind before any swipe, and for a viewer who never had a hand, is nothing to rewind")
  func nothing() async throws {
    let bench = try await bench(cards: 3, rewind: 3)
    #expect(try await bench.rewind("stranger").isNothing)
    _ = try await bench.hand()
    #expect(try await bench.rewind().isNothing)
  }

  @Test("A rewind may be sent from inside the listener that hears of the swipe")
  func insideTheCallback() async throws {
    let bench = try await bench(cards: 2, rewind: 3)
    let outcomes = bench.feed.outcomes
    let top = try #require(try await bench.hand().first)
    let listener = Task { () -> CardID? in
      for await outcome in outcomes {
        if case .swiped = outcome { return try await bench.rewind().card }
      }
      return nil
    }
    try await bench.swipe(top)
    #expect(try await listener.value == top)
    #expect(try await bench.hand().first == top)
  }

  @Test("After a rewind the old swipe sent again is not replayed, and a new one counts")
  func noReplay() async throws {
    let bench = try await bench(cards: 2, rewind: 3)
    let hand = try await bench.hand()
    let first = try await bench.swipe(hand[0], .like, event: "tap")
    #expect(try await bench.rewind().card == hand[0])
    let replayed = try await bench.swipe(hand[0], .like, event: "tap")
    #expect(replayed.isRepeated)
    #expect(replayed.receipt == first.receipt)
    #expect(try await bench.hand() == hand)
    #expect(try await bench.swipe(hand[0], .pass, event: "new tap").isApplied)
    #expect(try await bench.hand() == [hand[1]])
  }

  @Test("A rewind after the hand was refilled brings the card back on top of the new ones")
  func afterRefill() async throws {
    let bench = try await bench(cards: 12, rewind: 6)
    let first = try await bench.hand()
    for card in first { try await bench.swipe(card) }
    let second = try await bench.hand()
    #expect(second.count == Self.capacity)
    #expect(try await bench.rewind().card == first.last)
    #expect(try await bench.rewind().card == first[3])
    #expect(try await bench.hand() == [first[3], first[4]] + second)
  }

  @Test("A rewind after a redeal brings the card back on top of the new hand")
  func afterRedeal() async throws {
    let bench = try await bench(cards: 12, rewind: 6)
    let top = try #require(try await bench.swipeTop())
    let second = try await bench.feed.redeal(for: "viewer").ids
    #expect(try await bench.rewind().card == top)
    #expect(try await bench.hand() == [top] + second)
  }

  @Test("A rewind restores the match, the schedule and the counters")
  func restoresEverything() async throws {
    let bench = try await pairBench(1)
    _ = try await (bench.hand("a0"), bench.hand("b0"))
    try await bench.swipe("b0", .like, by: "a0")
    try await bench.swipe("a0", .like, by: "b0")
    #expect(try await bench.feed.matches(of: "a0") == ["b0"])
    guard case .applied(let card, let ended) = try await bench.rewind("b0") else {
      throw TestFailure("the rewind was not applied")
    }
    #expect(card?.id == "a0")
    #expect(ended)
    #expect(try await bench.feed.matches(of: "a0").isEmpty)
    let numbers = try await bench.store.numbers(for: ["a0", "b0"])
    #expect(
      try await bench.store.answersReceived(by: numbers[0], limit: 9).isEmpty)
  }
}
