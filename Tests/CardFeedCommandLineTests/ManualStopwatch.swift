import CardFeed

/// A time that passes when a test says so.
final class ManualStopwatch: Sendable {
  private let time = Lock(Duration.zero)

  func set(_ duration: Duration) {
    time.withLock { $0 = duration }
  }

  var elapsed: @Sendable () -> Duration {
    { self.time.withLock { $0 } }
  }
}
