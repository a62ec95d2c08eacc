internal import CardFeed
internal import CardFeedConfiguration

/// One fold of the warm split: the decisions of the other folds' pairs are recorded in the order of
/// the evenings, then the pairs of this fold are predicted.
struct WarmPairs: Sendable {
  /// The prediction of one pair.
  struct Prediction: Sendable, Hashable {
    /// Index into the data's pairs.
    let pair: Int
    /// P(match).
    let match: Double?
    /// P(the woman says yes), P(the man says yes).
    let woman: Double?
    let man: Double?
    /// By what each would be ranked for the other: his score in her list, hers in his.
    let scoreForWoman: Double?
    let scoreForMan: Double?
  }

  let data: SpeedDatingData
  let fold: Int

  func run<P: DeckPlugin>(
    _ configuration: FeedConfiguration, deck: P, plugins: PluginSet, seed: UInt64
  ) async throws -> [Prediction] {
    let feed = try await configuration.openReplay(
      deck, seed: seed, plugins: plugins, people: data.persons)
    let known = data.decisions.filter { $0.foldPair != fold }.sorted(by: Self.inOrder)
    _ = try await feed.record(
      known.map { decision in
        RecordedSwipe(
          Swipe(
            viewer: CardID(SpeedDatingData.cardID(person: decision.rater)),
            card: CardID(SpeedDatingData.cardID(person: decision.target)),
            answer: try recordedAnswer(decision.decision, in: P.D.self),
            event: EventID("\(decision.rater)-\(decision.target)")))
      })

    let asked = data.pairs.indices.filter { data.pairs[$0].foldPair == fold }
    let forWomen = try await appraisals(of: asked, in: feed) { ($0.woman, $0.man) }
    let forMen = try await appraisals(of: asked, in: feed) { ($0.man, $0.woman) }
    return asked.map { pair in
      let hers = forWomen[pair]
      let his = forMen[pair]
      return Prediction(
        pair: pair, match: hers?.estimate.match?.value, woman: hers?.estimate.forward?.value,
        man: hers?.estimate.backward?.value, scoreForWoman: hers?.score.value,
        scoreForMan: his?.score.value)
    }
  }

  /// The order of the evenings: rounds, then people.
  static func inOrder(
    _ left: SpeedDatingData.Decision, _ right: SpeedDatingData.Decision
  ) -> Bool {
    if left.wave != right.wave { return left.wave < right.wave }
    if left.order != right.order { return left.order < right.order }
    if left.rater != right.rater { return left.rater < right.rater }
    return left.target < right.target
  }

  private func appraisals<D: Deck>(
    of pairs: [Int], in feed: ReplayFeed<D>,
    _ sides: (SpeedDatingData.Pair) -> (viewer: Int, card: Int)
  ) async throws -> [Int: CandidateNumbers] {
    var result: [Int: CandidateNumbers] = [:]
    let byViewer = Dictionary(grouping: pairs) { sides(data.pairs[$0]).viewer }
    for (viewer, pairs) in byViewer.sorted(by: { $0.key < $1.key }) {
      let cards = pairs.map {
        CardID(SpeedDatingData.cardID(person: sides(data.pairs[$0]).card))
      }
      let numbers = try await feed.appraise(
        cards, for: CardID(SpeedDatingData.cardID(person: viewer)))
      for (pair, number) in zip(pairs, numbers) { result[pair] = number }
    }
    return result
  }
}
