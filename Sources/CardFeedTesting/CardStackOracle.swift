public import CardFeedStack

/// What a `CardStack` must do, written with two plain arrays: slow, obvious and independent.
///
/// Apply the same operations to a stack and to its oracle and compare results and
/// ``differences(from:)`` after each step. Every operation is O(n²) at worst; never serve from it.
public struct CardStackOracle<Card: Identifiable, Answer> {
  /// An upcoming card and how often it has come round.
  public struct Upcoming {
    /// The card.
    public var card: Card
    /// How often it has come round before.
    public var lap: Int
  }

  /// The most upcoming cards.
  public let capacity: Int
  /// The number of swipes that can be rewound.
  public let historyLimit: Int
  /// What happens to a card after it was swiped.
  public let policy: StackPolicy
  /// Consulted by every swipe that is not forced.
  public var gate: CardStack<Card, Answer>.Gate?

  /// The swipes that can be rewound, oldest first.
  public private(set) var past: [SwipeRecord<Card, Answer>] = []
  /// The upcoming cards, top first.
  public private(set) var upcoming: [Upcoming] = []
  /// The position of the top.
  public private(set) var topPosition = StackPosition(0)
  /// Goes up with every reset and every replacement that changed something.
  public private(set) var generation = 0
  /// The sequence number of the next swipe.
  public private(set) var nextSequence = 0
  /// Cards inserted since the last reset.
  public private(set) var offered = 0
  /// Swiped cards that went to the back, rewinds subtracted.
  public private(set) var recirculated = 0
  /// Records dropped because the history was full.
  public private(set) var evicted = 0
  /// Cards and records removed or dropped.
  public private(set) var removed = 0

  /// Creates the oracle of an empty stack.
  ///
  /// - Parameters:
  ///   - capacity: The most upcoming cards.
  ///   - historyLimit: The number of swipes that can be rewound.
  ///   - policy: What happens to a card after it was swiped.
  ///   - gate: Consulted by every swipe that is not forced.
  public init(
    capacity: Int, historyLimit: Int, policy: StackPolicy = .stop,
    gate: CardStack<Card, Answer>.Gate? = nil
  ) {
    self.capacity = capacity
    self.historyLimit = historyLimit
    self.policy = policy
    self.gate = gate
  }

  /// What `CardStack.token` must be.
  public var token: StackToken<Card.ID>? {
    upcoming.first.map {
      StackToken(id: $0.card.id, generation: generation, position: topPosition)
    }
  }

  /// What `CardStack.append(_:)` must do and return.
  ///
  /// - Parameter cards: The batch.
  /// - Returns: What became of each card.
  @discardableResult
  public mutating func append(_ cards: [Card]) -> AppendAccounting<Card.ID> {
    var accounting = AppendAccounting<Card.ID>()
    let before = upcoming.map(\.card.id)
    for card in cards {
      if before.contains(card.id) {
        accounting.reject(card.id, .alreadyUpcoming)
      } else if upcoming.contains(where: { $0.card.id == card.id }) {
        accounting.reject(card.id, .duplicateInBatch)
      } else if policy == .stop, hasSeen(card.id) {
        accounting.reject(card.id, .alreadySeen)
      } else if upcoming.count >= capacity {
        accounting.reject(card.id, .rejectedForCapacity)
      } else {
        upcoming.append(Upcoming(card: card, lap: 0))
        offered += 1
        accounting.countInserted()
      }
    }
    return accounting
  }

  /// What `CardStack.replaceUpcoming(with:)` must do and return.
  ///
  /// - Parameter cards: The batch.
  /// - Returns: What became of each card, and what was given up.
  @discardableResult
  public mutating func replaceUpcoming(with cards: [Card]) -> ReplacementAccounting<Card.ID> {
    let old = upcoming
    let oldIDs = old.map(\.card.id)
    if idsAfterReplacing(with: cards, room: max(capacity, old.count)) == oldIDs {
      var accounting = AppendAccounting<Card.ID>()
      var renewed: [Card.ID] = []
      for card in cards {
        if let place = oldIDs.firstIndex(of: card.id) {
          if renewed.contains(card.id) {
            accounting.reject(card.id, .duplicateInBatch)
          } else {
            upcoming[place].card = card
            renewed.append(card.id)
            accounting.count(.alreadyUpcoming)
          }
        } else {
          let isSeen = policy == .stop && hasSeen(card.id)
          accounting.reject(card.id, isSeen ? .alreadySeen : .rejectedForCapacity)
        }
      }
      return ReplacementAccounting(
        cards: accounting, droppedUpcoming: 0, droppedHistory: 0, isUnchanged: true, ranOut: false)
    }
    upcoming = []
    removed += old.count
    generation += 1
    let accounting = append(cards)
    return ReplacementAccounting(
      cards: accounting, droppedUpcoming: old.count, droppedHistory: 0, isUnchanged: false,
      ranOut: !old.isEmpty && upcoming.isEmpty)
  }

