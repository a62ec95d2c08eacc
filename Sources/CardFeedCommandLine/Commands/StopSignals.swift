internal import CardFeed
internal import Glibc
internal import Synchronization

/// SIGINT and SIGTERM as something to wait for. A second signal ends the process at once.
///
/// The handlers write one byte into a pipe, which a thread of its own reads. Nothing simpler is safe
/// here: the main thread of a program with an asynchronous main sleeps with all signals unblocked, so
/// that blocking them and `sigwait` in another thread would miss them.
final class StopSignals: Sendable {
  private struct State {
    var hasCome = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// Takes the two signals over, for as long as the process lives.
  ///
  /// - Throws: `FeedError.Code.store` where the system gives no pipe or no thread.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw Self.failure()
    }
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Reader(signals: self, descriptor: ends[0]))
    guard pthread_create(&thread, nil, readSignals, box.toOpaque()) == 0 else {
      box.release()
      throw Self.failure()
    }
    pthread_detach(thread)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = noteSignal
    action.sa_flags = SA_RESTART
    guard sigaction(SIGINT, &action, nil) == 0, sigaction(SIGTERM, &action, nil) == 0 else {
      throw Self.failure()
    }
  }

  private static func failure() -> FeedError {
    FeedError(
      .store, "signals cannot be taken over: \(String(cString: strerror(errno)))",
      hint: "the process has too many open files or threads")
  }

  /// Waits for the first signal.
  func wait() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        if !state.hasCome { state.waiter = continuation }
        return state.hasCome
      }
      if hasCome { continuation.resume() }
    }
  }

  fileprivate func take(_ signal: UInt8) {
    let (isFirst, waiter) = state.withLock { state in
      defer {
        state.hasCome = true
        state.waiter = nil
      }
      return (!state.hasCome, state.waiter)
    }
    guard isFirst else { _exit(128 + Int32(signal)) }
    waiter?.resume()
  }
}

/// Where the handlers write. Handlers belong to the process, so there is one of it; it is made before
/// they are installed.
private let signalPipe = Atomic<Int32>(-1)

private func noteSignal(_ signal: Int32) {
  // Only what is safe in a handler (signal-safety(7)): an atomic load and a write.
  let code = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = code
}

private final class Reader: Sendable {
  let signals: StopSignals
  let descriptor: Int32

  init(signals: StopSignals, descriptor: Int32) {
    self.signals = signals
    self.descriptor = descriptor
  }
}

/// The thread's body. It is a named function because a closure could be bound to an actor.
private func readSignals(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  let reader = Unmanaged<Reader>.fromOpaque(box).takeRetainedValue()
  var byte: UInt8 = 0
  while true {
    let count = read(reader.descriptor, &byte, 1)
    if count == 1 { reader.signals.take(byte) }
    if count == 0 || (count < 0 && errno != EINTR) { return nil }
  }
}
