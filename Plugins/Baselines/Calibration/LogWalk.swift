internal import CardFeed

/// Asks a strategy of a deck with one side about answers of the log, each as the deal before it would
/// have: what the viewer had said until then is in the context, what anybody had said until then is
/// in the sums of learners, and nothing of what came after is.
///
/// Only the models of trainable strategies know what came after, of other pairs.
struct LogWalk<D: Deck> {
  private let strategy: any MatchProbabilityStrategy<D>
  private let history: TrainingHistory<D>

  /// - Parameters:
  ///   - strategy: Has learned nothing yet and shares nothing with any other.
  ///   - history: Whose log is walked.
  init(_ strategy: any MatchProbabilityStrategy<D>, history: TrainingHistory<D>) {
    self.strategy = strategy
    self.history = history
  }

  /// One estimate for each place of the log that is asked about, in order. The fits, O(answers) for the
  /// walk, and the strategy once for each place.
  func estimates(
    _ part: OwnAnswers<D>.Part, progress: TrainingProgress
  ) async throws -> [MatchEstimate] {
    for trainable in strategy.trainables {
      try await HeldOutPredictor<D>.fit(trainable, part.known, progress)
    }
    var estimates: [MatchEstimate] = []
    estimates.reserveCapacity(part.asked.count)
    var viewers: [ViewerNumber: Memory] = [:]
    for (place, answer) in history.log.enumerated() {
      if place.isMultiple(of: 64) { try await progress.step(place, of: history.log.count) }
      if estimates.count < part.asked.count, part.asked[estimates.count] == place {
        estimates.append(try await estimate(answer, viewers[answer.viewer] ?? Memory()))
      }
      viewers[answer.viewer, default: Memory()].add(
        answer, keepsAll: strategy.needs.contains(.answersGiven))
      for learner in strategy.learners {
        HeldOutPredictor<D>.tell(answer, to: learner, history, viewerRow: nil)
      }
    }
    return estimates
  }

  private func estimate(_ answer: TrainingAnswer, _ memory: Memory) async throws -> MatchEstimate {
    let unknown = MatchEstimate(match: nil)
    // What is asked about was made of this table, so the card has a row.
    guard let row = history.table.row(of: answer.card) else { return unknown }
    let found = try await strategy.estimates(
      for: Slate(table: history.table, rows: [row], context: context(answer, memory)))
    return found.count == 1 ? found[0] : unknown
  }

  private func context(_ answer: TrainingAnswer, _ memory: Memory) -> DealContext<D> {
    let viewer =
      history.viewers[answer.viewer].map { ViewerIdentity.viewer($0, isMutual: false) }
      ?? ViewerID("\(answer.viewer.rawValue)")
    var seed = StableHash()
    seed.combine(viewer.bytes)
    return DealContext(
      viewer: viewer, number: answer.viewer, row: nil, deck: history.deck, now: answer.time,
      seed: seed.value, seen: memory.seen, answersReceived: [], answersGiven: memory.given
    ) { cards, _ in Array(repeating: 0, count: cards.count) }
  }

  /// What a deal knows of a viewer's answers so far.
  private struct Memory {
    var seen: [CardNumber: SeenEntry] = [:]
    var given: [GivenAnswer] = []

    mutating func add(_ answer: TrainingAnswer, keepsAll: Bool) {
      seen[answer.card] = SeenEntry(
        answer: .init(
          answer: answer.answer, meaning: answer.meaning, time: answer.time, event: answer.event))
      guard keepsAll else { return }
      given.append(
        GivenAnswer(
          card: answer.card, answer: answer.answer, meaning: answer.meaning, time: answer.time,
          event: answer.event))
    }
  }
}
