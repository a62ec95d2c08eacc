public import CardFeedStack

/// How little memory there is.
public enum MemoryPressure: String, Hashable, Sendable, CaseIterable {
  /// Enough.
  case normal
  /// Little: views that are far away are given up.
  case warning
  /// Hardly any: the top card and its neighbours are left.
  case critical

  /// How many views a pool keeps. O(1).
  ///
  /// - Parameter slots: How many it has when there is enough memory, 1 or more.
  public func slots(of slots: Int) -> Int {
    switch self {
    case .normal: max(1, slots)
    case .warning: max(1, min(slots, 5))
    case .critical: max(1, min(slots, 3))
    }
  }
}

/// What a client does with one of its views.
public struct SlotChange: Hashable, Sendable {
  /// What is to be done.
  public enum Action: String, Hashable, Sendable {
    /// The view shows its card already.
    case keep
    /// The view gets another card: everything of the old one, its picture, its movement, its state for
    /// assistive technology, has to go before it is shown.
    case reset
    /// The view shows nothing any more.
    case release
  }

  /// The view, in `0..<size`.
  public let slot: Int
  /// What is to be done with it.
  public let action: Action
  /// The card it shows from now on; nil for one that is released.
  public let position: StackPosition?
  /// The card it showed; nil if none.
  public let previous: StackPosition?
}

/// A fixed number of views for an endless line of cards.
///
/// The card at a position is always shown by the view `floorMod(position, size)`: one card forward or
/// back gives exactly one view another card, and nothing is ever allocated.
public struct ViewSlots: Hashable, Sendable {
  private var positions: [StackPosition?]
  /// How often a view got another card.
  public private(set) var reuseCount = 0

  /// A pool of views that show nothing.
  ///
  /// - Parameter size: How many, 1 or more.
  public init(size: Int) {
    positions = Array(repeating: nil, count: max(1, size))
  }

  /// How many views there are.
  public var size: Int { positions.count }

  /// The view of a position, in `0..<size`. O(1).
  public func slot(of position: StackPosition) -> Int { floorMod(position.value, size) }

  /// The card that a view shows; nil for none, and for a view that there is not. O(1).
  public func position(inSlot slot: Int) -> StackPosition? {
    positions.indices.contains(slot) ? positions[slot] : nil
  }

  /// Shows other cards, and says what each view has to do. O(size + cards).
  ///
  /// - Parameter cards: The positions to show, the most important first: of two that need the same
  ///   view the first one gets it. Those within `size` of each other never do.
  /// - Returns: One change for each view that shows something, or did, by slot.
  public mutating func show(_ cards: some Sequence<StackPosition>) -> [SlotChange] {
    var wanted: [StackPosition?] = Array(repeating: nil, count: size)
    for card in cards where wanted[slot(of: card)] == nil { wanted[slot(of: card)] = card }
    return positions.indices.compactMap { slot in
      let previous = positions[slot]
      let next = wanted[slot]
      positions[slot] = next
      switch (previous, next) {
      case (nil, nil): return nil
      case (_, nil):
        return SlotChange(slot: slot, action: .release, position: nil, previous: previous)
      default:
        if previous != next, previous != nil { reuseCount += 1 }
        return SlotChange(
          slot: slot, action: previous == next ? .keep : .reset, position: next, previous: previous)
      }
    }
  }

  /// Changes the number of views; they show nothing until ``show(_:)``. O(size).
  ///
  /// - Parameter size: How many, 1 or more.
  /// - Returns: A release for each view that showed something, under its old slot.
  public mutating func resize(to size: Int) -> [SlotChange] {
    let released = show([])
    positions = Array(repeating: nil, count: max(1, size))
    return released
  }
}
