internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One connection of a client.
///
/// The library calls it on the connection's thread, always the same one. Tasks and the keeper reach
/// it through `wake`, `finish` and the atomics only.
final class Connection: @unchecked Sendable {
  // Safe to share: `stage`, `head` and what stands with them belong to the connection's thread;
  // everything that others touch is behind the lock or atomic.

  /// What it does, for the keeper.
  enum Phase: UInt8 {
    /// It waits for a request.
    case idle
    /// The first line of a request came.
    case head
    /// It reads a body.
    case receiving
    /// A responder works.
    case handling
    /// It sends an answer whose length is known.
    case sending
    /// It sends an answer piece by piece.
    case streaming

    /// Whether it waits for something of its client.
    var isReading: Bool { rawValue <= Phase.receiving.rawValue }
  }

  /// Where its request stands.
  enum Stage {
    case idle
    /// The first line was read, and this is wrong with it.
    case head(HTTPServerFailure?)
    /// The body is dropped, then this is answered.
    case refusing(HTTPResponse)
    case collecting(limit: Int, context: (any Sendable)?)
    case streaming(limit: Int)
    /// The answer was there before the end of the body: so much of it may still come.
    case discarding(rest: Int)
    /// The body is here, a responder works.
    case handling
    case answered
  }

  private struct Shared {
    /// Which request it is; what belongs to another one is void.
    var request: UInt64 = 0
    var isSuspended = false
    /// Something happened while it was not suspended.
    var isWoken = false
    /// It must not be suspended any more.
    var isCut = false
    var answer: HTTPResponse?
    var outgoing: OutgoingBody?
    var task: Task<Void, Never>?
  }

  let core: ServerCore
  let handle: OpaquePointer
  let socket: Int32
  let peer: Peer
  /// The thread that the library calls it on.
  let thread = pthread_self()

  private let shared = Lock(Shared())
  private let deadlineMilliseconds = Atomic<UInt64>(Milliseconds.never)
  private let phaseValue = Atomic<UInt8>(Phase.idle.rawValue)
  /// Whether the keeper ended it, because it was slow.
  let isTimedOut = Atomic<Bool>(false)
  /// Whether the keeper saw that the client of a stream is gone.
  let isGone = Atomic<Bool>(false)

  // The connection's thread only.
  var stage = Stage.idle
  var head: HTTPRequestHead?
  var query: String?
  var target: (start: UnsafePointer<CChar>, count: Int)?
  var collected: [UInt8] = []
  var received = 0
  var receivingSince: UInt64 = 0
  /// Since when it waits for a consumer, or 0.
  var waitingSince: UInt64 = 0
  var incoming: IncomingBody?
  /// What it sends; only read by the connection's thread once it is set.
  var sending: OutgoingBody?
  var sendingBytes: [UInt8] = []
  /// Whether what the client still sends has to be read away, so that it sees the answer.
  var lingers = false

  init(core: ServerCore, handle: OpaquePointer, socket: Int32, peer: Peer) {
    self.core = core
    self.handle = handle
    self.socket = socket
    self.peer = peer
    deadline = Milliseconds.now + core.headTime
  }

  /// When the keeper ends it.
  var deadline: UInt64 {
    get { deadlineMilliseconds.load(ordering: .relaxed) }
    set { deadlineMilliseconds.store(newValue, ordering: .relaxed) }
  }

  var phase: Phase {
    get { Phase(rawValue: phaseValue.load(ordering: .relaxed)) ?? .idle }
    set { phaseValue.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// The number of the request that it serves.
  var request: UInt64 { shared.withLock { $0.request } }

  // MARK: Sleeping and waking

  /// How `sleep` ended.
  enum Sleep {
    /// Return to the library; it calls again after `wake`.
    case suspended
    /// Something happened in between: look again.
    case woken
    /// The server cuts: give up.
    case cut
  }

  /// Suspends the connection, from a call of the library only.
  func sleep() -> Sleep {
    shared.withLock { shared in
      if shared.isCut { return .cut }
      if shared.isWoken {
        shared.isWoken = false
        return .woken
      }
      shared.isSuspended = true
      MHD_suspend_connection(handle)
      return .suspended
    }
  }

  /// Lets it look again. Void if `request` is over.
  func wake(_ request: UInt64) {
    shared.withLock { shared in
      guard shared.request == request else { return }
      Self.wake(&shared, handle)
    }
  }

  private static func wake(_ shared: inout Shared, _ handle: OpaquePointer) {
    if shared.isSuspended {
      // It lives while it is suspended, and only here it is resumed.
      shared.isSuspended = false
      MHD_resume_connection(handle)
    } else {
      shared.isWoken = true
    }
  }

  // MARK: The task of a request

  /// Takes the answer of a task. Returns what to pump into, if the body is a stream that is wanted.
  func finish(_ request: UInt64, _ response: HTTPResponse, isHead: Bool) -> OutgoingBody? {
    var outgoing: OutgoingBody?
    if case .stream = response.body, !isHead, response.status != 204, response.status != 304 {
      outgoing = OutgoingBody { [self] in wake(request) }
    }
    return shared.withLock { shared in
      guard shared.request == request, shared.answer == nil else { return nil }
      shared.answer = response
      shared.outgoing = outgoing
      Self.wake(&shared, handle)
      return outgoing
    }
  }

  /// The answer, once it is there.
  func takeAnswer() -> (response: HTTPResponse, outgoing: OutgoingBody?)? {
    shared.withLock { shared in
      guard let answer = shared.answer else { return nil }
      return (answer, shared.outgoing)
    }
  }

  /// Keeps the task of a request that is not answered in full.
  func keep(_ task: Task<Void, Never>, _ request: UInt64) {
    shared.withLock { shared in
      guard shared.request == request else { return }
      if shared.answer == nil || shared.outgoing != nil { shared.task = task }
    }
  }

  /// Begins the next request. Returns the task of the one before, if it may still run.
  func nextRequest() -> Task<Void, Never>? {
    shared.withLock { shared in
      shared.request += 1
      shared.answer = nil
      shared.outgoing = nil
      shared.isWoken = false
      defer { shared.task = nil }
      return shared.task
    }
  }

  // MARK: For the keeper and the end of the server

  /// Ends an answer that goes out piece by piece; its source is told by cancellation.
  func cancelStream() {
    let task = shared.withLock { $0.outgoing == nil ? nil : $0.task }
    task?.cancel()
  }

  /// The client of a stream is gone: nobody will ask for the rest.
  func abandonStream() {
    isGone.store(true, ordering: .relaxed)
    let outgoing = shared.withLock { $0.outgoing }
    outgoing?.abandon()
    cancelStream()
    shared.withLock { Self.wake(&$0, handle) }
  }

  /// Gives everything up. It is not suspended afterwards, and never again. Its socket is left to the
  /// caller.
  func cut() {
    let task = shared.withLock { shared in
      shared.isCut = true
      if shared.isSuspended { Self.wake(&shared, handle) }
      return shared.task
    }
    task?.cancel()
  }
}
