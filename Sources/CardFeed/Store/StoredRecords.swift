/// A card as a store keeps it.
public struct StoredCard: Hashable, Sendable {
  /// Its identity.
  public let id: CardID
  /// Its number; nil in a card that is about to be stored.
  public var number: CardNumber?
  /// What the deck made of it.
  public let payload: [UInt8]
  /// Whether it was taken out of the deck.
  public var isWithdrawn: Bool
  /// When its payload was last replaced by another one; nil if that is not known, or if it never
  /// was since the card was first put. What is put does not say so: a store sets it.
  public let changedAt: Timestamp?

  /// A card as a store keeps it.
  ///
  /// - Parameters:
  ///   - id: The card's identity.
  ///   - number: Its number; nil before a store has given it one.
  ///   - payload: The card in the deck's own form.
  ///   - isWithdrawn: Whether it was taken out of the deck.
  ///   - changedAt: When its payload was last replaced; the epoch itself stands for nil, as 0 does in
  ///     the tables of stores.
  public init(
    id: CardID, number: CardNumber? = nil, payload: [UInt8], isWithdrawn: Bool = false,
    changedAt: Timestamp? = nil
  ) {
    self.id = id
    self.number = number
    self.payload = payload
    self.isWithdrawn = isWithdrawn
    self.changedAt = changedAt.flatMap { $0.milliseconds == 0 ? nil : $0 }
  }
}

/// A viewer's stack as a store keeps it: where it stands, and an image of the cards from its top on.
public struct StoredStack: Hashable, Sendable {
  /// The generation of the stack.
  public var generation: Int64
  /// The position of the top.
  public var top: Int64
  /// The position of the image's first card, which is `top` or less.
  public var imageStart: Int64
  /// The upcoming cards as the engine encodes them.
  public var image: [UInt8]

  /// A viewer's stack.
  public init(generation: Int64, top: Int64, imageStart: Int64, image: [UInt8]) {
    self.generation = generation
    self.top = top
    self.imageStart = imageStart
    self.image = image
  }
}

/// A swipe of the log that stands, as needed to rewind it.
public struct StoredSwipe: Hashable, Sendable {
  /// Its place in the log.
  public let event: LogPosition
  /// The card.
  public let card: CardNumber
  /// The answer's raw value.
  public let answer: String
  /// The deal that had dealt the card, if the swipe came from a hand.
  public let deal: LogPosition?

  /// A swipe of the log.
  public init(event: LogPosition, card: CardNumber, answer: String, deal: LogPosition?) {
    self.event = event
    self.card = card
    self.answer = answer
    self.deal = deal
  }
}

/// When an answer was given, as needed to count answers.
public struct DatedAnswer: Hashable, Sendable {
  /// The swipe's place in the log.
  public let event: LogPosition
  /// The answer's raw value.
  public let answer: String
  /// When.
  public let time: Timestamp

  /// When an answer was given.
  public init(event: LogPosition, answer: String, time: Timestamp) {
    self.event = event
    self.answer = answer
    self.time = time
  }
}

/// One answer of a viewer to a card, among all of them.
public struct GivenAnswer: Hashable, Sendable {
  /// The card.
  public let card: CardNumber
  /// The raw value of the deck's answer.
  public let answer: String
  /// What it says.
  public let meaning: AnswerMeaning
  /// When the client swiped, as far as it had come to that when the feed took the answer.
  public let time: Timestamp
  /// The swipe's place in the log.
  public let event: LogPosition

  /// One answer of a viewer.
  public init(
    card: CardNumber, answer: String, meaning: AnswerMeaning, time: Timestamp, event: LogPosition
  ) {
    self.card = card
    self.answer = answer
    self.meaning = meaning
    self.time = time
    self.event = event
  }
}

extension GivenAnswer {
  init(_ command: SwipeCommand, event: LogPosition) {
    self.init(
      card: command.card, answer: command.answer, meaning: command.meaning, time: command.time,
      event: event)
  }
}

/// Everything a store knows of one viewer that a session needs.
public struct ViewerRecord: Sendable {
  /// What the viewer and each card had to do with each other.
  public var seen: [CardNumber: SeenEntry]
  /// The stack, if a hand was ever dealt.
  public var stack: StoredStack?
  /// The latest swipes of hands that stand, oldest first.
  public var recentSwipes: [StoredSwipe]
  /// How many deals the viewer has had; makes the seed of the next.
  public var deals: Int64

