import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("An engine opened over the same store goes on where the old one stopped")
struct RestartTests {
  private func configure(_ builder: inout PipelineBuilder<ToyDeck>) {
    builder.hand = HandPolicy(size: 5, refillBelow: 3, rewind: 10)
    builder.fingerprint = "restart"
    builder.filter("already-swiped", AnsweredFilter())
    builder.matchProbability = ClosureProbabilities { slate in
      var estimates = MatchEstimates(count: slate.count)
      for (index, row) in slate.rows.enumerated() {
        let part = (slate.table.card(at: row).weight ?? 0) / 100
        estimates[index] = MatchEstimate(
          match: Probability(part), forward: Probability(part / 2),
          backward: row.index % 2 == 0 ? nil : Probability(1 - part),
          standardError: row.index % 3 == 0 ? nil : part / 10)
      }
      return estimates
    }
    builder.ranking = ClosureRanking { slate, estimates in
      let values = (0..<slate.count).map { estimates[$0].match?.value ?? .nan }
      return SlateScores(
        values: values,
        terms: [
          .init(name: "match", values: values),
          .init(name: "secret", values: values.map { $0 > 0.3 ? $0 / 3 : .nan }, isPrivate: true),
        ])
    }
    builder.rule("explore", ClosureRule(.softmax(temperature: 0.2)))
  }

  @Test("The same hand, reasons, deals and generation included, and the same future")
  func sameHand() async throws {
    let store = InMemoryStore()
    let clock = ManualClock()
    let live = try await TestBench(
      store, cards: ToyCard.numbered(40), clock: clock, configure)
    let viewers = (0..<6).map { ViewerID("viewer-\($0)") }
    for (count, viewer) in viewers.enumerated() {
      _ = try await live.hand(viewer)
      for _ in 0..<count { try await live.swipeTop(.pass, by: viewer) }
      if count == 3 { _ = try await live.rewind(viewer) }
      if count == 4 { _ = try await live.feed.redeal(for: viewer) }
    }
    let reopened = try await TestBench(store, clock: clock, configure)
    for viewer in viewers {
      let (old, new) = (
        try await live.feed.hand(for: viewer), try await reopened.feed.hand(for: viewer)
      )
      #expect(new.contents == old.contents)
      #expect(new.generation == old.generation)
      #expect(new.cards.map(\.card) == old.cards.map(\.card))
      #expect(!old.contents.isEmpty)
    }
  }

