extension RingBuffer {
  /// Removes and returns the oldest element.
  ///
  /// - Precondition: The ring is not empty.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element {
    guard storedCount > 0, let element = storage[storedStart.value] else {
      preconditionFailure("The RingBuffer is empty. Check isEmpty before removing an element.")
    }
    removeFirst(1)
    return element
  }

  /// Removes and returns the newest element.
  ///
  /// - Precondition: The ring is not empty.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    guard storedCount > 0, let element = storage[slot(at: storedCount - 1).value] else {
      preconditionFailure("The RingBuffer is empty. Check isEmpty before removing an element.")
    }
    removeLast(1)
    return element
  }

  /// Removes the oldest elements; the start slot moves on by as many.
  ///
  /// - Parameter length: In `0...count`.
  /// - Complexity: O(length).
  @inlinable
  public mutating func removeFirst(_ length: Int) {
    precondition(
      length >= 0 && length <= storedCount,
      "The RingBuffer holds fewer elements. Remove a number of elements in 0...count.")
    vacate(0..<length)
    storedStart = storedStart.advanced(by: length, capacity: capacity)
    storedCount -= length
  }

  /// Removes the newest elements; the start slot stays.
  ///
  /// - Parameter length: In `0...count`.
  /// - Complexity: O(length).
  @inlinable
  public mutating func removeLast(_ length: Int) {
    precondition(
      length >= 0 && length <= storedCount,
      "The RingBuffer holds fewer elements. Remove a number of elements in 0...count.")
    vacate((storedCount - length)..<storedCount)
    storedCount -= length
  }

  /// Removes all elements and keeps the storage. The start slot stays.
  ///
  /// - Complexity: O(count).
  @inlinable
  public mutating func removeAll() { removeLast(storedCount) }

  /// Removes the elements at some offsets and closes the gap from the side with fewer elements.
  ///
  /// - Parameter offsets: Within `0..<count`; may be empty.
  /// - Complexity: O(length of the range + elements on the shorter side).
  @inlinable
  public mutating func removeSubrange(_ offsets: Range<Int>) {
    precondition(
      offsets.lowerBound >= 0 && offsets.upperBound <= storedCount,
      "The range is outside the RingBuffer. Use a range within 0..<count.")
    let length = offsets.count
    if offsets.lowerBound < storedCount - offsets.upperBound {
      for offset in (0..<offsets.lowerBound).reversed() { swapAt(offset, offset + length) }
      removeFirst(length)
    } else {
      for offset in offsets.upperBound..<storedCount { swapAt(offset, offset - length) }
      removeLast(length)
    }
  }

  /// Releases the elements at some offsets; the caller corrects start and count.
  @inlinable
  mutating func vacate(_ offsets: Range<Int>) {
    let (first, second) = segments(of: offsets)
    for index in first { storage[index] = nil }
    for index in second { storage[index] = nil }
  }
}

extension RingBuffer {
  /// What is wrong inside the ring, one sentence each; empty when all is well.
  package var brokenInvariants: [String] {
    var broken: [String] = []
    if storedCount < 0 || storedCount > capacity { broken.append("count is outside 0...capacity") }
    if storedStart.value < 0 || storedStart.value >= Swift.max(capacity, 1) {
      broken.append("the start slot is outside the storage")
    }
    guard broken.isEmpty else { return broken }
    let (first, second) = segments(of: 0..<storedCount)
    for index in storage.indices {
      let isOccupied = first.contains(index) || second.contains(index)
      if isOccupied != (storage[index] != nil) {
        broken.append(
          isOccupied ? "an occupied slot has no element" : "a vacant slot keeps its element")
      }
    }
    return broken
  }

  /// Traps with the reason if the ring's bookkeeping contradicts itself. For tests.
  ///
  /// - Complexity: O(capacity).
  public func checkInvariants() {
    let broken = brokenInvariants
    precondition(broken.isEmpty, "RingBuffer is corrupt: \(broken.joined(separator: "; "))")
  }
}
