extension CardStack {
  /// Records the answer to the top and moves on to the next card.
  ///
  /// - Parameters:
  ///   - token: The card the answer is about, as taken from ``token`` when it was shown.
  ///   - answer: The viewer's answer.
  ///   - force: Whether to skip the gate. The record says so.
  /// - Returns: The swipe and the state after it.
  /// - Throws: ``StackError/staleDecision(_:)`` if the token does not name the top of this
  ///   generation, ``StackError/refused(_:)`` if the gate refuses. Then nothing has changed.
  /// - Complexity: O(1) expected; allocates nothing.
  @inlinable
  @discardableResult
  public mutating func swipe(
    _ token: StackToken<Card.ID>, answer: Answer, force: Bool = false
  ) throws(StackError) -> StackOutcome<Card, Answer> {
    guard
      let top, top.id == token.id, token.generation == state.generation,
      token.position == nil || token.position == state.topPosition
    else {
      throw .staleDecision(
        StaleDecision(
          topPosition: isEmpty ? nil : state.topPosition, generation: state.generation,
          decidedPosition: token.position, decidedGeneration: token.generation))
    }
    if !force, let gate, let refusal = gate(top, answer) { throw .refused(refusal) }
    return commitSwipe(answer: answer, isForced: force)
  }

  /// Records an answer to whatever card is on top: for programs that hold the stack themselves and
  /// cannot be late. The gate is consulted all the same.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - force: Whether to skip the gate. The record says so.
  /// - Returns: The swipe and the state after it; nil if the stack is empty.
  /// - Throws: ``StackError/refused(_:)`` if the gate refuses. Then nothing has changed.
  /// - Complexity: O(1) expected; allocates nothing.
  @inlinable
  @discardableResult
  public mutating func swipeTop(
    answer: Answer, force: Bool = false
  ) throws(StackError) -> StackOutcome<Card, Answer>? {
    guard let token else { return nil }
    return try swipe(token, answer: answer, force: force)
  }

  /// Takes the last swipe back: its card is the top again.
  ///
  /// The stack then equals the one before the swipe, unless that swipe evicted the oldest record:
  /// an evicted record does not come back.
  ///
  /// - Returns: The swipe that was taken back and the state after it.
  /// - Throws: ``StackError/nothingToRewind`` or ``StackError/rewindTooOld(historyLimit:evicted:)``
  ///   if the history is empty. Then nothing has changed.
  /// - Complexity: O(1) expected; O(upcoming) in a looping stack to which cards were appended after
  ///   the swipe. Allocates nothing.
  @inlinable
  @discardableResult
  public mutating func rewind() throws(StackError) -> StackOutcome<Card, Answer> {
    guard canRewind else {
      throw storedCounts.evicted > 0
        ? .rewindTooOld(historyLimit: historyLimit, evicted: storedCounts.evicted)
        : .nothingToRewind
    }
    let position = state.topPosition.advanced(by: -1)
    let offset = state.historyCount - 1
    let record = ring[offset].record(at: position)
    let id = record.card.id
    // In a looping stack the card waits at the back for its next lap; it must not be there twice.
    if let nextLap = index.residence(of: id)?.upcoming {
      removeUpcoming(at: nextLap)
      storedCounts.add(recirculated: -1)
    }
    ring[offset] = Entry(card: record.card, lap: record.lap)
    index.update(id, upcoming: position, recordsBy: -1)
    state.historyCount -= 1
    state.topPosition = position
    state.nextSequence = record.sequence
    return StackOutcome(
      kind: .rewound, record: record, top: top, remaining: remaining, progress: progress,
      ranOut: false, evicted: nil)
  }

  /// The one place where a swipe is made.
  @inlinable
  mutating func commitSwipe(answer: Answer, isForced: Bool) -> StackOutcome<Card, Answer> {
    let position = state.topPosition
    var entry = ring[state.historyCount]
    let id = entry.card.id
    let lap = entry.lap
    entry.swipe = Entry.Swipe(answer: answer, sequence: state.nextSequence, isForced: isForced)
    ring[state.historyCount] = entry
    state.historyCount += 1
    state.topPosition = position.advanced(by: 1)
    state.nextSequence += 1
    index.update(id, upcoming: nil, recordsBy: 1)

    let evicted = evictIfNeeded()
    if policy == .loop {
      index.update(id, upcoming: endPosition)
      ring.append(Entry(card: entry.card, lap: lap + 1))
      storedCounts.add(recirculated: 1)
    }
    return StackOutcome(
      kind: .swiped, record: entry.record(at: position), top: top, remaining: remaining,
      progress: progress, ranOut: isEmpty, evicted: evicted)
  }

  /// Drops the oldest record if the history exceeds its limit, or if a looping card needs the room:
  /// rewinds across a replacement can have left more cards upcoming than the capacity.
  @inlinable
  mutating func evictIfNeeded() -> SwipeRecord<Card, Answer>? {
    guard state.historyCount > historyLimit || (policy == .loop && ring.isFull) else { return nil }
    let record = ring[0].record(at: firstPosition)
    ring.removeFirst()
    state.historyCount -= 1
    index.update(record.card.id, recordsBy: -1)
    storedCounts.add(evicted: 1)
    return record
  }

  /// Takes one upcoming card out and closes the gap from behind.
  @inlinable
  mutating func removeUpcoming(at position: StackPosition) {
    let offset = state.historyCount + (position.value - state.topPosition.value)
    let id = ring[offset].card.id
    for next in (offset + 1)..<Swift.max(offset + 1, ring.count) {
      ring.swapAt(next - 1, next)
      let moved = ring[next - 1].card.id
      index.update(moved, upcoming: position.advanced(by: next - 1 - offset))
    }
    ring.removeLast()
    index.update(id, upcoming: nil)
  }
}
