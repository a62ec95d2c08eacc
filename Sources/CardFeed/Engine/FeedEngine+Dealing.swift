internal import CardFeedStack

extension FeedEngine {
  /// The pipeline of a viewer, taken once for an operation.
  typealias Assignment = (variant: String?, pipeline: Pipeline<D>)

  /// The viewer's hand, refilled if it has run low.
  public func hand(for viewer: ViewerID) async throws -> Hand<D.Card> {
    try await withSession(viewer) { session in
      var table = try await checked(session)
      // A card may change while a deal finds it; then it is made up for.
      for _ in 0..<4 {
        let assigned = pipelines.pipeline(for: viewer)
        guard session.stack.upcomingCount < assigned.pipeline.hand.refillBelow else { break }
        try await deal(to: session, by: assigned, replacing: false)
        let dealt = session.stack.upcomingCount
        table = try await checked(session)
        if session.stack.upcomingCount == dealt { break }
      }
      return present(session, in: table)
    }
  }

  /// Replaces what the viewer holds by a new deal.
  public func redeal(for viewer: ViewerID) async throws -> Hand<D.Card> {
    try await withSession(viewer) { session in
      let assigned = pipelines.pipeline(for: viewer)
      try await deal(to: session, by: assigned, replacing: true)
      return present(session, in: try await checked(session))
    }
  }

  private func present(_ session: ViewerSession, in table: CardTable<D>) -> Hand<D.Card> {
    let size = pipelines.pipeline(for: session.viewer).pipeline.hand.size
    let shown = session.stack.upcoming.filter { !session.hidden.contains($0.id) }
    let shortfall = session.hidden.isEmpty ? session.shortfall : .degraded
    return Hand(
      cards: shown.compactMap { dealt($0, in: table) },
      shortfall: shown.count < size ? shortfall : nil, degradations: session.degradations,
      generation: session.stack.generation)
  }

  /// Takes cards out of the hand, in the store and in memory. Returned ones count as not dealt.
  ///
  /// - Returns: False where another process had moved the hand. Nothing was taken out then, and the
  ///   session holds the hand that is there.
  func remove(
    _ cards: [CardNumber], from session: ViewerSession, isReturn: Bool = false
  ) async throws -> Bool {
    var stack = session.stack
    let accounting = stack.remove(cards)
    guard accounting.removedUpcoming + accounting.removedHistory > 0 else { return true }
    // Another process with the hand of before must not write it back.
    stack.startGeneration()
    let returned = isReturn ? session.returning(cards) : session.returned
    guard
      try await store.save(
        session.storedStack(stack, returned: returned), of: session.number,
        basis: session.revision)
    else {
      try await load(session)
      return false
    }
    session.stack = stack
    if isReturn {
      session.setReturned(returned)
    } else {
      session.displaced.removeAll { cards.contains($0.card.id) }
    }
    return true
  }

  /// Plans a deal, makes it durable, and only then lets the hand show it. One pipeline does all of
  /// it, even if another is published meanwhile.
  func deal(
    to session: ViewerSession, by assigned: Assignment, replacing: Bool
  ) async throws {
    let hand = assigned.pipeline.hand
    // A card can be blocked between the last filter and the commit, and another process can move the
    // hand; then the deal is planned anew.
    for attempt in 0..<4 {
      let held = replacing ? 0 : session.stack.upcomingCount
      // Another process may have dealt all that is wanted.
      if attempt > 0, !replacing, held >= hand.refillBelow { return }
      let plan = try await plan(
        hand.size - held, for: session, by: assigned, inHand: replacing ? [] : session.inHand,
        namesCandidates: false)
      let changes = !plan.cards.isEmpty || (replacing && !session.stack.isEmpty)
      if changes {
        switch try await commit(plan, to: session, by: assigned, replacing: replacing) {
        case .dealt: break
        case .blocked: continue
        case .stale:
          try await load(session)
          try await checked(session)
          continue
        }
      }
      session.shortfall = plan.shortfall
      session.degradations = plan.degradations
      session.cursors = plan.cursors
      session.ranDry = plan.ranDry
      return
    }
    session.shortfall = .degraded
  }

  private func commit(
    _ plan: DealPlan, to session: ViewerSession, by assigned: Assignment, replacing: Bool
  ) async throws -> DealDecision {
    let (variant, pipeline) = assigned
    let cards = plan.cards.map {
      HandCard($0, fingerprint: pipeline.fingerprint, variant: variant)
    }
    let stack = try filled(session.stack, with: cards, hand: pipeline.hand, replacing: replacing)
    let now = clock.now
    let dealt = Set(plan.cards.map(\.number))
    let returned = session.returned.filter { !dealt.contains($0) }
    let makeStored: @Sendable (LogPosition) -> StoredStack = { [stack] position in
      Self.stored(stack, deal: position, returned: returned)
    }
    let decision = try await store.commit(
      DealCommand(
        viewer: session.number, time: now, fingerprint: pipeline.fingerprint,
        exposures: plan.cards.enumerated().map { place, card in
          Exposure(
            card: card.number, position: place, score: card.numbers.score.value,
            probability: card.numbers.estimate.match?.value, propensity: card.propensity)
        }, basis: session.revision, stack: makeStored))
    guard case .dealt(let position) = decision else { return decision }
    session.displace(dealt)
    session.stack = Self.marking(stack, deal: position)
    session.returned = returned
    session.deals += 1
    // The deal stands, whatever another process did to the hand: what it took back is not counted.
    session.spent = nil
    for card in plan.cards { session.seen[card.number, default: SeenEntry()].dealtAt = now }
    if broadcast.hasListeners { broadcast.send(.dealt(plan.trace, deal: position)) }
    return decision
  }

