internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedSpacedRepetition

/// P(recall now) of each card, by a memory model and the viewer's own answers.
///
/// A card without an answer has no estimate. The answers are read from the log and folded once for
/// each viewer; what follows from them is kept for the viewers who came last, and taken back with an
/// answer that is taken back.
final class MemoryProbability<Model: MemoryModel>: MatchProbabilityStrategy, StudyMemory {
  typealias D = QuizDeck

  let schedule: MemorySchedule
  private let time: MemoryTime
  /// The model of a viewer, and what tells it from another one of the same viewer.
  private let model: @Sendable (ViewerID) -> (model: Model, parameters: [Double])
  private let records: Lock<RecentValues<ViewerID, Kept>>

  private struct Kept: Sendable {
    var record = LearnerRecord<Model>()
    var parameters: [Double] = []
    /// The zone of the latest answer.
    var zone: String?
  }

  /// - Parameters:
  ///   - time: The units of the model.
  ///   - schedule: How questions come back.
  ///   - viewers: How many viewers' records are kept, 1 or more.
  ///   - model: The model of a viewer.
  init(
    time: MemoryTime, schedule: MemorySchedule, viewers: Int = 1000,
    model: @escaping @Sendable (ViewerID) -> (model: Model, parameters: [Double])
  ) {
    self.time = time
    self.schedule = schedule
    self.model = model
    records = Lock(RecentValues(capacity: viewers))
  }

  var needs: ContextNeeds { .answersGiven }

  func moment(of context: DealContext<QuizDeck>) -> any StudyMoment {
    recordMoment(of: context)
  }

  private func recordMoment(of context: DealContext<QuizDeck>) -> RecordMoment<Model> {
    let (model, parameters) = model(context.viewer)
    let memory = Memory(
      model: model, time: time, schedule: schedule,
      ownDays: context.deck.zones.days(of: context.viewer, or: schedule.days))
    // Taken out while it is brought up to date, so that it is not copied.
    var kept = records.withLock { records in
      let kept = records[context.viewer]
      records[context.viewer] = nil
      return kept ?? Kept()
    }
    // Who moved before the last answer, as the host knows now, has other days.
    let zone = kept.record.latestAnswer.map { memory.days(at: $0).zone.name }
    if kept.parameters != parameters || kept.zone != zone { kept = Kept(parameters: parameters) }
    kept.record.update(context.answersGiven, by: memory)
    kept.zone = kept.record.latestAnswer.map { memory.days(at: $0).zone.name }
    records.withLock { $0[context.viewer] = kept }
    return RecordMoment(memory: memory, record: kept.record, now: context.now)
  }

  /// One learner's answers say little of how well a model suits them.
  var uncertainty: MatchUncertainty {
    .unknown(reason: "a model of memory does not say how well its state is known")
  }

  /// What the estimate follows from: days since the last answer, the days until P(recall) is .9, and
  /// how many answers and lapses there were.
  func reasons(for slate: Slate<QuizDeck>) async throws -> [EstimatePart] {
    let moment = recordMoment(of: slate.context)
    let cards = slate.numbers.map { moment.record.cards[$0] }
    func part(
      _ name: String, _ value: (CardMemory<Model.State>) -> Double?
    ) -> EstimatePart {
      EstimatePart(
        name: name,
        values: cards.map { card in card.flatMap { $0.state == nil ? nil : value($0) } ?? .nan })
    }
    return [
      part("days-since") { card in
        Double(moment.now.milliseconds - card.lastReview.milliseconds) / 86_400_000
      },
      part("stability-days") { card in card.state.map(moment.memory.model.stability) },
      part("answers") { Double($0.reviews) },
      part("lapses") { Double($0.lapses) },
    ]
  }

  func estimates(for slate: Slate<QuizDeck>) async throws -> MatchEstimates {
    let moment = recordMoment(of: slate.context)
    var estimates = MatchEstimates(count: slate.count)
    for (index, number) in slate.numbers.enumerated() {
      guard let recall = moment.recall(of: number) else { continue }
      estimates[index] = MatchEstimate(
        match: Probability(recall), forward: Probability(recall))
    }
    return estimates
  }
}
