import CardFeedStack
import Testing

/// Every ring of capacity 0…6 with every start slot and count, against a plain array.
@Suite("RingBuffer against an array")
struct RingBufferTests {
  /// One layout: a ring and the array that holds the same elements.
  struct Layout {
    var ring: RingBuffer<Int>
    var array: [Int]

    func expectSame(_ location: SourceLocation = #_sourceLocation) {
      #expect(ring.brokenInvariants == [], sourceLocation: location)
      #expect(Array(ring) == array, sourceLocation: location)
      #expect(ring.count == array.count, sourceLocation: location)
      #expect(ring.isEmpty == array.isEmpty, sourceLocation: location)
      #expect(ring.first == array.first, sourceLocation: location)
      #expect(ring.last == array.last, sourceLocation: location)
    }
  }

  static let layouts: [Layout] = (0...6).flatMap { capacity in
    (0..<max(capacity, 1)).flatMap { start in
      (0...capacity).map { count in
        var ring = RingBuffer<Int>(capacity: capacity, startingAt: start)
        let array = Array(100..<(100 + count))
        for element in array { ring.append(element) }
        return Layout(ring: ring, array: array)
      }
    }
  }

  @Test("construction: every start slot and count is really reached")
  func layouts() {
    #expect(Self.layouts.count == 1 + (1...6).reduce(0) { $0 + $1 * ($1 + 1) })
    for layout in Self.layouts {
      layout.expectSame()
      layout.ring.checkInvariants()
    }
    #expect(Set(Self.layouts.filter { $0.ring.capacity == 6 }.map(\.ring.start.value)).count == 6)
  }

  @Test("append and prepend")
  func insertion() {
    for layout in Self.layouts {
      #expect(layout.ring.isFull == (layout.array.count == layout.ring.capacity))
      if layout.ring.isFull { continue }
      var appended = layout
      appended.ring.append(7)
      appended.array.append(7)
      appended.expectSame()
      #expect(appended.ring.start == layout.ring.start)
      var prepended = layout
      prepended.ring.prepend(7)
      prepended.array.insert(7, at: 0)
      prepended.expectSame()
      layout.expectSame()
    }
  }

  @Test("removeFirst and removeLast, one and many")
  func removalAtTheEnds() {
    for layout in Self.layouts {
      for length in 0...layout.array.count {
        var front = layout
        front.ring.removeFirst(length)
        front.array.removeFirst(length)
        front.expectSame()
        #expect(front.ring.start == layout.ring.slot(at: length))
        var back = layout
        back.ring.removeLast(length)
        back.array.removeLast(length)
        back.expectSame()
        #expect(back.ring.start == layout.ring.start)
      }
      if layout.array.isEmpty { continue }
      var front = layout
      #expect(front.ring.removeFirst() == front.array.removeFirst())
      front.expectSame()
      var back = layout
      #expect(back.ring.removeLast() == back.array.removeLast())
      back.expectSame()
    }
  }