  private func filled(
    _ old: HandStack, with cards: [HandCard], hand: HandPolicy, replacing: Bool
  ) throws -> HandStack {
    var stack = old
    if stack.capacity < hand.size || stack.historyLimit != hand.rewind {
      stack = try resized(stack, for: hand)
    }
    // A card that returns leaves the past: it cannot lie in a stack twice. The session keeps its swipe.
    _ = stack.remove(cards.map(\.id).filter { stack.hasSeen($0) })
    let accepted: Int
    if replacing {
      let accounting = stack.replaceUpcoming(with: cards)
      // The very same cards in the same order stay where they are, with their new numbers.
      accepted = accounting.isUnchanged ? cards.count : accounting.inserted
    } else {
      accepted = stack.append(cards).inserted
    }
    guard accepted == cards.count else {
      throw FeedError(
        .strategyFault,
        "a deal of \(cards.count) cards fitted only \(accepted) into the hand",
        hint: "this is a fault of the engine; please report it with the configuration")
    }
    return stack
  }

  private func resized(_ old: HandStack, for hand: HandPolicy) throws -> HandStack {
    do {
      return try HandStack(
        restoring: old.history.suffix(hand.rewind), upcoming: Array(old.upcoming),
        topPosition: old.topPosition, generation: old.generation,
        capacity: max(hand.size, old.upcomingCount), historyLimit: hand.rewind)
    } catch {
      throw FeedError(.storedImage, "a hand does not fit its new size: \(error)")
    }
  }

  private static func stored(
    _ stack: HandStack, deal: LogPosition, returned: [CardNumber]
  ) -> StoredStack {
    let cards = stack.upcoming.map { card in
      var card = card
      if card.deal == .start { card.deal = deal }
      return card
    }
    let top = Int64(stack.topPosition.value)
    return StoredStack(
      generation: Int64(stack.generation), top: top, imageStart: top,
      image: HandImage.encode(cards, returned: returned))
  }

  /// The stack with the deal's place in the log on the cards that it brought.
  private static func marking(_ stack: HandStack, deal: LogPosition) -> HandStack {
    var stack = stack
    stack.updateUpcoming { if $0.deal == .start { $0.deal = deal } }
    return stack
  }

  /// Runs the viewer's pipeline without changing anything.
  func plan(
    _ wanted: Int, for session: ViewerSession, by assigned: Assignment, inHand: Set<CardNumber>,
    namesCandidates: Bool
  ) async throws -> DealPlan {
    let (variant, pipeline) = assigned
    let dealSeed = seed(for: session.viewer, deal: session.deals)
    var sample = SplitMix64(seed: dealSeed)
    let isSampled = options.traceShare > 0 && sample.unitInterval() < options.traceShare
    let context = try await context(for: session, pipeline: pipeline, seed: dealSeed)
    if !namesCandidates { await replenish(pipeline, context: context, inHand: inHand) }
    if session.cursorFingerprint != pipeline.fingerprint {
      session.cursors = [:]
      session.ranDry = false
      session.cursorFingerprint = pipeline.fingerprint
    }
    var run = DealRun<D, Clock, Generator>(
      DealRequest(
        pipeline: pipeline, variant: variant, table: catalogue.table, context: context,
        tieSeed: seed(for: session.viewer), wanted: wanted, inHand: inHand,
        cursors: session.cursors, ranDry: session.ranDry,
        namesCandidates: namesCandidates || isSampled), clock: clock)
    return try await run.run()
  }

  private func replenish(
    _ pipeline: Pipeline<D>, context: DealContext<D>, inHand: Set<CardNumber>
  ) async {
    for source in pipeline.sources {
      guard let source = source.strategy as? any ReplenishingSource<D> else { continue }
      await source.replenish(for: context, table: catalogue.table, inHand: inHand) { cards in
        try await put(cards)
      }
    }
  }

  func context(
    for session: ViewerSession, pipeline: Pipeline<D>, seed: UInt64
  ) async throws -> DealContext<D> {
    try await context(
      for: session, in: catalogue.table, needs: pipeline.needs, seen: session.seen, seed: seed,
      now: clock.now)
  }

  func context(
    for session: ViewerSession, in table: CardTable<D>, needs: ContextNeeds,
    seen: [CardNumber: SeenEntry], seed: UInt64, now: Timestamp
  ) async throws -> DealContext<D> {
    let received =
      needs.contains(.answersReceived)
      ? try await store.answersReceived(
        by: session.number, limit: options.answersReceivedLimit) : []
    if needs.contains(.answersGiven) && session.given == nil {
      session.given = try await store.answersGiven(by: session.number)
    }
    if needs.contains(.impressions) && session.shown == nil {
      session.shown = try await store.impressions(of: session.number)
    }
    return DealContext(
      viewer: session.viewer, number: session.number,
      row: deck.policy.isMutual ? table.row(of: session.number) : nil, deck: deck,
      now: now, seed: seed, seen: seen, answersReceived: received,
      answersGiven: needs.contains(.answersGiven) ? session.given ?? [] : [],
      impressions: needs.contains(.impressions) ? session.shown ?? [] : [],
      unansweredLikes: { [store] in try await store.unansweredLikes(of: $0, limit: $1) })
  }
}
