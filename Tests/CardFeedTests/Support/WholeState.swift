import CardFeedTesting

@testable import CardFeed
@testable import CardFeedStack

/// Everything that a feed and its store know, comparable: what a swipe and its rewind must leave
/// as it was. The event log is not in it, because both are events, and neither is the generation of
/// the hand, which a rewind raises.
struct WholeState: Equatable {
  struct Viewer: Equatable {
    // What the store keeps.
    var seen: [CardNumber: SeenEntry]
    var recentSwipes: [StoredSwipe]
    var deals: Int64
    var top: Int64?
    var upcoming: [HandCard]
    var matches: [StoredMatch]
    var received: [ReceivedAnswer]
    var unsafe: [CardNumber: SafetyStanding]
    // What the session keeps.
    var stack: CardStack<HandCard, RecordedAnswer>
    var sessionSeen: [CardNumber: SeenEntry]
    var sessionDeals: Int64
  }

  var viewers: [ViewerID: Viewer]
  /// Live numbers of learners, and the same as the sum of the stored deltas.
  var learned: [String: [Increment]]
  var learnedInStore: [String: [Increment]]

  init<Store: FeedStore>(
    of bench: TestBench<Store>, viewers: [ViewerID], learners: [RatingLearner]
  ) async throws {
    self.viewers = [:]
    for viewer in viewers {
      self.viewers[viewer] = try await bench.feed.withSession(viewer) { session in
        let number = session.number
        let record = try await bench.store.viewer(number, swipes: 1000)
        // The image starts at or below the top; how far below is not part of the state.
        let skipped = record.stack.map { Int($0.top - $0.imageStart) } ?? 0
        return Viewer(
          seen: record.seen, recentSwipes: record.recentSwipes, deals: record.deals,
          top: record.stack?.top,
          upcoming: try HandImage.decode(record.stack?.image ?? []).cards.dropFirst(skipped).map(
            \.self),
          matches: try await bench.store.matches(of: number),
          received: try await bench.store.answersReceived(by: number, limit: 1000),
          unsafe: try await bench.store.unsafe(for: number),
          stack: session.stack.withoutGeneration,
          sessionSeen: session.seen.filter { $0.value != SeenEntry() },
          sessionDeals: session.deals)
      }
    }
    learned = [:]
    learnedInStore = [:]
    for learner in learners {
      learned[learner.identity] = learner.numbers.nonzero()
      let sum = LearnedNumbers(stride: learner.numbers.stride)
      let deltas = try await bench.store.learnerDeltas(
        of: learner.identity, after: .start, limit: 1_000_000)
      for delta in deltas { sum.apply(delta.increments) }
      learnedInStore[learner.identity] = sum.nonzero()
    }
  }

  /// What is not the same in another state, in words: a state itself is too long to print.
  func differences(from other: WholeState) -> [String] {
    var found: [String] = []
    for (viewer, mine) in viewers {
      guard let theirs = other.viewers[viewer] else { continue }
      if mine.seen != theirs.seen { found.append("stored answers of \(viewer)") }
      if mine.sessionSeen != theirs.sessionSeen { found.append("answers in memory of \(viewer)") }
      if mine.recentSwipes != theirs.recentSwipes { found.append("past of \(viewer)") }
      if mine.upcoming != theirs.upcoming { found.append("stored hand of \(viewer)") }
      if mine.stack != theirs.stack { found.append("stack of \(viewer)") }
      if mine.matches != theirs.matches { found.append("matches of \(viewer)") }
      if mine.received != theirs.received { found.append("answers received by \(viewer)") }
      if mine != theirs, found.isEmpty { found.append("something of \(viewer)") }
    }
    if learned != other.learned { found.append("learned numbers") }
    if learnedInStore != other.learnedInStore { found.append("stored learned numbers") }
    if self != other, found.isEmpty { found.append("something") }
    return found
  }

  /// What differs between session and store, or between live and stored numbers.
  var contradictions: [String] {
    var found: [String] = []
    for (viewer, state) in viewers {
      if state.seen != state.sessionSeen { found.append("seen of \(viewer)") }
      if state.upcoming != Array(state.stack.upcoming) { found.append("hand of \(viewer)") }
      if state.deals != state.sessionDeals { found.append("deals of \(viewer)") }
      if let top = state.top, top != Int64(state.stack.topPosition.value) {
        found.append("top of \(viewer)")
      }
    }
    if learned != learnedInStore { found.append("learned numbers") }
    return found
  }
}

extension CardStack {
  /// The stack as if it were in its first generation.
  fileprivate var withoutGeneration: CardStack {
    var stack = self
    stack.state.generation = 0
    return stack
  }
}
