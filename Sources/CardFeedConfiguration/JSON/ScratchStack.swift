/// A growing stack whose top elements move into an array of exactly their number.
///
/// The parser collects the children of all open containers on one stack, so that a container
/// costs a single allocation of the right size when it closes.
struct ScratchStack<Element>: ~Copyable {
  private var storage: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 64) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit {
    storage.deinitialize(count: count)
    storage.deallocate()
  }

  mutating func push(_ element: consuming Element) {
    if count == capacity { grow() }
    (storage + count).initialize(to: element)
    count += 1
  }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count)
    return storage[index]
  }

  mutating func pop() -> Element {
    precondition(count > 0)
    count -= 1
    return (storage + count).move()
  }

  /// Moves everything above the first `start` elements into an array.
  mutating func popAll(above start: Int) -> [Element] {
    precondition(start >= 0 && start <= count)
    let moved = count - start
    guard moved > 0 else { return [] }
    let source = storage + start
    count = start
    return Array(unsafeUninitializedCapacity: moved) { buffer, initialized in
      // The buffer has room for `moved` elements, so its base address exists.
      buffer.baseAddress?.moveInitialize(from: source, count: moved)
      initialized = moved
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: storage, count: count)
    storage.deallocate()
    storage = larger
    capacity *= 2
  }
}
