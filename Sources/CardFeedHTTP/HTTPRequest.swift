/// What is known when the head of a request was read.
public struct HTTPRequestHead: Sendable {
  /// What the client wants done.
  public var method: HTTPMethod
  /// The path as it was sent, percent-encoded and without the query. Every percent sign in it is
  /// followed by two hexadecimal digits.
  public var path: String
  /// What followed the question mark, as it was sent, or nil without a question mark.
  public var query: String?
  /// The numeric address of the client, without its port.
  public var peer: String
  /// The announced length of the body in bytes: nil without a body, and for one sent in chunks.
  public var contentLength: Int?
  /// The kept headers in the order they came, names in lower case. The bytes of values that are not
  /// UTF-8 are replaced.
  public var headers: [(name: String, value: String)]

  /// A head, for tests of responders.
  ///
  /// - Parameters:
  ///   - method: What the client wants done.
  ///   - path: Percent-encoded, without the query.
  ///   - query: Without the question mark.
  ///   - peer: A numeric address.
  ///   - contentLength: In bytes.
  ///   - headers: Names in lower case.
  public init(
    method: HTTPMethod, path: String, query: String? = nil, peer: String = "127.0.0.1",
    contentLength: Int? = nil, headers: [(name: String, value: String)] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.peer = peer
    self.contentLength = contentLength
    self.headers = headers
  }

  /// The first value of a header that `HTTPServerOptions.keptHeaders` names, or nil. Linear in the
  /// number of kept headers that came.
  ///
  /// - Parameter name: In lower case.
  public func header(_ name: String) -> String? {
    for header in headers where header.name == name { return header.value }
    return nil
  }
}

/// A request that was admitted.
public struct HTTPRequest: Sendable {
  /// What was known before the body.
  public var head: HTTPRequestHead
  /// What came with it, in the way the admission asked for.
  public var body: HTTPRequestBody
  /// What the responder gave with its admission.
  public var context: (any Sendable)?

  /// A request, for tests of responders.
  ///
  /// - Parameters:
  ///   - head: What was known before the body.
  ///   - body: What came with it.
  ///   - context: What came with the admission.
  public init(
    head: HTTPRequestHead, body: HTTPRequestBody = .bytes([]), context: (any Sendable)? = nil
  ) {
    self.head = head
    self.body = body
    self.context = context
  }
}

/// The body of a request.
public enum HTTPRequestBody: Sendable {
  /// All of it: `HTTPAdmission.collect` was answered.
  case bytes([UInt8])
  /// Piece by piece: `HTTPAdmission.stream` was answered.
  case stream(HTTPBodyStream)
}
