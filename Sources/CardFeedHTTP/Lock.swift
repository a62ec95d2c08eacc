internal import Glibc

/// A value behind a mutual-exclusion lock. Never held across an `await` or a call of a responder.
///
/// Like the engine's, which this module does not import.
final class Lock<Value>: @unchecked Sendable {
  // Safe to share: `value` is touched between lock and unlock only, and the mutex lives at one
  // heap address for as long as the object does.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "A mutex could not be initialised; the process is out of resources.")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
