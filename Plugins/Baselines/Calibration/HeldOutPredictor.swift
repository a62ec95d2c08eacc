internal import CardFeed

/// Tells a strategy a part of a history and asks it about the rest, as deals would.
struct HeldOutPredictor<D: Deck> {
  private let strategy: any MatchProbabilityStrategy<D>
  private let history: TrainingHistory<D>

  /// - Parameters:
  ///   - strategy: Has learned nothing yet and shares nothing with any other.
  ///   - history: Whose table is asked about.
  init(_ strategy: any MatchProbabilityStrategy<D>, history: TrainingHistory<D>) {
    self.strategy = strategy
    self.history = history
  }

  /// One estimate for each pair that is asked about, in order.
  func predictions(
    _ part: HeldOutSplit<D>.Part, progress: TrainingProgress
  ) async throws -> [MatchEstimate] {
    for learner in strategy.learners {
      for answer in part.known {
        Self.tell(answer, to: learner, history, viewerRow: history.table.row(of: answer.viewer))
      }
    }
    let known = TrainingHistory(
      answers: part.known, table: history.table, deck: history.deck, now: history.now,
      position: history.position)
    for trainable in strategy.trainables { try await Self.fit(trainable, known, progress) }

    var estimates = Array(repeating: MatchEstimate(match: nil), count: part.asked.count)
    let contexts = Contexts(part.known, history: history)
    let byViewer = Dictionary(grouping: part.asked.indices) { part.asked[$0].viewer }
    let viewers = byViewer.sorted { $0.key < $1.key }
    for (done, (viewer, places)) in viewers.enumerated() {
      if done.isMultiple(of: 64) { try await progress.step(done, of: viewers.count) }
      guard let row = history.table.row(of: viewer) else { continue }
      // The pairs were made of this table, so each card has a row.
      let asked = places.compactMap { place in
        history.table.row(of: part.asked[place].card).map { (place: place, row: $0) }
      }
      let found = try await strategy.estimates(
        for: Slate(
          table: history.table, rows: asked.map(\.row), context: contexts.context(of: row)))
      guard found.count == asked.count else { continue }
      for (index, one) in asked.enumerated() { estimates[one.place] = found[index] }
    }
    return estimates
  }

  /// Fits one of the strategies and puts its model in.
  static func fit<S: TrainableStrategy<D>>(
    _ trainable: S, _ history: TrainingHistory<D>, _ progress: TrainingProgress
  ) async throws {
    trainable.slot.replace(with: try await trainable.fit(history, progress: progress))
  }

  /// Counts an answer as a feed does.
  static func tell(
    _ answer: TrainingAnswer, to learner: any Learner<D>, _ history: TrainingHistory<D>,
    viewerRow: Row?
  ) {
    let event = LearningEvent(
      viewer: answer.viewer, card: answer.card, viewerRow: viewerRow,
      cardRow: history.table.row(of: answer.card), table: history.table,
      meaning: answer.meaning, time: answer.time, policy: history.deck.policy)
    learner.numbers.apply(learner.increments(for: event))
  }
}

/// What a deal of each viewer would know of a part of a history.
private struct Contexts<D: Deck> {
  private let history: TrainingHistory<D>
  private var given: [CardNumber: [TrainingAnswer]]
  private var received: [CardNumber: [TrainingAnswer]]

  init(_ known: [TrainingAnswer], history: TrainingHistory<D>) {
    self.history = history
    given = Dictionary(grouping: known) { $0.viewer }
    received = Dictionary(grouping: known) { $0.card }
  }

  func context(of row: Row) -> DealContext<D> {
    let table = history.table
    let number = table.number(at: row)
    var seen: [CardNumber: SeenEntry] = [:]
    for answer in given[number] ?? [] {
      // The raw answer is not part of a history; strategies go by what it means.
      seen[answer.card] = SeenEntry(
        answer: .init(
          answer: "", meaning: answer.meaning, time: answer.time, event: answer.event))
    }
    var seed = StableHash()
    seed.combine(table.id(at: row).bytes)
    return DealContext(
      viewer: table.id(at: row), number: number, row: row, deck: history.deck, now: history.now,
      seed: seed.value, seen: seen,
      answersReceived: (received[number] ?? []).reversed().map {
        ReceivedAnswer(from: $0.viewer, meaning: $0.meaning, time: $0.time)
      }
    ) { [given, received] cards, limit in
      cards.map { card in
        let answered = Set((given[card] ?? []).map(\.card))
        let waiting = (received[card] ?? []).count {
          $0.meaning == .positive && !answered.contains($0.viewer)
        }
        return min(waiting, limit)
      }
    }
  }
}
