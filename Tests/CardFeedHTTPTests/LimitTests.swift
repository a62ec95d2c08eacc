import CardFeedHTTP
import Testing

@Suite("HTTP: limits of connections and of time")
struct LimitTests {
  static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(
    "One connection too many is told so and closed; when one ends, there is room again",
    arguments: [true, false])
  func connections(isPerAddress: Bool) async throws {
    try await withServer(
      echo,
      { options in
        options.maximumConnections = isPerAddress ? 100 : 3
        options.maximumConnectionsPerAddress = isPerAddress ? 3 : 100
      }
    ) { port in
      var clients = (0..<3).map { _ in RawClient(port: port) }
      for client in clients {
        await client.send(Self.request)
        #expect(await ResponseReader(client).next()?.status == 200)
      }
      let refused = RawClient(port: port)
      // It is told without having asked.
      let response = await ResponseReader(refused).next()
      #expect(response?.status == 503)
      #expect(response?.text == "failure overloaded")
      // "Tue, 01 Dec 2026 00:54:03 GMT"
      #expect(response?.headers["date"]?.utf8.count == 29)
      #expect(await refused.receiveAll().isClosed)
      clients.removeFirst()
      while true {
        let client = RawClient(port: port)
        await client.send(Self.request)
        if await ResponseReader(client).next()?.status == 200 { break }
      }
    }
  }

  @Test("Many clients at once are all served")
  func manyClients() async throws {
    try await withServer(echo) { port in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<200 {
          group.addTask {
            let client = RawClient(port: port)
            let reader = ResponseReader(client)
            for round in 0..<5 {
              await client.send("GET /\(index)/\(round) HTTP/1.1\r\nHost: a\r\n\r\n")
              if await reader.next()?.text != "GET /\(index)/\(round)" { return false }
            }
            return true
          }
        }
        for try await isServed in group { #expect(isServed) }
      }
    }
  }

  @Test("A client that sends nothing is closed")
  func silent() async throws {
    try await withServer(echo, { $0.headTimeout = 0.2 }) { port in
      #expect(await RawClient(port: port).receiveAll() == (bytes: [], isClosed: true))
    }
  }

  @Test("A head that comes byte by byte without end is cut off", arguments: ["GET /", Self.headed])
  func slowHead(start: String) async throws {
    try await withServer(echo, { $0.headTimeout = 0.3 }) { port in
      let client = RawClient(port: port)
      await client.send(start)
      await Self.trickle(client)
      #expect(await client.receiveAll().isClosed)
    }
  }

  @Test("A later head has no more time than the first, once its first line is here")
  func slowLaterHead() async throws {
    try await withServer(echo, { $0.headTimeout = 0.3 }) { port in
      let client = RawClient(port: port)
      await client.send(Self.request)
      #expect(await ResponseReader(client).next()?.status == 200)
      await client.send(Self.headed)
      await Self.trickle(client)
      #expect(await client.receiveAll().isClosed)
    }
  }

  static let headed = "GET / HTTP/1.1\r\nHost: a\r\nX: "

  /// Sends a byte now and then until the server closes.
  static func trickle(_ client: RawClient) async {
    while await client.send("a") == 1 { try? await Task.sleep(nanoseconds: 50_000_000) }
  }

  @Test("A connection without a further request is closed", arguments: ["", "GET /slow"])
  func idle(start: String) async throws {
    try await withServer(echo, { $0.idleTimeout = 0.3 }) { port in
      let client = RawClient(port: port)
      await client.send(Self.request)
      #expect(await ResponseReader(client).next()?.status == 200)
      if !start.isEmpty {
        await client.send(start)
        await Self.trickle(client)
      }
      #expect(await client.receiveAll().isClosed)
    }
  }

  @Test(
    "A body that comes too slowly is told so and cut off, whether it stops or trickles",
    arguments: [true, false], [true, false])
  func slowBody(trickles: Bool, isStreamed: Bool) async throws {
    let events = Events()
    let responder = Responder(
      admission: { _ in isStreamed ? .stream(limit: nil) : .collect(limit: 1_000_000) },
      answer: { request in
        guard case .stream(let stream) = request.body else { return .text("collected") }
        do { for try await _ in stream {} } catch { events.add("\(error)") }
        return .text("streamed")
      })
    try await withServer(responder, { $0.bodyTimeout = 0.3 }) { port in
      let client = RawClient(port: port)
      await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nabc")
      if trickles { await Self.trickle(client) }
      let response = await ResponseReader(client).next()
      // A client that goes on sending may lose the answer to the end of its connection.
      if !trickles {
        #expect(response?.status == 408)
        #expect(response?.text == "failure body-timed-out")
      }
      #expect(await client.receiveAll().isClosed)
      if isStreamed { #expect(await events.next() == "timedOut") }
    }
  }

  @Test("A slow handler has all the time it wants", arguments: [true, false])
  func slowHandler(isStreamed: Bool) async throws {
    let responder = Responder(
      admission: { _ in isStreamed ? .stream(limit: nil) : .collect(limit: 100) },
      answer: { _ in
        try? await Task.sleep(nanoseconds: 1_000_000_000)
        return .text("at last")
      })
    try await withServer(
      responder,
      { options in
        options.headTimeout = 0.1
        options.idleTimeout = 0.1
        options.bodyTimeout = 0.1
      }
    ) { port in
      let response = await exchange(
        port, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
      #expect(response?.text == "at last")
    }
  }

  @Test("A client that takes nothing of its answer is cut off", arguments: [true, false])
  func slowReader(isStreamed: Bool) async throws {
    let piece = [UInt8](repeating: 7, count: 50_000_000)
    let responder = Responder { _ in
      HTTPResponse(status: 200, body: isStreamed ? .stream(Endless { piece }) : .bytes(piece))
    }
    try await withServer(
      responder,
      { options in
        options.bodyTimeout = 0.3
        options.minimumRate = 10_000_000
      }
    ) { port in
      let client = RawClient(port: port, receiveBuffer: 4096)
      await client.send(Self.request)
      // What was on its way still arrives, and then the end: not all of it.
      try await Task.sleep(nanoseconds: 1_000_000_000)
      let (bytes, isClosed) = await client.receiveAll()
      #expect(isClosed)
      #expect(bytes.count < piece.count)
    }
  }
}
