/// What a training came to.
public struct TrainingReport: Sendable {
  /// How many answers the models were fitted to.
  public let answers: Int
  /// The place of the log up to which it was read.
  public let position: LogPosition
  /// The models, ready to be written.
  public let file: ModelFile
  /// For each model of the file what it scores beside answers, by name, for audits.
  public let scored: [[String]]
}

extension FeedEngine {
  private static var pageSize: Int { 10_000 }

  /// Fits every trainable strategy of the feed's pipelines to the answers that stand, and swaps
  /// their models. Deals and swipes go on meanwhile.
  ///
  /// Strategies that ask the pipeline are fitted last, with the models of this training. All models
  /// are fitted before the first one is swapped: when a fit fails, or the task is cancelled, every
  /// strategy keeps the model it had. Trainings run one after the other. Two
  /// trainings of the same log give the same bytes. Who is erased while it runs is in none of the
  /// new models.
  ///
  /// - Parameter progress: Told how far it is; called from the task of the training.
  /// - Throws: `FeedError.Code.training` if a strategy has no fit; `CancellationError`; what the
  ///   store throws.
  /// - Complexity: O(events), and the fits. All answers are held in memory.
  @discardableResult
  public func train(
    progress: @escaping @Sendable (TrainingStep) -> Void = { _ in }
  ) async throws -> TrainingReport {
    try await trainings.run {
      erasedDuringTraining.withLock { $0 = [] }
      defer { erasedDuringTraining.withLock { $0 = nil } }
      let history = try await history(TrainingProgress(report: progress))
      let trainings = pipelines.trainings
      let order =
        trainings.filter { !$0.strategy.asksPipeline }
        + trainings.filter { $0.strategy.asksPipeline }
      var fits: [FittedModel] = []
      var models = FittedModels()
      for (strategy, pipeline) in order {
        fits.append(try await fitted(strategy, pipeline, history, &models, progress))
      }
      // Whoever is erased from here on is taken out of the models that are in the slots.
      erasedDuringTraining.withLock { erased in
        for fit in fits { fit.install(erased ?? []) }
        erased = nil
      }
      let entries = fits.map { fit in
        ModelFile.Entry(
          identity: fit.identity, position: history.position, answers: history.answers.count,
          model: fit.bytes())
      }
      return TrainingReport(
        answers: history.answers.count, position: history.position,
        file: ModelFile(deck: D.name, entries: entries), scored: fits.map { $0.scored() })
    }
  }

  /// Puts models into the slots of the strategies they belong to; the others are left out.
  ///
  /// - Returns: How many strategies got a model.
  /// - Throws: `FeedError.Code.model` if a model cannot be read; no slot was changed then.
  @discardableResult
  package func install(_ file: ModelFile) throws -> Int {
    let replacements = try pipelines.trainables.compactMap { trainable in
      let slot = trainable.anySlot
      let entry = file.entries.first { $0.identity == slot.identity }
      return try entry.map { try slot.replacement(reading: $0.model) }
    }
    for replace in replacements { replace() }
    return replacements.count
  }

  private func fitted<S: TrainableStrategy<D>>(
    _ strategy: S, _ pipeline: Pipeline<D>, _ history: TrainingHistory<D>,
    _ models: inout FittedModels, _ progress: @escaping @Sendable (TrainingStep) -> Void
  ) async throws -> FittedModel {
    let slot = strategy.slot
    let progress = TrainingProgress(strategy: slot.identity, report: progress)
    let model: S.Model
    if strategy.asksPipeline {
      let history = history.asking(self.pipeline(pipeline, for: history))
      model = try await FittedModels.$current.withValue(models) {
        try await strategy.fit(history, progress: progress)
      }
    } else {
      model = try await strategy.fit(history, progress: progress)
    }
    models.add(model, in: slot)
    return FittedModel(identity: slot.identity) { erased in
      slot.replace(with: erased.reduce(model) { $0.forgetting($1) })
    } bytes: {
      slot.bytes ?? []
    } scored: {
      slot.scored
    }
  }

