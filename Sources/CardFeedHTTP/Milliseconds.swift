internal import Glibc

/// Time that only goes forward, in milliseconds. Coarse: it may be a few milliseconds late, and costs
/// no system call.
enum Milliseconds {
  /// What no time reaches.
  static let never = UInt64.max

  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
  }

  /// A duration that an option gives in seconds.
  static func of(_ seconds: Double) -> UInt64 {
    UInt64(max(1, min(seconds * 1000, 1e15)))
  }
}
