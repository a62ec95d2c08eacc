extension FeedEngine {
  /// Swaps the pipelines as one. Hands keep the cards they have, with the fingerprint that dealt
  /// them, until they are judged anew, by the filters that are then in force; the next deals are the
  /// new pipelines'. New learners first learn from the log, beside swipes; for what was swiped
  /// meanwhile, swipes wait a moment, so that none is learned twice or not at all.
  ///
  /// - Throws: What the store throws; `FeedError.Code.badInput` if a learner was built with other
  ///   learner states. The old pipelines stay in force then.
  /// - Complexity: O(events since the new learners were last saved).
  public func reload(_ pipelines: PipelineSet<D>) async throws {
    // Nothing may leave the log while it is read.
    try await reloads.run {
      try await learnerSaves.run {
        try await foldIntoBlobs()
        let known = self.pipelines.learners.map { ($0.identity, ObjectIdentifier($0.numbers)) }
        var taught: [(learner: any Learner<D>, until: LogPosition)] = []
        for learner in pipelines.learners
        where !known.contains(where: {
          $0 == (learner.identity, ObjectIdentifier(learner.numbers))
        }) { taught.append((learner, try await load(learner))) }
        try await teaching.close {
          for (learner, position) in taught { try await finish(learner, after: position) }
          current.withLock { $0 = pipelines }
        }
        states.keep(only: pipelines.trainables.map { $0.anySlot })
      }
    }
  }

  /// Learns what has come since, when nothing else comes.
  private func finish(_ learner: any Learner<D>, after start: LogPosition) async throws {
    let last = lastTaught.withLock { $0 }
    var position = start
    // A store of many processes shows an event only once nobody can come before it any more.
    for _ in 0..<3 {
      position = try await catchUp(learner, after: position)
      if position >= last { return }
    }
    throw FeedError(
      .store, "the store does not show the end of its log, which a new learner has to learn",
      hint: "reload again once no long transaction of another process holds the log back")
  }

  /// Notes that an event is durable which learners are taught by, inside of the gate.
  func noteTaught(_ event: LogPosition) { lastTaught.withLock { $0 = max($0, event) } }
}
