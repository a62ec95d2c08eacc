/// What one transaction of a store can read and write: the rows, without the rules.
///
/// The rules (idempotency, stale, match, rewind) are written once over it, in
/// `StoreTransaction+Rules.swift`, for every store whose transactions are cheap local calls.
public protocol StoreTransaction {
  /// An event that a client sent before, by its identity.
  func clientEvent(_ event: EventID, of viewer: ViewerNumber) throws -> ClientEvent?
  /// What a swipe is decided by. A store that can ask for all of it at once should: a swipe is what
  /// a store does most.
  func circumstances(of swipe: SwipeCommand) throws -> SwipeCircumstances
  /// What a deal is decided by. A store that can ask for all of it at once should.
  func circumstances(of deal: DealCommand) throws -> DealCircumstances
  /// Appends to the log and returns the place.
  mutating func append(_ event: NewEvent) throws -> LogPosition
  /// The swipe at a place of the log, if it stands.
  func standingSwipe(_ position: LogPosition) throws -> StandingSwipe?
  /// Marks a swipe as taken back by a rewind, and its learners' deltas as taken back.
  mutating func markRewound(_ swipe: LogPosition, by rewind: LogPosition) throws

  /// What a viewer and a card had to do with each other.
  func seen(_ viewer: ViewerNumber, _ card: CardNumber) throws -> SeenEntry?
  /// Replaces it; nil removes it.
  mutating func setSeen(_ viewer: ViewerNumber, _ card: CardNumber, _ entry: SeenEntry?) throws

  /// Whether the two must not meet.
  func standing(between one: CardNumber, and other: CardNumber) throws -> SafetyStanding
  /// Makes `viewer` keep away from `card` and the other way round.
  mutating func setStanding(
    _ standing: SafetyStanding, by viewer: ViewerNumber, of card: CardNumber,
    event: LogPosition) throws

  /// The match of a pair, if it stands.
  func match(between one: CardNumber, and other: CardNumber) throws -> StoredMatch?
  /// Makes a match; the pair has none.
  mutating func insert(_ match: StoredMatch) throws
  /// Ends a pair's match, if there is one.
  mutating func removeMatch(between one: CardNumber, and other: CardNumber) throws

  /// Where the viewer's hand stands; nil where none is kept.
  func revision(of viewer: ViewerNumber) throws -> HandRevision?
  /// Moves the top by one.
  mutating func advanceStack(of viewer: ViewerNumber) throws
  /// Replaces the stack.
  mutating func setStack(_ stack: StoredStack, of viewer: ViewerNumber) throws

  /// Stores the cards of a deal.
  mutating func insert(
    _ exposures: [Exposure], of deal: LogPosition, viewer: ViewerNumber, time: Timestamp) throws

  /// Stores what a swipe adds for learners.
  mutating func insert(_ deltas: [LearnerDelta], of swipe: LogPosition) throws
  /// What a swipe added for learners.
  func deltas(of swipe: LogPosition) throws -> [LearnerDelta]
}

extension StoreTransaction {
  /// What a swipe is decided by, asked for one after the other.
  public func circumstances(of swipe: SwipeCommand) throws -> SwipeCircumstances {
    SwipeCircumstances(
      earlier: try clientEvent(swipe.event, of: swipe.viewer),
      top: try revision(of: swipe.viewer).map { ($0.generation, $0.top) },
      standing: try standing(between: swipe.viewer, and: swipe.card),
      before: try seen(swipe.viewer, swipe.card),
      reverse: try seen(swipe.card, swipe.viewer)?.answer?.meaning)
  }

  /// What a deal is decided by, asked for one after the other.
  public func circumstances(of deal: DealCommand) throws -> DealCircumstances {
    DealCircumstances(
      revision: try revision(of: deal.viewer),
      cards: try deal.exposures.map { exposure in
        DealCircumstances.Card(
          number: exposure.card,
          standing: try standing(between: deal.viewer, and: exposure.card),
          seen: try seen(deal.viewer, exposure.card))
      })
  }
}

