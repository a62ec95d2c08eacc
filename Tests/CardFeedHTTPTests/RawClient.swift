import Glibc

/// A client that sends and receives bytes as they are, over a blocking socket with a generous limit
/// of time, on threads that tasks do not need.
final class RawClient: Sendable {
  let socket: Int32

  /// Connects to the loopback interface.
  init(port: Int, isIPv6: Bool = false, receiveBuffer: Int32? = nil) {
    socket = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
    let networkPort = UInt16(port).bigEndian
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = networkPort
      address.sin6_addr = in6addr_loopback
      connect(&address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = networkPort
      address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
      connect(&address)
    }
  }

  private func connect<Address>(_ address: inout Address) {
    _ = withUnsafePointer(to: &address) {
      Glibc.connect(
        socket, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<Address>.size))
    }
  }

  deinit { close(socket) }

  /// Runs something that blocks on a thread of its own: tasks, and what Dispatch runs, share theirs.
  static func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      let work = Work { continuation.resume(returning: body()) }
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, runWork, Unmanaged.passRetained(work).toOpaque())
      precondition(status == 0, "There are no threads left for a client.")
      pthread_detach(thread)
    }
  }

  /// Sends everything, or returns how much could be sent.
  @discardableResult
  func send(_ bytes: [UInt8]) async -> Int {
    await Self.blocking { [self] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.send(
            socket, UnsafeRawBufferPointer(rebasing: $0[sent...]).baseAddress, $0.count - sent,
            Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return sent }
        sent += count
      }
      return sent
    }
  }

  /// Sends a text.
  @discardableResult
  func send(_ text: String) async -> Int { await send(Array(text.utf8)) }

  /// What comes next, empty at the end or when the connection was reset, nil when nothing came.
  func receive(_ most: Int = 65536) async -> [UInt8]? {
    await Self.blocking { [self] in
      var buffer = [UInt8](repeating: 0, count: most)
      let count = recv(socket, &buffer, most, 0)
      return count < 0 && errno == EAGAIN ? nil : Array(buffer[..<max(count, 0)])
    }
  }

  /// Everything until the server closes; what came until then if it never does.
  func receiveAll() async -> (bytes: [UInt8], isClosed: Bool) {
    var all: [UInt8] = []
    while let piece = await receive() {
      if piece.isEmpty { return (all, true) }
      all += piece
    }
    return (all, false)
  }

  /// Reads on until a text has come.
  func receive(until text: String) async -> String {
    var all: [UInt8] = []
    while !String(decoding: all, as: UTF8.self).contains(text) {
      guard let piece = await receive(), !piece.isEmpty else { break }
      all += piece
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Sends nothing more.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }
}

/// An answer, taken apart.
struct RawResponse: Sendable {
  var status: Int
  var headers: [String: String]
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Reads one answer after the other from a connection.
final class ResponseReader {
  let client: RawClient
  private(set) var rest: [UInt8] = []

  init(_ client: RawClient) { self.client = client }

  /// The head of the next answer.
  func head() async -> RawResponse? {
    let blank: [UInt8] = [13, 10, 13, 10]
    while true {
      if let end = rest.indices.first(where: { rest[$0...].starts(with: blank) }) {
        let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n")
        rest.removeSubrange(..<(end + 4))
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingSpaces : ""
        }
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        return RawResponse(status: status, headers: headers, body: [])
      }
      guard await more() else { return nil }
    }
  }

  /// The next answer.
  func next(hasBody: Bool = true) async -> RawResponse? {
    guard var response = await head() else { return nil }
    guard hasBody else { return response }
    if response.headers["transfer-encoding"] == "chunked" {
      while let piece = await chunk() {
        if piece.isEmpty { return response }
        response.body += piece
      }
      return nil
    }
    if let length = response.headers["content-length"].flatMap({ Int($0) }) {
      guard let body = await take(length) else { return nil }
      response.body = body
    }
    return response
  }

  /// The next chunk, empty at the end.
  func chunk() async -> [UInt8]? {
    guard let text = await line(), let size = Int(text, radix: 16) else { return nil }
    guard let piece = await take(size), await line() == "" else { return nil }
    return piece
  }

  private func line() async -> String? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        let line = String(decoding: rest[..<end].filter { $0 != 13 }, as: UTF8.self)
        rest.removeSubrange(...end)
        return line
      }
      guard await more() else { return nil }
    }
  }

  private func take(_ count: Int) async -> [UInt8]? {
    while rest.count < count { guard await more() else { return nil } }
    defer { rest.removeSubrange(..<count) }
    return Array(rest[..<count])
  }

  private func more() async -> Bool {
    guard let piece = await client.receive(), !piece.isEmpty else { return false }
    rest += piece
    return true
  }
}

extension Substring {
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

/// What a thread of a client does.
private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
  return nil
}
