extension FeedEngine {
  /// Keeps two people apart from now on.
  public func block(_ card: CardID, by viewer: ViewerID, event: EventID) async throws {
    _ = try await part(card, from: viewer, event: event, kind: .block)
  }

  /// Blocks, and records that something is wrong with the card.
  public func report(_ card: CardID, by viewer: ViewerID, event: EventID) async throws {
    _ = try await part(card, from: viewer, event: event, kind: .report)
  }

  /// Ends the match of two people, and keeps them apart from then on.
  public func unmatch(
    _ card: CardID, by viewer: ViewerID, event: EventID
  ) async throws -> UnmatchOutcome {
    switch try await part(card, from: viewer, event: event, kind: .unmatch) {
    case .applied: .applied
    case .repeated: .repeated
    case .noMatch: .noMatch
    case .conflict: throw Self.conflict
    }
  }

  private func part(
    _ card: CardID, from viewer: ViewerID, event: EventID, kind: EventKind
  ) async throws -> RecordDecision {
    let number = try number(of: card, in: catalogue.table)
    guard !deck.policy.isMutual || card != viewer else {
      throw FeedError(
        .badInput, "the card is the viewer's own: nobody can be kept apart from themself",
        hint: "name the card of somebody else; to leave, erase the viewer")
    }
    // In a deck of people both hands are held, so that neither can deal the other meanwhile.
    let parties = deck.policy.isMutual ? [viewer, card] : [viewer]
    return try await sessions.useAll(parties) { sessions in
      for session in sessions.values where !session.isLoaded { try await load(session) }
      guard let mine = sessions[viewer] else { return .conflict }
      let decision = try await store.commit(
        BlockCommand(
          viewer: mine.number, card: number, event: event, kind: kind, time: clock.now))
      if decision == .conflict { throw Self.conflict }
      if decision == .noMatch { return decision }
      await removeDurably([number], from: mine)
      if let theirs = sessions[card], card != viewer {
        await removeDurably([mine.number], from: theirs)
      }
      return decision
    }
  }

  /// Takes cards out of a hand after the event that forbids them is durable. If the hand cannot be
  /// saved, the event still counts: the session is read anew, which leaves the cards out.
  func removeDurably(_ cards: [CardNumber], from session: ViewerSession) async {
    do {
      if try await !remove(cards, from: session) { session.isLoaded = false }
    } catch {
      session.isLoaded = false
    }
  }

  /// Records that the client showed a card that was dealt to the viewer. One that never was is not
  /// counted: nobody can raise the count of a card that they were not given.
  @discardableResult
  public func impression(
    of card: CardID, by viewer: ViewerID, event: EventID, dwell: Dwell?
  ) async throws -> ImpressionOutcome {
    let number = try number(of: card, in: catalogue.table)
    return try await withSession(viewer) { session in
      guard session.wasDealt(number) else { return .notDealt }
      let now = clock.now
      let decision = try await teaching.share {
        let decision = try await store.recordImpression(
          viewer: session.number, card: number, event: event, time: now, dwell: dwell)
        if case .applied(let position) = decision {
          await count(number, shownTo: session.number, at: now, for: dwell)
          noteTaught(position)
        }
        return decision
      }
      guard case .applied(let position) = decision else {
        if decision == .conflict { throw Self.conflict }
        return .repeated
      }
      session.shown?.append(
        Impression(card: number, time: now, event: position, dwell: dwell))
      return .applied
    }
  }

  /// The viewer's matches that stand, oldest first.
  public func matches(of viewer: ViewerID) async throws -> [CardID] {
    try await withSession(viewer) { session in
      let matches = try await store.matches(of: session.number)
      let others = matches.map { $0.low == session.number ? $0.high : $0.low }
      return try await store.ids(for: others).compactMap(\.self)
    }
  }
}
