import CardFeedHTTP
import Testing

/// A client that has sent its last byte and still reads. Every limit of time is an hour here: what
/// ends does so because the client's end was seen.
@Suite("HTTP: clients that send nothing more")
struct HalfClosedTests {
  static let responder = Responder(
    admission: { head in
      switch head.path {
      case "/refused": .refuse(.text("no", status: 403))
      case "/streamed": .stream(limit: nil)
      default: .collect(limit: 100_000)
      }
    },
    answer: { request in
      guard case .stream(let stream) = request.body else {
        return .text("yes")
      }
      do { for try await _ in stream {} } catch { return .text("\(error)", status: 422) }
      return .text("yes")
    })

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    /// The status and text of the only answer, or nil where there is none.
    var status: Int?
    var answer = ""

    static func post(_ path: String, _ rest: String, _ status: Int, _ answer: String) -> Case {
      Case(
        testDescription: "\(path) \(rest.utf8.count)",
        text: "POST \(path) HTTP/1.1\r\nHost: a\r\n\(rest)", status: status, answer: answer)
    }
  }

  static let cases: [Case] = [
    Case(
      testDescription: "whole", text: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", status: 200,
      answer: "yes"),
    .post("/", "Content-Length: 3\r\n\r\nabc", 200, "yes"),
    .post("/", "Content-Length: 9\r\n\r\nabc", 400, "failure incomplete"),
    .post("/", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", 400, "failure incomplete"),
    .post("/streamed", "Content-Length: 9\r\n\r\nabc", 400, "failure incomplete"),
    .post("/refused", "Content-Length: 9\r\n\r\nabc", 403, "no"),
    .post("/refused", "Content-Length: 900000\r\n\r\nabc", 403, "no"),
    .post("/", "Content-Length: 900000\r\n\r\nabc", 413, "failure body-too-large"),
    .post("/", "Content-Length: abc\r\n\r\nabc", 400, "failure malformed"),
    .post("/", "X: a", 400, "failure incomplete"),
    Case(testDescription: "part of a line", text: "GET / HT"),
    Case(testDescription: "nothing", text: ""),
  ]

  @Test(
    "They are answered once and left, whether their end comes with the last bytes or later",
    arguments: cases, [true, false])
  func answered(each: Case, isLater: Bool) async throws {
    try await withServer(
      Self.responder,
      { options in
        options.headTimeout = 3600
        options.idleTimeout = 3600
        options.bodyTimeout = 3600
      }
    ) { port in
      let client = RawClient(port: port)
      await client.send(each.text)
      if isLater { try await Task.sleep(nanoseconds: 100_000_000) }
      client.endSending()
      let reader = ResponseReader(client)
      let response = await reader.next()
      #expect(response?.status == each.status)
      #expect(response?.text ?? "" == each.answer)
      let (rest, isClosed) = await client.receiveAll()
      #expect(isClosed)
      #expect(rest.isEmpty && reader.rest.isEmpty)
    }
  }
}