  @Test("Swipes made before the restart can be rewound after it, in order, down to the depth")
  func rewindAfterRestart() async throws {
    let store = InMemoryStore()
    let live = try await TestBench(store, cards: ToyCard.numbered(40), configure)
    let exposed = try await live.feed.hand(for: "viewer")
    var swiped: [CardID] = []
    for _ in 0..<12 { swiped.append(try #require(try await live.swipeTop(.pass))) }
    let reopened = try await TestBench(store, configure)
    for card in swiped.suffix(10).reversed() {
      guard case .applied(let back?, _) = try await reopened.rewind(event: EventID("back \(card)"))
      else { throw TestFailure("nothing came back") }
      #expect(back.id == card)
      if let original = exposed.cards.first(where: { $0.id == card }) {
        #expect(back.reason.score == original.reason.score)
        #expect(back.reason.propensity == original.reason.propensity)
        #expect(back.reason.estimate.match == original.reason.estimate.match)
        #expect(back.deal == original.deal)
      }
    }
    #expect(try await reopened.rewind(event: "too far").isTooOld)
    #expect(try await reopened.swipe(swiped[2], .like, event: "anew").isApplied)
  }

  @Test(
    "A card that was swiped twice, or answered elsewhere since, is rewound after a restart as before it"
  )
  func rewindOfRepeatedCards() async throws {
    func bench(_ store: InMemoryStore, clock: ManualClock) async throws -> TestBench<InMemoryStore>
    {
      try await TestBench(
        store, cards: ToyCard.numbered(3), deck: ToyDeck(negativeReturnsAfter: 100), clock: clock
      ) {
        $0.hand = HandPolicy(size: 3, refillBelow: 1, rewind: 10, ties: .id)
        $0.filter("already-swiped", AnsweredFilter())
      }
    }
    for restarts in [false, true] {
      let store = InMemoryStore()
      let clock = ManualClock()
      var world = try await bench(store, clock: clock)
      #expect(try await world.swipeAll(.pass) == ["1", "2", "3"])
      clock.advance(byMilliseconds: 100)
      #expect(try await world.swipeAll(.pass, limit: 2) == ["1", "2"])
      let elsewhere = Swipe<ToyAnswer>(
        viewer: "viewer", card: "2", answer: .like, event: "elsewhere")
      #expect(try await world.feed.record([RecordedSwipe(elsewhere)]) == 1)
      if restarts { world = try await bench(store, clock: clock) }
      #expect(try await world.hand() == ["3"])
      // "2" was answered elsewhere, which no rewind takes back. "3" waits for its second swipe.
      #expect(try await world.rewind(event: "back").card == "1", "restarts: \(restarts)")
      #expect(try await world.hand() == ["1", "3"])
      if restarts { world = try await bench(store, clock: clock) }
      #expect(try await world.rewind(event: "first of 3").card == "3", "restarts: \(restarts)")
      #expect(try await world.hand() == ["3", "1"])
      if restarts { world = try await bench(store, clock: clock) }
      #expect(try await world.rewind(event: "first of 1").card == "1", "restarts: \(restarts)")
      #expect(try await world.hand() == ["1", "3"])
      #expect(try await world.rewind(event: "further back").isTooOld, "restarts: \(restarts)")
      #expect(try await store.check().isEmpty)
    }
  }

  @Test("Event ids are remembered: a swipe or rewind repeated after the restart counts once")
  func idempotency() async throws {
    let store = InMemoryStore()
    let live = try await TestBench(store, cards: ToyCard.numbered(40), configure)
    let hand = try await live.hand()
    let first = try await live.swipe(hand[0], .like, event: "swipe")
    try await live.swipe(hand[1], .like, event: "second")
    _ = try await live.rewind(event: "rewind")
    let reopened = try await TestBench(store, configure)
    let again = try await reopened.swipe(hand[0], .like, event: "swipe")
    #expect(again.isRepeated)
    #expect(again.receipt == first.receipt)
    #expect(try await reopened.rewind(event: "rewind").isRepeated)
    #expect(try await reopened.hand().first == hand[1])
  }

  @Test(
    "Same operations, seed and clock give the same hands, bit for bit, restarted or not",
    arguments: 0..<6)
  func bitForBit(seed: Int) async throws {
    func run(restartingEvery period: Int?) async throws -> [[HandContent]] {
      let store = InMemoryStore()
      let clock = ManualClock()
      let options = FeedOptions(seed: UInt64(seed))
      var bench = try await TestBench(
        store, cards: ToyCard.numbered(60), clock: clock, options: options, configure)
      var generator = SplitMix64(seed: UInt64(seed))
      var hands: [[HandContent]] = []
      for step in 0..<80 {
        if let period, step % period == period - 1 {
          bench = try await TestBench(store, clock: clock, options: options, configure)
        }
        let viewer = ViewerID("viewer-\(generator.index(below: 3))")
        let event = EventID("step-\(step)")
        clock.advance(byMilliseconds: 7)
        let hand = try await bench.feed.hand(for: viewer)
        hands.append(hand.contents)
        guard let top = hand.ids.first else { continue }
        switch generator.index(below: 9) {
        case 0: _ = try await bench.feed.redeal(for: viewer)
        default: try await bench.swipe(top, .pass, by: viewer, event: event)
        }
      }
      return hands
    }
    let straight = try await run(restartingEvery: nil)
    #expect(try await run(restartingEvery: nil) == straight)
    #expect(try await run(restartingEvery: 1) == straight)
    #expect(try await run(restartingEvery: 7) == straight)
  }

  @Test("Withdrawn cards, replaced cards and blocks survive the restart")
  func deckAfterRestart() async throws {
    let store = InMemoryStore()
    let live = try await TestBench(store, cards: ToyCard.numbered(6)) { _ in }
    try await live.feed.put([ToyCard("2", group: "new", weight: 9, tags: ["x", "y"])])
    try await live.feed.withdraw(["3"])
    try await live.feed.block("4", by: "viewer", event: "block")
    let reopened = try await TestBench(store) { _ in }
    #expect(try await reopened.hand() == ["1", "2", "5", "6"])
    let table = reopened.feed.cards
    #expect(table.row(of: "2").map { table.card(at: $0).tags } == ["x", "y"])
  }

  @Test("Rule 13: sessions are bounded, and those evicted come back identical")
  func eviction() async throws {
    let store = InMemoryStore()
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(40), options: FeedOptions(sessions: 8), configure)
    let viewers = (0..<100).map { ViewerID("viewer-\($0)") }
    var hands: [ViewerID: [HandContent]] = [:]
    for (count, viewer) in viewers.enumerated() {
      _ = try await bench.hand(viewer)
      for _ in 0..<count % 3 { try await bench.swipeTop(.pass, by: viewer) }
      hands[viewer] = try await bench.feed.hand(for: viewer).contents
      #expect(bench.feed.sessions.count <= 8)
    }
    for viewer in viewers {
      #expect(try await bench.feed.hand(for: viewer).contents == hands[viewer])
      #expect(bench.feed.sessions.count <= 8)
    }
    for (count, viewer) in viewers.enumerated() where count % 3 > 0 {
      #expect(try await bench.rewind(viewer).card != nil)
    }
  }

  @Test("Sessions in use are never evicted, however many, and the bound holds again afterwards")
  func evictionUnderLoad() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(30), options: FeedOptions(sessions: 4), configure)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for viewer in 0..<64 {
        group.addTask {
          for _ in 0..<10 {
            let top = try await bench.swipeTop(.pass, by: CardID("viewer-\(viewer)"))
            #expect(top != nil)
          }
        }
      }
      try await group.waitForAll()
    }
    for viewer in 0..<200 { _ = try await bench.hand(CardID("late-\(viewer)")) }
    #expect(bench.feed.sessions.count <= 4)
    #expect(try await bench.store.check().isEmpty)
  }
}
