public import CardFeed

/// A clock that stands still until it is told to move: for tests and replays.
///
/// With a `step`, every reading moves it on afterwards, so that "the budget ends after the third
/// reading" needs no second task. Calendar and uptime move together. Safe to use from many tasks.
public final class ManualClock: FeedClock {
  private struct State {
    /// Milliseconds of the calendar when `uptime` was 0.
    var origin: Int64
    var uptime: UInt64 = 0
    var step: UInt64
    var readings = 0
  }

  private let state: Lock<State>

  /// A clock that shows `now`.
  ///
  /// - Parameters:
  ///   - now: The calendar time.
  ///   - step: Nanoseconds by which every reading moves the clock on; 0 is not at all.
  public init(
    now: Timestamp = Timestamp(milliseconds: 1_000_000_000_000), stepNanoseconds step: UInt64 = 0
  ) {
    state = Lock(State(origin: now.milliseconds, step: step))
  }

  /// The calendar time. Counts as a reading.
  public var now: Timestamp {
    read { Timestamp(milliseconds: $0.origin + Int64($0.uptime / 1_000_000)) }
  }

  /// Nanoseconds since the clock was made. Counts as a reading.
  public var uptimeNanoseconds: UInt64 { read { $0.uptime } }

  /// How often the clock was read.
  public var readings: Int { state.withLock { $0.readings } }

  /// Nanoseconds by which every reading moves the clock on.
  public var stepNanoseconds: UInt64 {
    get { state.withLock { $0.step } }
    set { state.withLock { $0.step = newValue } }
  }

  /// Moves both clocks on.
  public func advance(byMilliseconds milliseconds: Int64) {
    precondition(milliseconds >= 0, "A clock cannot go back; use set(_:) to change the calendar.")
    state.withLock { $0.uptime += UInt64(milliseconds) * 1_000_000 }
  }

  /// Changes the calendar, backwards too; the uptime stays.
  public func set(_ now: Timestamp) {
    state.withLock { $0.origin = now.milliseconds - Int64($0.uptime / 1_000_000) }
  }

  private func read<Value>(_ value: (State) -> Value) -> Value {
    state.withLock { state in
      defer {
        state.readings += 1
        state.uptime += state.step
      }
      return value(state)
    }
  }
}
