public import CardFeedStack

/// A card, and how far the line has been moved away from it.
public struct CardPlace: Hashable, Sendable {
  /// How far a finger may move the line before another card becomes the current one, in cards. More
  /// than half a card, so that nothing flutters between two cards at the border.
  public static let holdDistance = 1.2

  /// The current card.
  public var position: StackPosition
  /// How far the line is moved past it, in cards; negative towards those that went.
  public var offset: Double

  /// A place.
  ///
  /// - Parameters:
  ///   - position: The current card.
  ///   - offset: How far past it, in cards; what is not finite counts as 0.
  public init(position: StackPosition, offset: Double) {
    self.position = position
    self.offset = offset.isFinite ? offset : 0
  }

  /// The place a number of cards further, with the same current card. O(1).
  public func moved(by cards: Double) -> CardPlace {
    CardPlace(position: position, offset: offset + cards)
  }

  /// The same point of the line with the card nearest to it as the current one, if the offset has
  /// left ± `limit`; unchanged if it has not. The line has no end here; ``CardLine/settled(_:beyond:)``
  /// knows those of a deck. O(1).
  ///
  /// - Parameter limit: In cards, at least ½.
  public func settled(beyond limit: Double = holdDistance) -> CardPlace {
    guard abs(offset) > max(limit, 0.5), abs(offset) < 0x1p52 else { return self }
    let cards = offset.rounded(.toNearestOrAwayFromZero)
    return CardPlace(position: position.advanced(by: Int(cards)), offset: offset - cards)
  }
}
