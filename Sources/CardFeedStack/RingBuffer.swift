/// A queue with two ends, a fixed capacity and no allocation after `init`.
///
/// Elements have offsets `0..<count`, oldest first. They lie in at most two contiguous stretches of
/// the storage: from the start slot to its end, and from its beginning on. A copy is an independent
/// value; the storage is copied at the first change of a shared buffer and never otherwise.
///
/// Do not use it as a growing queue: a full ring refuses elements with a trap, because which
/// element should give way is the owner's decision. Insertion in the middle is deliberately absent.
public struct RingBuffer<Element> {
  // Optionals instead of uninitialized memory: vacated slots release their element at once, copies
  // and `Sendable` need no unsafe code, and an invariant can tell a vacant slot from a filled one.
  @usableFromInline var storage: ContiguousArray<Element?>
  @usableFromInline var storedStart: RingSlot
  @usableFromInline var storedCount: Int

  /// Creates an empty ring; the only allocation of its life.
  ///
  /// - Parameters:
  ///   - capacity: The most elements it can hold, 0 or more.
  ///   - position: The first element will lie in the slot `floorMod(position, capacity)`.
  /// - Complexity: O(capacity).
  @inlinable
  public init(capacity: Int, startingAt position: Int = 0) {
    precondition(
      capacity >= 0,
      "The capacity of a RingBuffer must be 0 or more. Pass 0 for a ring without room."
    )
    storage = ContiguousArray(repeating: nil, count: capacity)
    storedStart = RingSlot(of: position, capacity: capacity)
    storedCount = 0
  }

  /// The most elements the ring can hold.
  @inlinable public var capacity: Int { storage.count }

  /// The number of elements.
  @inlinable public var count: Int { storedCount }

  /// The slot of the oldest element, or of the next appended one when the ring is empty.
  @inlinable public var start: RingSlot { storedStart }

  /// Whether the next `append` or `prepend` would trap.
  @inlinable public var isFull: Bool { storedCount == storage.count }

  /// The slot in which the element at an offset lies.
  ///
  /// - Parameter offset: In `0...count`; `count` names the slot the next appended element takes.
  /// - Complexity: O(1).
  @inlinable
  public func slot(at offset: Int) -> RingSlot {
    precondition(
      offset >= 0 && offset <= storedCount,
      "The offset is outside the RingBuffer. Use an offset in 0...count.")
    return storedStart.advanced(by: offset, capacity: storage.count)
  }

  /// Adds an element behind the newest.
  ///
  /// - Precondition: The ring is not full.
  /// - Complexity: O(1).
  @inlinable
  public mutating func append(_ element: Element) {
    precondition(
      !isFull, "The RingBuffer is full. Check isFull, or remove an element before appending one.")
    storage[storedStart.advanced(by: storedCount, capacity: capacity).value] = element
    storedCount += 1
  }

  /// Adds an element before the oldest.
  ///
  /// - Precondition: The ring is not full.
  /// - Complexity: O(1).
  @inlinable
  public mutating func prepend(_ element: Element) {
    precondition(
      !isFull, "The RingBuffer is full. Check isFull, or remove an element before prepending one.")
    storedStart = storedStart.advanced(by: capacity - 1, capacity: capacity)
    storage[storedStart.value] = element
    storedCount += 1
  }

  /// The storage ranges that the elements at some offsets occupy: the stretch before the storage
  /// wraps around, then the stretch after it. Either may be empty.
  @inlinable
  func segments(of offsets: Range<Int>) -> (first: Range<Int>, second: Range<Int>) {
    let lower = storedStart.advanced(by: offsets.lowerBound, capacity: capacity).value
    let firstLength = Swift.min(offsets.count, capacity - lower)
    return (lower..<(lower + firstLength), 0..<(offsets.count - firstLength))
  }
}

extension RingBuffer: RandomAccessCollection, MutableCollection {
  /// The offset of the oldest element: 0.
  @inlinable public var startIndex: Int { 0 }

  /// The offset behind the newest element.
  @inlinable public var endIndex: Int { storedCount }

  /// The element at an offset, counted from the oldest.
  ///
  /// - Parameter offset: In `0..<count`.
  /// - Complexity: O(1).
  @inlinable
  public subscript(offset: Int) -> Element {
    get {
      guard offset < storedCount, let element = storage[slot(at: offset).value] else {
        preconditionFailure("The offset is outside the RingBuffer. Use an offset in 0..<count.")
      }
      return element
    }
    set {
      precondition(
        offset < storedCount, "The offset is outside the RingBuffer. Use an offset in 0..<count.")
      storage[slot(at: offset).value] = newValue
    }
  }

  /// Exchanges two elements without copying either.
  ///
  /// - Parameters:
  ///   - left: An offset in `0..<count`.
  ///   - right: An offset in `0..<count`.
  /// - Complexity: O(1).
  @inlinable
  public mutating func swapAt(_ left: Int, _ right: Int) {
    precondition(
      left < storedCount && right < storedCount,
      "The offset is outside the RingBuffer. Use offsets in 0..<count.")
    storage.swapAt(slot(at: left).value, slot(at: right).value)
  }
}

extension RingBuffer: Sendable where Element: Sendable {}

extension RingBuffer: Equatable where Element: Equatable {
  /// Whether two rings hold equal elements in the same order, wherever in the storage they lie.
  ///
  /// - Complexity: O(count).
  @inlinable
  public static func == (left: RingBuffer, right: RingBuffer) -> Bool {
    left.elementsEqual(right)
  }
}

extension RingBuffer: Hashable where Element: Hashable {
  /// Feeds the elements in order; like `==` it ignores where in the storage they lie.
  ///
  /// - Complexity: O(count).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storedCount)
    for element in self { hasher.combine(element) }
  }
}
