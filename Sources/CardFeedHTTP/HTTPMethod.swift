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

extension HTTPMethod {
  /// The method that a request names, or nil.
  init?(_ text: UnsafePointer<CChar>) {
    switch UInt8(bitPattern: text[0]) {
    case UInt8(ascii: "G"): self = .get
    case UInt8(ascii: "H"): self = .head
    case UInt8(ascii: "P"):
      switch UInt8(bitPattern: text[1]) {
      case UInt8(ascii: "O"): self = .post
      case UInt8(ascii: "U"): self = .put
      default: self = .patch
      }
    case UInt8(ascii: "D"): self = .delete
    case UInt8(ascii: "O"): self = .options
    default: return nil
    }
    var index = 0
    for byte in rawValue.utf8 {
      if UInt8(bitPattern: text[index]) != byte { return nil }
      index += 1
    }
    if text[index] != 0 { return nil }
  }
}
