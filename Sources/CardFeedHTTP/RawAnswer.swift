internal import CMicroHTTPD
internal import Glibc

/// Answers that are written to a socket without libmicrohttpd: it does not send any while it reads a
/// body, nor to a connection that it was never given.
enum RawAnswer {
  /// The answer as it is sent, or nil for a stream.
  static func bytes(of response: HTTPResponse) -> [UInt8]? {
    let body: [UInt8]
    switch response.body {
    case .empty: body = []
    case .bytes(let bytes): body = bytes
    case .stream: return nil
    }
    let status = (200...599).contains(response.status) ? response.status : 500
    let phrase = MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
    var head = "HTTP/1.1 \(status) \(phrase)\r\nConnection: close\r\n"
    for (name, value) in response.headers where HeaderRules.isAllowed(name, value) {
      head += "\(name): \(value)\r\n"
    }
    head += "Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body
  }

  /// Sends what fits into the socket's buffer, which an answer of a few kilobytes does.
  static func send(_ response: HTTPResponse, to socket: Int32) {
    guard let bytes = bytes(of: response) else { return }
    _ = bytes.withUnsafeBytes {
      Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | dontWait)
    }
  }

  /// `MSG_DONTWAIT`.
  static let dontWait = Int32(MSG_DONTWAIT)
}
