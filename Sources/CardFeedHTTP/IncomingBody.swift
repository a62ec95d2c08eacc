/// The body of one request on its way from the connection's thread to the responder.
///
/// One side puts what came, the other takes all that is there; when too much waits, the side that
/// puts is told to stop, and `wake` is called once there is room.
final class IncomingBody: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var end: Result<[UInt8]?, HTTPBodyError>?
    var waiter: UnsafeContinuation<Result<[UInt8]?, HTTPBodyError>, Never>?
    var isFull = false
  }

  /// How many bytes may wait before the client has to.
  static let room = 65536

  private let state = Lock(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Takes some bytes over, or returns false when as many wait as may.
  func put(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    let (taken, waiter) = state.withLock {
      state -> (Bool, UnsafeContinuation<Result<[UInt8]?, HTTPBodyError>, Never>?) in
      // Nobody will ask any more: the rest is dropped.
      if state.end != nil { return (true, nil) }
      if let waiter = state.waiter {
        state.waiter = nil
        return (true, waiter)
      }
      if state.bytes.count + piece.count > Self.room && !state.bytes.isEmpty {
        state.isFull = true
        return (false, nil)
      }
      state.bytes.append(contentsOf: piece)
      return (true, nil)
    }
    waiter?.resume(returning: .success(Array(piece)))
    return taken
  }

  /// Nothing follows, or nothing more can. The first end holds.
  func finish(_ end: Result<[UInt8]?, HTTPBodyError>) {
    let waiter = state.withLock {
      state -> UnsafeContinuation<Result<[UInt8]?, HTTPBodyError>, Never>? in
      guard state.end == nil else { return nil }
      state.end = end
      // Who was cut off must not mistake the part for the whole: what waits is still handed out, and
      // then the error.
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: end)
  }

  /// What came, nil at the end.
  func take() async -> Result<[UInt8]?, HTTPBodyError> {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        var hasRoom = false
        let there = state.withLock { state -> Result<[UInt8]?, HTTPBodyError>? in
          if !state.bytes.isEmpty {
            let piece = state.bytes
            state.bytes = []
            hasRoom = state.isFull
            state.isFull = false
            return .success(piece)
          }
          if let end = state.end { return end }
          if Task.isCancelled { return .failure(.disconnected) }
          precondition(state.waiter == nil, "Take the pieces of a body in one task at a time.")
          state.waiter = continuation
          return nil
        }
        if hasRoom { wake() }
        if let there { continuation.resume(returning: there) }
      }
    } onCancel: {
      let waiter = state.withLock {
        state -> UnsafeContinuation<Result<[UInt8]?, HTTPBodyError>, Never>? in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: .failure(.disconnected))
    }
  }
}
