/// Where a viewer's hand stands in the store: every deal, swipe, rewind and removal moves it, whoever
/// makes it.
///
/// What writes a hand says which one it was made from. If another process has moved the hand
/// meanwhile, the store refuses, so that a process which is behind never writes over what is newer.
public struct HandRevision: Hashable, Sendable {
  /// The generation of the stack; a rewind and a removal raise it.
  public let generation: Int64
  /// The position of the top; a swipe moves it.
  public let top: Int64
  /// How many deals the viewer has had.
  public let deals: Int64

  /// Where a hand stands.
  public init(generation: Int64, top: Int64, deals: Int64) {
    self.generation = generation
    self.top = top
    self.deals = deals
  }
}

extension HandRevision? {
  /// Whether a hand may be written over the one that stands, nil where none was ever kept. What was
  /// made from no particular hand may always.
  package func allows(_ basis: HandRevision?) -> Bool {
    guard let self, let basis else { return true }
    return self == basis
  }
}

/// What a deal is decided by.
public struct DealCircumstances: Sendable {
  /// A card of the deal.
  public struct Card: Sendable {
    /// Its number.
    public let number: CardNumber
    /// Whether it and the viewer must not meet.
    public let standing: SafetyStanding
    /// What the viewer and the card had to do with each other.
    public let seen: SeenEntry?

    /// A card of the deal.
    public init(number: CardNumber, standing: SafetyStanding, seen: SeenEntry?) {
      self.number = number
      self.standing = standing
      self.seen = seen
    }
  }

  /// Where the viewer's hand stands; nil where none is kept.
  public let revision: HandRevision?
  /// The cards, in the order of the deal.
  public let cards: [Card]

  /// What a deal is decided by.
  public init(revision: HandRevision?, cards: [Card]) {
    self.revision = revision
    self.cards = cards
  }
}
