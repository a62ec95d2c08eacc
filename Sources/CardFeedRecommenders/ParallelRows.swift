internal import Dispatch
internal import Synchronization

/// Runs `body` once for each index below `count`, on up to `threads` threads.
///
/// Who computes an index is left to chance, so a body writes only what belongs to its index; then the
/// result is the same for every number of threads.
func forEachRow(
  _ count: Int, threads: Int, _ body: @Sendable @escaping (Int) -> Void
) {
  guard threads > 1, count > 1 else {
    for index in 0..<count { body(index) }
    return
  }
  let next = NextIndex()
  DispatchQueue.concurrentPerform(iterations: Swift.min(threads, count)) { _ in
    while let index = next.take(below: count) { body(index) }
  }
}

/// The same with rows in blocks, for bodies that need scratch memory.
func forEachBlock(
  _ count: Int, of size: Int, threads: Int, _ body: @Sendable @escaping (Range<Int>) -> Void
) {
  forEachRow((count + size - 1) / size, threads: threads) { block in
    body(block * size..<Swift.min(count, (block + 1) * size))
  }
}

private final class NextIndex: Sendable {
  private let value = Atomic(0)

  func take(below count: Int) -> Int? {
    let index = value.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < count ? index : nil
  }
}

/// Results of rows that are computed by many threads, each written once by its own row.
struct RowResults<Value: Sendable>: @unchecked Sendable {
  // Unchecked: different indices are different memory, and each is written by one row only.
  private let buffer: UnsafeMutableBufferPointer<Value>

  init(count: Int, repeating value: Value) {
    buffer = .allocate(capacity: count)
    buffer.initialize(repeating: value)
  }

  subscript(index: Int) -> Value {
    get { buffer[index] }
    nonmutating set { buffer[index] = newValue }
  }

  /// The values; the memory is given back, so this is the last use.
  consuming func take() -> [Value] {
    let values = Array(buffer)
    buffer.deinitialize()
    buffer.deallocate()
    return values
  }
}

/// Memory that rows write to at places of their own.
struct SharedMemory<Element: BitwiseCopyable>: @unchecked Sendable {
  // Unchecked: whoever makes one gives each thread places that no other thread touches.
  let base: UnsafeMutablePointer<Element>

  init(_ buffer: UnsafeMutableBufferPointer<Element>) {
    guard let base = buffer.baseAddress else {
      preconditionFailure("Shared memory of no elements has no place to write to.")
    }
    self.base = base
  }
}
