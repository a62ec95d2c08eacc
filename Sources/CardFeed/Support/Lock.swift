internal import Glibc

/// A value behind a mutual-exclusion lock.
///
/// One lock for the whole package. It stands on `pthread_mutex_t` because the standard library's
/// `Mutex` degrades by two orders of magnitude under contention on Linux and is misread by the
/// thread sanitizer. Never hold it across an `await`, and never call out to a strategy inside.
package final class Lock<Value>: @unchecked Sendable {
  // Safe to share: `value` is touched between lock and unlock only, and the mutex lives at one
  // heap address for as long as the object does.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
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
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
