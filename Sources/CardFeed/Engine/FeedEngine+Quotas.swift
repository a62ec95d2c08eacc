extension FeedEngine {
  /// What is left of each quota of the viewer's pipeline, in the order of the configuration; empty
  /// without quotas.
  ///
  /// - Throws: What the store throws.
  /// - Complexity: O(swipes of the span), and once after each deal O(swipes of the viewer).
  public func allowances(for viewer: ViewerID) async throws -> [Allowance] {
    try await withSession(viewer) { session in
      try await allowances(limits(for: session, at: clock.now), of: session)
    }
  }

  /// The quota that an answer would break; of several the one that ends last. Nil where the answer
  /// is allowed; `isLimited` says whether any quota counts it. Nothing is read for one that none
  /// counts.
  func exhausted(
    by answer: String, of session: ViewerSession, at now: Timestamp
  ) async throws -> (quota: Allowance?, isLimited: Bool) {
    let limits = limits(for: session, at: now)
    guard limits.contains(where: { $0.limit.answers.contains(answer) }) else { return (nil, false) }
    let exhausted = try await allowances(limits, of: session).filter {
      $0.answers.contains(answer) && $0.remaining == 0
    }
    return (exhausted.max { $0.end < $1.end }, true)
  }

  /// A quota's name and what it allows the viewer now.
  private typealias NamedLimit = (quota: String, limit: QuotaLimit)

  private func limits(for session: ViewerSession, at now: Timestamp) -> [NamedLimit] {
    let quotas = pipelines.pipeline(for: session.viewer).pipeline.quotas
    guard !quotas.isEmpty else { return [] }
    let table = catalogue.table
    let context = QuotaContext<D>(
      viewer: session.viewer,
      row: deck.policy.isMutual ? table.row(of: session.number) : nil, table: table, now: now)
    return quotas.compactMap { quota in
      quota.strategy.limit(for: context).map { (quota.name, $0) }
    }
  }

  private func allowances(
    _ limits: [NamedLimit], of session: ViewerSession
  ) async throws -> [Allowance] {
    guard let start = limits.map(\.limit.span.lowerBound).min() else { return [] }
    if session.spent.map({ $0.since > start }) ?? true {
      session.spent = SpentAnswers(
        since: start, answers: try await store.handAnswers(of: session.number, since: start))
    }
    session.spent?.forget(before: start)
    return limits.map { quota, limit in
      Allowance(limit, of: quota, used: session.spent?.count(limit) ?? 0)
    }
  }
}

/// The answers of a viewer's hands that stand, since a moment: what quotas count.
struct SpentAnswers: Equatable {
  private(set) var since: Timestamp
  private(set) var answers: [DatedAnswer]

  func count(_ limit: QuotaLimit) -> Int {
    answers.count { limit.answers.contains($0.answer) && limit.span.contains($0.time) }
  }

  mutating func add(_ answer: DatedAnswer) {
    if answer.time >= since { answers.append(answer) }
  }

  mutating func remove(_ event: LogPosition) { answers.removeAll { $0.event == event } }

  /// A later question about older answers reads them anew.
  mutating func forget(before start: Timestamp) {
    guard start > since else { return }
    since = start
    answers.removeAll { $0.time < start }
  }
}
