internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// What the connections and the keeper of one running server share.
final class ServerCore: @unchecked Sendable {
  // Safe to share: what changes is behind locks or atomic; `daemon` is set before anything else runs.

  enum Phase: UInt8 {
    case running
    case stopping
    case cutting
  }

  private struct Registry {
    var connections: [ObjectIdentifier: Connection] = [:]
    /// Connections that were accepted and did not end, also those that did not begin yet.
    var total = 0
    var perPeer: [Peer.Key: Int] = [:]
  }

  let options: HTTPServerOptions
  let responder: any HTTPResponder
  let kept: KeptHeaders
  let headTime: UInt64
  let idleTime: UInt64
  let bodyTime: UInt64
  private(set) var daemon: OpaquePointer?

  private let registry = Lock(Registry())
  private let phaseValue = Atomic<UInt8>(Phase.running.rawValue)
  private let lingering = Lock([Int32]())

  init(options: HTTPServerOptions, responder: any HTTPResponder) {
    self.options = options
    self.responder = responder
    kept = KeptHeaders(options.keptHeaders)
    headTime = Milliseconds.of(options.headTimeout)
    idleTime = Milliseconds.of(options.idleTimeout)
    bodyTime = Milliseconds.of(options.bodyTimeout)
  }

  /// Starts the threads of connections. False if the system refuses.
  func startDaemon() -> Bool {
    // Half of the memory is for what is read; the rest for the table of headers and the answer's head.
    let memory = max(8192, 2 * options.maximumHeaderBytes)
    // The library divides the number by the threads. Its own limit must never be met: the keeper
    // counts.
    let limit = (options.maximumConnections + 16) * options.threads
    daemon = cardfeed_mhd_start(
      UInt32(options.threads), UInt32(clamping: limit), memory, proceed, readTarget, leaveEncoded,
      complete, notice, overhear, Unmanaged.passUnretained(self).toOpaque())
    return daemon != nil
  }

  var phase: Phase {
    get { Phase(rawValue: phaseValue.load(ordering: .acquiring)) ?? .running }
    set { phaseValue.store(newValue.rawValue, ordering: .releasing) }
  }

  var isStopping: Bool { phase != .running }

  /// How long the slowest client may take for some bytes.
  func time(for bytes: Int) -> UInt64 {
    UInt64(bytes) * 1000 / UInt64(max(options.minimumRate, 1))
  }

  // MARK: Connections

  /// Counts a connection that was accepted, if there may be another one.
  func admit(_ peer: Peer) -> Bool {
    registry.withLock { registry in
      guard registry.total < options.maximumConnections,
        registry.perPeer[peer.key, default: 0] < options.maximumConnectionsPerAddress
      else { return false }
      registry.total += 1
      registry.perPeer[peer.key, default: 0] += 1
      return true
    }
  }

  /// Uncounts one that ended, or never began.
  func release(_ peer: Peer) {
    registry.withLock { Self.release(&$0, peer) }
  }

  private static func release(_ registry: inout Registry, _ peer: Peer) {
    registry.total -= 1
    if let count = registry.perPeer[peer.key] {
      registry.perPeer[peer.key] = count > 1 ? count - 1 : nil
    }
  }

  /// A connection begins.
  func add(_ connection: Connection) {
    let isCutting = registry.withLock { registry in
      registry.connections[ObjectIdentifier(connection)] = connection
      return phase == .cutting
    }
    if isCutting { connection.cut() }
  }

  /// A connection ends; its socket is closed afterwards.
  func remove(_ connection: Connection) {
    registry.withLock { registry in
      registry.connections[ObjectIdentifier(connection)] = nil
      Self.release(&registry, connection.peer)
    }
    var byte: UInt8 = 0
    let hasMore = recv(connection.socket, &byte, 1, Int32(MSG_PEEK) | RawAnswer.dontWait) > 0
    if connection.lingers || hasMore { linger(connection.socket) }
  }

  /// How many connections were accepted and did not end.
  var count: Int { registry.withLock { $0.total } }

  /// Calls a function with each connection, none of whose sockets is closed meanwhile. It must not
  /// call a responder or its tasks.
  func visit(_ body: (Connection) -> Void) {
    registry.withLock { registry in
      for connection in registry.connections.values { body(connection) }
    }
  }

  /// The connections of now. Their sockets may be closed, and the numbers of those used again, at any
  /// time.
  var connections: [Connection] { registry.withLock { Array($0.connections.values) } }

  /// Whether it did not end.
  func isOpen(_ connection: Connection) -> Bool {
    registry.withLock { $0.connections[ObjectIdentifier(connection)] != nil }
  }

  /// Answers the requests of this thread whose announced length is none. Nobody says which one the
  /// library found; it is among them, and another one whose head is not complete would be found later.
  func refuseLengths() {
    let thread = pthread_self()
    let found = registry.withLock { registry in
      registry.connections.values.filter {
        $0.phase == .head && pthread_equal($0.thread, thread) != 0
      }
    }
    for connection in found { connection.refuseLength() }
  }

  // MARK: Sockets that are read empty before they are closed

  /// How many there may be.
  private static let maximumLingering = 256

  /// Closing a socket with unread bytes makes the system drop what was sent, the answer too. A copy
  /// of it is left open until the client has seen the end.
  func linger(_ socket: Int32) {
    guard !isStopping else { return }
    let copy = dup(socket)
    guard copy >= 0 else { return }
    _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
    shutdown(copy, Int32(SHUT_WR))
    let isKept = lingering.withLock { lingering in
      guard lingering.count < Self.maximumLingering else { return false }
      lingering.append(copy)
      return true
    }
    if !isKept { close(copy) }
  }

  /// Those that were left open since the last call.
  func takeLingering() -> [Int32] {
    lingering.withLock { lingering in
      defer { lingering = [] }
      return lingering
    }
  }
}
