/// An answer.
public struct HTTPResponse: Sendable {
  /// The status code, 200...599.
  public var status: Int
  /// Further headers, in any order. `Content-Length`, `Transfer-Encoding`, `Date`, `Connection` and
  /// `Server` are the server's own and left out. A header with a line break or another control
  /// character in it, or whose name is no token, is left out as well: it could only be an attempt to
  /// forge an answer.
  public var headers: [(name: String, value: String)]
  /// What follows them.
  public var body: HTTPResponseBody

  /// An answer.
  ///
  /// - Parameters:
  ///   - status: 200...599.
  ///   - headers: Without those that are the server's own.
  ///   - body: Left out by the server for `HEAD`, 204 and 304.
  public init(
    status: Int, headers: [(name: String, value: String)] = [], body: HTTPResponseBody = .empty
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The body of an answer.
public enum HTTPResponseBody: Sendable {
  /// None.
  case empty
  /// All of it.
  case bytes([UInt8])
  /// Piece by piece, of unknown length, for as long as it takes.
  case stream(any HTTPBodySource)
}

/// Makes the body of an answer piece by piece.
///
/// The server asks for a piece when the client has taken the one before, so a slow client holds one
/// piece in memory and no more.
public protocol HTTPBodySource: Sendable {
  /// The next bytes, or nil at the end. The task that asks is cancelled when the client is gone or
  /// the server stops, and must then return or throw soon. An error cuts the connection, so that the
  /// client cannot mistake the part for the whole.
  func next() async throws -> [UInt8]?
}
