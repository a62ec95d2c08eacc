public import CardFeedStack

/// The geometry of a line of cards that can be scrolled: positions, indices, offsets.
///
/// Pure functions of a few numbers: no platform framework, no clock and no state, so that a native, a
/// web and a terminal client draw the same picture. All lengths are in points. Positions are the
/// stack's own (`StackPosition`): endless in both directions where the deck loops.
public struct CardLine: Hashable, Sendable {
  /// How many cards the deck has, 0 or more.
  public let count: Int
  /// Whether the deck ends with its last card or begins again.
  public let policy: StackPolicy
  /// From the middle of one card to the middle of the next, in points, greater than 0.
  public let pitch: Double
  /// Which way the line runs.
  public let direction: LayoutDirection

  /// A line of cards.
  ///
  /// - Parameters:
  ///   - count: How many cards the deck has; less than 0 counts as 0.
  ///   - policy: Whether the deck ends or begins again.
  ///   - pitch: From one card to the next, in points; must be finite and greater than 0.
  ///   - direction: Which way the line runs.
  public init(
    count: Int, policy: StackPolicy, pitch: Double, direction: LayoutDirection = .leftToRight
  ) {
    precondition(
      pitch.isFinite && pitch > 0,
      "The pitch of a card line must be greater than 0 and finite, not \(pitch). Give the width of a "
        + "card with its gap, in points.")
    self.count = max(0, count)
    self.policy = policy
    self.pitch = pitch
    self.direction = direction
  }

  /// The index of the card at a position, in `0..<count`; nil where there is none. O(1).
  public func index(at position: StackPosition) -> Int? {
    switch policy {
    case .loop: count > 0 ? floorMod(position.value, count) : nil
    case .stop: (0..<count).contains(position.value) ? position.value : nil
    }
  }

  /// The position of a card that lies nearest to another position; the later one of two that are as
  /// near. Nil for an index that is not in `0..<count`. O(1).
  public func position(ofIndex index: Int, nearest other: StackPosition) -> StackPosition? {
    guard (0..<count).contains(index) else { return nil }
    guard policy == .loop else { return StackPosition(index) }
    let ahead = floorMod(index - floorMod(other.value, count), count)
    return other.advanced(by: 2 * ahead <= count ? ahead : ahead - count)
  }

  /// Where a scroll offset is: the nearest card and how far from it, in cards. O(1).
  ///
  /// - Parameter scroll: In points, as a scroll view counts: grows to the right, also where the line
  ///   runs to the left. What is not finite counts as 0.
  public func place(atScroll scroll: Double) -> CardPlace {
    let cards = (scroll.isFinite ? scroll : 0) * direction.sign / pitch
    return within(CardPlace(position: StackPosition(0), offset: cards).settled(beyond: 0.5))
  }

  /// The scroll offset of a place, in points: the inverse of ``place(atScroll:)``. O(1).
  public func scroll(of place: CardPlace) -> Double {
    (Double(place.position.value) + place.offset) * pitch * direction.sign
  }

  /// The cards around a position that are to be drawn, first the ones in front of it.
  ///
  /// A looping deck shows each card once: with fewer cards than the window has room for, the nearest
  /// ones are taken, those that come before those that went. O(window).
  ///
  /// - Parameters:
  ///   - position: The card on top.
  ///   - window: Distances from it, in cards.
  public func visible(
    around position: StackPosition, window: ClosedRange<Int> = -2...2
  ) -> [VisibleCard] {
    let nearestFirst = window.sorted { (abs($0), -$0) < (abs($1), -$1) }
    var shown: Set<Int> = []
    var cards: [VisibleCard] = []
    for distance in nearestFirst {
      let here = position.advanced(by: distance)
      guard let index = index(at: here), shown.insert(index).inserted else { continue }
      cards.append(VisibleCard(position: here, index: index, distance: distance))
    }
    return cards.sorted { $0.distance < $1.distance }
  }

  /// Where a saved index is after a restart: the same card, the last one if the deck has become
  /// shorter, nil if it is empty. O(1).
  public func restored(index: Int) -> StackPosition? {
    guard count > 0 else { return nil }
    return StackPosition(min(max(0, index), count - 1))
  }

  /// The same point with the nearest card of the deck as the current one, if the offset has left
  /// ± `limit`: what ``CardPlace/settled(beyond:)`` says, but never past the ends of a deck that ends,
  /// beyond which only the offset grows. O(1).
  ///
  /// - Parameters:
  ///   - place: Where the line is.
  ///   - limit: In cards, at least ½.
  public func settled(
    _ place: CardPlace, beyond limit: Double = CardPlace.holdDistance
  ) -> CardPlace { within(place.settled(beyond: limit)) }

  /// A place no further out than half a card beyond the ends of a deck that ends.
  private func within(_ place: CardPlace) -> CardPlace {
    guard policy == .stop, count > 0 else { return place }
    let first = StackPosition(0)
    let last = StackPosition(count - 1)
    let position = min(max(place.position, first), last)
    let beyond = Double(place.position.value - position.value) + place.offset
    return CardPlace(position: position, offset: beyond)
  }
}

/// A card that is to be drawn.
public struct VisibleCard: Hashable, Sendable {
  /// Its place on the line.
  public let position: StackPosition
  /// Which card of the deck it is.
  public let index: Int
  /// How many cards it is away from the top one; negative for those that went.
  public let distance: Int
}

/// What becomes of the picture when the number of cards changes.
public enum DeckTransition: String, Hashable, Sendable {
  /// Cards before and after, or none before and after.
  case none
  /// The last card went: show the empty state, with its reason.
  case becameEmpty
  /// Cards came: take the empty state away and lay out anew.
  case becameFilled

  /// The transition from one number of cards to another.
  public init(from before: Int, to after: Int) {
    switch (before > 0, after > 0) {
    case (true, false): self = .becameEmpty
    case (false, true): self = .becameFilled
    default: self = .none
    }
  }
}
