import CardFeedStack
import CardFeedTesting
import Testing

@testable import CardFeed

/// Each test is named for what the engine once did wrong.
@Suite("Faults that were found and fixed")
struct RegressionTests {
  @Test("A redeal that brought the very same cards threw a strategy fault")
  func redealOfTheSame() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    let first = try await bench.feed.hand(for: "viewer")
    let second = try await bench.feed.redeal(for: "viewer")
    #expect(second.ids == first.ids)
    #expect(second.generation == first.generation, "decisions under way stay valid")
    let deals = try await bench.store.events(after: .start, limit: 9).map(\.position)
    #expect(second.cards.map(\.deal) == [deals[1], deals[1], deals[1]])
    #expect(try await bench.swipe(first.ids[0]).isApplied)
  }

  @Test("A rewind took back an answer that a recorded later answer had replaced")
  func rewindOfReplacedAnswer() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    let hand = try await bench.hand()
    try await bench.swipe(hand[0], .pass)
    try await bench.swipe(hand[1], .pass)
    let elsewhere = Swipe<ToyAnswer>(
      viewer: "viewer", card: hand[1], answer: .like, event: "elsewhere")
    #expect(try await bench.feed.record([RecordedSwipe(elsewhere)]) == 1)
    #expect(try await bench.rewind().card == hand[0], "the replaced swipe is skipped")
    let numbers = try await bench.store.numbers(for: ["viewer", hand[1]])
    let seen = try await bench.store.viewer(numbers[0], swipes: 9).seen[numbers[1]]
    #expect(seen?.answer?.meaning == .positive)
    #expect(try await bench.store.check().isEmpty)
    #expect(try await bench.rewind().isTooOld, "recorded swipes are not the hand's to rewind")
  }

  @Test("After a restart a rewind brought a blocked card back into the hand")
  func rewindOfBlockedAfterRestart() async throws {
    let store = InMemoryStore()
    let cards = ["ada", "ben", "cyd", "dan"].map { ToyCard($0) }
    let configure: (inout PipelineBuilder<ToyDeck>) -> Void = {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    let live = try await TestBench(store, cards: cards, configure)
    #expect(try await live.hand("ada") == ["ben", "cyd", "dan"])
    try await live.swipe("ben", by: "ada")
    try await live.swipe("cyd", by: "ada")
    try await live.feed.block("cyd", by: "ada", event: "block")
    let reopened = try await TestBench(store, configure)
    #expect(try await reopened.rewind("ada", event: "back").card == "ben")
    #expect(try await reopened.hand("ada") == ["ben", "dan"])
  }

  @Test("A rewind brought a withdrawn card back into the hand")
  func rewindOfWithdrawn() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1, ties: .id)
    }
    _ = try await bench.hand()
    try await bench.swipe("1")
    try await bench.swipe("2")
    try await bench.feed.withdraw(["2", "4"])
    #expect(try await bench.rewind().card == nil)
    #expect(try await bench.hand() == ["3"])
    #expect(try await bench.rewind().card == "1")
    #expect(try await bench.hand() == ["1", "3"])
  }

  @Test("A learner that left with one reload and returned with the next counted everything twice")
  func returningLearner() async throws {
    let states = LearnerStates()
    let store = InMemoryStore()
    var with = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    with.ranking = RatingRanking(learner: RatingLearner(states: states))
    let without = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(9), states: states, pipelines: with.buildSet())
    for _ in 0..<4 { try await bench.swipeTop(.like) }
    let numbers = states.numbers(for: "rating/1", stride: 2)
    let before = numbers.nonzero()
    #expect(!before.isEmpty)
    try await bench.feed.reload(without.buildSet())
    try await bench.feed.reload(with.buildSet())
    #expect(numbers.nonzero() == before)
  }

  @Test("A learner that caught up in a deck of things was shown a viewer's row that is a card's")
  func viewerRowInADeckOfThings() async throws {
    let store = InMemoryStore()
    let deck = ToyDeck(isMutual: false)
    let bench = try await TestBench(store, cards: ToyCard.numbered(3), deck: deck) { _ in }
    #expect(try await bench.swipeTop(.like, by: "2") != nil)
    let learner = RowLearner(states: LearnerStates())
    let late = LearnerStates()
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.ranking = RowRanking(learner: RowLearner(states: late))
    _ = try await TestBench(store, deck: deck, states: late, pipelines: builder.buildSet())
    let rows = late.numbers(for: learner.identity, stride: 2).read { ($0(nil, 0), $0(nil, 1)) }
    #expect(rows.0 == 1, "one event was learned")
    #expect(rows.1 == 0, "it had no viewer's row")
  }

  @Test("In a deck of things, viewer 7 was taken for card 7")
  func viewerIsNotACard() async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(3), deck: ToyDeck(isMutual: false)
    ) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
      $0.matchRule = LikeRule()
    }
    #expect(try await bench.hand("2") == ["1", "2", "3"], "no card is the viewer's own")
    #expect(try await bench.hand("1") == ["1", "2", "3"])
    // Viewer 2 saves card 1, viewer 1 saves card 2: two matches of two pairs.
    let one = try await bench.swipe("1", .like, by: "2")
    try await bench.swipe("1", .pass, by: "1")
    let other = try await bench.swipe("2", .like, by: "1")
    #expect(one.receipt?.match == one.receipt?.event)
    #expect(other.receipt?.match == other.receipt?.event)
    #expect(try await bench.feed.matches(of: "1") == ["2"])
    #expect(try await bench.feed.matches(of: "2") == ["1"])
    try await bench.feed.block("3", by: "1", event: "block")
    #expect(try await bench.hand("2") == ["2", "3"])
    #expect(try await bench.feed.redeal(for: "3").ids == ["1", "2", "3"])
  }

  @Test("A reload in the middle of a deal put the new fingerprint on cards of the old pipeline")
  func reloadDuringADeal() async throws {
    let store = InMemoryStore()
    let reload = Lock<(@Sendable () async throws -> Void)?>(nil)
    var old = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    old.fingerprint = "old"
    old.source(
      "slow",
      ClosureSource { _, _, table, _ in
        try await reload.withLock { $0 }?()
        return SourcePage(rows: (0..<table.count).map { Row($0) }, next: nil)
      })
    var new = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    new.fingerprint = "new"
    new.hand.size = 4
    new.hand.refillBelow = 2
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(9), pipelines: old.buildSet())
    let next = new.buildSet()
    reload.withLock { $0 = { try await bench.feed.reload(next) } }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.cards.map(\.reason.fingerprint) == Array(repeating: "old", count: 5))
    #expect(bench.feed.pipelines.base.fingerprint == "new")
  }

  @Test("Cards behind the pages that a time budget allows were never reached")
  func timeBudgetAndReachability() async throws {
    let clock = ManualClock(stepNanoseconds: 10_000_000)
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(30), clock: clock) {
      $0.hand = HandPolicy(size: 5, refillBelow: 1, ties: .id, timeBudget: 1)
      $0.source("pages", limit: 4, ListSource())
      $0.filter("already-swiped", AnsweredFilter())
    }
    var dealt: [CardID] = []
    for _ in 0..<40 { if let card = try await bench.swipeTop() { dealt.append(card) } }
    #expect(Set(dealt).count == 30)
    #expect(dealt.count == 30)
  }

  @Test("A deal that saw the rest of the cards only said that nobody is left to relax a filter for")
  func exhaustedByTheRest() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(12)) {
      $0.hand = HandPolicy(size: 1, refillBelow: 1, ties: .id, batches: 2)
      $0.source("pages", limit: 2, ListSource())
      $0.filter("already-swiped", AnsweredFilter())
      $0.filter(
        "soft",
        ClosureFilter(kind: .soft, relaxations: 1) { card, step, _ in
          step == 0 && (card.weight ?? 0) < 3 ? .remove() : .keep
        })
    }
    var dealt: Set<CardID> = []
    var asked = 0
    while asked < 200 {
      asked += 1
      let hand = try await bench.feed.hand(for: "viewer")
      guard let top = hand.ids.first else {
        if hand.shortfall == .degraded { continue }
        break
      }
      try await bench.swipe(top)
      dealt.insert(top)
    }
    #expect(dealt.count == 12)
    #expect(asked < 200, "it says when everybody was dealt")
  }

  @Test("A deal that went on behind the last card called the feed starved instead of exhausted")
  func notStarved() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 1, batches: 2)
      $0.source(
        "pages", limit: 2,
        ClosureSource { cursor, limit, table, _ in
          let end = min(cursor.rawValue + limit, table.count)
          let rows = (min(cursor.rawValue, end)..<end).map { Row($0) }
          return SourcePage(rows: rows, next: rows.isEmpty ? nil : SourceCursor(end))
        })
      $0.filter("nobody", ClosureFilter { _, _, _ in .remove() })
    }
    #expect(try await bench.feed.hand(for: "viewer").shortfall == .degraded)
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.shortfall?.exhaustion != nil)
  }

  @Test("Cards behind the batch limit that only a relaxed filter lets through were never reached")
  func relaxationAndBatchLimit() async throws {
    let strict: Set<CardID> = ["11", "35"]
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(40)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 3, batches: 3)
      $0.source("pages", limit: 5, ListSource())
      $0.filter("already-swiped", AnsweredFilter())
      $0.filter(
        "taste",
        ClosureFilter(kind: .soft, relaxations: 1) { card, relaxation, _ in
          strict.contains(card.id) || relaxation > 0 ? .keep : .remove()
        })
    }
    var dealt: [CardID] = []
    for _ in 0..<120 { if let card = try await bench.swipeTop() { dealt.append(card) } }
    #expect(Set(dealt).count == 40)
    #expect(dealt.count == 40)
    #expect(dealt.first == "11", "the first pass is strict")
    var hand = try await bench.feed.hand(for: "viewer")
    while hand.shortfall == .degraded { hand = try await bench.feed.hand(for: "viewer") }
    #expect(hand.shortfall?.exhaustion != nil, "a pass over everything ends in exhaustion")
  }

  @Test(
    "An exploration out of its range stored a propensity that is no probability",
    arguments: [
      Exploration.softmax(temperature: 0), .softmax(temperature: -1), .softmax(temperature: .nan),
      .epsilon(-0.1), .epsilon(1.1), .epsilon(.nan),
    ])
  func badExploration(exploration: Exploration) async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.rule("wild", ClosureRule(exploration))
    }
    let error = await #expect(throws: FeedError.self) { try await bench.hand() }
    #expect(error?.code == .strategyFault)
    #expect(error?.message.contains("'wild'") == true)
  }

  @Test("A deal that could not be made durable still moved the sources on")
  func failedDealMovesNothing() async throws {
    let fails = Lock(false)
    let store = InterceptedStore(InMemoryStore()) { call in
      if call == .deal, fails.withLock({ $0 }) { throw TestFailure("the disk is full") }
    }
    let bench = try await TestBench(store, cards: ToyCard.numbered(12)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 1, ties: .id, batches: 1)
      $0.source("pages", limit: 3, ListSource())
      $0.filter("already-swiped", AnsweredFilter())
    }
    fails.withLock { $0 = true }
    await #expect(throws: TestFailure.self) { try await bench.hand() }
    fails.withLock { $0 = false }
    #expect(try await bench.hand() == ["1", "2", "3"])
  }

  @Test("When the ranking failed, cards that a slate rule keeps back were dealt")
  func rulesWithoutRanking() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1)
      $0.ranking = ClosureRanking { _, _ in throw TestFailure("no model") }
      $0.rule(
        "cap",
        ClosureRule { ranked in
          let place = ranked.slate.rows.firstIndex(of: Row(1))
          return SlateAdjustment(
            penalties: Array(repeating: 1, count: ranked.slate.count),
            withheld: place.map { [$0: "shown too often"] } ?? [:])
        })
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids == ["1", "3", "4"], "in the order of the source")
    #expect(hand.degradations == [.strategy(name: "ranking")])
    #expect(hand.shortfall?.exhaustion?.removed.map(\.reason) == ["shown too often"])
  }

  @Test("A hand that could not be saved after recorded swipes made learners forget them")
  func recordedThenUnsaved() async throws {
    let fails = Lock(false)
    let store = InterceptedStore(InMemoryStore()) { call in
      if call == .stack, fails.withLock({ $0 }) { throw TestFailure("the disk is full") }
    }
    let states = LearnerStates()
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.ranking = RatingRanking(learner: RatingLearner(states: states))
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(5), states: states, pipelines: builder.buildSet())
    let hand = try await bench.hand()
    fails.withLock { $0 = true }
    let swipe = Swipe<ToyAnswer>(viewer: "viewer", card: hand[2], answer: .like, event: "e")
    #expect(try await bench.feed.record([RecordedSwipe(swipe)]) == 1, "it is durable")
    fails.withLock { $0 = false }
    let live = states.numbers(for: "rating/1", stride: 2).nonzero()
    let deltas = try await store.learnerDeltas(of: "rating/1", after: .start, limit: 9)
    #expect(deltas.count == 1)
    let sum = LearnedNumbers(stride: 2)
    for delta in deltas { sum.apply(delta.increments) }
    #expect(live == sum.nonzero())
    #expect(!(try await bench.hand().contains(hand[2])))
  }

  @Test("A learner built with other states learned nothing, silently")
  func foreignStates() async throws {
    let store = InMemoryStore()
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.ranking = RatingRanking(learner: RatingLearner(states: LearnerStates()))
    let pipelines = builder.buildSet()
    let error = await #expect(throws: FeedError.self) {
      try await TestBench(store, states: LearnerStates(), pipelines: pipelines)
    }
    #expect(error?.code == .badInput)
    #expect(error?.message.contains("'rating/1'") == true)
    let bench = try await TestBench(store) { _ in }
    await #expect(throws: FeedError.self) { try await bench.feed.reload(pipelines) }
  }

  @Test("A damaged stack position in the store ended the process")
  func damagedStack() async throws {
    let store = InMemoryStore()
    let viewer = try await store.numbers(for: ["viewer"])[0]
    for stack in [
      StoredStack(generation: 0, top: 0, imageStart: 3, image: []),
      StoredStack(generation: 0, top: .max, imageStart: .min, image: []),
      StoredStack(generation: 0, top: 0, imageStart: 0, image: [1, 1]),
      StoredStack(generation: 0, top: 0, imageStart: 0, image: [9]),
    ] {
      try await store.save(stack, of: viewer)
      let bench = try await TestBench(store, cards: ToyCard.numbered(2)) { _ in }
      let error = await #expect(throws: FeedError.self) { try await bench.hand() }
      #expect(error?.code == .storedImage)
    }
  }
}

/// Counts events, and events that came with a viewer's row.
private struct RowLearner: Learner {
  typealias D = ToyDeck

  let identity = "rows/1"
  let numbers: LearnedNumbers

  init(states: LearnerStates) { numbers = states.numbers(for: "rows/1", stride: 2) }

  func increments(for event: LearningEvent<ToyDeck>) -> [Increment] {
    [
      Increment(.init(owner: nil, slot: 0), 1),
      Increment(.init(owner: nil, slot: 1), event.viewerRow == nil ? 0 : 1),
    ]
  }
}

private struct RowRanking: RankingStrategy {
  typealias D = ToyDeck

  let learner: RowLearner

  var learners: [any Learner<ToyDeck>] { [learner] }

  func scores(
    for slate: Slate<ToyDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(values: Array(repeating: 0, count: slate.count))
  }
}
