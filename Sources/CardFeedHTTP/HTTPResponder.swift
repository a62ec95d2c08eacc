/// What to do with a request whose head was read.
public enum HTTPAdmission: Sendable {
  /// Answers without reading the body. The answer must not be a stream.
  case refuse(HTTPResponse)
  /// Reads the body, at most `limit` bytes of it, and then asks for the answer. A longer one is
  /// answered with `HTTPServerFailure.bodyTooLarge`, before it is read when its length was announced.
  case collect(limit: Int)
  /// Asks for the answer at once and hands the body over as it comes, at most `limit` bytes of it.
  case stream(limit: Int?)
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
