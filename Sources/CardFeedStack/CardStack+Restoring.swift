extension CardStack {
  /// Creates a stack from what a store kept of an earlier one.
  ///
  /// The records of the past get the positions directly below the top, negative ones if need be;
  /// the position a record brings along is ignored. In a looping stack the laps of the upcoming
  /// cards follow from the number of swipes and of cards.
  ///
  /// - Parameters:
  ///   - past: The swipes that can be rewound, oldest first, sequence numbers increasing.
  ///   - upcoming: The upcoming cards, top first.
  ///   - topPosition: The position of the top.
  ///   - generation: The generation of the stack that was kept.
  ///   - capacity: The most upcoming cards, 0 or more.
  ///   - historyLimit: The number of swipes that can be rewound, 0 or more.
  ///   - policy: What happens to a card after it was swiped.
  ///   - nextSequence: The sequence number of the next swipe; nil continues after the last record.
  ///   - evicted: The number of records that had been evicted since the last reset.
  ///   - gate: Consulted by every swipe that is not forced.
  /// - Throws: ``StackRestorationError`` if the parts cannot belong to one stack.
  /// - Complexity: O(capacity + historyLimit) time and memory, expected.
  public init(
    restoring past: some Collection<SwipeRecord<Card, Answer>>,
    upcoming: some Collection<Card>,
    topPosition: StackPosition,
    generation: Int,
    capacity: Int,
    historyLimit: Int,
    policy: StackPolicy = .stop,
    nextSequence: Int? = nil,
    evicted: Int = 0,
    gate: Gate? = nil
  ) throws(StackRestorationError) {
    if past.count > historyLimit {
      throw .tooManyRecords(found: past.count, limit: historyLimit)
    }
    let mostUpcoming = capacity + historyLimit - past.count
    if upcoming.count > mostUpcoming {
      throw .tooManyCards(found: upcoming.count, limit: mostUpcoming)
    }
    if evicted < 0 { throw .negativeEvicted(found: evicted) }
    self.init(
      capacity: capacity, historyLimit: historyLimit, policy: policy, gate: gate,
      firstPosition: topPosition.advanced(by: -past.count))
    state.topPosition = topPosition
    state.generation = generation
    for record in past { try restore(record) }
    if let nextSequence {
      if nextSequence < state.nextSequence {
        throw .sequenceNotIncreasing(found: nextSequence, least: state.nextSequence)
      }
      state.nextSequence = nextSequence
    }
    for card in upcoming { try restore(card, deckSize: upcoming.count) }
    storedCounts.add(
      offered: upcoming.count + (policy == .stop ? past.count + evicted : 0),
      recirculated: policy == .loop ? past.count + evicted : 0, evicted: evicted)
  }

  private mutating func restore(
    _ record: SwipeRecord<Card, Answer>
  ) throws(StackRestorationError) {
    if record.sequence < state.nextSequence {
      throw .sequenceNotIncreasing(found: record.sequence, least: state.nextSequence)
    }
    let id = record.card.id
    if policy == .stop, index.residence(of: id) != nil { throw .cardHeldTwice(at: ring.count) }
    index.update(id, upcoming: nil, recordsBy: 1)
    ring.append(
      Entry(
        card: record.card, lap: record.lap,
        swipe: .init(answer: record.answer, sequence: record.sequence, isForced: record.isForced)))
    state.historyCount += 1
    state.nextSequence = record.sequence + 1
  }

  private mutating func restore(
    _ card: Card, deckSize: Int
  ) throws(StackRestorationError) {
    let id = card.id
    if let residence = index.residence(of: id), policy == .stop || residence.upcoming != nil {
      throw .cardHeldTwice(at: ring.count)
    }
    let lap = policy == .loop ? (state.nextSequence + upcomingCount) / deckSize : 0
    index.update(id, upcoming: endPosition)
    ring.append(Entry(card: card, lap: lap))
  }
}

/// Why the parts a store kept cannot be one ``CardStack``. The texts name no cards.
public enum StackRestorationError: Error, Hashable, Sendable {
  /// There are more records than the history may hold.
  case tooManyRecords(found: Int, limit: Int)
  /// There are more upcoming cards than fit beside the records.
  case tooManyCards(found: Int, limit: Int)
  /// A sequence number does not come after the one before it, or is negative.
  case sequenceNotIncreasing(found: Int, least: Int)
  /// The card at this place, counted through the past and then the upcoming cards from 0, has the
  /// id of an earlier one.
  case cardHeldTwice(at: Int)
  /// The number of evicted records is negative.
  case negativeEvicted(found: Int)
}

extension StackRestorationError: CustomStringConvertible {
  /// What was wrong, what was found, what is allowed and what to do.
  public var description: String {
    switch self {
    case .tooManyRecords(let found, let limit):
      return """
        cannot restore a stack from \(found) past swipes: the history limit is \(limit); pass the \
        newest \(limit) and add the others to evicted
        """
    case .tooManyCards(let found, let limit):
      return """
        cannot restore a stack from \(found) upcoming cards: there is room for \(limit); pass the \
        first \(limit) or raise the capacity
        """
    case .sequenceNotIncreasing(let found, let least):
      return """
        cannot restore a stack: sequence number \(found) found where \(least) or more is allowed; \
        pass the past oldest first
        """
    case .cardHeldTwice(let place):
      return """
        cannot restore a stack: the card at place \(place), past and upcoming counted together \
        from 0, occurs before; pass each card once
        """
    case .negativeEvicted(let found):
      return "cannot restore a stack: evicted is \(found); pass 0 or more"
    }
  }
}
