import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Learners are folds over the log")
struct LearnerTests {
  private struct World {
    let bench: TestBench<InMemoryStore>
    let states: LearnerStates

    var numbers: [Increment] { states.numbers(for: "rating/1", stride: 2).nonzero() }
  }

  private func open(
    _ store: InMemoryStore, cards: [ToyCard] = [], learns: Bool = true,
    options: FeedOptions = FeedOptions()
  ) async throws -> World {
    let states = LearnerStates()
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.hand = HandPolicy(size: 5, refillBelow: 3, rewind: 30, ties: .id)
    builder.filter("already-swiped", AnsweredFilter())
    if learns { builder.ranking = RatingRanking(learner: RatingLearner(states: states)) }
    let bench = try await TestBench(
      store, cards: cards, options: options, states: states, pipelines: builder.buildSet())
    return World(bench: bench, states: states)
  }

  /// Swipes and rewinds of three viewers.
  private func live(_ world: World, seed: UInt64, steps: Int, name: String) async throws {
    var generator = SplitMix64(seed: seed)
    for step in 0..<steps {
      let viewer = ViewerID("viewer-\(generator.index(below: 3))")
      if generator.index(below: 4) == 0 {
        _ = try await world.bench.rewind(viewer, event: EventID("\(name) rewind \(step)"))
      } else if let top = try await world.bench.hand(viewer).first {
        let answer = ToyAnswer.allCases[generator.index(below: 3)]
        try await world.bench.swipe(
          top, answer, by: viewer, event: EventID("\(name) swipe \(step)"))
      }
    }
  }

  @Test("Saved numbers plus the rest of the log equal the live numbers, whenever they were saved")
  func reopening() async throws {
    for savedAfter in [0, 1, 2] {
      let store = InMemoryStore()
      let world = try await open(store, cards: ToyCard.numbered(60))
      for part in 0..<3 {
        try await live(world, seed: UInt64(part), steps: 40, name: "part \(part)")
        if part == savedAfter { try await world.bench.feed.saveLearners() }
      }
      #expect(!world.numbers.isEmpty)
      #expect(try await open(store).numbers == world.numbers, "saved after part \(savedAfter)")
    }
  }

  @Test("A rewind after the numbers were saved is taken back all the same")
  func rewindAcrossTheSave() async throws {
    let store = InMemoryStore()
    let world = try await open(store, cards: ToyCard.numbered(9))
    try await world.bench.swipeTop(.like)
    let before = world.numbers
    try await world.bench.swipeTop(.like)
    try await world.bench.feed.saveLearners()
    _ = try await world.bench.rewind()
    #expect(world.numbers == before)
    #expect(try await open(store).numbers == before)
    try await world.bench.feed.saveLearners()
    #expect(try await open(store).numbers == before)
  }

  @Test("Learners are saved by themselves once enough was learned")
  func savingByItself() async throws {
    let store = InMemoryStore()
    let options = FeedOptions(learnerSaveInterval: 10)
    let world = try await open(store, cards: ToyCard.numbered(60), options: options)
    var step = 0
    while try await store.learnerBlob("rating/1") == nil {
      step += 1
      try await live(world, seed: UInt64(step), steps: 5, name: "part \(step)")
    }
    #expect(try await open(store).numbers == world.numbers)
  }

  @Test("Saving twice, or with nothing new, changes nothing")
  func savingTwice() async throws {
    let store = InMemoryStore()
    let world = try await open(store, cards: ToyCard.numbered(20))
    try await world.bench.feed.saveLearners()
    #expect(try await store.learnerBlob("rating/1") == nil)
    try await live(world, seed: 4, steps: 30, name: "life")
    try await world.bench.feed.saveLearners()
    let blob = try await store.learnerBlob("rating/1")
    try await world.bench.feed.saveLearners()
    #expect(try await store.learnerBlob("rating/1") == blob)
    #expect(blob?.numbers == world.numbers)
    let end = try await store.lastPosition()
    #expect(blob?.position == end)
  }

  @Test("A learner that is added later learns from the log what it would have learned live")
  func catchUp() async throws {
    // The answers do not depend on the ranking here, so both histories are the same.
    func history(learns: Bool) async throws -> (InMemoryStore, World) {
      let store = InMemoryStore()
      let world = try await open(store, cards: ToyCard.numbered(60), learns: learns)
      for step in 0..<40 {
        let card = CardID("\(1 + step % 20)")
        let swipe = Swipe<ToyAnswer>(
          viewer: CardID("viewer-\(step % 3)"), card: card,
          answer: ToyAnswer.allCases[step % 3 == 0 ? 1 : step % 2], event: EventID("e\(step)"))
        _ = try await world.bench.feed.record([RecordedSwipe(swipe)])
      }
      return (store, world)
    }
    let (_, learned) = try await history(learns: true)
    let (store, _) = try await history(learns: false)
    let late = try await open(store)
    #expect(late.numbers == learned.numbers)
    #expect(!late.numbers.isEmpty)
    // What it learned is stored, so a third engine agrees and rewinds can take it back.
    #expect(try await open(store).numbers == learned.numbers)
    let deltas = try await store.learnerDeltas(of: "rating/1", after: .start, limit: 1000)
    #expect(deltas.count == 40)
  }

