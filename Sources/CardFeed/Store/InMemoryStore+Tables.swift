/// An unordered pair.
struct PairKey: Hashable {
  let low: CardNumber
  let high: CardNumber

  init(_ one: CardNumber, _ other: CardNumber) {
    low = min(one, other)
    high = max(one, other)
  }
}

struct ClientEventKey: Hashable {
  let viewer: ViewerNumber
  let event: EventID
}

struct MemoryEvent {
  let event: NewEvent
  var rewoundBy: LogPosition?
}

struct MemoryDelta {
  let position: LogPosition
  let learner: String
  let increments: [Increment]
}

/// The rows of an in-memory store, inside a transaction.
public struct InMemoryTransaction: StoreTransaction {
  /// Nil where the person was erased.
  var ids: [CardID?] = []
  var numbers: [CardID: CardNumber] = [:]
  var cards: [CardNumber: StoredCard] = [:]
  var cardOrder: [CardNumber] = []
  /// Nil where the event was removed.
  var log: [MemoryEvent?] = []
  var clientEvents: [ClientEventKey: LogPosition] = [:]
  var seen: [ViewerNumber: [CardNumber: SeenEntry]] = [:]
  var received: [CardNumber: [ViewerNumber: LogPosition]] = [:]
  var standings: [CardNumber: [CardNumber: SafetyStanding]] = [:]
  var matches: [PairKey: StoredMatch] = [:]
  var stacks: [ViewerNumber: StoredStack] = [:]
  /// Those that stand.
  var swipes: [ViewerNumber: [LogPosition]] = [:]
  var deals: [ViewerNumber: Int64] = [:]
  var exposures: [LogPosition: [Exposure]] = [:]
  var deltas: [MemoryDelta] = []
  var deltasBySwipe: [LogPosition: [LearnerDelta]] = [:]
  var blobs: [String: LearnerBlob] = [:]
  var folded: [ViewerNumber: FoldedAnswers] = [:]

  /// The number of an identifier, made where there is none yet.
  mutating func number(of id: CardID) -> CardNumber {
    if let known = numbers[id] { return known }
    ids.append(id)
    let number = CardNumber(Int64(ids.count))
    numbers[id] = number
    return number
  }

  /// Keeps a card, and when its payload last changed.
  mutating func keep(
    _ card: StoredCard, as number: CardNumber, isWithdrawn: Bool, at time: Timestamp
  ) -> StoredCard {
    let before = cards[number]
    if before == nil { cardOrder.append(number) }
    let changedAt = before.flatMap { before in
      before.payload == card.payload
        ? before.changedAt : max(before.changedAt ?? Timestamp(milliseconds: 0), time)
    }
    let stored = StoredCard(
      id: card.id, number: number, payload: card.payload, isWithdrawn: isWithdrawn,
      changedAt: changedAt)
    cards[number] = stored
    return stored
  }

  func stored(_ position: LogPosition) -> MemoryEvent? {
    let index = Int(position.rawValue) - 1
    return log.indices.contains(index) ? log[index] : nil
  }

  /// The swipe at a place of the log, unless it was recorded from elsewhere.
  func handSwipe(_ position: LogPosition) -> NewEvent? {
    stored(position)?.event.about == nil ? nil : stored(position)?.event
  }

  func logged(at index: Int) -> LoggedEvent? {
    guard let stored = log[index] else { return nil }
    let event = stored.event
    return LoggedEvent(
      position: LogPosition(Int64(index + 1)), kind: event.kind, viewer: event.viewer,
      card: event.card, time: event.time, answer: event.answer, meaning: event.meaning,
      about: event.about, isRewound: stored.rewoundBy != nil, dwell: event.dwell,
      endedMatch: event.endedMatch)
  }

  /// An event that a client sent before, by its identity. O(1).
  public func clientEvent(_ event: EventID, of viewer: ViewerNumber) -> ClientEvent? {
    guard let position = clientEvents[ClientEventKey(viewer: viewer, event: event)],
      let stored = stored(position)?.event
    else { return nil }
    let match: LogPosition? =
      switch stored.match {
      case nil: nil
      case .made: position
      case .existing(let event): event
      }
    return ClientEvent(
      position: position, kind: stored.kind, card: stored.card, answer: stored.answer,
      match: match, remaining: stored.remaining)
  }

  /// Appends to the log and returns the place. O(1).
  public mutating func append(_ event: NewEvent) -> LogPosition {
    log.append(MemoryEvent(event: event))
    let position = LogPosition(Int64(log.count))
    if let clientID = event.clientID {
      clientEvents[ClientEventKey(viewer: event.viewer, event: clientID)] = position
    }
    switch event.kind {
    case .swipe: swipes[event.viewer, default: []].append(position)
    case .deal: deals[event.viewer, default: 0] += 1
    default: break
    }
    return position
  }

  /// The swipe at a place of the log, if it stands. O(1).
  public func standingSwipe(_ position: LogPosition) -> StandingSwipe? {
    guard let stored = stored(position), stored.event.kind == .swipe, stored.rewoundBy == nil,
      let card = stored.event.card
    else { return nil }
    return StandingSwipe(
      viewer: stored.event.viewer, card: card,
      before: completed(stored.event.before, stored.event.viewer, card))
  }

