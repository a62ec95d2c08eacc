import CardFeedTesting
import Testing

@testable import CardFeed

@Suite("Fits that ask the pipeline they stand in")
struct TrainingPipelineTests {
  private struct Refused: Error {}

  /// P(match) of a card is its likes in tenths, as of the last training.
  private struct TallyProbability: MatchProbabilityStrategy, TrainableStrategy {
    typealias D = ToyDeck
    let tally: TallyRanking

    var slot: ModelSlot<TallyModel> { tally.slot }

    func fit(
      _ history: TrainingHistory<ToyDeck>, progress: TrainingProgress
    ) async throws -> TallyModel {
      #expect(history.pipeline == nil)
      return try await tally.fit(history, progress: progress)
    }

    func estimates(for slate: Slate<ToyDeck>) async throws -> MatchEstimates {
      var estimates = MatchEstimates(count: slate.count)
      guard let model = slot.model else { return estimates }
      for (index, row) in slate.rows.enumerated() {
        let likes = model.likes[slate.table.id(at: row)]?.first ?? 0
        estimates[index] = MatchEstimate(match: Probability(Double(likes) / 10))
      }
      return estimates
    }
  }

  /// Takes down of each viewer how many cards are eligible, and their likes as P(match) has them.
  private struct Asking: RankingStrategy, TrainableStrategy {
    typealias D = ToyDeck
    let slot: ModelSlot<TallyModel>
    let fails: Lock<Bool>

    var asksPipeline: Bool { true }

    func fit(
      _ history: TrainingHistory<ToyDeck>, progress: TrainingProgress
    ) async throws -> TallyModel {
      let pipeline = try #require(history.pipeline)
      let rows = (0..<history.table.count).map { Row($0) }
      var seen: [CardID: [Int]] = [:]
      for row in rows {
        let viewer = try await pipeline.viewer(row)
        let eligible = try await viewer.eligible(among: rows)
        let estimates = try await viewer.estimates(of: eligible)
        let sum = eligible.indices.reduce(0) { $0 + (estimates[$1].match?.value ?? -1) }
        seen[history.table.id(at: row)] = [eligible.count, Int((sum * 10).rounded())]
        try await progress.step(row.index, of: rows.count)
      }
      if fails.withLock({ $0 }) { throw Refused() }
      return TallyModel(seen)
    }

    func scores(
      for slate: Slate<ToyDeck>, estimates: MatchEstimates
    ) async throws -> SlateScores { SlateScores(values: slate.rows.map { _ in 0 }) }
  }

  private func open(
    _ fails: Lock<Bool> = Lock(false), _ change: (inout PipelineBuilder<ToyDeck>) -> Void = { _ in }
  ) async throws -> (TestBench<InMemoryStore>, TallyProbability, Asking) {
    let states = LearnerStates()
    let probability = TallyProbability(tally: TallyRanking(states: states))
    let asking = Asking(slot: states.slot(for: "asking/1", of: TallyModel.self), fails: fails)
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(4), states: states
    ) { builder in
      builder.matchProbability = probability
      builder.source("asking", ListSource<ToyDeck>())
      builder.ranking = asking
      change(&builder)
    }
    return (bench, probability, asking)
  }

  private func like(_ bench: TestBench<InMemoryStore>, _ viewer: ViewerID, _ card: CardID)
    async throws
  {
    _ = try await bench.feed.record([
      RecordedSwipe(Swipe(viewer: viewer, card: card, answer: .like, event: bench.counter.next()))
    ])
  }

  @Test("A fit sees safety, filters and the models of its own training")
  func asking() async throws {
    let (bench, probability, asking) = try await open { builder in
      builder.filter(
        "odd",
        ClosureFilter<ToyDeck> { card, _, context in
          context.viewer == "4" && card.id == "1" ? .remove() : .keep
        })
    }
    try await like(bench, "1", "2")
    try await like(bench, "3", "2")
    try await bench.feed.block("3", by: "2", event: "block")
    try await bench.feed.train()
    #expect(probability.slot.model?.likes["2"] == [2, 0])
    // Nobody but 2 has likes; 2 and 3 are kept apart; 4 does not see 1.
    #expect(
      asking.slot.model?.likes == ["1": [3, 2], "2": [2, 0], "3": [2, 0], "4": [2, 2]])
  }

  @Test("What is not known removes a card from hard filters only, as in a deal")
  func unavailable() async throws {
    for kind in [FilterKind.hard, .soft] {
      let (bench, _, asking) = try await open { builder in
        builder.filter(
          "unsure",
          ClosureSlateFilter<ToyDeck>(kind: kind) { slate in
            slate.rows.map { $0.index == 0 ? .unavailable : .keep }
          })
      }
      try await bench.feed.train()
      #expect(asking.slot.model?.likes["4"]?.first == (kind == .hard ? 2 : 3))
    }
  }

  @Test("Safety data that cannot be read end a training: a plan would leave the pairs out for good")
  func safetyUnknown() async throws {
    let safety = SwitchableSafety()
    let (bench, probability, asking) = try await open { builder in
      builder.filter("guarded", SafetyFilter<ToyDeck>(lookup: safety))
    }
    try await bench.feed.train()
    let before = asking.slot.model?.bytes
    safety.set(.unknown, of: CardNumber(2))
    let error = await #expect(throws: FeedError.self) { try await bench.feed.train() }
    #expect(error?.code == .store)
    #expect(asking.slot.model?.bytes == before && probability.slot.model != nil)
  }

  @Test("When the asking fit fails, the models it has seen are not swapped either")
  func failure() async throws {
    let fails = Lock(true)
    let (bench, probability, asking) = try await open(fails)
    try await like(bench, "1", "2")
    await #expect(throws: Refused.self) { try await bench.feed.train() }
    #expect(probability.slot.model == nil && asking.slot.model == nil)
    fails.withLock { $0 = false }
    let report = try await bench.feed.train()
    #expect(report.file.entries.map(\.identity) == ["tally/1", "asking/1"])
    #expect(bench.feed.pipelines.scored.map(\.features) == [["tally"], ["tally"]])
    #expect(bench.feed.pipelines.scored.map(\.lacksModel) == [false, false])
  }

  @Test("A filter with the wrong number of verdicts is named")
  func fault() async throws {
    let (bench, _, _) = try await open { builder in
      builder.filter("short", ClosureSlateFilter<ToyDeck> { _ in [] })
    }
    await #expect(throws: FeedError.self) { try await bench.feed.train() }
  }
}
