import CardFeedTesting
import Testing

@testable import CardFeed

/// What clients say of time, and of what they showed, counts as far as the feed can know it.
@Suite("What clients claim")
struct ClaimedTimeTests {
  private let memory = InMemoryStore()
  private let clock = ManualClock(now: Timestamp(milliseconds: 1_000_000_000_000))

  private func bench(
    _ change: (inout PipelineBuilder<ToyDeck>) -> Void = { _ in }
  ) async throws -> TestBench<InMemoryStore> {
    try await TestBench(memory, cards: ToyCard.numbered(8), clock: clock) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, rewind: 2, ties: .id)
      change(&$0)
    }
  }

  private func times(_ kind: EventKind) async throws -> [Timestamp] {
    try await memory.events(after: .start, limit: 1000).filter { $0.kind == kind }.map(\.time)
  }

  private func number(_ card: CardID) async throws -> CardNumber {
    try #require(try await memory.numbers(for: [card]).first)
  }

  @Test("Nothing happens in the future, whatever a client's clock says")
  func future() async throws {
    let bench = try await bench()
    let top = try #require(try await bench.hand("1").first)
    func swipe(_ time: Timestamp) -> Swipe<ToyAnswer> {
      Swipe(viewer: "1", card: top, answer: .like, event: "swipe", time: time)
    }
    let ahead = Timestamp(milliseconds: .max)
    let first = try await bench.feed.swipe(swipe(ahead))
    #expect(first.isApplied)
    #expect(try await times(.swipe) == [clock.now])
    // The claim is no part of an event: sent again, with whatever time, it is the same.
    clock.advance(byMilliseconds: 5)
    for time in [ahead, clock.now, Timestamp(milliseconds: 1)] {
      let again = try await bench.feed.swipe(swipe(time))
      #expect(again.receipt == first.receipt && !again.isApplied)
    }
    #expect(try await times(.swipe).count == 1)
    let viewer = try await number("1")
    let card = try await number(top)
    let seen = try await memory.viewer(viewer, swipes: 9).seen[card]?.answer?.time
    #expect(seen == clock.now.advanced(byMilliseconds: -5))
    let received = try await memory.answersReceived(by: card, limit: 9)
    #expect(received.map(\.time) == [seen])
  }

  @Test("What was answered before, and history of elsewhere, keeps its time")
  func past() async throws {
    let bench = try await bench()
    let top = try #require(try await bench.hand("1").first)
    let past = clock.now.advanced(byMilliseconds: -40 * Timestamp.day)
    _ = try await bench.feed.swipe(
      Swipe(viewer: "1", card: top, answer: .pass, event: "late", time: past))
    let ahead = clock.now.advanced(byMilliseconds: 1)
    let swipes = [("2", past), ("3", ahead), ("4", clock.now)].map { viewer, time in
      RecordedSwipe<ToyAnswer>(
        Swipe(viewer: ViewerID(viewer), card: "8", answer: .like, event: "old", time: time))
    }
    #expect(try await bench.feed.record(swipes) == 3)
    #expect(try await bench.feed.record(swipes) == 0)
    #expect(try await times(.swipe) == [past, past, clock.now, clock.now])
  }

  @Test("Learners are told the time of the log, live and out of the log")
  func learners() async throws {
    let states = LearnerStates()
    let learner = LatestTime("latest-time/1", states: states)
    let bench = try await TestBench(
      memory, cards: ToyCard.numbered(4), clock: clock, states: states
    ) {
      $0.ranking = LatestTimeRanking(learner: learner)
    }
    let top = try #require(try await bench.hand("1").first)
    let ahead = clock.now.advanced(byMilliseconds: 1000 * Timestamp.day)
    _ = try await bench.feed.swipe(
      Swipe(viewer: "1", card: top, answer: .like, event: "swipe", time: ahead))
    let viewer = try await number("1")
    let live = learner.numbers.read { $0(viewer, 0) }
    #expect(live == clock.now.milliseconds)
    try await bench.feed.close()
    clock.advance(byMilliseconds: Timestamp.day)
    let later = LearnerStates()
    let again = LatestTime("latest-time/2", states: later)
    _ = try await TestBench(memory, clock: clock, states: later) {
      $0.ranking = LatestTimeRanking(learner: again)
    }
    #expect(again.numbers.read { $0(viewer, 0) } == live)
  }

  @Test("Only a card that was dealt can have been shown")
  func impressions() async throws {
    let bench = try await bench { $0.filter("answered", AnsweredFilter()) }
    #expect(try await bench.hand("1") == ["2", "3", "4"])
    let before = try await memory.lastPosition()
    #expect(try await bench.feed.impression(of: "8", by: "1", event: "shown") == .notDealt)
    // Nobody was dealt anything by what others were dealt, or by an answer given elsewhere.
    #expect(try await bench.feed.impression(of: "2", by: "5", event: "shown") == .notDealt)
    #expect(try await memory.lastPosition() == before)
    _ = try await bench.feed.record([
      RecordedSwipe(Swipe(viewer: "1", card: "7", answer: .pass, event: "elsewhere"))
    ])
    #expect(try await bench.feed.impression(of: "7", by: "1", event: "shown") == .notDealt)
    // The event id is unspent.
    #expect(try await bench.feed.impression(of: "2", by: "1", event: "shown") == .applied)
    #expect(try await bench.feed.impression(of: "2", by: "1", event: "shown") == .repeated)
    await #expect(throws: FeedError.self) {
      try await bench.feed.impression(of: "3", by: "1", event: "shown")
    }
    // Reports may be late: after the swipe, beyond what can be rewound, after another deal, and
    // after a restart.
    for _ in 0..<3 { try await bench.swipeTop(by: "1") }
    let dealt = try await bench.hand("1")
    #expect(dealt == ["5", "6", "8"])
    _ = try await bench.feed.redeal(for: "1")
    let reopened = try await TestBench(memory, clock: clock) { _ in }
    for (place, card) in (["2", "3", "4"] + dealt).enumerated() {
      let event = EventID("late \(place)")
      #expect(try await reopened.feed.impression(of: card, by: "1", event: event) == .applied)
    }
    #expect(try await times(.impression).count == 7)
  }

  @Test("Who was taken out of a hand was dealt all the same")
  func takenOut() async throws {
    let bench = try await bench { $0.filter("group", OneGroup()) }
    #expect(try await bench.hand("1") == ["2", "3", "4"])
    try await bench.feed.put([ToyCard("3", group: "other")])
    #expect(try await bench.hand("1") == ["2", "4"])
    #expect(try await bench.feed.impression(of: "3", by: "1", event: "shown") == .applied)
  }
}

