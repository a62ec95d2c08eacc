import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("The end of a match")
struct UnmatchTests {
  private let store = InMemoryStore()

  private func open(cards: Int = 6) async throws -> TestBench<InMemoryStore> {
    try await .ofPeople(store, cards: cards)
  }

  @Test("Nobody can be kept apart from themself")
  func themselves() async throws {
    let bench = try await open()
    let before = try await bench.hand("1")
    for part in [
      { try await bench.feed.block("1", by: "1", event: "a") },
      { try await bench.feed.report("1", by: "1", event: "b") },
      { _ = try await bench.feed.unmatch("1", by: "1", event: "c") },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: FeedError.self) { try await part() }
      #expect(error?.code == .badInput)
    }
    #expect(try await bench.hand("1") == before)
    #expect(try await bench.swipeAll(by: "1") == ["2", "3", "4", "5", "6"])
    #expect(try await store.check() == [])
  }

  @Test("It ends once, in both lists, and the two meet no more")
  func once() async throws {
    let bench = try await open()
    try await bench.like("1", "2")
    #expect(try await bench.hand("2").contains("1"))
    try await bench.like("2", "1")
    #expect(try await bench.feed.matches(of: "1") == ["2"])
    #expect(try await bench.feed.unmatch("2", by: "1", event: "over") == .applied)
    #expect(try await bench.feed.unmatch("2", by: "1", event: "over") == .repeated)
    #expect(try await bench.feed.unmatch("2", by: "1", event: "again") == .noMatch)
    #expect(try await bench.feed.unmatch("1", by: "2", event: "late") == .noMatch)
    let reopened = try await open()
    for bench in [bench, reopened] {
      for (viewer, other) in [("1", "2"), ("2", "1")] as [(ViewerID, CardID)] {
        #expect(try await bench.feed.matches(of: viewer).isEmpty)
        #expect(try await !bench.hand(viewer).contains(other))
      }
    }
    #expect(try await reopened.swipeAll(by: "1") == ["3", "4", "5", "6"])
    #expect(try await store.check() == [])
    await #expect(throws: FeedError.self) {
      try await bench.feed.unmatch("nobody", by: "1", event: "x")
    }
    await #expect(throws: FeedError.self, "the event id of another event") {
      try await bench.feed.unmatch("3", by: "1", event: "over")
    }
  }

  @Test("Who is in a hand, or can be taken back, leaves it at once, on both sides")
  func handsArePurged() async throws {
    // Nothing keeps an answered card away here, so that both lie in each other's new hand.
    let bench = try await TestBench(store, cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, rewind: 10, ties: .id)
    }
    try await bench.like("2", "1")
    #expect(try await bench.hand("1").first == "2")
    try await bench.swipe("2", .like, by: "1")
    #expect(try await bench.feed.redeal(for: "2").ids.contains("1"))
    #expect(try await bench.feed.unmatch("1", by: "2", event: "over") == .applied)
    #expect(try await bench.hand("2") == ["3", "4"])
    #expect(try await bench.rewind("1").isTooOld, "the like cannot be taken back into the hand")
    #expect(try await bench.hand("1") == ["3", "4"])
    #expect(try await bench.swipe("1", .like, by: "2").isStale)
  }

  @Test("An unmatch, a block and a report look the same from the other side")
  func notInferable() async throws {
    var explanations: Set<String> = []
    for kind in ["unmatch", "block", "report"] {
      let store = InMemoryStore()
      let bench = try await TestBench(store, cards: ToyCard.numbered(3)) {
        $0.hand = HandPolicy(size: 2, refillBelow: 1, rewind: 10, ties: .id)
      }
      try await bench.like("1", "2")
      try await bench.like("2", "1")
      switch kind {
      case "unmatch": _ = try await bench.feed.unmatch("2", by: "1", event: "e")
      case "block": try await bench.feed.block("2", by: "1", event: "e")
      default: try await bench.feed.report("2", by: "1", event: "e")
      }
      let explanation = try await bench.feed.explain("1", for: "2")
      let matches = try await bench.feed.matches(of: "2")
      let late = try await bench.feed.unmatch("1", by: "2", event: "late")
      let shortfall = try await bench.feed.redeal(for: "2").shortfall
      explanations.insert("\(explanation) \(matches) \(late) \(String(describing: shortfall))")
    }
    #expect(explanations.count == 1)
  }

  @Test(
    "Whatever happens, those who parted never meet, and matches have two sides", arguments: 0..<6)
  func neverAgain(seed: Int) async throws {
    var bench = try await open(cards: 7)
    var random = SplitMix64(seed: UInt64(seed))
    var parted: Set<PairKey> = []
    var unmatched = 0
    func number(_ id: CardID) async throws -> CardNumber {
      try #require(try await store.numbers(for: [id]).first)
    }
    for step in 0..<250 {
      let (one, two) = (random.next() % 7 + 1, random.next() % 7 + 1)
      let (viewer, card) = (ViewerID("\(one)"), CardID("\(two)"))
      let event = EventID("\(seed) \(step)")
      let pair = PairKey(try await number(CardID("\(one)")), try await number(card))
      switch random.next() % 10 {
      case 0 where one != two:
        if try await bench.feed.unmatch(card, by: viewer, event: event) == .applied {
          parted.insert(pair)
          unmatched += 1
        }
      case 1 where step % 11 == 0 && one != two:
        try await bench.feed.block(card, by: viewer, event: event)
        parted.insert(pair)
      case 2: _ = try await bench.rewind(viewer, event: event)
      case 3 where step % 7 == 0: bench = try await open(cards: 0)
      default:
        if let top = try await bench.hand(viewer).first {
          _ = try await bench.swipe(
            top, random.next() % 4 == 0 ? .pass : .like, by: viewer, event: event)
        }
      }
      for name in 1...7 {
        let viewer = ViewerID("\(name)")
        let own = try await number(CardID("\(name)"))
        let matches = try await bench.feed.matches(of: viewer)
        for other in try await bench.hand(viewer) + matches {
          #expect(!parted.contains(PairKey(own, try await number(other))))
          #expect(other != CardID("\(name)"))
        }
        for other in matches {
          #expect(
            try await bench.feed.matches(of: ViewerID("\(other)")).contains(CardID("\(name)")))
        }
      }
    }
    #expect(unmatched > 0)
    #expect(try await store.check() == [])
  }
}