  @Test("A swipe that was made without the learner can be rewound with it, and is unlearned")
  func catchUpAndRewind() async throws {
    let store = InMemoryStore()
    let without = try await open(store, cards: ToyCard.numbered(9), learns: false)
    try await without.bench.swipeTop(.like)
    let one = try await open(store)
    let afterOne = one.numbers
    try await one.bench.swipe(
      try #require(try await one.bench.hand().first), .like, event: "second")
    _ = try await one.bench.rewind(event: "back")
    #expect(one.numbers == afterOne)
    _ = try await one.bench.rewind(event: "back again")
    #expect(one.numbers.isEmpty)
    #expect(try await open(store).numbers.isEmpty)
  }

  @Test("Rewound swipes are not learned by a learner that comes later")
  func rewoundAreSkipped() async throws {
    let store = InMemoryStore()
    let without = try await open(store, cards: ToyCard.numbered(9), learns: false)
    try await without.bench.swipeTop(.like)
    try await without.bench.swipeTop(.like)
    _ = try await without.bench.rewind()
    let late = try await open(store)
    #expect(late.states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 1)
  }

  @Test("A learner that comes with a reload knows the log, and goes on from there")
  func reload() async throws {
    let store = InMemoryStore()
    let reference = try await open(store, cards: ToyCard.numbered(40))
    try await live(reference, seed: 8, steps: 30, name: "one")

    let plain = try await open(store, learns: false)
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.ranking = RatingRanking(learner: RatingLearner(states: plain.states))
    try await plain.bench.feed.reload(builder.buildSet())
    #expect(plain.numbers == reference.numbers)
    try await live(plain, seed: 9, steps: 30, name: "two")
    #expect(plain.numbers != reference.numbers)
    #expect(try await open(store).numbers == plain.numbers)
  }

  @Test("Recorded swipes teach like live ones, each once, in their order")
  func recorded() async throws {
    let store = InMemoryStore()
    let world = try await open(store, cards: ToyCard.numbered(20))
    let swipes = (0..<600).map { step in
      RecordedSwipe(
        Swipe<ToyAnswer>(
          viewer: CardID("viewer-\(step % 7)"), card: CardID("\(1 + step % 20)"),
          answer: step % 3 == 0 ? .like : .pass, event: EventID("e\(step / 2)-\(step % 7)")))
    }
    let new = try await world.bench.feed.record(swipes)
    #expect(new == 600)
    #expect(try await world.bench.feed.record(swipes) == 0)
    #expect(try await open(store).numbers == world.numbers)
    #expect(world.states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 600)
  }

  @Test("A recorded batch with an unknown card changes nothing at all")
  func recordedUnknown() async throws {
    let store = InMemoryStore()
    let world = try await open(store, cards: ToyCard.numbered(5))
    let swipes = ["1", "nobody", "2"].enumerated().map { place, card in
      RecordedSwipe(
        Swipe<ToyAnswer>(
          viewer: "viewer", card: CardID(card), answer: .like, event: EventID("e\(place)")))
    }
    await #expect(throws: FeedError.self) { try await world.bench.feed.record(swipes) }
    #expect(world.numbers.isEmpty)
    #expect(try await store.lastPosition() == .start)
  }

  @Test("A blob of another stride is an error that names the learner")
  func wrongStride() async throws {
    let store = InMemoryStore()
    try await store.save(
      LearnerBlob(position: .start, stride: 3, numbers: []), of: "rating/1")
    let error = await #expect(throws: FeedError.self) { try await open(store) }
    #expect(error?.code == .storedImage)
    #expect(error?.message.contains("'rating/1'") == true)
  }

  @Test("A blob's bytes are read back as they were written, and damage is an error")
  func blobBytes() throws {
    let blob = LearnerBlob(
      position: LogPosition(7), stride: 9,
      numbers: [
        Increment(.init(owner: nil, slot: 8), .min),
        Increment(.init(owner: CardNumber(1 << 40), slot: 0), .max),
      ])
    #expect(try LearnerBlob(bytes: blob.bytes, position: blob.position) == blob)
    for length in 0..<blob.bytes.count {
      #expect(throws: (any Error).self) {
        try LearnerBlob(bytes: Array(blob.bytes.prefix(length)), position: .start)
      }
    }
    #expect(throws: FeedError.self) { try LearnerBlob(bytes: [2, 1, 0], position: .start) }
    #expect(throws: FeedError.self) { try LearnerBlob(bytes: [1, 0, 0], position: .start) }
  }
}
