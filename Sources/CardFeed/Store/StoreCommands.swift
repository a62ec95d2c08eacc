/// One refill of a hand, to be made durable.
public struct DealCommand: Sendable {
  /// Whose hand.
  public let viewer: ViewerNumber
  /// When.
  public let time: Timestamp
  /// The pipeline that dealt.
  public let fingerprint: String
  /// The cards dealt, in order.
  public let exposures: [Exposure]
  /// The hand that the deal was made from; nil deals onto whatever is there.
  public let basis: HandRevision?
  /// Makes the stack as it will be, once the deal has its place in the log.
  public let stack: @Sendable (LogPosition) -> StoredStack

  /// One refill of a hand.
  public init(
    viewer: ViewerNumber, time: Timestamp, fingerprint: String, exposures: [Exposure],
    basis: HandRevision? = nil, stack: @escaping @Sendable (LogPosition) -> StoredStack
  ) {
    self.viewer = viewer
    self.time = time
    self.fingerprint = fingerprint
    self.exposures = exposures
    self.basis = basis
    self.stack = stack
  }
}

/// What became of a deal.
public enum DealDecision: Hashable, Sendable {
  /// It is durable, at this place of the log.
  case dealt(LogPosition)
  /// Nothing was done: these cards were blocked since they were filtered.
  case blocked([CardNumber])
  /// Nothing was done: the hand is not the one any more that the deal was made from.
  case stale
}

/// An answer to a card, to be made durable.
public struct SwipeCommand: Sendable {
  /// Who swipes.
  public let viewer: ViewerNumber
  /// Which card.
  public let card: CardNumber
  /// The client's identity of the event.
  public let event: EventID
  /// The answer's raw value.
  public let answer: String
  /// What it says.
  public let meaning: AnswerMeaning
  /// When.
  public let time: Timestamp
  /// Where the card must lie for the swipe to count.
  public let expectation: Expectation
  /// The deal that dealt the card, and P(match) stored with it.
  public let deal: LogPosition?
  /// P(match) stored when the card was dealt; nil if there was none.
  public let compatibility: Double?
  /// Cards left in the hand after the swipe; part of the receipt.
  public let remaining: Int
  /// Decides whether it is a match.
  public let matchRule: any MatchRule
  /// What learners learn from it.
  public let learned: [LearnerDelta]
  /// Whether the viewer has no such answer left: then the swipe counts only if it did before.
  public let isOverQuota: Bool

  /// Where the card must lie.
  public enum Expectation: Hashable, Sendable {
    /// On top of the stack of this generation, at this position.
    case top(generation: Int64, position: Int64)
    /// Nowhere: the swipe happened elsewhere and is recorded.
    case recorded
  }

  /// An answer to a card.
  public init(
    viewer: ViewerNumber, card: CardNumber, event: EventID, answer: String,
    meaning: AnswerMeaning, time: Timestamp, expectation: Expectation, deal: LogPosition?,
    compatibility: Double?, remaining: Int, matchRule: any MatchRule, learned: [LearnerDelta],
    isOverQuota: Bool = false
  ) {
    self.viewer = viewer
    self.card = card
    self.event = event
    self.answer = answer
    self.meaning = meaning
    self.time = time
    self.expectation = expectation
    self.deal = deal
    self.compatibility = compatibility
    self.remaining = remaining
    self.matchRule = matchRule
    self.learned = learned
    self.isOverQuota = isOverQuota
  }
}

/// What the store remembers of a swipe; the same however often the event is sent.
public struct StoredReceipt: Hashable, Sendable {
  /// The swipe's place in the log.
  public let event: LogPosition
  /// The card.
  public let card: CardNumber
  /// The answer's raw value.
  public let answer: String
  /// The match that it made or confirmed, if any.
  public let match: LogPosition?
  /// Cards left in the hand after it.
  public let remaining: Int

  /// What the store remembers of a swipe.
  public init(
    event: LogPosition, card: CardNumber, answer: String, match: LogPosition?, remaining: Int
  ) {
    self.event = event
    self.card = card
    self.answer = answer
    self.match = match
    self.remaining = remaining
  }
}

/// What became of a swipe.
public enum SwipeDecision: Hashable, Sendable {
  /// It counts.
  case applied(StoredReceipt)
  /// It was applied before; this is the receipt of then.
  case repeated(StoredReceipt)
  /// The event id belongs to another event.
  case conflict
  /// The card is not on top of the hand, or not available to this viewer any more.
  case stale
  /// The card is on top of the hand, but the viewer has no such answer left. Nothing changed.
  case overQuota
}

/// The taking back of a swipe, to be made durable.
public struct RewindCommand: Sendable {
  /// Whose swipe.
  public let viewer: ViewerNumber
  /// The client's identity of the rewind.
  public let event: EventID
  /// The swipe, which must be the last of the viewer's that stands.
  public let swipe: LogPosition
  /// When.
  public let time: Timestamp
  /// The hand that `stack` was made from; nil replaces whatever is there.
  public let basis: HandRevision?
  /// The stack as it will be.
  public let stack: StoredStack

  /// The taking back of a swipe.
  public init(
    viewer: ViewerNumber, event: EventID, swipe: LogPosition, time: Timestamp,
    basis: HandRevision? = nil, stack: StoredStack
  ) {
    self.viewer = viewer
    self.event = event
    self.swipe = swipe
    self.time = time
    self.basis = basis
    self.stack = stack
  }
}

/// What became of a rewind.
public enum RewindDecision: Hashable, Sendable {
  /// The swipe is taken back: what the card was to the viewer before, what learners take back, and
  /// whether a match went with it.
  case applied(
    event: LogPosition, card: CardNumber, restored: SeenEntry?, unlearned: [LearnerDelta],
    endedMatch: Bool)
  /// The rewind was applied before.
  case repeated(card: CardNumber)
  /// The event id belongs to another event.
  case conflict
  /// The swipe does not stand any more, or the hand is not the one that the rewind was made from.
  case stale
}

/// A block, a report or the end of a match, to be made durable: the two meet no more.
public struct BlockCommand: Sendable {
  /// Who keeps away.
  public let viewer: ViewerNumber
  /// From whom.
  public let card: CardNumber
  /// The client's identity of the event.
  public let event: EventID
  /// `.block`, `.report` or `.unmatch`.
  public let kind: EventKind
  /// When.
  public let time: Timestamp

  /// A block, a report or the end of a match.
  public init(
    viewer: ViewerNumber, card: CardNumber, event: EventID, kind: EventKind, time: Timestamp
  ) {
    self.viewer = viewer
    self.card = card
    self.event = event
    self.kind = kind
    self.time = time
  }
}

/// What became of an event that needs no answer.
public enum RecordDecision: Hashable, Sendable {
  /// It is durable.
  case applied(LogPosition)
  /// It was recorded before.
  case repeated
  /// The event id belongs to another event.
  case conflict
  /// The end of a match was asked for where none stands. Nothing changed.
  case noMatch
}

/// Why a pair must not meet.
public enum SafetyStanding: String, Hashable, Sendable {
  /// Nothing is against it.
  case clear
  /// One of the two blocked the other.
  case blocked
  /// One of the two reported the other.
  case reported
  /// One of the two ended their match.
  case unmatched
  /// Not known at the moment; counts as unsafe until it is.
  case unknown
}

/// Something a store found wrong with itself.
public struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
  /// Which part.
  public let part: String
  /// What is wrong with it.
  public let description: String

  /// A part and what is wrong with it.
  public init(part: String, description: String) {
    self.part = part
    self.description = description
  }
}
