import CardFeedConfiguration
import CardFeedHTTP
import ChildProcesses
import Glibc
import Testing

@testable import CardFeedServer

/// An answer, read whole.
struct ServiceAnswer {
  let status: Int
  let headers: [String: String]
  let bytes: [UInt8]

  var text: String { String(decoding: bytes, as: UTF8.self) }

  var json: JSONValue {
    get throws { try JSONDocument(parsing: bytes).root }
  }

  /// The kind of a problem: the last part of its type.
  var problem: String? {
    (try? json)?["type"]?.string?.split(separator: "/").last.map(String.init)
  }
}

/// How a test reaches a service: called as it is, or over a socket.
enum Transport: String, CaseIterable, Sendable {
  case inProcess
  case socket
}

/// Asks a service, and checks each answer against the description that the service gives of itself.
final class ServiceClient {
  let service: FeedService
  private let server: HTTPServer?
  private let port: Int
  private let check: AnswerCheck
  /// The routes that answered.
  private(set) var answered: Set<String> = []
  var host = "localhost"
  var authorization: String?

  init(_ service: FeedService, _ transport: Transport) throws {
    self.service = service
    check = try AnswerCheck(service)
    switch transport {
    case .inProcess:
      server = nil
      port = 0
    case .socket:
      // A test may wait long for its turn among all others.
      var limits = HTTPServerOptions()
      limits.idleTimeout = 3600
      limits.headTimeout = 3600
      limits.bodyTimeout = 3600
      let server = HTTPServer(options: limits, responder: service)
      self.server = server
      port = try server.start()
    }
  }

  func close() async throws {
    service.beginStopping()
    await server?.stop(deadline: 5)
    try await service.close()
  }

  func get(
    _ target: String, headers: [(name: String, value: String)] = []
  ) async throws -> ServiceAnswer { try await send(.get, target, headers: headers) }

  func post(
    _ target: String, _ body: JSONValue, key: String? = nil
  ) async throws -> ServiceAnswer {
    try await send(
      .post, target, headers: key.map { [("idempotency-key", $0)] } ?? [], body: body.bytes(),
      type: "application/json")
  }

  func send(
    _ method: HTTPMethod, _ target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil, type: String? = nil
  ) async throws -> ServiceAnswer {
    var all = headers
    if !headers.contains(where: { $0.name == "host" }) { all.append(("host", host)) }
    if let authorization { all.append(("authorization", authorization)) }
    if let type { all.append(("content-type", type)) }
    let answer =
      server == nil
      ? try await call(method, target, all, body) : try await exchange(method, target, all, body)
    if let name = try check(method, target, answer) { answered.insert(name) }
    return answer
  }

  private func call(
    _ method: HTTPMethod, _ target: String, _ headers: [(name: String, value: String)],
    _ body: [UInt8]?
  ) async throws -> ServiceAnswer {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let head = HTTPRequestHead(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil,
      contentLength: body?.count, headers: headers)
    let response: HTTPResponse
    switch service.admit(head) {
    case .refuse(let refusal): response = refusal
    case .collect(let limit, let context):
      response =
        (body?.count ?? 0) > limit
        ? service.failure(.bodyTooLarge, head: head)
        : await service.respond(
          to: HTTPRequest(head: head, body: .bytes(body ?? []), context: context))
    case .stream(_, let context):
      response = await service.respond(
        to: HTTPRequest(head: head, body: .stream(Self.stream(body ?? [])), context: context))
    }
    var bytes: [UInt8] = []
    switch response.body {
    case .empty: break
    case .bytes(let all): bytes = all
    case .stream(let source): bytes = try await source.next() ?? []
    }
    return ServiceAnswer(
      status: response.status,
      headers: Dictionary(
        response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
      bytes: bytes)
  }

  /// In pieces of 1000 bytes, so that lines are cut.
  static func stream(_ bytes: [UInt8]) -> HTTPBodyStream {
    let pieces = Pieces(bytes)
    return HTTPBodyStream { await .success(pieces.next()) }
  }

  private actor Pieces {
    private var rest: ArraySlice<UInt8>
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func next() -> [UInt8]? {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(1000) }
      return Array(rest.prefix(1000))
    }
  }

  private func exchange(
    _ method: HTTPMethod, _ target: String, _ headers: [(name: String, value: String)],
    _ body: [UInt8]?
  ) async throws -> ServiceAnswer {
    var text = "\(method.rawValue) \(target) HTTP/1.1\r\n"
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    if let body { text += "content-length: \(body.count)\r\n" }
    text += "connection: close\r\n\r\n"
    let isStream = target.hasSuffix("/events")
    let request = Array(text.utf8) + (body ?? [])
    let reply = try await Socket.exchange(port: port, request, untilBlankLines: isStream ? 2 : nil)
    return try #require(Self.answer(reply), "no answer to \(method.rawValue) \(target)")
  }

  private static func answer(_ reply: [UInt8]) -> ServiceAnswer? {
    let blank = Array("\r\n\r\n".utf8)
    guard
      let end = reply.indices.dropLast(3).first(where: {
        reply[$0..<$0 + 4].elementsEqual(blank)
      })
    else { return nil }
    let lines = String(decoding: reply[..<end], as: UTF8.self).split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].dropFirst()) : ""
    }
    return ServiceAnswer(status: status, headers: headers, bytes: Array(reply[(end + 4)...]))
  }
}

/// One request and its answer over a socket of its own.
enum Socket {
  struct Failure: Error {}

  /// Sends bytes and reads until the server closes, or until so many blank lines have come.
  static func exchange(
    port: Int, _ request: [UInt8], untilBlankLines: Int? = nil
  ) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      // Blocking calls have a thread of their own.
      Thread.detached {
        continuation.resume(
          with: Result { try blockingExchange(port, request, untilBlankLines) })
      }
    }
  }

  private static func blockingExchange(
    _ port: Int, _ request: [UInt8], _ blankLines: Int?
  ) throws -> [UInt8] {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard file >= 0 else { throw Failure() }
    defer { close(file) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure() }
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes {
        Glibc.send(
          file, $0.baseAddress.map { $0 + sent }, request.count - sent, Int32(MSG_NOSIGNAL)
        )
      }
      // A server that refuses does not read on.
      if count <= 0 { break }
      sent += count
    }
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(file, &buffer, buffer.count, 0)
      if count <= 0 { return reply }
      reply += buffer[..<count]
      if let blankLines {
        let text = String(decoding: reply, as: UTF8.self)
        if text.split(separator: "\r\n\r\n").count >= blankLines { return reply }
      }
    }
  }
}

/// Threads for calls that block.
enum Thread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func detached(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Work(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      }, box)
    precondition(status == 0)
    pthread_detach(thread)
  }
}