  /// Everything a store knows of one viewer that a session needs.
  public init(
    seen: [CardNumber: SeenEntry] = [:], stack: StoredStack? = nil,
    recentSwipes: [StoredSwipe] = [], deals: Int64 = 0
  ) {
    self.seen = seen
    self.stack = stack
    self.recentSwipes = recentSwipes
    self.deals = deals
  }
}

/// A match: one for each unordered pair.
public struct StoredMatch: Hashable, Sendable {
  /// The event that made it; its identity.
  public let event: LogPosition
  /// The smaller number of the two.
  public let low: CardNumber
  /// The greater number of the two.
  public let high: CardNumber
  /// When it was made.
  public let time: Timestamp

  /// A match of two numbers in either order.
  public init(event: LogPosition, between one: CardNumber, and other: CardNumber, time: Timestamp) {
    self.event = event
    low = min(one, other)
    high = max(one, other)
    self.time = time
  }
}

/// What kind of thing happened. The raw values are stored.
public enum EventKind: Int64, Hashable, Sendable, CaseIterable {
  /// Cards were dealt to a viewer.
  case deal = 1
  /// The client showed a card.
  case impression = 2
  /// The viewer answered.
  case swipe = 3
  /// The last swipe was taken back.
  case rewind = 4
  /// The viewer blocked a person.
  case block = 5
  /// The viewer reported a person, which blocks as well.
  case report = 6
  /// A swipe made a match.
  case match = 7
  /// A person was erased, with the events by and about them. Viewer and card are their number.
  case erasure = 8
  /// Old answers of the viewer were folded into a set, and their events removed. No card.
  case ageOut = 9
  /// The viewer ended a match, which keeps the two apart from then on.
  case unmatch = 10
}

/// One row of the event log.
public struct LoggedEvent: Hashable, Sendable {
  /// Its place.
  public let position: LogPosition
  /// What happened.
  public let kind: EventKind
  /// Who did it.
  public let viewer: ViewerNumber
  /// To which card; nil for a deal and an age-out.
  public let card: CardNumber?
  /// When it happened, as the feed's clock said or, before that, the client.
  public let time: Timestamp
  /// The answer's raw value and meaning, for a swipe.
  public let answer: String?
  /// What the answer says, for a swipe.
  public let meaning: AnswerMeaning?
  /// The event this one is about: the swipe of a rewind or of a match, the deal of a swipe.
  public let about: LogPosition?
  /// Whether it is a swipe that was taken back.
  public let isRewound: Bool
  /// For how long an impression lasted; nil where the client did not say.
  public let dwell: Dwell?
  /// The match that ended with a rewind, a block, a report or an unmatch. Logs of earlier versions
  /// do not say so of their events.
  public let endedMatch: LogPosition?

  /// One row of the event log.
  public init(
    position: LogPosition, kind: EventKind, viewer: ViewerNumber, card: CardNumber?,
    time: Timestamp, answer: String? = nil, meaning: AnswerMeaning? = nil,
    about: LogPosition? = nil, isRewound: Bool = false, dwell: Dwell? = nil,
    endedMatch: LogPosition? = nil
  ) {
    self.position = position
    self.kind = kind
    self.viewer = viewer
    self.card = card
    self.time = time
    self.answer = answer
    self.meaning = meaning
    self.about = about
    self.isRewound = isRewound
    self.dwell = dwell
    self.endedMatch = endedMatch
  }
}

/// A card dealt to a viewer, with how it came.
public struct Exposure: Hashable, Sendable {
  /// The card.
  public let card: CardNumber
  /// Its place in the deal, 0 is the first.
  public let position: Int
  /// The score it was ranked by; nil if unscored.
  public let score: Double?
  /// P(match) at the time; nil if unknown.
  public let probability: Double?
  /// With which probability this card came to this place, given the candidates.
  public let propensity: Double

  /// A card dealt to a viewer.
  public init(
    card: CardNumber, position: Int, score: Double?, probability: Double?, propensity: Double
  ) {
    self.card = card
    self.position = position
    self.score = score
    self.probability = probability
    self.propensity = propensity
  }
}