  /// What a fit asks a pipeline. Viewers are read from the store, and not into the sessions: a
  /// training asks about everybody, which would drive those out who are here.
  private func pipeline(
    _ pipeline: Pipeline<D>, for history: TrainingHistory<D>
  ) -> TrainingPipeline<D> {
    let (store, table, options) = (store, history.table, options)
    return TrainingPipeline(pipeline, table: table) { row in
      let number = table.number(at: row)
      let record = try await store.viewer(number, swipes: 0)
      let received =
        pipeline.needs.contains(.answersReceived)
        ? try await store.answersReceived(by: number, limit: options.answersReceivedLimit) : []
      let given =
        pipeline.needs.contains(.answersGiven)
        ? try await store.answersGiven(by: number) : []
      let impressions =
        pipeline.needs.contains(.impressions)
        ? try await store.impressions(of: number) : []
      var seed = StableHash()
      seed.combine(options.seed)
      seed.combine(table.id(at: row).bytes)
      return DealContext(
        viewer: table.id(at: row), number: number, row: history.deck.policy.isMutual ? row : nil,
        deck: history.deck, now: history.now, seed: seed.value, seen: record.seen,
        answersReceived: received, answersGiven: given, impressions: impressions,
        unansweredLikes: { try await store.unansweredLikes(of: $0, limit: $1) })
    }
  }

  /// The answers that stand.
  private func history(_ progress: TrainingProgress) async throws -> TrainingHistory<D> {
    let now = clock.now
    let end = try await store.lastPosition()
    var answers: [TrainingAnswer] = []
    var position = LogPosition.start
    while position < end {
      let page = try await store.events(after: position, limit: Self.pageSize)
      guard let last = page.last?.position else { break }
      for event in page where event.position <= end {
        guard event.kind == .swipe, !event.isRewound, let card = event.card,
          let meaning = event.meaning
        else { continue }
        answers.append(
          TrainingAnswer(
            viewer: event.viewer, card: card, answer: event.answer ?? "", meaning: meaning,
            time: event.time,
            event: event.position))
      }
      position = last
      try await progress.step(Int(min(position, end).rawValue), of: Int(end.rawValue))
    }
    var latest: [AnsweredPair: LogPosition] = [:]
    for answer in answers { latest[AnsweredPair(answer)] = answer.event }
    return TrainingHistory(
      answers: answers.filter { latest[AnsweredPair($0)] == $0.event }, log: answers,
      viewers: try await identities(of: answers), table: catalogue.table, deck: deck, now: now,
      position: end)
  }

  private func identities(of answers: [TrainingAnswer]) async throws -> [ViewerNumber: CardID] {
    let viewers = Set(answers.map(\.viewer)).sorted()
    let ids = try await store.ids(for: viewers)
    return Dictionary(
      uniqueKeysWithValues: zip(viewers, ids).compactMap { viewer, id in id.map { (viewer, $0) } })
  }

  /// Takes an erased viewer out of every model, also of one that is being fitted.
  func forgetInModels(_ viewer: ViewerID) {
    let identity = ViewerIdentity.stored(viewer, isMutual: deck.policy.isMutual)
    erasedDuringTraining.withLock { erased in
      erased?.append(identity)
      states.forget(identity)
    }
  }
}

/// A model that was fitted, of any kind.
private struct FittedModel: Sendable {
  let identity: String
  /// Puts it into its slot, without those who were erased meanwhile.
  let install: @Sendable ([CardID]) -> Void
  /// The bytes of what lies in the slot.
  let bytes: @Sendable () -> [UInt8]
  let scored: @Sendable () -> [String]
}

extension TrainingHistory {
  /// The same, for a fit that asks the pipeline.
  fileprivate func asking(_ pipeline: TrainingPipeline<D>) -> TrainingHistory {
    TrainingHistory(
      answers: answers, log: log, viewers: viewers, table: table, deck: deck, now: now,
      position: position,
      pipeline: pipeline)
  }
}

private struct AnsweredPair: Hashable {
  let viewer: ViewerNumber
  let card: CardNumber

  init(_ answer: TrainingAnswer) {
    viewer = answer.viewer
    card = answer.card
  }
}
