import CardFeedTesting
import Testing

@testable import CardFeed

/// A reload brings a learner while people swipe.
@Suite("A learner that comes with a reload")
struct ReloadLearningTests {
  private typealias Store = InterceptedStore<InMemoryStore>

  private let base = InMemoryStore()
  /// Runs once, ahead of the next call of a kind.
  private let arm = Lock<(call: Store.Call, run: @Sendable () async throws -> Void)?>(nil)

  private func pipelines(
    _ states: LearnerStates, learns: Bool
  ) -> PipelineSet<ToyDeck> {
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(base))
    builder.hand = HandPolicy(size: 5, refillBelow: 3, rewind: 30, ties: .id)
    builder.filter("already-swiped", AnsweredFilter())
    if learns { builder.ranking = RatingRanking(learner: RatingLearner(states: states)) }
    return builder.buildSet()
  }

  private func open(learns: Bool, cards: Int = 0) async throws -> (TestBench<Store>, LearnerStates)
  {
    let states = LearnerStates()
    let store = InterceptedStore(base) { [arm] call in
      let armed = arm.withLock { armed -> (@Sendable () async throws -> Void)? in
        guard let found = armed, found.call == call else { return nil }
        armed = nil
        return found.run
      }
      try await armed?()
    }
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(cards), states: states,
      pipelines: pipelines(states, learns: learns))
    return (bench, states)
  }

  private func numbers(_ states: LearnerStates) -> [Increment] {
    states.numbers(for: "rating/1", stride: 2).nonzero()
  }

  /// What a feed that is opened now finds, before and after the numbers were saved.
  private func expectTheLog(_ bench: TestBench<Store>, _ states: LearnerStates) async throws {
    let known = numbers(states)
    #expect(!known.isEmpty)
    for _ in 0..<2 {
      let (anew, others) = try await open(learns: true)
      #expect(numbers(others) == known)
      _ = anew
      try await bench.feed.saveLearners()
    }
    #expect(try await base.check() == [])
  }

  @Test("Swipes that come while it learns from the log are learned, once", arguments: [1, 2, 3])
  func swipesMeanwhile(read: Int) async throws {
    let (bench, states) = try await open(learns: false, cards: 40)
    for _ in 0..<4 { try await bench.swipeTop(.like) }
    // Ahead of each of the reads of the reload.
    let reads = Lock(0)
    let swipe: @Sendable () async throws -> Void = { try await bench.swipeTop(.like, by: "other") }
    try await bench.swipeTop(.like, by: "other")
    @Sendable func watch() {
      arm.withLock {
        $0 = (
          .read,
          {
            if reads.withLock({
              $0 += 1; return $0
            }) == read {
              try await swipe()
            } else {
              watch()
            }
          }
        )
      }
    }
    watch()
    try await bench.feed.reload(pipelines(states, learns: true))
    arm.withLock { $0 = nil }
    #expect(reads.withLock { $0 } >= read)
    #expect(states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 6)
    _ = try await bench.rewind("other")
    #expect(states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 5)
    try await expectTheLog(bench, states)
  }

  @Test("A swipe that is on its way when it comes is learned, once")
  func onItsWay() async throws {
    let (bench, states) = try await open(learns: false, cards: 40)
    try await bench.swipeTop(.like)
    let top = try #require(try await bench.hand().first)
    // The swipe is ahead of its commit, and knows the old pipelines.
    let reload = Lock<Task<Void, any Error>?>(nil)
    arm.withLock {
      $0 = (
        .swipes,
        {
          let task = Task { try await bench.feed.reload(pipelines(states, learns: true)) }
          reload.withLock { $0 = task }
          // Until the reload waits for this swipe, or has not.
          for _ in 0..<200 { await Task.yield() }
          try await Task.sleep(for: .milliseconds(20))
        }
      )
    }
    try await bench.swipe(top, .like)
    try await reload.withLock { $0 }?.value
    #expect(states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 2)
    _ = try await bench.rewind()
    #expect(states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 1)
    try await expectTheLog(bench, states)
  }

  @Test("A rewind that comes while it learns is taken back once", arguments: 1...6)
  func rewindMeanwhile(read: Int) async throws {
    // It was here before, so that what the swipes taught is stored with them.
    let (bench, states) = try await open(learns: true, cards: 40)
    for _ in 0..<4 { try await bench.swipeTop(.like) }
    try await bench.feed.reload(pipelines(states, learns: false))
    try await bench.swipeTop(.like)
    let reads = Lock(0)
    let rewinds = Lock<Task<Void, any Error>?>(nil)
    @Sendable func watch() {
      arm.withLock {
        $0 = (
          .read,
          {
            if reads.withLock({
              $0 += 1; return $0
            }) == read {
              // It may have to wait for the reload.
              let task = Task { for _ in 0..<2 { _ = try await bench.rewind() } }
              rewinds.withLock { $0 = task }
              try await Task.sleep(for: .milliseconds(20))
            } else {
              watch()
            }
          }
        )
      }
    }
    watch()
    try await bench.feed.reload(pipelines(states, learns: true))
    arm.withLock { $0 = nil }
    try await rewinds.withLock { $0 }?.value
    if reads.withLock({ $0 }) < read {
      for _ in 0..<2 { _ = try await bench.rewind() }
    }
    #expect(states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 3)
    try await expectTheLog(bench, states)
  }

  @Test("Swipes and rewinds of many go on beside reloads, and nothing is lost or doubled")
  func manyAtOnce() async throws {
    let (bench, states) = try await open(learns: false, cards: 60)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for viewer in 0..<4 {
        group.addTask {
          var generator = SplitMix64(seed: UInt64(viewer))
          for _ in 0..<60 {
            let name = ViewerID("viewer-\(viewer)")
            if generator.index(below: 3) == 0 {
              _ = try await bench.rewind(name)
            } else {
              try await bench.swipeTop(.like, by: name)
            }
          }
        }
      }
      group.addTask {
        for round in 0..<15 {
          try await bench.feed.reload(pipelines(states, learns: round % 2 == 0))
        }
      }
      try await group.waitForAll()
    }
    try await expectTheLog(bench, states)
  }

  @Test("A reload that fails leaves the pipelines in force, and the next one learns all")
  func failing() async throws {
    let (bench, states) = try await open(learns: false, cards: 40)
    for _ in 0..<3 { try await bench.swipeTop(.like) }
    arm.withLock { $0 = (.learner, { throw TestFailure("no disk") }) }
    await #expect(throws: TestFailure.self) {
      try await bench.feed.reload(pipelines(states, learns: true))
    }
    try await bench.swipeTop(.like)
    #expect(bench.feed.pipelines.learners.isEmpty)
    try await bench.feed.reload(pipelines(states, learns: true))
    #expect(states.numbers(for: "rating/1", stride: 2).read { $0(nil, 1) } == 4)
    try await expectTheLog(bench, states)
  }

  @Test("The gate lets many in, or one alone, who goes before those who come later")
  func gate() async throws {
    let gate = SharedGate()
    let state = Lock((inside: 0, most: 0, alone: 0, wrong: 0))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<60 {
        group.addTask {
          if task % 10 == 9 {
            await gate.close {
              state.withLock {
                $0.wrong += $0.inside; $0.alone += 1; $0.inside += 1
              }
              await Task.yield()
              state.withLock {
                $0.wrong += $0.inside - 1; $0.inside -= 1
              }
            }
          } else {
            await gate.share {
              state.withLock {
                $0.inside += 1; $0.most = max($0.most, $0.inside)
              }
              for _ in 0..<5 { await Task.yield() }
              state.withLock { $0.inside -= 1 }
            }
          }
        }
      }
    }
    let seen = state.withLock { $0 }
    #expect(seen.wrong == 0 && seen.alone == 6 && seen.inside == 0)
    #expect(seen.most > 1)
  }
}
