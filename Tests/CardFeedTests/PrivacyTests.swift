import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Privacy and retention of a feed")
struct PrivacyTests {
  private let store = InMemoryStore()
  private let states = LearnerStates()

  private func open(cards: Int = 8) async throws -> TestBench<InMemoryStore> {
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.hand = HandPolicy(size: 3, refillBelow: 2, rewind: 10, ties: .id)
    builder.filter("already-swiped", AnsweredFilter())
    builder.ranking = RatingRanking(learner: RatingLearner(states: states))
    return try await TestBench(
      store, cards: ToyCard.numbered(cards), states: states, pipelines: builder.buildSet())
  }

  private var numbers: [Increment] { states.numbers(for: "rating/1", stride: 2).nonzero() }

  private func number(_ id: CardID) async throws -> CardNumber {
    try #require(try await store.numbers(for: [id]).first)
  }

  @Test("An erased viewer is gone from the store, the table, the hands and the learned numbers")
  func erasure() async throws {
    let bench = try await open()
    let people = try await bench.hand("nobody")
    let (gone, other) = (people[0], people[1])
    for viewer in [gone, other] {
      for _ in 0..<3 { try await bench.swipeTop(.like, by: viewer) }
    }
    _ = try await bench.hand("nobody")
    let person = try await number(gone)
    let before = numbers
    #expect(before.contains { $0.key.owner == person })
    let report = try await bench.feed.erase(gone)
    #expect(report.events > 3)
    #expect(numbers == before.filter { $0.key.owner != person }, "nobody else's numbers jump")
    #expect(bench.feed.cards.row(of: gone) == nil)
    #expect(bench.feed.cards.row(of: person) == nil)
    #expect(try await !bench.hand("nobody").contains(gone))
    #expect(try await bench.swipeAll(by: "fresh").count == 7, "everybody but the erased")
    await #expect(throws: FeedError.self) { try await bench.swipe(gone, .like, by: other) }
    #expect(try await store.check() == [])
    // The numbers are what a feed that is opened anew reads.
    let live = numbers
    _ = try await open(cards: 0)
    #expect(numbers == live)
    // Whoever comes with the same identifier is somebody new.
    #expect(try await bench.hand(gone).count == 3)
    #expect(try await number(gone) != person)
    #expect(try await bench.feed.export(gone).seen.values.allSatisfy { $0.answer == nil })
  }

  @Test("Nothing of an erased card is left in the table, and rows keep their places")
  func purging() async throws {
    let bench = try await open()
    let table = bench.feed.cards
    let row = try #require(table.row(of: table.id(at: Row(3))))
    let (id, card) = (table.id(at: row), table.card(at: row))
    try await bench.feed.erase(id)
    let purged = bench.feed.cards
    #expect(purged.count == table.count)
    for index in 0..<table.count where index != row.index {
      #expect(purged.id(at: Row(index)) == table.id(at: Row(index)))
    }
    #expect(!(0..<purged.count).contains { purged.id(at: Row($0)) == id })
    #expect(!(0..<purged.count).contains { purged.card(at: Row($0)).id == card.id })
    #expect(!purged.isAvailable(row))
    // The last card leaves an empty table.
    for index in 0..<purged.count where purged.isAvailable(Row(index)) {
      try await bench.feed.erase(purged.id(at: Row(index)))
    }
    #expect(bench.feed.cards.count == 0)
    #expect(try await bench.hand("nobody") == [])
    #expect(try await store.check() == [])
  }

  @Test("A card that another viewer could rewind is not brought back after its erasure")
  func rewindOfAnErasedCard() async throws {
    let bench = try await open()
    let first = try #require(try await bench.swipeTop(.like))
    let second = try #require(try await bench.swipeTop(.like))
    try await bench.feed.erase(second)
    guard case .applied(let back, _) = try await bench.rewind() else {
      Issue.record("the swipe before it cannot be taken back")
      return
    }
    #expect(back?.id == first)
  }

  @Test("A folded swipe is too old to be taken back, and its card is not dealt again")
  func folding() async throws {
    let bench = try await open(cards: 4)
    for _ in 0..<2 { try await bench.swipeTop(.pass) }
    bench.clock.advance(byMilliseconds: 1_000)
    let late = try #require(try await bench.swipeTop(.pass))
    let bound = bench.clock.now
    let report = try await bench.feed.ageOut(negativesBefore: bound, unansweredLikesBefore: nil)
    #expect(report.negatives == 2)
    guard case .applied(let back, _) = try await bench.rewind() else {
      Issue.record("a swipe that was not folded cannot be taken back")
      return
    }
    #expect(back?.id == late)
    guard case .tooOld = try await bench.rewind() else {
      Issue.record("a folded swipe is not called too old")
      return
    }
    #expect(try await bench.swipeAll().count == 2)
    #expect(try await bench.feed.prune(exposuresBefore: bound) > 0)
    #expect(try await store.check() == [])
  }

  @Test("A swipe that is on its way teaches nothing about somebody who was erased meanwhile")
  func lateLesson() async throws {
    let gate = Gate()
    let held = InterceptedStore(store) { call in
      if call == .swipes { await gate.pass() }
    }
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(held))
    builder.ranking = RatingRanking(learner: RatingLearner(states: states))
    let bench = try await TestBench(
      held, cards: ToyCard.numbered(3), states: states, pipelines: builder.buildSet())
    _ = try await bench.feed.record([
      RecordedSwipe(Swipe(viewer: "3", card: "2", answer: .like, event: "earlier"))
    ])
    let top = try #require(try await bench.hand("1").first)
    let person = try await number(top)
    if top != "2" {
      _ = try await bench.feed.record([
        RecordedSwipe(Swipe(viewer: "2", card: top, answer: .like, event: "earlier"))
      ])
    }
    func knows() -> Bool { numbers.contains { $0.key.owner == person } }
    #expect(knows())
    gate.close()
    let swipe = Task { try await bench.swipe(top, .like, by: "1") }
    while !gate.isWaitedFor { await Task.yield() }
    let forgetting = Task { await bench.feed.forget([person]) }
    while knows() { await Task.yield() }
    gate.open()
    #expect(try await swipe.value.isApplied)
    await forgetting.value
    #expect(!knows())
  }

  @Test("A feed whose store cannot forget says so")
  func unable() async throws {
    let bench = try await TestBench(InterceptedStore(InMemoryStore()) { _ in }) { _ in }
    let error = await #expect(throws: FeedError.self) { try await bench.feed.erase("x") }
    #expect(error?.code.description == "store")
    #expect(error?.description.contains("cannot erase people") == true)
  }
}

/// Lets everybody through while it is open; who comes when it is closed waits.
private final class Gate: Sendable {
  private let state = Lock((isClosed: false, waiting: 0))

  var isWaitedFor: Bool { state.withLock { $0.waiting > 0 } }

  func close() { state.withLock { $0.isClosed = true } }

  func open() { state.withLock { $0.isClosed = false } }

  func pass() async {
    state.withLock { $0.waiting += $0.isClosed ? 1 : 0 }
    while state.withLock({ $0.isClosed }) { await Task.yield() }
  }
}
