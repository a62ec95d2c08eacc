internal import Glibc
internal import Synchronization

/// Memory for the codes of several blocks, one after the other: a scan reads it in one run, and the
/// system can back it with pages of two megabytes, of which it has to look up few.
final class CodeRegion: @unchecked Sendable {
  // Safe to share: each slot is given out once, to the block that then owns its bytes; the counter is
  // atomic.

  private static let pageSize = 2 << 20

  private let start: UnsafeMutableRawPointer
  private let slotSize: Int
  private let slotCount: Int
  private let taken = Atomic<Int>(0)

  /// A region with room for blocks of `slotSize` bytes, which is above 0.
  init(slotSize: Int) {
    self.slotSize = slotSize
    slotCount = max(1, Self.pageSize / slotSize)
    let pages = (slotCount * slotSize + Self.pageSize - 1) / Self.pageSize
    start = .allocate(byteCount: pages * Self.pageSize, alignment: Self.pageSize)
    // A wish: where the system does not grant it, the pages are small ones.
    madvise(start, pages * Self.pageSize, MADV_HUGEPAGE)
  }

  deinit { start.deallocate() }

  /// Bytes that nobody else gets, for as long as the region lives; nil when all are given out.
  func take() -> UnsafeMutablePointer<Int8>? {
    let slot = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    guard slot < slotCount else { return nil }
    return (start + slot * slotSize).bindMemory(to: Int8.self, capacity: slotSize)
  }
}
