extension FeedEngine {
  private static var pageSize: Int { 10_000 }

  /// Brings a learner's numbers up to the end of the log: its blob, then what later events added.
  /// Swipes from a time without this learner are learned from now, in the order of the log.
  ///
  /// - Returns: The place of the log up to which it has learned.
  @discardableResult
  func load(_ learner: any Learner<D>) async throws -> LogPosition {
    guard states.existing(learner.identity) === learner.numbers else {
      throw FeedError(
        .badInput,
        "the learner '\(learner.identity)' was built with other learner states than the feed's",
        hint: "build every pipeline of a feed with the feed's own learner states")
    }
    // A learner that was here before, and left with a reload, still has its old numbers.
    learner.numbers.clear()
    let blob = try await store.learnerBlob(learner.identity)
    if let blob {
      guard blob.stride == learner.numbers.stride else {
        throw FeedError(
          .storedImage,
          "the learner '\(learner.identity)' keeps \(learner.numbers.stride) numbers an owner, "
            + "its blob holds \(blob.stride)",
          hint: "a learner whose numbers change their meaning needs a new identity")
      }
      learner.numbers.apply(blob.numbers)
    }
    return try await catchUp(learner, after: blob?.position ?? .start)
  }

  /// Learns the rest of the log. Returns where it ends.
  func catchUp(_ learner: any Learner<D>, after start: LogPosition) async throws -> LogPosition {
    if let counter = learner as? any ImpressionLearner<D> {
      return try await count(counter, into: learner.numbers, after: start, until: nil)
    }
    var position = start
    while true {
      let events = try await store.events(after: position, limit: Self.pageSize)
      guard let end = events.last?.position else { return position }
      try await learn(events, learner)
      position = end
    }
  }

  private func learn(_ events: [LoggedEvent], _ learner: any Learner<D>) async throws {
    guard let first = events.first?.position, let last = events.last?.position else { return }
    let before = LogPosition(first.rawValue - 1)
    var known: [LogPosition: [Increment]] = [:]
    var start = before
    pages: while true {
      let page = try await store.learnerDeltas(
        of: learner.identity, after: start, limit: Self.pageSize)
      for (position, increments) in page {
        if position > last { break pages }
        known[position, default: []].append(contentsOf: increments)
      }
      guard let end = page.last?.position, page.count == Self.pageSize else { break }
      start = end
    }
    let table = catalogue.table
    var missing: [(position: LogPosition, increments: [Increment])] = []
    for event in events {
      if let increments = known[event.position] {
        learner.numbers.apply(increments)
      } else if event.kind == .swipe, !event.isRewound, let card = event.card,
        let meaning = event.meaning
      {
        let increments = learner.increments(
          for: LearningEvent(
            viewer: event.viewer, card: card,
            viewerRow: deck.policy.isMutual ? table.row(of: event.viewer) : nil,
            cardRow: table.row(of: card), table: table, meaning: meaning, time: event.time,
            policy: deck.policy))
        guard !increments.isEmpty else { continue }
        learner.numbers.apply(increments)
        missing.append((event.position, increments))
      }
    }
    if !missing.isEmpty { try await store.save(missing, of: learner.identity) }
  }

  /// Folds what events added since the last blob into a new one, for each learner. Works on what is
  /// durable, so it may run beside swipes.
  public func saveLearners() async throws {
    try await learnerSaves.run { try await foldIntoBlobs() }
  }

  /// Saves the learners beside everything else, once enough was learned.
  private func saveLearnersWhenDue(_ events: Int) {
    let isDue = unsaved.withLock { unsaved in
      unsaved += events
      // The count goes far below zero, so that nobody else starts before this save has run.
      guard unsaved >= options.learnerSaveInterval else { return false }
      unsaved = .min / 2
      return true
    }
    // A save that fails is made up for by the next one, and by the log.
    if isDue { Task(priority: .utility) { try? await saveLearners() } }
  }

  /// What `saveLearners` does, for whoever is in its lane already.
  func foldIntoBlobs() async throws {
    unsaved.withLock { $0 = 0 }
    for learner in pipelines.learners {
      let end = try await store.lastPosition()
      let blob = try await store.learnerBlob(learner.identity)
      var position = blob?.position ?? .start
      guard position < end else { continue }
      let sum = LearnedNumbers(stride: learner.numbers.stride)
      sum.apply(blob?.numbers ?? [])
      if let counter = learner as? any ImpressionLearner<D> {
        _ = try await count(counter, into: sum, after: position, until: end)
      }
      while true {
        let page = try await store.learnerDeltas(
          of: learner.identity, after: position, limit: Self.pageSize)
        for (at, increments) in page where at <= end { sum.apply(increments) }
        guard let last = page.last?.position, last < end, page.count == Self.pageSize else { break }
        position = last
      }
      try await store.save(
        LearnerBlob(position: end, stride: sum.stride, numbers: sum.nonzero()),
        of: learner.identity)
    }
  }

  /// What an event adds, for every learner that learns anything from it.
  func deltas(for event: LearningEvent<D>) -> [LearnerDelta] {
    pipelines.learners.compactMap { learner in
      let increments = learner.increments(for: event)
      return increments.isEmpty
        ? nil : LearnerDelta(learner: learner.identity, increments: increments)
    }
  }

  /// Adds what an event added, or takes it back. Learners that a reload is about to bring, or has
  /// taken away, read it from the log.
  func apply(_ deltas: [LearnerDelta], sign: Int64) {
    guard !deltas.isEmpty else { return }
    saveLearnersWhenDue(1)
    let learners = pipelines.learners
    for delta in deltas {
      learners.first { $0.identity == delta.learner }?
        .numbers.apply(delta.increments, sign: sign)
    }
  }
}

extension FeedEngine {
  /// Adds the impressions of a part of the log to numbers. Returns where it ends. O(events).
  private func count(
    _ counter: any ImpressionLearner<D>, into numbers: LearnedNumbers, after start: LogPosition,
    until end: LogPosition?
  ) async throws -> LogPosition {
    var position = start
    while true {
      let events = try await store.events(after: position, limit: Self.pageSize)
      guard let last = events.last?.position else { return position }
      let table = catalogue.table
      for event in events where event.kind == .impression {
        if let end, event.position > end { return end }
        guard let card = event.card else { continue }
        let impression = self.impression(
          of: card, by: event.viewer, at: event.time, for: event.dwell, in: table)
        numbers.apply(counter.increments(forImpression: impression, over: numbers))
      }
      position = last
    }
  }

  /// Counts an impression that has become durable, one after the other: reading and adding are one, so
  /// two impressions of one moment cannot come between each other.
  func count(
    _ card: CardNumber, shownTo viewer: ViewerNumber, at time: Timestamp, for dwell: Dwell?
  ) async {
    let counters = pipelines.learners.compactMap { $0 as? any ImpressionLearner<D> }
    guard !counters.isEmpty else { return }
    let event = impression(of: card, by: viewer, at: time, for: dwell, in: catalogue.table)
    await counting.run {
      for counter in counters {
        counter.numbers.apply(
          counter.increments(forImpression: event, over: counter.numbers))
      }
    }
    saveLearnersWhenDue(1)
  }

  private func impression(
    of card: CardNumber, by viewer: ViewerNumber, at time: Timestamp, for dwell: Dwell?,
    in table: CardTable<D>
  ) -> LearningEvent<D> {
    LearningEvent(
      viewer: viewer, card: card, viewerRow: deck.policy.isMutual ? table.row(of: viewer) : nil,
      cardRow: table.row(of: card), table: table, meaning: .neutral, time: time,
      dwell: dwell)
  }
}
