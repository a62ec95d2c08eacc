internal import CardFeed
internal import CardFeedConfiguration

/// One part of a split: the known decisions are recorded in the order of the evenings, what can be
/// trained is trained, then the cases are predicted.
struct PredictionPart: Sendable {
  /// The prediction of one case.
  struct Prediction: Sendable, Hashable {
    /// Index into the split's cases.
    let index: Int
    /// P(match).
    let match: Double?
    /// P(the rater says yes), P(the target says yes).
    let forward: Double?
    let backward: Double?
    /// By what each would be ranked for the other; of a decision the rater's list only.
    let scoreForRater: Double?
    let scoreForTarget: Double?
  }

  let data: SpeedDatingData
  let split: PredictionSplit
  let part: PredictionSplit.Part

  func run<P: DeckPlugin>(
    _ configuration: FeedConfiguration, deck: P, plugins: PluginSet, seed: UInt64
  ) async throws -> [Prediction] {
    let feed = try await configuration.openReplay(
      deck, seed: seed, plugins: plugins, people: data.persons, of: data)
    try await feed.tell(part.known.map { data.decisions[$0] })
    try await feed.train()

    let raters = try await appraisals(in: feed) { ($0.rater, $0.target) }
    let targets =
      split.unit == .pairs ? try await appraisals(in: feed) { ($0.target, $0.rater) } : [:]
    return part.asked.map { index in
      let numbers = raters[index]
      return Prediction(
        index: index, match: numbers?.estimate.match?.value,
        forward: numbers?.estimate.forward?.value, backward: numbers?.estimate.backward?.value,
        scoreForRater: split.unit == .pairs
          ? numbers?.score.value : numbers?.estimate.forward?.value,
        scoreForTarget: targets[index]?.score.value)
    }
  }

  private func appraisals<D: Deck>(
    in feed: ReplayFeed<D>, _ sides: (PredictionSplit.Case) -> (viewer: Int, card: Int)
  ) async throws -> [Int: CandidateNumbers] {
    var result: [Int: CandidateNumbers] = [:]
    let byViewer = Dictionary(grouping: part.asked) { sides(split.cases[$0]).viewer }
    for (viewer, cases) in byViewer.sorted(by: { $0.key < $1.key }) {
      let cards = cases.map { CardID(SpeedDatingData.cardID(person: sides(split.cases[$0]).card)) }
      let numbers = try await feed.appraise(
        cards, for: CardID(SpeedDatingData.cardID(person: viewer)))
      for (index, number) in zip(cases, numbers) { result[index] = number }
    }
    return result
  }
}

extension FeedEngine {
  /// Records decisions in the order of the evenings.
  func tell(_ decisions: [SpeedDatingData.Decision]) async throws {
    _ = try await record(
      decisions.sorted(by: SpeedDatingCards.inOrder).map { decision in
        RecordedSwipe(
          Swipe(
            viewer: CardID(SpeedDatingData.cardID(person: decision.rater)),
            card: CardID(SpeedDatingData.cardID(person: decision.target)),
            answer: try recordedAnswer(decision.decision, in: D.self),
            event: EventID("\(decision.rater)-\(decision.target)")))
      })
  }
}
