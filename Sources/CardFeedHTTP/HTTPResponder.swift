/// What to do with a request whose head was read.
public enum HTTPAdmission: Sendable {
  /// Answers without reading the body. The answer must not be a stream.
  case refuse(HTTPResponse)
  /// Reads the body, at most `limit` bytes of it, and then asks for the answer. A longer one is
  /// answered with `HTTPServerFailure.bodyTooLarge`, before it is read when its length was announced.
  /// The request comes back with `context`, for what the responder found out already.
  case collect(limit: Int, context: (any Sendable)? = nil)
  /// Asks for the answer at once and hands the body over as it comes, at most `limit` bytes of it.
  /// The request comes back with `context`.
  case stream(limit: Int?, context: (any Sendable)? = nil)
}

/// Answers requests.
public protocol HTTPResponder: Sendable {
  /// Decides about a request before its body is read. Called on the connection's thread: it must not
  /// block.
  ///
  /// - Parameter head: What the client sent.
  func admit(_ head: HTTPRequestHead) -> HTTPAdmission

  /// Answers a request. It starts on the connection's thread and must not compute for long before it
  /// first suspends; `HTTPServerOptions.startsOnConnectionThread` says otherwise.
  ///
  /// - Parameter request: What was admitted.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Answers what the server found out by itself. Called on the connection's thread: it must not
  /// block. The body must not be a stream.
  ///
  /// - Parameters:
  ///   - failure: What is wrong. `failure.status` is the code to answer with.
  ///   - head: What the client sent, or nil if it could not be understood.
  func failure(_ failure: HTTPServerFailure, head: HTTPRequestHead?) -> HTTPResponse
}
