import CardFeed
import CardFeedTesting
import Testing

@Suite("A strategy that breaks its contract is named, and the hand is left alone")
struct FaultTests {
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case shortFilter = "filter 'culprit' answered with 2 values for a slate of 3 cards"
    case shortProbability = "match probability 'probability' answered with 2 values"
    case shortRanking = "ranking 'ranking' answered with 4 values for a slate of 3 cards"
    case shortTerm = "ranking 'ranking' answered with 1 values"
    case shortPenalties = "slate rule 'culprit' answered with 1 values"
    case rowOutside = "source 'culprit' proposed a row outside of its table of 3 cards"
    case negativeRow = "source 'culprit' proposed a row outside of its table"
    case sameCursor = "source 'culprit' returned the cursor it was given"
    case tooMany = "source 'culprit' proposed 3 cards in a page of 2 at most"

    var testDescription: String { rawValue }

    func plant(in builder: inout PipelineBuilder<ToyDeck>) {
      switch self {
      case .shortFilter:
        builder.filter("culprit", ClosureSlateFilter { _ in [.keep, .keep] })
      case .shortProbability:
        builder.matchProbability = ClosureProbabilities { _ in MatchEstimates(count: 2) }
      case .shortRanking:
        builder.ranking = ClosureRanking { _, _ in SlateScores(values: [1, 2, 3, 4]) }
      case .shortTerm:
        builder.ranking = ClosureRanking { slate, _ in
          SlateScores(
            values: slate.rows.map { _ in 0 }, terms: [.init(name: "term", values: [1])])
        }
      case .shortPenalties:
        builder.rule("culprit", ClosureRule { _ in SlateAdjustment(penalties: [0]) })
      case .rowOutside: plant(SourcePage(rows: [Row(3)], next: nil), in: &builder)
      case .negativeRow: plant(SourcePage(rows: [Row(-1)], next: nil), in: &builder)
      case .sameCursor: plant(SourcePage(rows: [Row(0)], next: .start), in: &builder)
      case .tooMany:
        plant(SourcePage(rows: [Row(0), Row(1), Row(2)], next: nil), in: &builder)
      }
    }

    private func plant(_ page: SourcePage, in builder: inout PipelineBuilder<ToyDeck>) {
      builder.source("culprit", limit: 2, ClosureSource { _, _, _, _ in page })
    }
  }

  @Test("The culprit and its fault are named", arguments: Fault.allCases)
  func named(fault: Fault) async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(3)) {
      fault.plant(in: &$0)
    }
    let error = await #expect(throws: FeedError.self) { try await bench.hand() }
    #expect(error?.code == .strategyFault)
    #expect(error?.message.contains(fault.rawValue) == true, "\(error?.message ?? "no error")")
    #expect(error?.hint != nil)
    #expect(try await bench.store.lastPosition() == .start, "nothing was dealt")
  }

  @Test("A hand that was dealt before survives a faulty pipeline, and can be swiped")
  func handSurvives() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(3)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    }
    _ = try await bench.hand()
    var faulty = PipelineBuilder<ToyDeck>()
    faulty.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    Fault.shortRanking.plant(in: &faulty)
    try await bench.feed.reload(faulty.buildSet())
    await #expect(throws: FeedError.self) { try await bench.feed.redeal(for: "viewer") }
    #expect(try await bench.hand() == ["1", "2", "3"])
    #expect(try await bench.swipe("1").isApplied)
  }

  @Test("An estimator with a wrong length is named when estimates are asked for directly")
  func estimates() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(3)) {
      Fault.shortProbability.plant(in: &$0)
    }
    let error = await #expect(throws: FeedError.self) {
      try await bench.feed.estimates(for: "viewer", cards: ["1"])
    }
    #expect(error?.message.contains("'probability'") == true)
  }

  @Test("An operation whose commit fails changes nothing and can be repeated")
  func failingCommits() async throws {
    let failing = Lock<InterceptedStore<InMemoryStore>.Call?>(nil)
    let store = InterceptedStore(InMemoryStore()) { call in
      if call == failing.withLock({ $0 }) { throw TestFailure("the disk is full") }
    }
    let states = LearnerStates()
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.ranking = RatingRanking(learner: RatingLearner(states: states))
    builder.hand = HandPolicy(size: 3, refillBelow: 1, ties: .id)
    let bench = try await TestBench(
      store, cards: ToyCard.numbered(6), states: states, pipelines: builder.buildSet())

    failing.withLock { $0 = .deal }
    await #expect(throws: TestFailure.self) { try await bench.hand() }
    failing.withLock { $0 = nil }
    let hand = try await bench.hand()
    #expect(hand == ["1", "2", "3"])

    failing.withLock { $0 = .swipes }
    await #expect(throws: TestFailure.self) { try await bench.swipe("1", .like, event: "e") }
    failing.withLock { $0 = nil }
    #expect(try await bench.hand() == hand)
    let numbers = states.numbers(for: "rating/1", stride: 2)
    #expect(numbers.read { $0(nil, 1) } == 0, "nothing was learned from a swipe that failed")
    #expect(try await bench.swipe("1", .like, event: "e").isApplied)
    #expect(numbers.read { $0(nil, 1) } == 1)

    failing.withLock { $0 = .rewind }
    await #expect(throws: TestFailure.self) { try await bench.rewind(event: "back") }
    failing.withLock { $0 = nil }
    #expect(try await bench.hand() == ["2", "3"])
    #expect(numbers.read { $0(nil, 1) } == 1)
    #expect(try await bench.rewind(event: "back").card == "1")
    #expect(numbers.read { $0(nil, 1) } == 0)

    failing.withLock { $0 = .block }
    await #expect(throws: TestFailure.self) {
      try await bench.feed.block("1", by: "viewer", event: "block")
    }
    failing.withLock { $0 = nil }
    #expect(try await bench.hand() == ["1", "2", "3"])
  }
}
