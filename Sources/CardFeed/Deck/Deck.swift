/// A kind of card: its type, its answers, what they mean, and how long a seen card stays away.
///
/// A deck is a plugin. It knows nothing of feeds or stores, and it must never keep state.
public protocol Deck: Sendable {
  /// One thing that can be dealt.
  associatedtype Card: Sendable
  /// What a viewer can say to a card. The raw values are stored and appear in JSON, so they must
  /// not change once events exist.
  associatedtype Answer: Hashable, Sendable, CaseIterable, RawRepresentable
  where Answer.RawValue == String

  /// The stable, lower-case, dashed name by which a configuration asks for this deck.
  static var name: String { get }

  /// The card's identity, byte-exact.
  func id(of card: Card) -> CardID

  /// The columns that strategies see. Names are unique in a deck.
  var columns: [ColumnDeclaration<Card>] { get }

  /// What an answer says about the card.
  func meaning(of answer: Answer) -> AnswerMeaning

  /// Whether eligibility is mutual, and when a seen card may return.
  var policy: DeckPolicy { get }

  /// The bytes under which a store keeps the card.
  func encode(_ card: Card) -> [UInt8]

  /// The card back from its bytes. Throws when the bytes are not a card of this deck.
  func decode(_ bytes: [UInt8]) throws -> Card
}

/// What an answer says about a card.
public enum AnswerMeaning: UInt8, Hashable, Sendable, CaseIterable {
  /// The viewer does not want it (a pass, a wrong answer).
  case negative = 0
  /// Neither (skipped, no opinion).
  case neutral = 1
  /// The viewer wants it (a like, a right answer, a save).
  case positive = 2
}

/// What a deck says about seen cards and about the other side.
public struct DeckPolicy: Hashable, Sendable {
  /// Whether the cards are people who look at cards themselves, so that blocks and matches have
  /// two sides.
  public var isMutual: Bool
  /// Milliseconds after which a card with a negative answer may come back; nil is never.
  public var negativeReturnsAfter: Int64?
  /// Milliseconds after which a card with a neutral answer may come back; nil is never.
  public var neutralReturnsAfter: Int64?
  /// Whether a neutral answer is a chance that was not taken, so that rates count it as one: a product
  /// that was skipped was not bought. False where it is no answer to the card at all.
  public var countsNeutral: Bool

  /// A policy; by default no card ever comes back, and rates leave neutral answers out.
  public init(
    isMutual: Bool, negativeReturnsAfter: Int64? = nil, neutralReturnsAfter: Int64? = nil,
    countsNeutral: Bool = false
  ) {
    self.isMutual = isMutual
    self.negativeReturnsAfter = negativeReturnsAfter
    self.neutralReturnsAfter = neutralReturnsAfter
    self.countsNeutral = countsNeutral
  }

  /// Whether an answer was positive, as rates and probabilities count it; nil: they leave it out.
  public func outcome(of meaning: AnswerMeaning) -> Bool? {
    switch meaning {
    case .positive: true
    case .negative: false
    case .neutral: countsNeutral ? false : nil
    }
  }
}

/// Everything that a match rule may look at.
public struct MatchCircumstances: Sendable {
  /// What the viewer says now.
  public let meaning: AnswerMeaning
  /// What the card's own person last said of the viewer; nil if nothing, or if cards say nothing.
  public let reverse: AnswerMeaning?
  /// P(match) that was stored when the card was dealt; nil if it was unscored.
  public let compatibility: Double?

  /// Names the circumstances of one swipe.
  public init(meaning: AnswerMeaning, reverse: AnswerMeaning?, compatibility: Double?) {
    self.meaning = meaning
    self.reverse = reverse
    self.compatibility = compatibility
  }
}

/// Decides whether a swipe makes a match. Called inside the store's transaction, or ahead of it for
/// each thing that the other side may have said: it must be pure and quick.
public protocol MatchRule: Sendable {
  /// Whether the swipe makes a match.
  func isMatch(_ circumstances: MatchCircumstances) -> Bool
}
