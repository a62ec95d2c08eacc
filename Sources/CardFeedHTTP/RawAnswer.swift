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
    var head = "HTTP/1.1 \(status) \(phrase)\r\nDate: \(date())\r\nConnection: close\r\n"
    for (name, value) in response.headers where HeaderRules.isAllowed(name, value) {
      head += "\(name): \(value)\r\n"
    }
    head += "Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body
  }

  /// The date of now as headers have it (RFC 9110 section 5.6.7).
  private static func date() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    return "\(day) \(parts.tm_year + 1900) \(clock) GMT"
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
