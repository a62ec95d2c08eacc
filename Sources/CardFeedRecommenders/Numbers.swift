/// Numbers that do not change, in memory of their own or inside a mapped file.
///
/// A model reads its numbers here and does not know where they lie: a model that was just fitted owns
/// them, one that was loaded shares the pages of its file with every other process that loaded it.
struct Numbers<Element: BitwiseCopyable & Sendable>: RandomAccessCollection, @unchecked Sendable {
  // Unchecked: the memory is never written after `init`, and `owner` keeps it alive.
  let buffer: UnsafeBufferPointer<Element>
  private let owner: AnyObject

  private final class Memory {
    let buffer: UnsafeMutableBufferPointer<Element>

    init(_ count: Int) { buffer = .allocate(capacity: count) }

    deinit { buffer.deallocate() }
  }

  init(_ elements: some Collection<Element>) {
    self.init(count: elements.count) { _ = $0.initialize(fromContentsOf: elements) }
  }

  /// Memory that `fill` initialises wholly.
  init(count: Int, fill: (UnsafeMutableBufferPointer<Element>) throws -> Void) rethrows {
    let memory = Memory(count)
    try fill(memory.buffer)
    buffer = UnsafeBufferPointer(memory.buffer)
    owner = memory
  }

  /// A part of memory that somebody else owns.
  init(_ buffer: UnsafeBufferPointer<Element>, of owner: AnyObject) {
    self.buffer = buffer
    self.owner = owner
  }

  var startIndex: Int { 0 }
  var endIndex: Int { buffer.count }

  @inline(__always)
  subscript(position: Int) -> Element { buffer[position] }

  /// The part that begins at `start`. Valid as long as these numbers are.
  @inline(__always)
  func pointer(at start: Int) -> UnsafePointer<Element> {
    guard let base = buffer.baseAddress else {
      preconditionFailure("An empty list of numbers has no part to point at.")
    }
    return base + start
  }
}
