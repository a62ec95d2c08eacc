/// The methods of HTTP that the server hands to a responder (RFC 9110 section 9, RFC 5789).
///
/// Every other method, CONNECT and TRACE among them, is answered by the server itself with 501.
public enum HTTPMethod: String, Sendable, CaseIterable {
  /// Reads.
  case get = "GET"
  /// Reads without the body; the server leaves the body of the answer out by itself.
  case head = "HEAD"
  /// Does something.
  case post = "POST"
  /// Creates or replaces.
  case put = "PUT"
  /// Changes a part.
  case patch = "PATCH"
  /// Removes.
  case delete = "DELETE"
  /// Asks what is allowed.
  case options = "OPTIONS"
}