  @Test("removeSubrange: every range, and the longer side stays in its slots")
  func removeSubrange() {
    for layout in Self.layouts {
      let count = layout.array.count
      for lower in 0...count {
        for upper in lower...count {
          var changed = layout
          changed.ring.removeSubrange(lower..<upper)
          changed.array.removeSubrange(lower..<upper)
          changed.expectSame()
          let frontMoved = lower < upper && lower < count - upper
          #expect(
            changed.ring.start == layout.ring.slot(at: frontMoved ? upper - lower : 0),
            "\(lower)..<\(upper) of \(count)")
        }
      }
      var emptied = layout
      emptied.ring.removeAll()
      emptied.array.removeAll()
      emptied.expectSame()
    }
  }

  @Test("reading, writing and exchanging by offset")
  func offsets() {
    for layout in Self.layouts {
      for left in layout.array.indices {
        #expect(layout.ring[left] == layout.array[left])
        let slot = (layout.ring.start.value + left) % layout.ring.capacity
        #expect(layout.ring.slot(at: left).value == slot)
        var written = layout
        written.ring[left] = 7
        written.array[left] = 7
        written.expectSame()
        for right in layout.array.indices {
          var exchanged = layout
          exchanged.ring.swapAt(left, right)
          exchanged.array.swapAt(left, right)
          exchanged.expectSame()
        }
      }
    }
  }

  @Test("equality and hash look at the elements, not at the slots")
  func equality() {
    for layout in Self.layouts {
      var shifted = RingBuffer<Int>(
        capacity: layout.ring.capacity, startingAt: layout.ring.start.value + 1)
      for element in layout.array { shifted.append(element) }
      #expect(shifted == layout.ring)
      #expect(shifted.hashValue == layout.ring.hashValue)
      if layout.array.isEmpty { continue }
      shifted[0] = 7
      #expect(shifted != layout.ring)
    }
  }

  @Test("a start position may be negative or beyond the capacity", arguments: -13...13)
  func startPosition(position: Int) {
    let ring = RingBuffer<Int>(capacity: 5, startingAt: position)
    #expect(ring.start.value == ((position % 5) + 5) % 5)
    #expect(RingBuffer<Int>(capacity: 0, startingAt: position).start.value == 0)
  }

  @Test("random operation lists of 400 steps", arguments: 0..<20 as Range<UInt64>)
  func randomOperations(seed: UInt64) {
    var random = SplitMix64(state: seed)
    var layout = Layout(
      ring: RingBuffer(capacity: Int.random(in: 0...6, using: &random)), array: [])
    for step in 0..<400 {
      let copy = layout
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        if layout.ring.isFull { continue }
        layout.ring.append(step)
        layout.array.append(step)
      case 2:
        if layout.ring.isFull { continue }
        layout.ring.prepend(step)
        layout.array.insert(step, at: 0)
      case 3:
        if layout.array.isEmpty { continue }
        #expect(layout.ring.removeFirst() == layout.array.removeFirst())
      case 4:
        if layout.array.isEmpty { continue }
        #expect(layout.ring.removeLast() == layout.array.removeLast())
      default:
        let lower = Int.random(in: 0...layout.array.count, using: &random)
        let upper = Int.random(in: lower...layout.array.count, using: &random)
        layout.ring.removeSubrange(lower..<upper)
        layout.array.removeSubrange(lower..<upper)
      }
      layout.expectSame()
      copy.expectSame()
    }
  }

  @Test("removed elements are released at once, not when their slot is used again")
  func release() {
    final class Thing {}
    var ring = RingBuffer<Thing>(capacity: 3, startingAt: 2)
    weak var removed: Thing?
    weak var kept: Thing?
    do {
      let things = [Thing(), Thing(), Thing()]
      for thing in things { ring.append(thing) }
      removed = things[1]
      kept = things[2]
    }
    ring.removeSubrange(1..<2)
    #expect(removed == nil)
    #expect(kept != nil)
    #expect(ring.count == 2)
  }

  @Test("misuse traps")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = RingBuffer<Int>(capacity: -1) }
    await #expect(processExitsWith: .failure) {
      var ring = RingBuffer<Int>(capacity: 0)
      ring.append(1)
    }
    await #expect(processExitsWith: .failure) {
      var ring = RingBuffer<Int>(capacity: 2)
      ring.removeFirst()
    }
    await #expect(processExitsWith: .failure) {
      var ring = RingBuffer<Int>(capacity: 2)
      ring.append(1)
      _ = ring[1]
    }
    await #expect(processExitsWith: .failure) {
      var ring = RingBuffer<Int>(capacity: 2)
      ring.append(1)
      ring[-1] = 2
    }
    await #expect(processExitsWith: .failure) {
      var ring = RingBuffer<Int>(capacity: 2)
      ring.append(1)
      ring.removeSubrange(0..<2)
    }
  }
}
