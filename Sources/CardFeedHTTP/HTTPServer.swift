internal import CMicroHTTPD
internal import Glibc

/// A server of HTTP/1.1 over libmicrohttpd.
///
/// The service over the engine builds on it; it knows connections, requests and answers, and nothing
/// of cards. It must never import the engine. Not for the open internet without a proxy in front: TLS
/// and HTTP/2 are deliberately absent.
///
/// A few things never reach the responder: a request whose first line, a header line or a chunk is no
/// HTTP at all, or whose head is far too long, is answered by the library with 400, 413, 414, 431 or
/// 505, once, and its connection is closed.
public final class HTTPServer: Sendable {
  private enum State {
    case new
    case running(ServerCore, Keeper, ListeningSocket)
    case stopping([UnsafeContinuation<Void, Never>])
    case stopped
  }

  /// As given.
  public let options: HTTPServerOptions

  private let responder: any HTTPResponder
  private let state = Lock(State.new)

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - options: Where to listen, and limits.
  ///   - responder: Answers the requests.
  public init(options: HTTPServerOptions, responder: any HTTPResponder) {
    self.options = options
    self.responder = responder
  }

  deinit {
    // Nobody can stop it any more; and this may be a thread that would wait for itself.
    if case .running(let core, let keeper, let socket) = state.withLock({ $0 }) {
      Stop(core, keeper, socket, deadline: 0, done: {}).start()
    }
  }

  /// Starts to listen. Returns when connections are taken.
  ///
  /// The process ignores SIGPIPE from now on, unless it handles it.
  ///
  /// - Returns: The port.
  /// - Throws: `HTTPServerError`.
  public func start() throws -> Int {
    try options.check()
    var result = Result<Int, HTTPServerError>.failure(
      HTTPServerError(
        kind: .alreadyStarted,
        description: "The server was started before: make a new one to start again."))
    state.withLock { state in
      guard case .new = state else { return }
      do throws(HTTPServerError) {
        let (core, keeper, socket) = try run()
        state = .running(core, keeper, socket)
        result = .success(socket.port)
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  private func run() throws(HTTPServerError) -> (ServerCore, Keeper, ListeningSocket) {
    ignoreBrokenPipes()
    let socket = try ListeningSocket(options)
    let core = ServerCore(options: options, responder: responder)
    guard core.startDaemon() else {
      close(socket.descriptor)
      throw HTTPServerError(
        kind: .system,
        description: """
          The system refuses \(options.threads) threads for connections: raise the limits of this \
          user, or give fewer threads.
          """)
    }
    guard let keeper = Keeper(core: core, listening: socket.descriptor) else {
      MHD_stop_daemon(core.daemon)
      close(socket.descriptor)
      throw HTTPServerError(
        kind: .system,
        description: "The system refuses a thread or a pipe: raise the limits of this user.")
    }
    return (core, keeper, socket)
  }

  /// Takes no new connection, finishes the requests that it took, ends streams, then cuts what is
  /// left and returns.
  ///
  /// Connections that wait for a request are closed at once. Tasks of streams are cancelled, and what
  /// their sources gave until then is the whole answer. At the deadline the tasks of all requests are
  /// cancelled; those that go on have nobody to answer to. Stopping twice waits for the first.
  ///
  /// - Parameter deadline: Seconds until it cuts.
  public func stop(deadline: Double) async {
    await withUnsafeContinuation { continuation in
      let start = state.withLock { state -> (@Sendable () -> Void)? in
        switch state {
        case .new, .stopped:
          state = .stopped
          return { continuation.resume() }
        case .stopping(let others):
          state = .stopping(others + [continuation])
          return nil
        case .running(let core, let keeper, let socket):
          state = .stopping([continuation])
          let stop = Stop(core, keeper, socket, deadline: deadline, done: { [self] in stopped() })
          return { stop.start() }
        }
      }
      start?()
    }
  }

  private func stopped() {
    let waiting = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
      guard case .stopping(let waiting) = state else { return [] }
      state = .stopped
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Has the process ignore SIGPIPE, if nobody decided about it yet.
private func ignoreBrokenPipes() {
  var action = sigaction()
  guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
  let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  // `SIG_DFL`, which is a cast in C.
  if handler == 0 { signal(SIGPIPE, SIG_IGN) }
}
