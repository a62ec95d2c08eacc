/// What a swipe or a rewind did, read after it was committed.
public struct StackOutcome<Card, Answer> {
  /// Which of the two operations this is the outcome of.
  public enum Kind: Hashable, Sendable {
    /// The card left the top.
    case swiped
    /// The card came back to the top.
    case rewound
  }

  /// Which operation this is the outcome of.
  public let kind: Kind

  /// The swipe that was made or taken back. Its position is where the card was the top.
  public let record: SwipeRecord<Card, Answer>

  /// The card on top now; nil if the stack is empty.
  public let top: Card?

  /// The number of upcoming cards now, the top included.
  public let remaining: Int

  /// How far the viewer is now.
  public let progress: StackProgress

  /// Whether this very operation emptied the stack. True once, not for every empty stack.
  public let ranOut: Bool

  /// The oldest record of the history, if this swipe pushed it out; it can no longer be rewound.
  public let evicted: SwipeRecord<Card, Answer>?

  @inlinable
  package init(
    kind: Kind, record: SwipeRecord<Card, Answer>, top: Card?, remaining: Int,
    progress: StackProgress, ranOut: Bool, evicted: SwipeRecord<Card, Answer>?
  ) {
    self.kind = kind
    self.record = record
    self.top = top
    self.remaining = remaining
    self.progress = progress
    self.ranOut = ranOut
    self.evicted = evicted
  }

  /// The card that was swiped or came back.
  @inlinable public var card: Card { record.card }

  /// The answer that was given or taken back.
  @inlinable public var answer: Answer { record.answer }
}

extension StackOutcome: Sendable where Card: Sendable, Answer: Sendable {}
extension StackOutcome: Equatable where Card: Equatable, Answer: Equatable {}

/// How far a viewer is: "card k of n".
public struct StackProgress: Hashable, Sendable {
  /// The number of cards behind the viewer: swiped and neither rewound nor removed since the last
  /// reset; in a looping stack, swiped in this lap.
  public let swiped: Int

  /// The number of cards swiped and upcoming together; in a looping stack, of the deck.
  public let total: Int

  @inlinable
  package init(swiped: Int, total: Int) {
    self.swiped = swiped
    self.total = total
  }

  /// The k of "card k of n", counted from 1; nil when no card is on top.
  @inlinable public var ordinal: Int? { swiped < total ? swiped + 1 : nil }
}
