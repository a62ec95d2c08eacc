/// What the server itself answers, without asking a responder for more than the words.
public enum HTTPServerFailure: String, Sendable, Hashable, CaseIterable {
  /// The request is no HTTP: a broken percent encoding, a NUL, a header that means two things.
  case malformed
  /// The method is none of `HTTPMethod`.
  case unknownMethod = "unknown-method"
  /// The target is longer than `HTTPServerOptions.maximumTarget`.
  case targetTooLong = "target-too-long"
  /// The head is longer than `HTTPServerOptions.maximumHeaderBytes`.
  case headTooLarge = "head-too-large"
  /// The body is longer than the admission allowed.
  case bodyTooLarge = "body-too-large"
  /// The client ended its side of the connection before the end of its request.
  case incomplete
  /// The body came too slowly.
  case bodyTimedOut = "body-timed-out"
  /// There are as many connections as there may be, in all or from this address. The head is not
  /// known then.
  case overloaded

  /// The status code that says it (RFC 9110 section 15, RFC 6585 section 5).
  public var status: Int {
    switch self {
    case .malformed, .incomplete: 400
    case .bodyTimedOut: 408
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .headTooLarge: 431
    case .unknownMethod: 501
    case .overloaded: 503
    }
  }

  /// What is wrong and what to do, in a sentence. Nothing of the request is in it.
  public var text: String {
    switch self {
    case .malformed:
      "The request is malformed: check its target's percent encoding and its headers."
    case .incomplete:
      "The request ended before its end: send all of its head and as much body as it announces."
    case .bodyTimedOut: "The body came too slowly: send it faster, or in smaller requests."
    case .bodyTooLarge: "The body is too large: send less at once."
    case .targetTooLong: "The target is too long: shorten the path or the query."
    case .headTooLarge: "The headers are too large: send fewer or shorter ones."
    case .unknownMethod:
      "The method is not known here: use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS."
    case .overloaded: "There are too many connections: close some, or come back later."
    }
  }
}
