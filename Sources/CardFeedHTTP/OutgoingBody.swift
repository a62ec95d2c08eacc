internal import Glibc

/// The body of one answer on its way from its source to the connection's thread.
///
/// It holds one piece; the source is asked for the next when the connection has taken that one.
final class OutgoingBody: Sendable {
  /// What the connection's thread finds.
  enum Read: Equatable {
    case bytes(Int)
    /// Nothing yet; `wake` will be called.
    case nothing
    case end
    case failed
  }

  private struct State {
    var piece: [UInt8] = []
    var offset = 0
    var end: Read?
    /// The connection does not ask any more.
    var isAbandoned = false
    var waiter: UnsafeContinuation<Bool, Never>?
  }

  private let state = Lock(State())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Whether everything of the source was put.
  var isFinished: Bool { state.withLock { $0.end != nil } }

  /// Carries everything from the source. An error of the source ends the answer as failed, unless the
  /// server stops: then what came is all there is.
  func pump(_ source: any HTTPBodySource, endsCleanly: @Sendable () -> Bool) async {
    while true {
      do {
        guard let piece = try await source.next() else { return finish(.end) }
        if piece.isEmpty {
          if Task.isCancelled { return finish(endsCleanly() ? .end : .failed) }
          await Task.yield()
        } else if await !put(piece) {
          return
        }
      } catch {
        return finish(endsCleanly() ? .end : .failed)
      }
    }
  }

  /// Hands a piece over and waits until it was taken. False when nobody will.
  private func put(_ piece: [UInt8]) async -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return }
      state.piece = piece
      state.offset = 0
    }
    wake()
    return await withUnsafeContinuation { continuation in
      let isTaken = state.withLock { state -> Bool? in
        if state.isAbandoned { return false }
        if state.piece.isEmpty { return true }
        state.waiter = continuation
        return nil
      }
      if let isTaken { continuation.resume(returning: isTaken) }
    }
  }

  private func finish(_ end: Read) {
    state.withLock { if $0.end == nil { $0.end = end } }
    wake()
  }

  /// Copies what is there.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
    let (read, waiter) = state.withLock { state -> (Read, UnsafeContinuation<Bool, Never>?) in
      let rest = state.piece.count - state.offset
      if rest == 0 { return (state.end ?? .nothing, nil) }
      let count = min(rest, buffer.count)
      state.piece.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.offset...].prefix(count)))
      }
      state.offset += count
      guard count == rest else { return (.bytes(count), nil) }
      state.piece = []
      state.offset = 0
      defer { state.waiter = nil }
      return (.bytes(count), state.waiter)
    }
    waiter?.resume(returning: true)
    return read
  }

  /// Nobody reads any more.
  func abandon() {
    let waiter = state.withLock { state -> UnsafeContinuation<Bool, Never>? in
      state.isAbandoned = true
      state.piece = []
      state.offset = 0
      if state.end == nil { state.end = .failed }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: false)
  }
}
