import CardFeedHTTP
import Testing

@Suite("HTTP: what is no request")
struct MalformedTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    var status: Int
    /// Whether the responder words the answer; otherwise the library does.
    var isOurs = true
  }

  static func get(_ name: String, _ target: String, _ status: Int) -> Case {
    Case(
      testDescription: name, text: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", status: status)
  }

  static func headers(_ name: String, _ headers: String, _ status: Int = 400) -> Case {
    Case(testDescription: name, text: "POST / HTTP/1.1\r\n\(headers)\r\n\r\n", status: status)
  }

  static func length(_ name: String, _ length: String, _ status: Int = 400) -> Case {
    headers("length: \(name)", "Host: a\r\nContent-Length: \(length)", status)
  }

  static func line(_ name: String, _ line: String, _ status: Int) -> Case {
    Case(testDescription: name, text: "\(line)\r\nHost: a\r\n\r\n", status: status, isOurs: false)
  }

  static let cases: [Case] = [
    get("half an encoding", "/%4", 400), get("percent alone", "/a?b=%", 400),
    get("no hexadecimal digits", "/%zz", 400), get("NUL in the path", "/a\u{0}b", 400),
    get("NUL in the query", "/a?b\u{0}c", 400), get("space in the path", "/a b", 400),
    get("two spaces", " /a", 400), get("control character", "/a\u{7}", 400),
    get("raw UTF-8", "/ä", 400), get("absolute form", "http://a/b", 400),
    get("no slash", "a", 400), get("asterisk", "*", 400), get("tab", "/a\tb", 400),
    get("too long", "/" + String(repeating: "a", count: 8192), 414),
    Case(testDescription: "TRACE", text: "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Case(testDescription: "CONNECT", text: "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Case(testDescription: "lower case", text: "get / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Case(testDescription: "prefix", text: "GETX / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Case(testDescription: "stump", text: "P / HTTP/1.1\r\nHost: a\r\n\r\n", status: 501),
    Case(
      testDescription: "NUL in the method", text: "GET\u{0}X / HTTP/1.1\r\nHost: a\r\n\r\n",
      status: 400),
    Case(testDescription: "no host", text: "GET / HTTP/1.1\r\nA: b\r\n\r\n", status: 400),
    Case(testDescription: "no headers", text: "GET / HTTP/1.1\r\n\r\n", status: 400),
    headers("two hosts", "Host: a\r\nHost: b"),
    headers("both framings", "Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked"),
    headers("both, other order", "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3"),
    headers("two lengths", "Host: a\r\nContent-Length: 3\r\nContent-Length: 4"),
    headers("two equal lengths", "Host: a\r\nContent-Length: 3\r\nContent-Length: 3"),
    headers("two encodings", "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    headers("unknown encoding", "Host: a\r\nTransfer-Encoding: gzip, chunked"),
    headers("space before the colon", "Host: a\r\nContent-Length : 3"),
    headers("folded line", "Host: a\r\nX: 1\r\n 2"),
    headers("folded name", "Host: a\r\nContent-: 5\r\n Length"),
    headers("NUL in a value", "Host: a\r\nX: a\u{0}b"),
    headers("NUL in a name", "Host: a\r\nX\u{0}Y: b").byLibrary,
    headers("NUL at the end", "Host: a\r\nX: b\u{0}"),
    headers("control character", "Host: a\r\nX: a\u{1}b"),
    headers("bare carriage return", "Host: a\r\nX: a\rY: b"),
    headers("no token", "Host: a\r\nX(: b"), headers("no name", "Host: a\r\n: b"),
    Case(
      testDescription: "bare line feeds", text: "GET / HTTP/1.1\nHost: a\n\n", status: 400),
    Case(
      testDescription: "chunks in HTTP/1.0",
      text: "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 400),
    headers("large head", "Host: a\r\nX: " + String(repeating: "a", count: 16384), 431),
    length("no number", "abc"), length("signed", "+3"), length("negative", "-1"),
    length("empty", ""), length("fraction", "3.0"), length("hexadecimal", "0x3"),
    length("list", "3, 3"), length("number and word", "3a"), length("space behind", "3 "),
    length("over 64 bits", "99999999999999999999", 413),
    length("over Int", "9999999999999999999", 413),
    headers("no length, then one", "Host: a\r\nContent-Length: a\r\nContent-Length: 3"),
    headers("length, then none", "Host: a\r\nContent-Length: 3\r\nContent-Length: a"),
    headers("no length and chunks", "Host: a\r\nContent-Length: a\r\nTransfer-Encoding: chunked"),
    headers("no length, no host", "Content-Length: -1"),
    Case(
      testDescription: "no colon", text: "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", status: 400,
      isOurs: false),
    Case(
      testDescription: "bad chunk",
      text:
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", status: 400,
      isOurs: false),
    line("HTTP/2", "GET / HTTP/2.0", 505), line("HTTP/3", "GET / HTTP/3", 400),
    line("preface of HTTP/2", "PRI * HTTP/2.0", 505), line("HTTP/0.9", "GET / HTTP/0.9", 505),
    line("HTTP/0.9 without a version", "GET /", 400), line("method and space", "GET ", 400),
    line("lower case version", "GET / http/1.1", 400), line("long version", "GET / HTTP/1.10", 400),
    line("no version", "GET / x", 400), line("other protocol", "GET / ICY/1.1", 400),
    Case(
      testDescription: "huge target",
      text: "GET /" + String(repeating: "a", count: 200_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
      status: 414, isOurs: false),
    headers("many headers", String(repeating: "a:\r\n", count: 50_000), 431).byLibrary,
  ]

  @Test("Malformed requests get a clean answer and the end of the connection", arguments: cases)
  func answers(malformed: Case) async throws {
    try await withServer(echo) { port in
      let client = RawClient(port: port)
      await client.send(malformed.text)
      let reader = ResponseReader(client)
      let response = await reader.next()
      #expect(response?.status == malformed.status)
      #expect(response?.text.hasPrefix("failure ") == malformed.isOurs)
      #expect(response?.headers["connection"] == "close")
      let (rest, isClosed) = await client.receiveAll()
      #expect(isClosed)
      #expect(rest.isEmpty)
      #expect(reader.rest.isEmpty, "One answer, and nothing of the rest is a further request.")
      // The server lives.
      #expect(await exchange(port, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "GET /x")
    }
  }

  @Test("A length that is none ends its own connection, not those whose heads are under way")
  func badLengthBesideOthers() async throws {
    // One thread, so that the library has all of them before it at the same time.
    try await withServer(echo, { $0.threads = 1 }) { port in
      let others = (0..<8).map { _ in RawClient(port: port) }
      for other in others {
        await other.send("POST /fine HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nX: a\r\n")
      }
      for length in ["abc", "-1", "99999999999999999999"] {
        let client = RawClient(port: port)
        let reader = ResponseReader(client)
        await client.send(
          "GET /first HTTP/1.1\r\nHost: a\r\n\r\n"
            + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
        #expect(await reader.next()?.text == "GET /first")
        #expect(await reader.next()?.status == (length.utf8.count > 3 ? 413 : 400))
        #expect(await client.receiveAll() == (bytes: [], isClosed: true))
        #expect(reader.rest.isEmpty)
      }
      for other in others {
        await other.send("\r\nabc")
        #expect(await ResponseReader(other).next()?.text == "POST /fine abc")
      }
    }
  }

  @Test("Blank lines before a request and a blank value are no error")
  func lenient() async throws {
    try await withServer(echo) { port in
      let response = await exchange(
        port, "\r\n\r\nGET /%7e?a=%2B*!'();:@&=$,/? HTTP/1.1\r\nHost:\r\nAccept:\r\n\r\n")
      #expect(response?.text == "GET /%7e ?a=%2B*!'();:@&=$,/? accept=")
      let options = await exchange(port, "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(options?.text == "OPTIONS *")
    }
  }
}

extension MalformedTests.Case {
  /// The same, answered by the library.
  var byLibrary: Self {
    var other = self
    other.isOurs = false
    return other
  }
}
