internal import CardFeedStack

extension FeedEngine {
  /// Applies an answer to the top card, once.
  public func swipe(_ swipe: Swipe<D.Answer>) async throws -> SwipeOutcome<D.Card> {
    try await withSession(swipe.viewer) { session in
      let number = try number(of: swipe.card, in: try await checked(session))
      let token = session.stack.token
      let isTop = token?.id == number && !session.hidden.contains(number)
      let now = clock.now
      let (exhausted, isLimited) = try await exhausted(
        by: swipe.answer.rawValue, of: session, at: now)
      let (command, decision) = try await commit(
        // What is counted by the day happens when the feed says: a client's time could lie in
        // another day.
        for: swipe, claimed: isLimited ? nil : swipe.time, at: now, number: number,
        session: session, isOverQuota: exhausted != nil,
        // A card that is not on top is asked about all the same: the event may be an old one.
        expectation: .top(
          generation: Int64(session.stack.generation),
          position: isTop ? Int64(session.stack.topPosition.value) : .min))
      switch decision {
      case .applied(let stored):
        guard let token else { throw Self.lostStack }
        let answer = RecordedAnswer(answer: command.answer, event: stored.event)
        do { try session.stack.swipe(token, answer: answer) } catch { throw Self.lostStack }
        // It lay on top, so it may be shown.
        session.unfitPast.remove(number)
        session.takenBack.remove(number)
        finish(command, stored, in: session)
        let receipt = receipt(stored, card: swipe.card)
        announce(receipt, by: swipe.viewer)
        return .applied(receipt, top: await checkedTop(of: session))
      case .repeated(let stored): return .repeated(receipt(stored, card: swipe.card))
      case .conflict: throw Self.conflict
      case .overQuota:
        guard let exhausted else { throw Self.lostStack }
        return .overQuota(exhausted, top: await checkedTop(of: session))
      case .stale, nil:
        // If the store knows better than the session, the session is read anew.
        if isTop { session.isLoaded = false }
        return .stale(top: await checkedTop(of: session))
      }
    }
  }

  private func commit(
    for swipe: Swipe<D.Answer>, claimed: Timestamp?, at now: Timestamp, number: CardNumber,
    session: ViewerSession, isOverQuota: Bool, expectation: SwipeCommand.Expectation
  ) async throws -> (SwipeCommand, SwipeDecision?) {
    try await teaching.share {
      let command = command(
        for: swipe, claimed: claimed, at: now, number: number, session: session,
        isOverQuota: isOverQuota, expectation: expectation)
      let decision = try await store.commit([command]).first
      if case .applied(let stored) = decision {
        apply(command.learned, sign: 1)
        noteTaught(stored.event)
      }
      return (command, decision)
    }
  }

  /// Records swipes that happened elsewhere, in order, many in one transaction.
  public func record(_ swipes: [RecordedSwipe<D.Answer>]) async throws -> Int {
    var new = 0
    for chunk in chunks(of: swipes.map(\.swipe)) {
      new += try await sessions.useAll(Array(Set(chunk.map(\.viewer)))) { sessions in
        try await record(chunk, sessions: sessions)
      }
    }
    return new
  }

  private func chunks(of swipes: [Swipe<D.Answer>]) -> [ArraySlice<Swipe<D.Answer>>] {
    stride(from: 0, to: swipes.count, by: 256).map { swipes[$0..<min($0 + 256, swipes.count)] }
  }

  private func record(
    _ chunk: ArraySlice<Swipe<D.Answer>>, sessions: [ViewerID: ViewerSession]
  ) async throws -> Int {
    let table = catalogue.table
    for session in sessions.values where !session.isLoaded { try await load(session) }
    let decided = try await teaching.share { try await commit(chunk, sessions, in: table) }
    var new = 0
    for (command, decision) in decided {
      guard case .applied(let stored) = decision else { continue }
      new += 1
      note(command, stored, in: sessions)
    }
    for session in sessions.values { await removeAnswered(session) }
    return new
  }