  /// What `CardStack.reset(with:)` must do and return.
  ///
  /// - Parameter cards: The batch.
  /// - Returns: What became of each card, and what was given up.
  @discardableResult
  public mutating func reset(with cards: [Card]) -> ReplacementAccounting<Card.ID> {
    let (droppedUpcoming, droppedHistory) = (upcoming.count, past.count)
    (upcoming, past) = ([], [])
    (offered, recirculated, evicted, removed) = (0, 0, 0, 0)
    nextSequence = 0
    generation += 1
    let accounting = append(cards)
    return ReplacementAccounting(
      cards: accounting, droppedUpcoming: droppedUpcoming, droppedHistory: droppedHistory,
      isUnchanged: false, ranOut: droppedUpcoming > 0 && upcoming.isEmpty)
  }

  /// What `CardStack.remove(_:)` must do and return.
  ///
  /// - Parameter ids: The ids to remove.
  /// - Returns: What became of each id.
  @discardableResult
  public mutating func remove(_ ids: [Card.ID]) -> RemovalAccounting<Card.ID> {
    var accounting = RemovalAccounting<Card.ID>()
    var gone: [Card.ID] = []
    for id in ids {
      if gone.contains(id) {
        accounting.duplicateInBatch += 1
      } else if let place = upcoming.firstIndex(where: { $0.card.id == id }) {
        upcoming.remove(at: place)
        removed += 1
        accounting.removedUpcoming += 1
        accounting.ranOut = upcoming.isEmpty
        gone.append(id)
      } else if hasSeen(id) {
        accounting.removedHistory += 1
        gone.append(id)
      } else {
        accounting.unknown += 1
        accounting.unknownIDs.append(id)
      }
    }
    let before = past.count
    past.removeAll { gone.contains($0.card.id) }
    removed += before - past.count
    return accounting
  }

  /// What `CardStack.swipe(_:answer:force:)` must do and return.
  ///
  /// - Parameters:
  ///   - token: The card the answer is about.
  ///   - answer: The answer.
  ///   - force: Whether to skip the gate.
  /// - Returns: The swipe and the state after it.
  /// - Throws: `StackError.staleDecision` or `StackError.refused`.
  @discardableResult
  public mutating func swipe(
    _ token: StackToken<Card.ID>, answer: Answer, force: Bool = false
  ) throws(StackError) -> StackOutcome<Card, Answer> {
    guard
      let top = upcoming.first, top.card.id == token.id, token.generation == generation,
      token.position == nil || token.position == topPosition
    else {
      throw .staleDecision(
        StaleDecision(
          topPosition: upcoming.isEmpty ? nil : topPosition, generation: generation,
          decidedPosition: token.position, decidedGeneration: token.generation))
    }
    if !force, let refusal = gate?(top.card, answer) { throw .refused(refusal) }
    let record = SwipeRecord(
      card: top.card, answer: answer, position: topPosition, sequence: nextSequence, lap: top.lap,
      isForced: force)
    upcoming.removeFirst()
    past.append(record)
    topPosition = StackPosition(topPosition.value + 1)
    nextSequence += 1
    let places = policy == .loop ? upcoming.count + 1 : upcoming.count
    var dropped: SwipeRecord<Card, Answer>?
    if past.count > historyLimit || past.count + places > capacity + historyLimit {
      dropped = history.first
      past.removeFirst()
      evicted += 1
    }
    if policy == .loop {
      upcoming.append(Upcoming(card: top.card, lap: top.lap + 1))
      recirculated += 1
    }
    return outcome(.swiped, record, ranOut: upcoming.isEmpty, evicted: dropped)
  }

