/// Hands every outcome to every listener.
final class OutcomeBroadcast: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<FeedOutcome>.Continuation] = [:]
    var next = 0
    var isFinished = false
  }

  private let state = Lock(State())

  /// Whether anybody listens; saves building what nobody hears.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  func stream() -> AsyncStream<FeedOutcome> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
      let key: Int? = state.withLock { state in
        if state.isFinished { return nil }
        state.next += 1
        state.listeners[state.next] = continuation
        return state.next
      }
      guard let key else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: key) }
      }
    }
  }

  func send(_ outcome: FeedOutcome) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(outcome) }
  }

  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
