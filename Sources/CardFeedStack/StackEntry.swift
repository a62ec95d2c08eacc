/// What one slot of the ring of a ``CardStack`` holds: a card, and its swipe if it is in the past.
@usableFromInline
struct StackEntry<Card, Answer> {
  @usableFromInline
  struct Swipe {
    @usableFromInline var answer: Answer
    @usableFromInline var sequence: Int
    @usableFromInline var isForced: Bool

    @inlinable
    init(answer: Answer, sequence: Int, isForced: Bool) {
      self.answer = answer
      self.sequence = sequence
      self.isForced = isForced
    }
  }

  @usableFromInline var card: Card
  @usableFromInline var lap: Int
  /// Nil for an upcoming card.
  @usableFromInline var swipe: Swipe?

  @inlinable
  init(card: Card, lap: Int, swipe: Swipe? = nil) {
    self.card = card
    self.lap = lap
    self.swipe = swipe
  }

  @inlinable
  func record(at position: StackPosition) -> SwipeRecord<Card, Answer> {
    guard let swipe else {
      preconditionFailure("CardStack is corrupt: an upcoming card lies in the history")
    }
    return SwipeRecord(
      card: card, answer: swipe.answer, position: position, sequence: swipe.sequence, lap: lap,
      isForced: swipe.isForced)
  }
}

extension StackEntry: Sendable where Card: Sendable, Answer: Sendable {}
extension StackEntry: Equatable where Card: Equatable, Answer: Equatable {}
extension StackEntry: Hashable where Card: Hashable, Answer: Hashable {}
extension StackEntry.Swipe: Sendable where Card: Sendable, Answer: Sendable {}
extension StackEntry.Swipe: Equatable where Card: Equatable, Answer: Equatable {}
extension StackEntry.Swipe: Hashable where Card: Hashable, Answer: Hashable {}