/// What a swipe is decided by.
public struct SwipeCircumstances: Sendable {
  /// The event that the viewer sent under the same identity before.
  public let earlier: ClientEvent?
  /// Where the viewer's stack stands.
  public let top: (generation: Int64, top: Int64)?
  /// Whether the two must not meet.
  public let standing: SafetyStanding
  /// What the viewer and the card had to do with each other.
  public let before: SeenEntry?
  /// What the card's own person last said of the viewer.
  public let reverse: AnswerMeaning?

  /// What a swipe is decided by.
  public init(
    earlier: ClientEvent?, top: (generation: Int64, top: Int64)?, standing: SafetyStanding,
    before: SeenEntry?, reverse: AnswerMeaning?
  ) {
    self.earlier = earlier
    self.top = top
    self.standing = standing
    self.before = before
    self.reverse = reverse
  }
}

/// An event as a client sent it, with what was answered.
public struct ClientEvent: Hashable, Sendable {
  /// Its place in the log.
  public let position: LogPosition
  /// What happened.
  public let kind: EventKind
  /// To which card.
  public let card: CardNumber?
  /// The answer's raw value.
  public let answer: String?
  /// The match of a swipe's receipt.
  public let match: LogPosition?
  /// The cards left, of a swipe's receipt.
  public let remaining: Int

  /// An event as a client sent it.
  public init(
    position: LogPosition, kind: EventKind, card: CardNumber?, answer: String?,
    match: LogPosition?, remaining: Int
  ) {
    self.position = position
    self.kind = kind
    self.card = card
    self.answer = answer
    self.match = match
    self.remaining = remaining
  }
}

/// An event about to be appended to the log.
public struct NewEvent: Hashable, Sendable {
  /// What happens.
  public let kind: EventKind
  /// Who does it.
  public let viewer: ViewerNumber
  /// To which card.
  public var card: CardNumber?
  /// The client's identity, if it came from a client.
  public var clientID: EventID?
  /// When.
  public let time: Timestamp
  /// The answer's raw value.
  public var answer: String?
  /// What the answer says.
  public var meaning: AnswerMeaning?
  /// The event this one is about.
  public var about: LogPosition?
  /// What the pair had to do with each other before, for a swipe; restored by a rewind.
  public var before: SeenEntry?
  /// The match of a swipe's receipt. The place of the event itself when it makes the match.
  public var match: MatchReference?
  /// The cards left, of a swipe's receipt.
  public var remaining: Int
  /// The fingerprint of a deal.
  public var fingerprint: String?
  /// For how long an impression lasted.
  public var dwell: Dwell?
  /// The match that ends with it.
  public var endedMatch: LogPosition?

  /// Which match a receipt names.
  public enum MatchReference: Hashable, Sendable {
    /// One that stands already.
    case existing(LogPosition)
    /// The one this swipe makes.
    case made
  }

  /// An event about to be appended.
  public init(
    kind: EventKind, viewer: ViewerNumber, card: CardNumber? = nil, clientID: EventID? = nil,
    time: Timestamp, answer: String? = nil, meaning: AnswerMeaning? = nil,
    about: LogPosition? = nil, before: SeenEntry? = nil, match: MatchReference? = nil,
    remaining: Int = 0, fingerprint: String? = nil, dwell: Dwell? = nil,
    endedMatch: LogPosition? = nil
  ) {
    self.kind = kind
    self.viewer = viewer
    self.card = card
    self.clientID = clientID
    self.time = time
    self.answer = answer
    self.meaning = meaning
    self.about = about
    self.before = before
    self.match = match
    self.remaining = remaining
    self.fingerprint = fingerprint
    self.dwell = dwell
    self.endedMatch = endedMatch
  }
}

/// A swipe that was not taken back.
public struct StandingSwipe: Hashable, Sendable {
  /// Who swiped.
  public let viewer: ViewerNumber
  /// The card.
  public let card: CardNumber
  /// What the pair had to do with each other before.
  public let before: SeenEntry?

  /// A swipe that was not taken back.
  public init(viewer: ViewerNumber, card: CardNumber, before: SeenEntry?) {
    self.viewer = viewer
    self.card = card
    self.before = before
  }
}
