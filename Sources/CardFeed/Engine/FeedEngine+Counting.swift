internal import CardFeedStack

extension FeedEngine {
  /// How many of those who like the viewer can be dealt: the ones that the viewer would meet, each
  /// once, by swiping until no card comes. People who like somebody and are removed by a filter are
  /// not counted, so that no number promises what no hand will hold.
  ///
  /// There is no predicate beside the pipeline's: those who like the viewer are sent through its
  /// filters as a deal sends its candidates, soft ones relaxed as far as they go. Who lies in the
  /// hand counts. Sources are taken to reach everybody sooner or later; slate rules only put off.
  /// The number tells nobody's name, but where there are few it may be guessed from how it moves.
  ///
  /// - Returns: 0 in a deck whose cards answer nothing.
  /// - Throws: What the store throws; `FeedError.Code.strategyFault`.
  /// - Complexity: O(answers received), with one question for these to the store.
  public func likesReceived(for viewer: ViewerID) async throws -> DealableCount {
    guard deck.policy.isMutual else { return DealableCount(count: 0, isExact: true) }
    return try await withSession(viewer) { session in
      try await checked(session)
      let assigned = pipelines.pipeline(for: viewer)
      let context = try await context(
        for: session, pipeline: assigned.pipeline, seed: seed(for: viewer, deal: session.deals))
      let received =
        assigned.pipeline.needs.contains(.answersReceived)
        ? context.answersReceived
        : try await store.answersReceived(
          by: session.number, limit: options.answersReceivedLimit)
      let likers = Set(received.filter { $0.meaning == .positive }.map(\.from))
      let inHand = session.inHand.subtracting(session.hidden)
      let found = try await eligible(
        likers.subtracting(inHand).sorted(), for: session, by: assigned, context: context)
      return DealableCount(
        count: likers.intersection(inHand).count + found.count,
        isExact: found.isExact && received.count < options.answersReceivedLimit)
    }
  }

  /// Which of some cards the pipeline's filters let through, with every relaxation there is.
  private func eligible(
    _ cards: [CardNumber], for session: ViewerSession, by assigned: Assignment,
    context: DealContext<D>
  ) async throws -> (count: Int, isExact: Bool) {
    let table = catalogue.table
    let rows = cards.compactMap { table.row(of: $0) }
    guard !rows.isEmpty else { return (0, true) }
    var run = DealRun<D, Clock, Generator>(
      DealRequest(
        pipeline: assigned.pipeline.proposing(rows), variant: assigned.variant, table: table,
        context: context, tieSeed: seed(for: session.viewer), wanted: rows.count,
        inHand: session.inHand, cursors: [:], ranDry: false, namesCandidates: false),
      clock: clock)
    return try await run.countEligible()
  }
}

/// How many cards can be dealt.
public struct DealableCount: Hashable, Sendable {
  /// How many.
  public let count: Int
  /// Whether it is all of them. If not, there may be more: the viewer has more answers than the feed
  /// reads (`FeedOptions.answersReceivedLimit`), or a filter could not decide at the moment.
  public let isExact: Bool
}

/// Proposes given cards, all at once.
private struct GivenRows<D: Deck>: CandidateSource {
  let rows: [Row]

  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage { SourcePage(rows: rows, next: nil) }
}

extension Pipeline {
  /// The pipeline with no other source than these rows, and with all the time it needs.
  fileprivate func proposing(_ rows: [Row]) -> Pipeline {
    var pipeline = self
    pipeline.sources = [
      Source(name: "given", limit: max(1, rows.count), strategy: GivenRows<D>(rows: rows))
    ]
    pipeline.hand.timeBudget = nil
    return pipeline
  }
}

extension DealRun {
  /// Gathers as a deal does until nothing can be relaxed any more, and counts what is left.
  fileprivate mutating func countEligible() async throws -> (count: Int, isExact: Bool) {
    try await gather(.max)
    if pipeline.hand.unscored == .exclude, candidates.eligibleCount > 0 {
      _ = try await rank(candidates.eligible)
    }
    var count = 0
    var isExact = plan.degradations.isEmpty
    for fate in candidates.fates {
      switch fate {
      case .eligible, .withheld, .outranked, .dealt: count += 1
      // Safety data that could not be read; other filters say so of what nobody will ever know.
      case .unavailable(let filter) where pipeline.filters[filter].name == "blocked":
        isExact = false
      case .removed, .unavailable, .unscored: break
      }
    }
    return (count, isExact)
  }
}