  /// What stands of a pair once a later answer is taken back may have been folded.
  private func completed(
    _ entry: SeenEntry?, _ viewer: ViewerNumber, _ card: CardNumber
  ) -> SeenEntry? {
    guard entry?.answer == nil, let answer = folded[viewer]?.answer(for: card) else { return entry }
    return SeenEntry(dealtAt: entry?.dealtAt, answer: answer)
  }

  /// Marks a swipe as taken back by a rewind. O(swipes of the viewer).
  public mutating func markRewound(_ swipe: LogPosition, by rewind: LogPosition) {
    let index = Int(swipe.rawValue) - 1
    guard let viewer = log[index]?.event.viewer else { return }
    log[index]?.rewoundBy = rewind
    swipes[viewer]?.removeAll { $0 == swipe }
    for delta in deltasBySwipe.removeValue(forKey: swipe) ?? [] {
      deltas.append(
        MemoryDelta(
          position: rewind, learner: delta.learner,
          increments: delta.increments.map(\.negated)))
    }
  }

  /// What a viewer and a card had to do with each other. O(1).
  public func seen(_ viewer: ViewerNumber, _ card: CardNumber) -> SeenEntry? { seen[viewer]?[card] }

  /// Replaces it; nil removes it. O(1).
  public mutating func setSeen(_ viewer: ViewerNumber, _ card: CardNumber, _ entry: SeenEntry?) {
    var entry = entry
    // A folded answer has its place in the set.
    if entry?.answer?.event == .start { entry?.answer = nil }
    if entry == SeenEntry() { entry = nil }
    seen[viewer, default: [:]][card] = entry
    received[card, default: [:]][viewer] = entry?.answer?.event
  }

  /// Whether the two must not meet. A person who was erased meets nobody. O(1).
  public func standing(between one: CardNumber, and other: CardNumber) -> SafetyStanding {
    standings[one]?[other] ?? standings[one]?[one] ?? standings[other]?[other] ?? .clear
  }

  func unansweredLikes(of card: CardNumber, limit: Int) -> Int {
    let own = seen[card] ?? [:]
    let waiting = (received[card] ?? [:]).keys.lazy.filter { from in
      seen[from]?[card]?.answer?.meaning == .positive && own[from]?.answer == nil
        && folded[card]?.answer(for: from) == nil && standing(between: card, and: from) == .clear
    }
    return waiting.prefix(limit).reduce(0) { count, _ in count + 1 }
  }

  /// Makes the two keep away from each other. O(1).
  public mutating func setStanding(
    _ standing: SafetyStanding, by viewer: ViewerNumber, of card: CardNumber, event: LogPosition
  ) {
    standings[viewer, default: [:]][card] = standing
    standings[card, default: [:]][viewer] = standing
  }

  /// The match of a pair, if it stands. O(1).
  public func match(between one: CardNumber, and other: CardNumber) -> StoredMatch? {
    matches[PairKey(one, other)]
  }

  /// Makes a match. O(1).
  public mutating func insert(_ match: StoredMatch) {
    matches[PairKey(match.low, match.high)] = match
  }

  /// Ends a pair's match, if there is one. O(1).
  public mutating func removeMatch(between one: CardNumber, and other: CardNumber) {
    matches[PairKey(one, other)] = nil
  }

  /// Where the viewer's hand stands. O(1).
  public func revision(of viewer: ViewerNumber) -> HandRevision? {
    stacks[viewer].map {
      HandRevision(generation: $0.generation, top: $0.top, deals: deals[viewer] ?? 0)
    }
  }

  /// Moves the top by one. O(1).
  public mutating func advanceStack(of viewer: ViewerNumber) { stacks[viewer]?.top += 1 }

  /// Replaces the stack. O(1).
  public mutating func setStack(_ stack: StoredStack, of viewer: ViewerNumber) {
    stacks[viewer] = stack
  }

  /// Stores the cards of a deal. O(1).
  public mutating func insert(
    _ exposures: [Exposure], of deal: LogPosition, viewer: ViewerNumber, time: Timestamp
  ) { self.exposures[deal] = exposures }

  /// Stores what a swipe adds for learners; if it was taken back meanwhile, also what taking it back
  /// adds. O(deltas).
  public mutating func insert(_ deltas: [LearnerDelta], of swipe: LogPosition) {
    let rewind = stored(swipe)?.rewoundBy
    if rewind == nil { deltasBySwipe[swipe, default: []].append(contentsOf: deltas) }
    for delta in deltas {
      self.deltas.append(
        MemoryDelta(position: swipe, learner: delta.learner, increments: delta.increments))
      guard let rewind else { continue }
      self.deltas.append(
        MemoryDelta(
          position: rewind, learner: delta.learner, increments: delta.increments.map(\.negated)))
    }
  }

  /// What a swipe added for learners. O(1).
  public func deltas(of swipe: LogPosition) -> [LearnerDelta] { deltasBySwipe[swipe] ?? [] }
}
