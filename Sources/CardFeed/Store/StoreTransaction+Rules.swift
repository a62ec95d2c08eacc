extension StoreTransaction {
  /// Makes a deal durable, unless one of its cards must not meet the viewer any more, or the hand is
  /// not the one any more that the deal was made from.
  public mutating func apply(_ command: DealCommand) throws -> DealDecision {
    let found = try circumstances(of: command)
    guard found.revision.allows(command.basis) else { return .stale }
    let blocked = found.cards.filter { $0.standing != .clear }.map(\.number)
    guard blocked.isEmpty else { return .blocked(blocked) }
    let position = try append(
      NewEvent(
        kind: .deal, viewer: command.viewer, time: command.time,
        fingerprint: command.fingerprint))
    try insert(command.exposures, of: position, viewer: command.viewer, time: command.time)
    for card in found.cards {
      var entry = card.seen ?? SeenEntry()
      entry.dealtAt = command.time
      try setSeen(command.viewer, card.number, entry)
    }
    try setStack(command.stack(position), of: command.viewer)
    return .dealt(position)
  }

  /// Applies a swipe once. The order of the questions is the order of the promises: the same event
  /// gets its old receipt even when its card has gone since.
  public mutating func apply(_ command: SwipeCommand) throws -> SwipeDecision {
    let found = try circumstances(of: command)
    if let earlier = found.earlier {
      guard earlier.kind == .swipe, earlier.card == command.card, earlier.answer == command.answer
      else { return .conflict }
      return .repeated(
        StoredReceipt(
          event: earlier.position, card: command.card, answer: command.answer,
          match: earlier.match, remaining: earlier.remaining))
    }
    if case .top(let generation, let position) = command.expectation {
      guard let stack = found.top, stack.generation == generation, stack.top == position
      else { return .stale }
    }
    // Before the standing, so that it does not tell of a block.
    if command.isOverQuota { return .overQuota }
    guard found.standing == .clear else { return .stale }

    let isMatch = command.matchRule.isMatch(
      MatchCircumstances(
        meaning: command.meaning, reverse: found.reverse, compatibility: command.compatibility))
    let standingMatch = isMatch ? try match(between: command.viewer, and: command.card) : nil
    let reference: NewEvent.MatchReference? =
      !isMatch ? nil : standingMatch.map { .existing($0.event) } ?? .made
    let before = found.before

    let position = try append(
      NewEvent(
        kind: .swipe, viewer: command.viewer, card: command.card, clientID: command.event,
        time: command.time, answer: command.answer, meaning: command.meaning,
        about: command.deal, before: before, match: reference, remaining: command.remaining))
    var entry = before ?? SeenEntry()
    entry.answer = SeenEntry.Answered(
      answer: command.answer, meaning: command.meaning, time: command.time, event: position)
    try setSeen(command.viewer, command.card, entry)
    if reference == .made {
      try insert(
        StoredMatch(
          event: position, between: command.viewer, and: command.card, time: command.time))
      _ = try append(
        NewEvent(
          kind: .match, viewer: command.viewer, card: command.card, time: command.time,
          about: position))
    }
    if case .top = command.expectation { try advanceStack(of: command.viewer) }
    if !command.learned.isEmpty { try insert(command.learned, of: position) }
    let match: LogPosition? =
      switch reference {
      case nil: nil
      case .made: position
      case .existing(let event): event
      }
    return .applied(
      StoredReceipt(
        event: position, card: command.card, answer: command.answer, match: match,
        remaining: command.remaining))
  }

  /// Takes a swipe back: everything it changed is as it was before. A match that rests on the
  /// swipe ends with it, whichever of the two likes came last.
  public mutating func apply(_ command: RewindCommand) throws -> RewindDecision {
    if let earlier = try clientEvent(command.event, of: command.viewer) {
      guard earlier.kind == .rewind, let card = earlier.card else { return .conflict }
      return .repeated(card: card)
    }
    guard try revision(of: command.viewer).allows(command.basis) else { return .stale }
    guard let swipe = try standingSwipe(command.swipe), swipe.viewer == command.viewer else {
      return .stale
    }
    // A later answer elsewhere replaced this one; what stands is not this swipe's to take back.
    guard try seen(command.viewer, swipe.card)?.answer?.event == command.swipe else {
      return .stale
    }
    let unlearned = try deltas(of: command.swipe)
    // A like that was folded expired; no match rests on it.
    let isStillPositive =
      swipe.before?.answer.map { $0.meaning == .positive && $0.event != .start } ?? false
    let standingMatch = try match(between: command.viewer, and: swipe.card)
    let endsMatch = standingMatch.map { $0.event == command.swipe || !isStillPositive } ?? false
    let position = try append(
      NewEvent(
        kind: .rewind, viewer: command.viewer, card: swipe.card, clientID: command.event,
        time: command.time, about: command.swipe,
        endedMatch: endsMatch ? standingMatch?.event : nil))
    try markRewound(command.swipe, by: position)
    try setSeen(command.viewer, swipe.card, swipe.before)
    if endsMatch { try removeMatch(between: command.viewer, and: swipe.card) }
    try setStack(command.stack, of: command.viewer)
    return .applied(
      event: position, card: swipe.card, restored: swipe.before, unlearned: unlearned,
      endedMatch: endsMatch)
  }

  /// Replaces the viewer's stack, unless the hand is not the one any more that it was made from.
  public mutating func apply(
    _ stack: StoredStack, of viewer: ViewerNumber, basis: HandRevision?
  ) throws -> Bool {
    guard try revision(of: viewer).allows(basis) else { return false }
    try setStack(stack, of: viewer)
    return true
  }

  /// Keeps two people apart, in both directions, and ends their match; an unmatch only where there
  /// is one.
  public mutating func apply(_ command: BlockCommand) throws -> RecordDecision {
    if let earlier = try clientEvent(command.event, of: command.viewer) {
      let isSame = earlier.kind == command.kind && earlier.card == command.card
      return isSame ? .repeated : .conflict
    }
    let match = try match(between: command.viewer, and: command.card)
    if command.kind == .unmatch, match == nil { return .noMatch }
    let position = try append(
      NewEvent(
        kind: command.kind, viewer: command.viewer, card: command.card, clientID: command.event,
        time: command.time, endedMatch: match?.event))
    let standing: SafetyStanding =
      switch command.kind {
      case .report: .reported
      case .unmatch: .unmatched
      default: .blocked
      }
    try setStanding(standing, by: command.viewer, of: command.card, event: position)
    if match != nil { try removeMatch(between: command.viewer, and: command.card) }
    return .applied(position)
  }

  /// Records an impression once. For how long it lasted is a claim and no part of the event.
  public mutating func applyImpression(
    viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp, dwell: Dwell?
  ) throws -> RecordDecision {
    if let earlier = try clientEvent(event, of: viewer) {
      return earlier.kind == .impression && earlier.card == card ? .repeated : .conflict
    }
    return .applied(
      try append(
        NewEvent(
          kind: .impression, viewer: viewer, card: card, clientID: event, time: time,
          dwell: dwell)))
  }
}
