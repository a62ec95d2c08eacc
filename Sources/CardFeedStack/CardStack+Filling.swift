extension CardStack {
  /// Puts cards behind the upcoming ones. The top, the history and the generation stay.
  ///
  /// A card is left out, and accounted for, if its id is upcoming or (with ``StackPolicy/stop``) in
  /// the history already, or if `capacity` cards are upcoming.
  ///
  /// - Parameter cards: The cards in the order in which they are to come.
  /// - Returns: What became of each card.
  /// - Complexity: O(number of cards), expected.
  @inlinable
  @discardableResult
  public mutating func append(_ cards: some Sequence<Card>) -> AppendAccounting<Card.ID> {
    var accounting = AppendAccounting<Card.ID>()
    let batchStart = endPosition
    for card in cards {
      let id = card.id
      if let reason = reasonToReject(id, batchStart: batchStart) {
        accounting.reject(id, reason)
      } else {
        index.update(id, upcoming: endPosition)
        ring.append(Entry(card: card, lap: 0))
        accounting.countInserted()
      }
    }
    storedCounts.add(offered: accounting.inserted)
    return accounting
  }

  /// Gives up all upcoming cards and puts others in their place. The history stays, so that a
  /// rewind brings the last swiped card back on top of the new ones.
  ///
  /// If this would lead to the very ids that are upcoming now, nothing is given up and the
  /// generation stays, so that decisions under way remain valid; the cards' values are renewed.
  ///
  /// - Parameter cards: The cards in the order in which they are to come. As with `append`, cards
  ///   in the history are left out (with ``StackPolicy/stop``).
  /// - Returns: What became of each card, and what was given up.
  /// - Complexity: O(number of cards + upcoming), expected.
  @inlinable
  @discardableResult
  public mutating func replaceUpcoming(
    with cards: some Collection<Card>
  ) -> ReplacementAccounting<Card.ID> {
    if leadsToSameUpcoming(cards) { return renewUpcoming(with: cards) }
    let dropped = upcomingCount
    for offset in state.historyCount..<ring.count {
      let id = ring[offset].card.id
      index.update(id, upcoming: nil)
    }
    ring.removeLast(dropped)
    storedCounts.add(removed: dropped)
    state.generation += 1
    let accounting = append(cards)
    return ReplacementAccounting(
      cards: accounting, droppedUpcoming: dropped, droppedHistory: 0, isUnchanged: false,
      ranOut: isEmpty && dropped > 0)
  }

  /// Gives up all upcoming cards and the history, and starts anew with other cards.
  ///
  /// Sequence numbers and ``counts`` start from 0; the top position stays where it is, so that no
  /// position ever means another card to a late client. The generation goes up in any case.
  ///
  /// - Parameter cards: The cards in the order in which they are to come.
  /// - Returns: What became of each card, and what was given up.
  /// - Complexity: O(number of cards + capacity + historyLimit), expected.
  @inlinable
  @discardableResult
  public mutating func reset(
    with cards: some Sequence<Card>
  ) -> ReplacementAccounting<Card.ID> {
    let droppedUpcoming = upcomingCount
    let droppedHistory = historyCount
    // First the past, which moves the start slot, so that slots keep matching positions.
    ring.removeFirst(droppedHistory)
    ring.removeAll()
    index.removeAll()
    state.historyCount = 0
    state.nextSequence = 0
    state.generation += 1
    storedCounts = StackCounts()
    let accounting = append(cards)
    return ReplacementAccounting(
      cards: accounting, droppedUpcoming: droppedUpcoming, droppedHistory: droppedHistory,
      isUnchanged: false, ranOut: isEmpty && droppedUpcoming > 0)
  }

  /// The position behind the last upcoming card.
  @inlinable var endPosition: StackPosition { state.topPosition.advanced(by: upcomingCount) }

  /// Why a card cannot go to the back now; nil if it can.
  @inlinable
  func reasonToReject(
    _ id: Card.ID, batchStart: StackPosition
  ) -> AppendAccounting<Card.ID>.Reason? {
    if let residence = index.residence(of: id) {
      if let position = residence.upcoming {
        return position < batchStart ? .alreadyUpcoming : .duplicateInBatch
      }
      // A looping deck repeats its cards anyway, so a past swipe is no obstacle.
      if policy == .stop { return .alreadySeen }
    }
    return upcomingCount < capacity ? nil : .rejectedForCapacity
  }

  /// Whether replacing the upcoming cards would lead to the ids that are upcoming now, in order.
  @inlinable
  func leadsToSameUpcoming(_ cards: some Collection<Card>) -> Bool {
    var expected = state.topPosition
    for card in cards {
      let id = card.id
      let residence = index.residence(of: id)
      if let position = residence?.upcoming {
        if position > expected { return false }
        if position == expected { expected = expected.advanced(by: 1) }
      } else if residence == nil || policy == .loop {
        let isRejected = expected == endPosition && upcomingCount >= capacity
        if !isRejected { return false }
      }
    }
    return expected == endPosition
  }

  /// Puts the new values of the same cards in the places of the old ones.
  @inlinable
  mutating func renewUpcoming(
    with cards: some Collection<Card>
  ) -> ReplacementAccounting<Card.ID> {
    var accounting = AppendAccounting<Card.ID>()
    var expected = state.topPosition
    for card in cards {
      let id = card.id
      guard let position = index.residence(of: id)?.upcoming else {
        // Not upcoming, so it was seen or there is no room: neither depends on the batch.
        if let reason = reasonToReject(id, batchStart: expected) { accounting.reject(id, reason) }
        continue
      }
      if position == expected {
        let offset = state.historyCount + (position.value - state.topPosition.value)
        ring[offset].card = card
        expected = expected.advanced(by: 1)
        // Not listed among the rejections: for a replacement this is the ordinary case.
        accounting.count(.alreadyUpcoming)
      } else {
        accounting.reject(id, .duplicateInBatch)
      }
    }
    return ReplacementAccounting(
      cards: accounting, droppedUpcoming: 0, droppedHistory: 0, isUnchanged: true, ranOut: false)
  }
}
