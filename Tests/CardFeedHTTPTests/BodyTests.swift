import CardFeedHTTP
import Testing

@Suite("HTTP: bodies of requests")
struct BodyTests {
  static func collecting(_ limit: Int) -> Responder {
    Responder(
      admission: { _ in .collect(limit: limit) },
      answer: { request in
        guard case .bytes(let bytes) = request.body else { return .text("no bytes", status: 500) }
        return .text("\(bytes.count) \(bytes.reduce(0) { $0 &+ Int($1) })")
      })
  }

  /// Reads the stream and answers with its length and its sum.
  static func streaming(_ limit: Int?) -> Responder {
    Responder(
      admission: { _ in .stream(limit: limit) },
      answer: { request in
        guard case .stream(let stream) = request.body else {
          return .text("no stream", status: 500)
        }
        var count = 0
        var sum = 0
        do {
          for try await piece in stream {
            count += piece.count
            sum &+= piece.reduce(0) { $0 &+ Int($1) }
          }
        } catch {
          return .text("\(error)", status: 422)
        }
        return .text("\(count) \(sum)")
      })
  }

  static let admissions: [(name: String, responder: Responder)] = [
    ("collected", collecting(2_000_000)), ("streamed", streaming(nil)),
  ]

  @Test(
    "A body arrives whole, with a length and in chunks, and the connection goes on",
    arguments: [0, 1], [0, 1, 7, 1000, 40_000, 1_000_000])
  func arrives(admission: Int, count: Int) async throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let expected = "\(count) \(body.reduce(0) { $0 + Int($1) })"
    try await withServer(Self.admissions[admission].responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
      await client.send(body)
      #expect(await reader.next()?.text == expected)
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      var start = 0
      var size = 1
      while start < count {
        let end = min(start + size, count)
        let line = "\(String(end - start, radix: 16));extension=1\r\n"
        await client.send(Array(line.utf8) + body[start..<end] + [13, 10])
        start = end
        size *= 3
      }
      await client.send("0\r\nTrailer: 1\r\n\r\n")
      #expect(await reader.next()?.text == expected)
    }
  }

  @Test("A body that is announced too long is refused before it is read", arguments: [true, false])
  func announcedTooLong(isStreamed: Bool) async throws {
    let responder = isStreamed ? Self.streaming(1000) : Self.collecting(1000)
    try await withServer(responder) { port in
      // Nothing of the body is sent, so the answer cannot depend on it.
      let response = await exchange(
        port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000000\r\n\r\n")
      #expect(response?.status == 413)
      #expect(response?.text == "failure body-too-large")
      #expect(response?.headers["connection"] == "close")
    }
  }

  @Test("A body of exactly the limit is taken, in both ways", arguments: [true, false])
  func exactlyTheLimit(isStreamed: Bool) async throws {
    let responder = isStreamed ? Self.streaming(1000) : Self.collecting(1000)
    try await withServer(responder) { port in
      let body = String(repeating: "a", count: 1000)
      let response = await exchange(
        port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n\(body)")
      #expect(response?.status == 200)
      let chunked = await exchange(
        port,
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n\(body)\r\n0\r\n\r\n"
      )
      #expect(chunked?.status == 200)
    }
  }

  @Test("A body in chunks is refused when it passes the limit, though it never ends")
  func passesTheLimit() async throws {
    try await withServer(Self.collecting(1000)) { port in
      let client = RawClient(port: port)
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      let piece = String(repeating: "a", count: 500)
      for _ in 0..<3 { await client.send("1f4\r\n\(piece)\r\n") }
      let response = await ResponseReader(client).next()
      #expect(response?.status == 413)
      #expect(response?.text == "failure body-too-large")
    }
  }

  @Test("The answer arrives although the client goes on sending a body that nobody reads")
  func answerSurvivesUnreadBody() async throws {
    try await withServer(Self.collecting(1000)) { port in
      for isAnnounced in [true, false] {
        let client = RawClient(port: port)
        let framing = isAnnounced ? "Content-Length: 1000000" : "Transfer-Encoding: chunked"
        let head =
          "POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n" + (isAnnounced ? "" : "f4240\r\n")
        let body = [UInt8](repeating: 97, count: 1_000_000)
        // At once: the server does not wait long for more.
        #expect(await client.send(Array(head.utf8) + body) >= body.count)
        #expect(await ResponseReader(client).next()?.status == 413)
        client.endSending()
        #expect(await client.receiveAll().isClosed)
      }
    }
  }

  @Test(
    "About a mebibyte of a refused body is read, then the connection ends",
    arguments: [true, false])
  func unreadBodyIsBounded(isAnnounced: Bool) async throws {
    try await withServer(Self.collecting(1000)) { port in
      let client = RawClient(port: port)
      let count = 67_108_864
      let framing = isAnnounced ? "Content-Length: \(count)" : "Transfer-Encoding: chunked"
      let head =
        "POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n" + (isAnnounced ? "" : "4000000\r\n")
      // The buffers of both sockets hold less than the rest of it.
      #expect(await client.send(Array(head.utf8) + [UInt8](repeating: 97, count: count)) < count)
      #expect(await client.receiveAll().isClosed)
    }
  }

  @Test("A streamed body that passes its limit is an error of the stream")
  func streamPassesTheLimit() async throws {
    try await withServer(Self.streaming(1000)) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      let piece = String(repeating: "a", count: 600)
      await client.send("258\r\n\(piece)\r\n258\r\n\(piece)\r\n0\r\n\r\n")
      let response = await reader.next()
      #expect(response?.status == 422)
      #expect(response?.text == "tooLarge")
    }
  }

  @Test("A client that waits to be admitted is told to go on, or refused without its body")
  func expectContinue() async throws {
    let responder = Responder(
      admission: { head in
        head.path == "/no" ? .refuse(.text("no", status: 401)) : .collect(limit: 10)
      }, answer: { _ in .text("yes") })
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let headers = "Host: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
      await client.send("PUT /yes HTTP/1.1\r\n\(headers)")
      #expect(await client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      await client.send("abcd")
      #expect(await ResponseReader(client).next()?.text == "yes")

      let refused = RawClient(port: port)
      await refused.send("PUT /no HTTP/1.1\r\n\(headers)")
      let response = await ResponseReader(refused).next()
      #expect(response?.status == 401)
      #expect(response?.text == "no")

      let tooLong = await exchange(
        port, "PUT /yes HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n")
      #expect(tooLong?.status == 413)
    }
  }

  @Test("A refusal keeps the connection when the body is short, and reads it away")
  func refusalKeepsConnection() async throws {
    let responder = Responder(
      admission: { $0.path == "/no" ? .refuse(.text("no", status: 403)) : .collect(limit: 10) },
      answer: { .text($0.head.path) })
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send("GET /no HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await reader.next()?.status == 403)
      let body = String(repeating: "x", count: 60_000)
      await client.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n\(body)")
      #expect(await reader.next()?.status == 403)
      await client.send("GET /yes HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await reader.next()?.text == "/yes")
    }
  }

  @Test("A client waits while the consumer of its body is behind")
  func backPressure() async throws {
    let gate = Events()
    let reached = Events()
    let responder = Responder(
      admission: { _ in .stream(limit: nil) },
      answer: { request in
        guard case .stream(let stream) = request.body else { return .text("", status: 500) }
        reached.add("started")
        _ = await gate.next()
        var count = 0
        do { for try await piece in stream { count += piece.count } } catch { return .text("cut") }
        return .text("\(count)")
      })
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      // More than the buffers of both sockets and of the server together can hold.
      let count = 40_000_000
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
      #expect(await reached.next() == "started")
      let sending = Task {
        let sent = await client.send([UInt8](repeating: 1, count: count))
        reached.add("sent \(sent)")
      }
      // As long as nobody takes anything the client cannot finish; the order of events shows it.
      try await Task.sleep(nanoseconds: 300_000_000)
      reached.add("opened")
      gate.add("go")
      #expect(await ResponseReader(client).next()?.text == "\(count)")
      await sending.value
      #expect(await reached.next() == "opened")
      #expect(await reached.next() == "sent \(count)")
    }
  }

  @Test("A stream ends with an error when its client goes away")
  func disconnected() async throws {
    let events = Events()
    let responder = Responder(
      admission: { _ in .stream(limit: nil) },
      answer: { request in
        guard case .stream(let stream) = request.body else { return .text("", status: 500) }
        var iterator = stream.makeAsyncIterator()
        do {
          while let piece = try await iterator.next() { events.add("\(piece.count)") }
          events.add("end")
        } catch { events.add("\(error)") }
        do { _ = try await iterator.next() } catch { events.add("again \(error)") }
        return .text("late")
      })
    try await withServer(responder) { port in
      do {
        let client = RawClient(port: port)
        await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
        #expect(await events.next() == "3")
      }
      #expect(await events.next() == "disconnected")
      #expect(await events.next() == "again disconnected")
    }
  }

  @Test("An answer before the end of the body is sent, whatever the length of the rest")
  func earlyAnswer() async throws {
    let responder = Responder(
      admission: { _ in .stream(limit: nil) }, answer: { _ in .text("early") })
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789")
      #expect(await reader.next()?.text == "early")
      // The rest was short, so the connection goes on; now it is long.
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
      await client.send([UInt8](repeating: 1, count: 3_000_000))
      #expect(await reader.next()?.text == "early")
    }
  }
}
