import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Rule 8: a swipe and its rewind leave the whole state as it was")
struct SwipeRewindIdentityTests {
  private static let people = (0..<12).map { CardID("person-\($0)") }
  private static let viewers = Array(people.prefix(5))

  private struct World {
    let bench: TestBench<InMemoryStore>
    let learners: [RatingLearner]

    func state() async throws -> WholeState {
      try await WholeState(
        of: bench, viewers: SwipeRewindIdentityTests.viewers, learners: learners)
    }
  }

  private func world() async throws -> World {
    let store = InMemoryStore()
    let states = LearnerStates()
    let learners = ["rating/1", "rating/2"].map { RatingLearner($0, states: states) }
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.hand = HandPolicy(size: 4, refillBelow: 2, rewind: 60)
    builder.filter("already-swiped", AnsweredFilter())
    builder.ranking = RatingRanking(learner: learners[0])
    builder.rule("explore", ClosureRule(.epsilon(0.3)))
    var variant = builder
    variant.ranking = RatingRanking(learner: learners[1])
    let pipelines = PipelineSet(
      base: builder.build(),
      variants: [.init(name: "other", share: 0.5, pipeline: variant.build())])
    let bench = try await TestBench(
      store, cards: Self.people.map { ToyCard($0) },
      deck: ToyDeck(negativeReturnsAfter: 50, neutralReturnsAfter: 20),
      options: FeedOptions(seed: 5), states: states, pipelines: pipelines)
    return World(bench: bench, learners: learners)
  }

  /// One random operation of everyday life.
  private func live(_ world: World, _ generator: inout SplitMix64) async throws {
    let bench = world.bench
    let viewer = Self.viewers[generator.index(below: Self.viewers.count)]
    let card = Self.people[generator.index(below: Self.people.count)]
    bench.clock.advance(byMilliseconds: Int64(generator.index(below: 12)))
    switch generator.index(below: 20) {
    case 0..<10:
      let answer = ToyAnswer.allCases[generator.index(below: 3)]
      _ = try await bench.swipeTop(answer, by: viewer)
    case 10..<14: _ = try await bench.rewind(viewer)
    case 14: _ = try await bench.feed.redeal(for: viewer)
    case 15 where card != viewer:
      let answer = ToyAnswer.allCases[generator.index(below: 3)]
      _ = try await bench.feed.record([
        RecordedSwipe(
          Swipe(viewer: viewer, card: card, answer: answer, event: bench.counter.next()))
      ])
    case 16 where card != viewer && generator.index(below: 8) == 0:
      try await bench.feed.block(card, by: viewer, event: bench.counter.next())
    case 17: try await bench.feed.impression(of: card, by: viewer, event: bench.counter.next())
    case 18: try await bench.feed.saveLearners()
    default: _ = try await bench.hand(viewer)
    }
  }

  @Test("After any history, for any answer of any viewer", arguments: 0..<12)
  func identity(seed: Int) async throws {
    let world = try await world()
    var generator = SplitMix64(seed: UInt64(seed))
    var checked = 0
    for step in 0..<120 {
      try await live(world, &generator)
      let viewer = Self.viewers[generator.index(below: Self.viewers.count)]
      guard let top = try await world.bench.hand(viewer).first else { continue }
      let before = try await world.state()
      #expect(before.contradictions == [], "step \(step)")
      let answer = ToyAnswer.allCases[step % 3]
      #expect(try await world.bench.swipe(top, answer, by: viewer).isApplied)
      let between = try await world.state()
      #expect(!between.differences(from: before).isEmpty, "a swipe must change something")
      #expect(try await world.bench.rewind(viewer).card == top)
      let after = try await world.state()
      #expect(after.differences(from: before) == [], "step \(step)")
      checked += 1
    }
    #expect(checked > 50)
    #expect(try await world.bench.store.check().isEmpty)
  }

  @Test(
    "Interleaved: several viewers swipe and rewind in any order among each other", arguments: 0..<12
  )
  func interleaved(seed: Int) async throws {
    let world = try await world()
    var generator = SplitMix64(seed: 1000 + UInt64(seed))
    for round in 0..<25 {
      for _ in 0..<6 { try await live(world, &generator) }
      for viewer in Self.viewers { _ = try await world.bench.hand(viewer) }
      let before = try await world.state()
      // Each viewer's own rewinds come in the reverse order of the viewer's swipes; between
      // viewers the order is free. Nobody asks for a hand, which would deal.
      var open: [ViewerID: [CardID]] = [:]
      for _ in 0..<30 {
        let viewer = Self.viewers[generator.index(below: Self.viewers.count)]
        if generator.index(below: 2) == 0 {
          guard
            let top = before.viewers[viewer].flatMap({ state in
              world.bench.feed.cards.row(
                of: state.upcoming.dropFirst(open[viewer]?.count ?? 0)
                  .first?.id ?? CardNumber(0))
            })
          else { continue }
          let card = world.bench.feed.cards.id(at: top)
          let answer = ToyAnswer.allCases[generator.index(below: 3)]
          #expect(try await world.bench.swipe(card, answer, by: viewer).isApplied)
          open[viewer, default: []].append(card)
        } else if let card = open[viewer]?.popLast() {
          #expect(try await world.bench.rewind(viewer).card == card)
        }
      }
      for viewer in Self.viewers.shuffled(using: &generator) {
        while let card = open[viewer]?.popLast() {
          #expect(try await world.bench.rewind(viewer).card == card)
        }
      }
      let after = try await world.state()
      #expect(after.differences(from: before) == [], "round \(round)")
    }
    #expect(try await world.bench.store.check().isEmpty)
  }

  @Test("In parallel: all viewers swipe and rewind at once, and all is as before")
  func parallel() async throws {
    let world = try await world()
    var generator = SplitMix64(seed: 99)
    for _ in 0..<40 { try await live(world, &generator) }
    for viewer in Self.viewers { _ = try await world.bench.hand(viewer) }
    let before = try await world.state()
    let bench = world.bench
    for round in 0..<60 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (place, viewer) in Self.viewers.enumerated() {
          let cards = before.viewers[viewer]?.upcoming.compactMap { card in
            bench.feed.cards.row(of: card.id).map { bench.feed.cards.id(at: $0) }
          }
          group.addTask {
            let depth = min(cards?.count ?? 0, 1 + (round + place) % 4)
            for card in cards?.prefix(depth) ?? [] {
              let answer = ToyAnswer.allCases[(round + place) % 3]
              let outcome = try await bench.swipe(card, answer, by: viewer)
              #expect(outcome.isApplied)
            }
            for card in cards?.prefix(depth).reversed() ?? [] {
              let back = try await bench.rewind(viewer)
              #expect(back.card == card)
            }
          }
        }
        try await group.waitForAll()
      }
      let after = try await world.state()
      #expect(after.differences(from: before) == [], "round \(round)")
    }
  }

  @Test("The rewind of a swipe that evicted the oldest record restores all but that record")
  func beyondTheDepth() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(9)) {
      $0.hand = HandPolicy(size: 9, refillBelow: 1, rewind: 2, ties: .id)
    }
    _ = try await bench.hand()
    for card in ["1", "2", "3"] as [CardID] { try await bench.swipe(card) }
    #expect(try await bench.rewind().card == "3")
    #expect(try await bench.rewind().card == "2")
    #expect(try await bench.rewind().isTooOld)
    #expect(try await bench.hand().first == "2")
  }
}
