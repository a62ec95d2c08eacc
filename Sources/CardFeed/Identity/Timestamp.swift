internal import Glibc

/// A moment: milliseconds since 1970-01-01 00:00 UTC, leap seconds not counted.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since the epoch; negative before it.
  public let milliseconds: Int64

  /// Wraps milliseconds since the epoch.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Earlier before later.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The moment `milliseconds` later.
  public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: self.milliseconds + milliseconds)
  }

  /// Milliseconds in a day.
  public static let day: Int64 = 86_400_000
}

/// Where a feed gets its time from. Injected, so that a replay and a test own their time.
public protocol FeedClock: Sendable {
  /// The time of the calendar; recorded with events.
  var now: Timestamp { get }

  /// Nanoseconds on a clock that never goes back; for time budgets only.
  var uptimeNanoseconds: UInt64 { get }
}

/// The machine's own clocks.
public struct SystemClock: FeedClock {
  /// The machine's own clocks.
  public init() {}

  /// The calendar time of the machine, to the millisecond.
  public var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Nanoseconds since some fixed moment, from the monotonic clock.
  public var uptimeNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
