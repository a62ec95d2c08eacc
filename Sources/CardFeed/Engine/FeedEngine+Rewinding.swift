internal import CardFeedStack

extension FeedEngine {
  /// Takes the viewer's last swipe back: the card, the counters, what learners learned and a match
  /// that rests on it are as before. A card that may not be shown any more does not come back.
  public func rewind(
    for viewer: ViewerID, event: EventID
  ) async throws -> RewindOutcome<D.Card> {
    try await withSession(viewer) { session in
      for _ in 0..<4 {
        if let outcome = try await rewind(session, event: event) { return outcome }
        // Another process has moved the hand, or answered the card anew.
        try await load(session)
      }
      throw Self.movingHand
    }
  }

  /// Nil where the hand in memory is not the one that is there.
  private func rewind(
    _ session: ViewerSession, event: EventID
  ) async throws -> RewindOutcome<D.Card>? {
    try await checked(session)
    var stack = session.stack
    let displaced = session.lastDisplaced
    let record: PastSwipe
    do {
      if let displaced {
        stack = try stack.takingBack(displaced)
        record = displaced
      } else {
        record = try stack.rewind().record
      }
    } catch {
      if try await isRepeated(event, by: session) { return .repeated }
      let hasSwiped = session.seen.values.contains { $0.answer != nil }
      return hasSwiped ? .tooOld : .nothingToRewind
    }
    // Another process may hold this hand. With a swipe after the rewind its top would be where it
    // was, and what it has counted for quotas would not be what stands.
    stack.startGeneration()
    var returned = session.returned
    // One that was dealt again and does not wait in the hand was taken out since.
    let isGone = displaced != nil && !session.inHand.contains(record.card.id)
    if isGone || session.unfitPast.contains(record.card.id) {
      stack.remove([record.card.id])
      returned = session.returning([record.card.id])
    } else if record.card.isBare {
      stack = try await completed(stack, record.card)
    }
    let command = RewindCommand(
      viewer: session.number, event: event, swipe: record.answer.event, time: clock.now,
      basis: session.revision, stack: session.storedStack(stack, returned: returned))
    let decision = try await teaching.share {
      let decision = try await store.commit(command)
      if case .applied(let position, _, _, let unlearned, _) = decision {
        apply(unlearned, sign: -1)
        noteTaught(position)
      }
      return decision
    }
    switch decision {
    case .applied(let position, let card, let restored, _, let endedMatch):
      session.stack = stack
      session.unfitPast.remove(card)
      session.displaced.removeAll { $0.answer.event == record.answer.event }
      session.takenBack.insert(card)
      session.seen[card] = restored
      session.setReturned(returned)
      session.spent?.remove(record.answer.event)
      session.given?.removeAll { $0.event == record.answer.event }
      noteReplacedAnswer(about: card)
      let table = catalogue.table
      if let id = table.row(of: card).map(table.id(at:)) {
        broadcast.send(.rewound(viewer: session.viewer, card: id, event: position))
      }
      // It may have left the deck, or have changed, while the store was busy.
      let top = await checkedTop(of: session)
      return .applied(session.stack.top?.id == card ? top : nil, endedMatch: endedMatch)
    case .repeated: return .repeated
    case .conflict: throw Self.conflict
    case .stale: return nil
    }
  }

  static var movingHand: FeedError {
    FeedError(
      .store, "other processes move the viewer's hand each time before it can be changed here",
      hint: "send one viewer to one process at a time, and try again")
  }

  /// Whether a rewind with this event id was applied before: asked when there is nothing to rewind
  /// (any more), because the caller may be repeating itself.
  private func isRepeated(_ event: EventID, by session: ViewerSession) async throws -> Bool {
    let decision = try await store.commit(
      RewindCommand(
        viewer: session.number, event: event, swipe: .start, time: clock.now,
        stack: session.storedStack(session.stack)))
    switch decision {
    case .repeated: return true
    case .conflict: throw Self.conflict
    case .applied, .stale: return false
    }
  }

  /// A card swiped before a restart gets its numbers back from its exposure.
  private func completed(_ stack: HandStack, _ bare: HandCard) async throws -> HandStack {
    let exposures = try await store.exposures(of: bare.deal)
    var stack = stack
    stack.updateUpcoming { card in
      guard card.id == bare.id, let exposure = exposures.first(where: { $0.card == card.id })
      else { return }
      card.score = exposure.score
      card.match = exposure.probability
      card.propensity = exposure.propensity
    }
    return stack
  }
}
