/// A server of HTTP/1.1 over libmicrohttpd.
///
/// The service over the engine builds on it; it knows connections, requests and answers, and nothing
/// of cards. It must never import the engine. Not for the open internet without a proxy in front: TLS
/// and HTTP/2 are deliberately absent.
public final class HTTPServer: Sendable {
  /// As given.
  public let options: HTTPServerOptions

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - options: Where to listen, and limits.
  ///   - responder: Answers the requests.
  public init(options: HTTPServerOptions, responder: any HTTPResponder) {
    self.options = options
  }

  /// Starts to listen. Returns when connections are taken.
  ///
  /// - Returns: The port.
  /// - Throws: `HTTPServerError`.
  public func start() throws -> Int {
    throw HTTPServerError(kind: .system, description: "The engine of the server is not built in.")
  }

  /// Takes no new connection, finishes the requests that it took, ends streams, then cuts what is
  /// left.
  ///
  /// - Parameter deadline: Seconds until it cuts.
  public func stop(deadline: Double) async {}
}
