/// A card as it is after a change.
public struct CardChange: Hashable, Sendable {
  /// The number of the change; the next change of any card has a greater one.
  public let sequence: Int64
  /// The card with its number. Of somebody who was erased there is the number only.
  public let card: StoredCard
  /// Whether it is a person who was erased: nothing of them may be kept in memory.
  public let isErased: Bool

  /// A card as it is after a change.
  public init(sequence: Int64, card: StoredCard, isErased: Bool = false) {
    self.sequence = sequence
    self.card = card
    self.isErased = isErased
  }
}

/// A store that several processes share, and that tells each what the others did to the cards.
public protocol CardChangeFeed: FeedStore {
  /// The changes of cards behind a sequence number, in order, `limit` at most: each card once, as
  /// it is now. 0 is before all changes; none is missed.
  func cardChanges(after sequence: Int64, limit: Int) async throws -> [CardChange]
}