  private func commit(
    _ chunk: ArraySlice<Swipe<D.Answer>>, _ sessions: [ViewerID: ViewerSession],
    in table: CardTable<D>
  ) async throws -> [(SwipeCommand, SwipeDecision)] {
    // A later swipe of the chunk learns from what the earlier ones taught, as it would have live.
    // If the store refuses, all of it is taken back.
    var commands: [SwipeCommand] = []
    do {
      for swipe in chunk {
        guard let session = sessions[swipe.viewer] else { continue }
        let command = command(
          for: swipe, claimed: swipe.time, at: clock.now,
          number: try number(of: swipe.card, in: table), session: session,
          expectation: .recorded)
        apply(command.learned, sign: 1)
        commands.append(command)
      }
      let decisions = try await store.commit(commands)
      for (command, decision) in zip(commands, decisions) {
        if case .applied(let stored) = decision {
          noteTaught(stored.event)
        } else {
          apply(command.learned, sign: -1)
        }
      }
      return Array(zip(commands, decisions))
    } catch {
      for command in commands { apply(command.learned, sign: -1) }
      throw error
    }
  }

  private func note(
    _ command: SwipeCommand, _ stored: StoredReceipt, in sessions: [ViewerID: ViewerSession]
  ) {
    noteReplacedAnswer(about: command.card)
    for session in sessions.values where session.number == command.viewer {
      session.given?.append(GivenAnswer(command, event: stored.event))
      session.seen[command.card, default: SeenEntry()].answer = SeenEntry.Answered(
        answer: command.answer, meaning: command.meaning, time: command.time,
        event: stored.event)
    }
  }

  /// A card that was answered elsewhere leaves the hand, and the past: its swipe there does not
  /// stand any more.
  private func removeAnswered(_ session: ViewerSession) async {
    let upcoming = session.stack.upcoming.filter { session.isAnswered($0) }.map(\.id)
    let past = session.stack.history.filter { record in
      session.seen[record.card.id]?.answer?.event != record.answer.event
    }
    session.forgetReplaced()
    let answered = upcoming + past.map(\.card.id)
    if !answered.isEmpty { await removeDurably(answered, from: session) }
  }

  private func command(
    for swipe: Swipe<D.Answer>, claimed: Timestamp?, at now: Timestamp, number: CardNumber,
    session: ViewerSession, isOverQuota: Bool = false, expectation: SwipeCommand.Expectation
  ) -> SwipeCommand {
    // Nothing has happened that is still to come. All that is counted, learned and compared reads
    // the time of the log, so this is the one place where a client's clock is held back.
    let time = min(claimed ?? now, now)
    let table = catalogue.table
    let meaning = deck.meaning(of: swipe.answer)
    let top = expectation == .recorded ? nil : session.stack.top
    let event = LearningEvent<D>(
      viewer: session.number, card: number,
      viewerRow: deck.policy.isMutual ? table.row(of: session.number) : nil,
      cardRow: table.row(of: number), table: table, meaning: meaning, time: time,
      policy: deck.policy)
    return SwipeCommand(
      viewer: session.number, card: number, event: swipe.event, answer: swipe.answer.rawValue,
      meaning: meaning, time: time, expectation: expectation, deal: top?.deal,
      compatibility: top?.match, remaining: max(0, session.stack.upcomingCount - 1),
      matchRule: pipelines.pipeline(for: swipe.viewer).pipeline.matchRule,
      learned: deltas(for: event), isOverQuota: isOverQuota)
  }

  private func finish(
    _ command: SwipeCommand, _ stored: StoredReceipt, in session: ViewerSession
  ) {
    if session.seen[command.card]?.answer != nil { noteReplacedAnswer(about: command.card) }
    session.seen[command.card, default: SeenEntry()].answer = SeenEntry.Answered(
      answer: command.answer, meaning: command.meaning, time: command.time, event: stored.event)
    session.given?.append(GivenAnswer(command, event: stored.event))
    session.spent?.add(
      DatedAnswer(event: stored.event, answer: command.answer, time: command.time))
  }

  private func receipt(_ stored: StoredReceipt, card: CardID) -> SwipeReceipt {
    SwipeReceipt(
      event: stored.event, card: card, answer: stored.answer, match: stored.match,
      remaining: stored.remaining)
  }

  private func announce(_ receipt: SwipeReceipt, by viewer: ViewerID) {
    guard broadcast.hasListeners else { return }
    broadcast.send(.swiped(viewer: viewer, receipt))
    if let match = receipt.match, match == receipt.event {
      broadcast.send(.matched(viewer, receipt.card, match: match))
    }
  }

  static var lostStack: FeedError {
    FeedError(
      .store, "the store applied a swipe that the hand in memory does not know",
      hint: "keep one engine for one store")
  }

  static var conflict: FeedError {
    FeedError(
      .eventConflict, "the event id was used before for another event of this viewer",
      hint: "give every event an id of its own; repeat an event with the same id and payload")
  }
}
