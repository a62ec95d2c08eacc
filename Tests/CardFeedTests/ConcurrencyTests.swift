import CardFeedTesting
import Testing

@testable import CardFeed

/// Meant for the thread sanitizer too: nothing here depends on time.
@Suite("Many at once")
struct ConcurrencyTests {
  /// Proposes the next cards that the viewer has not answered, so that deals stay small.
  private static let unanswered = ClosureSource<ToyDeck> { cursor, limit, table, context in
    var rows: [Row] = []
    var place = cursor.rawValue
    while place < table.count, rows.count < limit {
      let row = Row(place)
      if context.seen[table.number(at: row)]?.answer == nil { rows.append(row) }
      place += 1
    }
    return SourcePage(rows: rows, next: place < table.count ? SourceCursor(place) : nil)
  }

  @Test("100,000 operations of 250 viewers side by side leave store, sessions and learners agreed")
  func manyViewers() async throws {
    let viewers = (0..<250).map { CardID("person-\($0)") }
    let operations = 400
    let store = InMemoryStore()
    let states = LearnerStates()
    let learner = RatingLearner(states: states)
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.hand = HandPolicy(size: 5, refillBelow: 2, rewind: 20)
    builder.source("unanswered", limit: 6, Self.unanswered)
    builder.filter("already-swiped", AnsweredFilter())
    builder.ranking = RatingRanking(learner: learner)
    builder.rule("explore", ClosureRule(.epsilon(0.2)))
    let bench = try await TestBench(
      store, cards: viewers.map { ToyCard($0) }, options: FeedOptions(sessions: 100),
      states: states, pipelines: builder.buildSet())
    let outcomes = bench.feed.outcomes
    let listener = Task {
      var heard = 0
      for await _ in outcomes { heard += 1 }
      return heard
    }
    let pipelines = builder.buildSet()
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for (place, viewer) in viewers.enumerated() {
        group.addTask {
          var generator = SplitMix64(seed: UInt64(place))
          for step in 0..<operations {
            let event = EventID("step-\(step)")
            switch generator.index(below: 100) {
            case 0..<50:
              guard let top = try await bench.hand(viewer).first else { continue }
              let answer = ToyAnswer.allCases[generator.index(below: 3)]
              let outcome = try await bench.swipe(top, answer, by: viewer, event: event)
              // Another may have blocked the viewer between the hand and the swipe.
              #expect(outcome.isApplied || outcome.isStale)
            case 50..<70: _ = try await bench.rewind(viewer, event: event)
            case 70..<72:
              let other = viewers[generator.index(below: viewers.count)]
              if other != viewer { try await bench.feed.block(other, by: viewer, event: event) }
            case 72..<76: _ = try await bench.feed.matches(of: viewer)
            case 76..<78: _ = try await bench.feed.redeal(for: viewer)
            case 78..<80:
              let other = viewers[generator.index(below: viewers.count)]
              try await bench.feed.impression(of: other, by: viewer, event: event)
            case 80:
              if place % 50 == 0 { try await bench.feed.saveLearners() }
            case 81:
              if place % 50 == 1 { try await bench.feed.reload(pipelines) }
            default:
              let hand = try await bench.hand(viewer)
              #expect(Set(hand).count == hand.count)
              #expect(!hand.contains(viewer))
            }
          }
          return operations
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 100_000)
    #expect(try await store.check().isEmpty)
    let state = try await WholeState(of: bench, viewers: viewers, learners: [learner])
    #expect(state.contradictions.isEmpty)
    for viewer in state.viewers.values {
      for match in viewer.matches {
        #expect(viewer.unsafe[match.low] == nil && viewer.unsafe[match.high] == nil)
      }
      #expect(viewer.upcoming.allSatisfy { viewer.unsafe[$0.id] == nil })
    }
    #expect(!learner.numbers.nonzero().isEmpty)
    try await bench.feed.close()
    #expect(await listener.value > 0)
  }

  @Test("One viewer, eight tasks that all send the same 50 swipes: each is applied once, in order")
  func oneViewer() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(50)) {
      $0.hand = HandPolicy(size: 50, refillBelow: 1, rewind: 50)
      $0.filter("already-swiped", AnsweredFilter())
    }
    let hand = try await bench.hand()
    let receipts = try await withThrowingTaskGroup(of: [SwipeReceipt].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var applied: [SwipeReceipt] = []
          for (place, card) in hand.enumerated() {
            // Stale until the card before it is swiped, by whichever task.
            while true {
              let outcome = try await bench.swipe(card, .like, event: EventID("tap \(place)"))
              if case .applied(let receipt, _) = outcome { applied.append(receipt) }
              if !outcome.isStale { break }
              await Task.yield()
            }
          }
          return applied
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(receipts.count == 50)
    let sorted = receipts.sorted { $0.event < $1.event }
    #expect(sorted.map(\.card) == hand)
    #expect(sorted.map(\.event.rawValue) == Array(2...51), "right behind the deal, without gaps")
    #expect(sorted.map(\.remaining) == Array((0..<50).reversed()))
    #expect(try await bench.hand().isEmpty)
    var rewound: [CardID] = []
    while let card = try await bench.rewind().card { rewound.append(card) }
    #expect(rewound == hand.reversed())
  }

