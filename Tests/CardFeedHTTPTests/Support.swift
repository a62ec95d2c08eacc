import CardFeedHTTP
import Testing

/// A responder of closures.
struct Responder: HTTPResponder {
  var admission: @Sendable (HTTPRequestHead) -> HTTPAdmission = { _ in .collect(limit: 1_000_000) }
  var answer: @Sendable (HTTPRequest) async -> HTTPResponse

  func admit(_ head: HTTPRequestHead) -> HTTPAdmission { admission(head) }

  func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }

  func failure(_ failure: HTTPServerFailure, head: HTTPRequestHead?) -> HTTPResponse {
    HTTPResponse(status: failure.status, body: .bytes(Array("failure \(failure.rawValue)".utf8)))
  }
}

/// Answers every request with what it was.
let echo = Responder { request in
  var text = "\(request.head.method.rawValue) \(request.head.path)"
  if let query = request.head.query { text += " ?\(query)" }
  for (name, value) in request.head.headers where name != "host" { text += " \(name)=\(value)" }
  if case .bytes(let bytes) = request.body, !bytes.isEmpty {
    text += " " + String(decoding: bytes, as: UTF8.self)
  }
  return .text(text)
}

extension HTTPResponse {
  static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, body: .bytes(Array(text.utf8)))
  }
}

extension HTTPServerOptions {
  /// With times that nothing reaches, however long a test waits for its turn among all others.
  static var patient: HTTPServerOptions {
    var options = HTTPServerOptions()
    options.headTimeout = 3600
    options.idleTimeout = 3600
    options.bodyTimeout = 3600
    return options
  }
}

/// Runs a server while something is done with its port.
func withServer(
  _ responder: any HTTPResponder, _ change: (inout HTTPServerOptions) -> Void = { _ in },
  do body: (Int) async throws -> Void
) async throws {
  var options = HTTPServerOptions.patient
  change(&options)
  let server = HTTPServer(options: options, responder: responder)
  let port = try server.start()
  do {
    try await body(port)
  } catch {
    await server.stop(deadline: 0)
    throw error
  }
  await server.stop(deadline: 5)
}

/// Sends one request on a connection of its own and returns the answer.
func exchange(_ port: Int, _ text: String, hasBody: Bool = true) async -> RawResponse? {
  let client = RawClient(port: port)
  await client.send(text)
  return await ResponseReader(client).next(hasBody: hasBody)
}

/// Waits until something holds. Without a limit of its own: a test that hangs is seen.
func eventually(_ holds: @Sendable () -> Bool) async {
  while !holds() { try? await Task.sleep(nanoseconds: 2_000_000) }
}

/// Something that happened, to be waited for.
final class Events: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func add(_ event: String) { continuation.yield(event) }

  func next() async -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}
