/// Runs asynchronous operations one after the other, in the order in which they asked.
///
/// An actor would let a second operation in at every `await` of the first; a viewer's operations
/// must not interleave, so they wait here. Uncontended, entering and leaving are two short locks.
package final class SerialLane: Sendable {
  private struct State {
    var isBusy = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var next = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Whether an operation runs or waits at this moment.
  package var isBusy: Bool { state.withLock { $0.isBusy } }

  /// How many operations wait.
  var waiting: Int { state.withLock { $0.waiters.count - $0.next } }

  /// How many places for waiting operations are held in memory.
  var storedWaiters: Int { state.withLock { $0.waiters.count } }

  /// Runs `body` after every operation that entered before it. Not re-entrant: an operation that
  /// enters its own lane waits for itself.
  package func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await enter()
    defer { leave() }
    return try await body()
  }

  /// Waits for its turn. Every `enter` needs its `leave`; prefer `run`.
  package func enter() async {
    let isMine = state.withLock { state in
      if state.isBusy { return false }
      state.isBusy = true
      return true
    }
    if isMine { return }
    await withCheckedContinuation { continuation in
      let runsAtOnce = state.withLock { state in
        if state.isBusy {
          state.waiters.append(continuation)
          return false
        }
        state.isBusy = true
        return true
      }
      if runsAtOnce { continuation.resume() }
    }
  }

  /// Lets the next one in.
  package func leave() {
    let successor: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.next < state.waiters.count else {
        state.waiters.removeAll(keepingCapacity: true)
        state.next = 0
        state.isBusy = false
        return nil
      }
      let waiter = state.waiters[state.next]
      state.next += 1
      // Under load the list may never run empty; then the places of the past go in one sweep.
      if state.next >= 64, state.next * 2 >= state.waiters.count {
        state.waiters.removeFirst(state.next)
        state.next = 0
      }
      return waiter
    }
    successor?.resume()
  }
}
