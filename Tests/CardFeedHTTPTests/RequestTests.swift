import CardFeedHTTP
import Testing

@Suite("HTTP: requests and answers")
struct RequestTests {
  @Test("Method, raw path, raw query and kept headers arrive; other headers do not")
  func headArrives() async throws {
    try await withServer(echo) { port in
      let response = await exchange(
        port,
        """
        GET /v1/a%2Fb/%C3%A4?x=%31&y HTTP/1.1\r
        Host: here\r
        ACCEPT: a/b, c/d \t\r
        X-Other: 1\r
        Idempotency-Key:k\r
        \r

        """)
      #expect(response?.status == 200)
      #expect(
        response?.text == "GET /v1/a%2Fb/%C3%A4 ?x=%31&y accept=a/b, c/d idempotency-key=k")
      #expect(response?.headers["date"] != nil)
    }
  }

  @Test("Every method of the list is known", arguments: HTTPMethod.allCases)
  func methods(method: HTTPMethod) async throws {
    try await withServer(echo) { port in
      let isHead = method == .head
      let response = await exchange(
        port, "\(method.rawValue) / HTTP/1.1\r\nHost: a\r\n\r\n", hasBody: !isHead)
      #expect(response?.status == 200)
      #expect(response?.text == (isHead ? "" : "\(method.rawValue) /"))
    }
  }

  @Test("HEAD is answered with the length and without the body, and the connection goes on")
  func head() async throws {
    try await withServer(echo) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send("HEAD /long HTTP/1.1\r\nHost: a\r\n\r\n")
      let first = await reader.next(hasBody: false)
      #expect(first?.headers["content-length"] == "10")
      await client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await reader.next()?.text == "GET /next")
    }
  }

  @Test(
    "A stream that may have no body is not asked, and nothing follows the head",
    arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func streamWithoutBody(method: String, status: Int) async throws {
    let asked = Events()
    let responder = Responder { _ in
      HTTPResponse(
        status: status,
        body: .stream(
          Endless {
            asked.add("asked")
            return [1]
          }))
    }
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      await client.send("\(method) / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      let (bytes, isClosed) = await client.receiveAll()
      #expect(isClosed)
      #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n"))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n0"))
    }
    asked.add("end")
    #expect(await asked.next() == "end")
  }

  @Test(
    "One connection serves many requests, one after the other and all at once",
    arguments: [true, false])
  func keepAliveAndPipelining(startsOnConnectionThread: Bool) async throws {
    let slow = Responder { request in
      if request.head.path.hasSuffix("3") { await Task.yield() }
      return .text(request.head.path)
    }
    try await withServer(slow, { $0.startsOnConnectionThread = startsOnConnectionThread }) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      for index in 0..<10 {
        await client.send("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await reader.next()?.text == "/\(index)")
      }
      let all = (0..<50).map { "GET /p\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
      await client.send(all)
      for index in 0..<50 { #expect(await reader.next()?.text == "/p\(index)") }
    }
  }

  @Test("A request that comes byte by byte is one request")
  func byteByByte() async throws {
    try await withServer(echo) { port in
      let client = RawClient(port: port)
      for byte in "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc".utf8 {
        await client.send([byte])
      }
      #expect(await ResponseReader(client).next()?.text == "PUT /x abc")
    }
  }

  @Test("HTTP/1.0 is answered and closed, also a stream, which has no chunks then")
  func oldVersion() async throws {
    let responder = Responder { _ in
      let pieces = Pieces(["ab", "c"])
      return HTTPResponse(status: 200, body: .stream(Endless { await pieces.next() }))
    }
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      await client.send("GET / HTTP/1.0\r\n\r\n")
      let (bytes, isClosed) = await client.receiveAll()
      #expect(isClosed)
      #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\nabc"))
    }
  }

  @Test("Connection: close is obeyed")
  func closes() async throws {
    try await withServer(echo) { port in
      let client = RawClient(port: port)
      await client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(await client.receiveAll().isClosed)
    }
  }

  @Test("IPv6 is served, and the peer is its numeric address", arguments: [false, true])
  func addresses(isIPv6: Bool) async throws {
    let responder = Responder { .text($0.head.peer) }
    try await withServer(responder, { $0.address = isIPv6 ? "::1" : "127.0.0.1" }) { port in
      let client = RawClient(port: port, isIPv6: isIPv6)
      await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await ResponseReader(client).next()?.text == (isIPv6 ? "::1" : "127.0.0.1"))
    }
  }

  @Test("A server on every address serves both families; IPv4 looks like IPv4")
  func everyAddress() async throws {
    let responder = Responder { .text($0.head.peer) }
    try await withServer(responder, { $0.address = "::" }) { port in
      for isIPv6 in [false, true] {
        let client = RawClient(port: port, isIPv6: isIPv6)
        await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await ResponseReader(client).next()?.text == (isIPv6 ? "::1" : "127.0.0.1"))
      }
    }
  }

  @Test("Answers of every size arrive whole", arguments: [0, 1, 500, 65536, 65537, 3_000_000])
  func sizes(count: Int) async throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let responder = Responder { _ in HTTPResponse(status: 200, body: .bytes(body)) }
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      for _ in 0..<2 {
        await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = await reader.next()
        #expect(response?.headers["content-length"] == "\(count)")
        #expect(response?.body == body)
      }
    }
  }

  @Test("204 and 304 have no body, whatever the responder says", arguments: [204, 304])
  func noBody(status: Int) async throws {
    let responder = Responder { _ in .text("nothing", status: status) }
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      for _ in 0..<2 {
        await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await reader.next(hasBody: false)?.status == status)
      }
      #expect(reader.rest.isEmpty)
    }
  }

  @Test("A status that is none becomes 500", arguments: [0, 100, 199, 600, -1])
  func badStatus(status: Int) async throws {
    let responder = Responder { _ in HTTPResponse(status: status) }
    try await withServer(responder) { port in
      #expect(await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 500)
    }
  }

  @Test(
    "A header of a responder that could forge an answer is left out, the others stay",
    arguments: [
      ("X-A", "1\r\nX-Forged: yes"), ("X-A", "1\nX-Forged: yes"), ("X-A", "1\rX-Forged: yes"),
      ("X-A: 1\r\nX-Forged", "yes"), ("X-Forged yes", "1"), ("", "1"), ("X-A", "1\u{0}2"),
      ("X-Ä", "1"), ("Content-Length", "3"), ("transfer-encoding", "chunked"), ("Date", "never"),
      ("CONNECTION", "upgrade"), ("Server", "x"),
    ])
  func forgedHeaders(header: (name: String, value: String)) async throws {
    let responder = Responder { request in
      var response = HTTPResponse.text("body")
      response.headers = [header, ("X-Good", "a\tb ü")]
      return response
    }
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let response = await reader.next()
      #expect(response?.text == "body")
      let names = Set(response?.headers.keys.map { $0 } ?? [])
      #expect(names.subtracting(["date", "content-length", "x-good", "connection"]) == [])
      #expect(response?.headers["x-good"] == "a\tb ü")
      #expect(response?.headers["content-length"] == "4")
      #expect(reader.rest.isEmpty)
    }
  }
}
