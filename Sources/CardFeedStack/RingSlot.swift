/// The place of one element inside the storage of a ``RingBuffer``.
///
/// A slot is not an offset: the oldest element has offset 0 whatever its slot is. The two are
/// different types so that one can never be used where the other is meant.
public struct RingSlot: Hashable, Comparable, Sendable {
  /// Index into the storage, in `0..<capacity` (0 when the capacity is 0).
  public let value: Int

  @inlinable
  init(unchecked value: Int) { self.value = value }

  /// The slot of a position on an endless line that is wound around a ring.
  ///
  /// - Parameters:
  ///   - position: Any integer, negative ones included.
  ///   - capacity: The number of slots of the ring, 0 or more. Without slots the result is slot 0.
  /// - Complexity: O(1).
  @inlinable
  public init(of position: Int, capacity: Int) {
    self.value = capacity > 0 ? floorMod(position, capacity) : 0
  }

  /// The slot `distance` places further around the ring.
  ///
  /// This is the only place where wrapping around is decided.
  ///
  /// - Parameters:
  ///   - distance: In `0...capacity`.
  ///   - capacity: The number of slots of the ring.
  @inlinable
  func advanced(by distance: Int, capacity: Int) -> RingSlot {
    let room = capacity - value
    return RingSlot(unchecked: distance < room ? value + distance : distance - room)
  }

  /// Orders slots by their place in the storage, which is not the order of the elements.
  @inlinable
  public static func < (left: RingSlot, right: RingSlot) -> Bool { left.value < right.value }
}

/// The remainder of a division that rounds towards negative infinity: always in `0..<divisor`.
///
/// - Parameters:
///   - dividend: Any integer.
///   - divisor: Greater than 0.
/// - Complexity: O(1).
@inlinable
package func floorMod(_ dividend: Int, _ divisor: Int) -> Int {
  let remainder = dividend % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