  /// What `CardStack.rewind()` must do and return.
  ///
  /// - Returns: The swipe that was taken back and the state after it.
  /// - Throws: `StackError.nothingToRewind` or `StackError.rewindTooOld`.
  @discardableResult
  public mutating func rewind() throws(StackError) -> StackOutcome<Card, Answer> {
    guard let record = past.popLast() else {
      throw evicted > 0
        ? .rewindTooOld(historyLimit: historyLimit, evicted: evicted) : .nothingToRewind
    }
    topPosition = StackPosition(topPosition.value - 1)
    let before = upcoming.count
    upcoming.removeAll { $0.card.id == record.card.id }
    recirculated -= before - upcoming.count
    upcoming.insert(Upcoming(card: record.card, lap: record.lap), at: 0)
    nextSequence = record.sequence
    let placed = SwipeRecord(
      card: record.card, answer: record.answer, position: topPosition, sequence: record.sequence,
      lap: record.lap, isForced: record.isForced)
    return outcome(.rewound, placed, ranOut: false, evicted: nil)
  }

  /// The history with positions that end directly below the top.
  public var history: [SwipeRecord<Card, Answer>] {
    past.enumerated().map { offset, record in
      SwipeRecord(
        card: record.card, answer: record.answer,
        position: StackPosition(topPosition.value - past.count + offset),
        sequence: record.sequence, lap: record.lap, isForced: record.isForced)
    }
  }

  /// What `CardStack.progress` must be.
  public var progress: StackProgress {
    let swiped = past.count + evicted
    return switch policy {
    case .stop: StackProgress(swiped: swiped, total: swiped + upcoming.count)
    case .loop:
      StackProgress(
        swiped: upcoming.isEmpty ? 0 : nextSequence % upcoming.count, total: upcoming.count)
    }
  }

  private func hasSeen(_ id: Card.ID) -> Bool { past.contains { $0.card.id == id } }

  private func idsAfterReplacing(with cards: [Card], room: Int) -> [Card.ID] {
    var ids: [Card.ID] = []
    for card in cards where !ids.contains(card.id) && ids.count < room {
      if policy == .loop || !hasSeen(card.id) { ids.append(card.id) }
    }
    return ids
  }

  private func outcome(
    _ kind: StackOutcome<Card, Answer>.Kind, _ record: SwipeRecord<Card, Answer>, ranOut: Bool,
    evicted: SwipeRecord<Card, Answer>?
  ) -> StackOutcome<Card, Answer> {
    StackOutcome(
      kind: kind, record: record, top: upcoming.first?.card, remaining: upcoming.count,
      progress: progress, ranOut: ranOut, evicted: evicted)
  }
}

extension CardStackOracle: Sendable where Card: Sendable, Card.ID: Sendable, Answer: Sendable {}
extension CardStackOracle.Upcoming: Sendable where Card: Sendable {}

extension CardStackOracle where Card: Equatable, Answer: Equatable {
  /// The names of everything that reads differently from a stack and from this oracle; empty when
  /// they agree.
  ///
  /// - Parameter stack: A stack that went through the same operations.
  /// - Complexity: O(n²) in the number of cards held.
  public func differences(from stack: CardStack<Card, Answer>) -> [String] {
    let cards = upcoming.map(\.card)
    var differences: [String] = []
    func compare(_ name: String, _ isSame: Bool) {
      if !isSame { differences.append(name) }
    }
    compare("top", stack.top == cards.first)
    compare("token", stack.token == token)
    compare("upcoming", stack.upcoming.elementsEqual(cards))
    compare("window", (0...3).allSatisfy { stack.window($0) == Array(cards.prefix($0)) })
    compare("history", stack.history.elementsEqual(history))
    compare("topPosition", stack.topPosition == topPosition)
    compare("generation", stack.generation == generation)
    compare("nextSequence", stack.nextSequence == nextSequence)
    compare("upcomingCount", stack.upcomingCount == cards.count)
    compare("remaining", stack.remaining == cards.count)
    compare("historyCount", stack.historyCount == past.count)
    compare("isEmpty", stack.isEmpty == cards.isEmpty)
    compare("canRewind", stack.canRewind == !past.isEmpty)
    compare("progress", stack.progress == progress)
    compare("contains", cards.allSatisfy { stack.contains(upcoming: $0.id) })
    compare("hasSeen", past.allSatisfy { stack.hasSeen($0.card.id) })
    compare("offered", stack.counts.offered == offered)
    compare("recirculated", stack.counts.recirculated == recirculated)
    compare("evicted", stack.counts.evicted == evicted)
    compare("removed", stack.counts.removed == removed)
    return differences
  }
}