/// Keeps the cards of one group.
private struct OneGroup: FilterStrategy {
  typealias D = ToyDeck

  var reasons: [String] { ["another group"] }

  func verdicts(for slate: Slate<ToyDeck>, relaxation: Int) async throws -> [FilterVerdict] {
    slate.rows.map { slate.table.card(at: $0).group == "other" ? .remove() : .keep }
  }
}

/// The greatest time of a viewer's answers.
private struct LatestTime: Learner {
  typealias D = ToyDeck

  let identity: String
  let numbers: LearnedNumbers

  init(_ identity: String, states: LearnerStates) {
    self.identity = identity
    numbers = states.numbers(for: identity, stride: 1)
  }

  func increments(for event: LearningEvent<ToyDeck>) -> [Increment] {
    let latest = numbers.read { $0(event.viewer, 0) }
    let more = max(0, event.time.milliseconds - latest)
    return [Increment(LearnedKey(owner: event.viewer, slot: 0), more)].filter { $0.amount > 0 }
  }
}

private struct LatestTimeRanking: RankingStrategy {
  typealias D = ToyDeck

  let learner: LatestTime
  var learners: [any Learner<ToyDeck>] { [learner] }

  func scores(
    for slate: Slate<ToyDeck>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(values: slate.rows.map { _ in 0 })
  }
}
