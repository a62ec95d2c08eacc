/// A place on the endless line of cards that pass through one ``CardStack``.
///
/// A swipe moves the top one position forward, a rewind one back, and nothing else moves it, so
/// positions of different cards never have to be renumbered while a viewer holds them. Positions
/// may be negative: a restored stack keeps its past below its top, wherever the top is.
public struct StackPosition: Hashable, Comparable, Sendable {
  /// The distance from position 0, in cards.
  public let value: Int

  /// Creates a position.
  ///
  /// - Parameter value: The distance from position 0, in cards; may be negative.
  @inlinable
  public init(_ value: Int) { self.value = value }

  /// The position some cards further down the stack, or further back in the past.
  ///
  /// - Parameter distance: In cards; negative for the past.
  @inlinable
  public func advanced(by distance: Int) -> StackPosition { StackPosition(value + distance) }

  /// Orders positions from the past to the future.
  @inlinable
  public static func < (left: StackPosition, right: StackPosition) -> Bool {
    left.value < right.value
  }
}

extension StackPosition: CustomStringConvertible {
  /// The number alone.
  public var description: String { String(value) }
}
