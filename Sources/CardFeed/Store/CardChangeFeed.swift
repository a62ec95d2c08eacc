/// A card as it is after a change.
public struct CardChange: Hashable, Sendable {
  /// The number of the change; the next change of any card has a greater one.
  public let sequence: Int64
  /// The card with its number.
  public let card: StoredCard

  /// A card as it is after a change.
  public init(sequence: Int64, card: StoredCard) {
    self.sequence = sequence
    self.card = card
  }
}

/// A store that several processes share, and that tells each what the others did to the cards.
public protocol CardChangeFeed: FeedStore {
  /// The changes of cards behind a sequence number, in order, `limit` at most: each card once, as
  /// it is now. 0 is before all changes; none is missed.
  func cardChanges(after sequence: Int64, limit: Int) async throws -> [CardChange]
}
