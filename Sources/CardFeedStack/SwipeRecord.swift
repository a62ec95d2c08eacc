/// One swipe in the history of a ``CardStack``.
public struct SwipeRecord<Card, Answer> {
  /// The card that was swiped.
  public let card: Card

  /// What the viewer answered.
  public let answer: Answer

  /// Where the card lies in the stack now. When an older neighbour is removed from the history,
  /// positions close up; ``sequence`` never changes.
  public let position: StackPosition

  /// How many swipes came before this one since the last reset, those taken back not counted: the
  /// first is 0 and an undisturbed history has no gaps.
  public let sequence: Int

  /// How often the card had come round before, 0 at first. Always 0 with ``StackPolicy/stop``.
  public let lap: Int

  /// Whether the swipe was forced past the gate.
  public let isForced: Bool

  /// Creates a record, usually from a stored one to restore a stack.
  ///
  /// - Parameters:
  ///   - card: The card that was swiped.
  ///   - answer: What the viewer answered.
  ///   - position: Where the card lies. Restoring a stack assigns positions anew.
  ///   - sequence: The number of swipes before this one, 0 or more.
  ///   - lap: How often the card had come round before.
  ///   - isForced: Whether the swipe was forced past the gate.
  @inlinable
  public init(
    card: Card, answer: Answer, position: StackPosition, sequence: Int, lap: Int = 0,
    isForced: Bool = false
  ) {
    self.card = card
    self.answer = answer
    self.position = position
    self.sequence = sequence
    self.lap = lap
    self.isForced = isForced
  }
}

extension SwipeRecord: Sendable where Card: Sendable, Answer: Sendable {}
extension SwipeRecord: Equatable where Card: Equatable, Answer: Equatable {}
extension SwipeRecord: Hashable where Card: Hashable, Answer: Hashable {}