  @Test("One viewer, tasks that swipe whatever is on top: no swipe is lost and none counts twice")
  func racingTops() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(200)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 3)
      $0.filter("already-swiped", AnsweredFilter())
    }
    let applied = try await withThrowingTaskGroup(of: [CardID].self) { group in
      for task in 0..<8 {
        group.addTask {
          var mine: [CardID] = []
          var count = 0
          while let top = try await bench.hand().first {
            count += 1
            let outcome = try await bench.swipe(top, .pass, event: EventID("\(task)-\(count)"))
            if outcome.isApplied { mine.append(top) }
          }
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(applied.count == 200)
    #expect(Set(applied).count == 200)
  }

  @Test("Two people who block each other at once, and record for each other, never wait for ever")
  func noDeadlock() async throws {
    let people = (0..<6).map { CardID("person-\($0)") }
    let bench = try await TestBench(InMemoryStore(), cards: people.map { ToyCard($0) }) {
      $0.hand = HandPolicy(size: 5, refillBelow: 1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, person) in people.enumerated() {
        group.addTask {
          for step in 0..<200 {
            let other = people[(place + 1 + step % 5) % 6]
            switch step % 3 {
            case 0: try await bench.feed.block(other, by: person, event: EventID("\(step)"))
            case 1: _ = try await bench.hand(person)
            default:
              _ = try await bench.feed.record(
                people.filter { $0 != other }.map { viewer in
                  RecordedSwipe(
                    Swipe(
                      viewer: viewer, card: other, answer: ToyAnswer.like,
                      event: EventID("\(person) \(step)")))
                })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for person in people { #expect(try await bench.hand(person).isEmpty) }
  }

  @Test("Cards are put and withdrawn while others deal; every hand holds cards of one snapshot")
  func changingDeck() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(20)) {
      $0.hand = HandPolicy(size: 5, refillBelow: 5)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<60 {
          try await bench.feed.put((0..<5).map { ToyCard(CardID("new-\(round)-\($0)")) })
          try await bench.feed.withdraw([CardID("new-\(round)-0"), CardID("\(round % 20)")])
        }
      }
      for viewer in 0..<8 {
        group.addTask {
          for _ in 0..<60 {
            let hand = try await bench.feed.redeal(for: CardID("viewer-\(viewer)"))
            #expect(hand.cards.allSatisfy { $0.id == $0.card.id })
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(bench.feed.cards.count == 320)
  }

  @Test("A lane lets operations in one at a time, all of them, and is free afterwards")
  func lane() async {
    let lane = SerialLane()
    let done = Lock(Set<Int>())
    let inside = Lock(0)
    await lane.enter()
    #expect(lane.isBusy)
    await withTaskGroup(of: Void.self) { group in
      for place in 0..<200 {
        group.addTask {
          await lane.run {
            let others = inside.withLock { inside in
              inside += 1
              return inside - 1
            }
            #expect(others == 0)
            await Task.yield()
            inside.withLock { $0 -= 1 }
            done.withLock { _ = $0.insert(place) }
          }
        }
      }
      lane.leave()
    }
    #expect(done.withLock { $0 } == Set(0..<200))
    #expect(!lane.isBusy)
  }

  @Test("A lane that somebody always waited for kept the memory of everybody who ever waited")
  func laneMemory() async {
    let lane = SerialLane()
    await lane.enter()
    var waiters = [Task { await lane.enter() }]
    for _ in 0..<1000 {
      waiters.append(Task { await lane.enter() })
      while lane.waiting < 2 { await Task.yield() }
      lane.leave()
      #expect(lane.storedWaiters <= 130)
    }
    lane.leave()
    for waiter in waiters { await waiter.value }
    lane.leave()
    #expect(!lane.isBusy)
  }
}
