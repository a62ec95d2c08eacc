import CardFeedHTTP
import Glibc
import Testing

@Suite("HTTP: start and stop")
struct StopTests {
  static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  static func failure(_ change: (inout HTTPServerOptions) -> Void) -> HTTPServerError? {
    var options = HTTPServerOptions.patient
    change(&options)
    let server = HTTPServer(options: options, responder: echo)
    do {
      _ = try server.start()
      return nil
    } catch { return error as? HTTPServerError }
  }

  @Test("A port in use is said so, and what to do")
  func portInUse() async throws {
    try await withServer(echo) { port in
      let error = Self.failure { $0.port = port }
      #expect(error?.kind == .portInUse)
      #expect(
        error?.description == """
          Somebody listens on 127.0.0.1, port \(port) already: stop that server, or give another \
          port; 0 takes any free one.
          """)
    }
  }

  @Test("An address that is none is said so", arguments: ["localhost", "", "1.2.3", "::g", "*"])
  func badAddress(address: String) {
    let error = Self.failure { $0.address = address }
    #expect(error?.kind == .badAddress)
    #expect(
      error?.description == """
        "\(address)" is no numeric address: give 127.0.0.1 or ::1 for this machine only, 0.0.0.0 or \
        :: for every interface.
        """)
  }

  @Test("An address of another machine is said so", arguments: ["192.0.2.1", "2001:db8::1"])
  func foreignAddress(address: String) {
    #expect(Self.failure { $0.address = address }?.kind == .addressNotAvailable)
  }

  @Test("A reserved port is said so", .enabled(if: Self.isRefusedLowPorts))
  func noPermission() {
    let error = Self.failure { $0.port = 1 }
    #expect(error?.kind == .noPermission)
    #expect(error?.description.contains("give a port from 1024 on") == true)
  }

  /// Root may listen everywhere.
  static var isRefusedLowPorts: Bool { geteuid() != 0 }

  @Test("Options out of range are said so, the first of them with its range")
  func badOptions() {
    #expect(Self.failure { $0.port = 70000 }?.kind == .badOption)
    #expect(Self.failure { $0.idleTimeout = .nan }?.kind == .badOption)
    #expect(
      Self.failure { $0.threads = 0 }?.description == "threads is 0: give 1...256.")
    #expect(
      Self.failure { $0.headTimeout = 0 }?.description
        == "headTimeout is 0.0: give more than 0 and at most 86400 seconds.")
  }

  @Test("A server starts once")
  func startsOnce() async throws {
    let server = HTTPServer(options: .patient, responder: echo)
    _ = try server.start()
    #expect(throws: HTTPServerError.self) { try server.start() }
    await server.stop(deadline: 1)
    #expect(throws: HTTPServerError.self) { try server.start() }
    await server.stop(deadline: 1)
  }

  @Test("A server that was never started stops")
  func neverStarted() async {
    await HTTPServer(options: .patient, responder: echo).stop(deadline: 1)
  }

  @Test("One thread is enough", arguments: [true, false])
  func oneThread(startsOnConnectionThread: Bool) async throws {
    try await withServer(
      echo,
      { options in
        options.threads = 1
        options.startsOnConnectionThread = startsOnConnectionThread
      }
    ) { port in
      #expect(await exchange(port, Self.request)?.text == "GET /")
    }
  }

  @Test("A stop finishes what it took, closes what waits and takes nothing new")
  func graceful() async throws {
    let started = Events()
    let gate = Events()
    let responder = Responder { request in
      if request.head.path == "/slow" {
        started.add("started")
        _ = await gate.next()
      }
      return .text(request.head.path)
    }
    let server = HTTPServer(options: .patient, responder: responder)
    let port = try server.start()
    let idle = RawClient(port: port)
    await idle.send(Self.request)
    #expect(await ResponseReader(idle).next()?.text == "/")
    let slow = RawClient(port: port)
    await slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await started.next() == "started")
    let stopping = Task {
      // Two at once wait for the same end.
      async let other: Void = server.stop(deadline: 60)
      await server.stop(deadline: 60)
      await other
      started.add("stopped")
    }
    #expect(await idle.receiveAll().isClosed)
    // Nobody listens any more.
    let late = RawClient(port: port)
    await late.send(Self.request)
    #expect(await late.receiveAll().bytes.isEmpty)
    started.add("still running")
    gate.add("go")
    let reader = ResponseReader(slow)
    let response = await reader.next()
    #expect(response?.text == "/slow")
    #expect(response?.headers["connection"] == "close")
    await stopping.value
    #expect(await started.next() == "still running")
    #expect(await started.next() == "stopped")
  }

  @Test("A stop ends streams: the whole answer is what their sources gave")
  func endsStreams() async throws {
    let started = Events()
    let pieces = Pieces(["one"])
    let responder = Responder { _ in
      HTTPResponse(
        status: 200,
        body: .stream(
          Endless {
            if let piece = await pieces.next() { return piece }
            started.add("waits")
            try await Task.sleep(nanoseconds: 600_000_000_000)
            return nil
          }))
    }
    let server = HTTPServer(options: .patient, responder: responder)
    let client = RawClient(port: try server.start())
    await client.send(Self.request)
    #expect(await started.next() == "waits")
    async let stopped: Void = server.stop(deadline: 60)
    #expect(await ResponseReader(client).next()?.text == "one")
    await stopped
  }

  @Test(
    "At the deadline everything is cut: handlers, streams that do not end, bodies that do not come",
    arguments: [true, false])
  func deadline(startsOnConnectionThread: Bool) async throws {
    let events = Events()
    let gate = Events()
    let responder = Responder(
      admission: { $0.path == "/body" ? .stream(limit: nil) : .collect(limit: 1000) },
      answer: { request in
        switch (request.head.path, request.body) {
        case ("/body", .stream(let stream)):
          events.add("started")
          do { for try await _ in stream {} } catch { events.add("\(error)") }
        case ("/stream", _):
          events.add("started")
          return HTTPResponse(
            status: 200,
            body: .stream(
              Endless {
                _ = await gate.next()
                return nil
              }))
        default:
          events.add("started")
          _ = await gate.next()
        }
        return .text("late")
      })
    var options = HTTPServerOptions.patient
    options.startsOnConnectionThread = startsOnConnectionThread
    let server = HTTPServer(options: options, responder: responder)
    let port = try server.start()
    let clients = (0..<4).map { _ in RawClient(port: port) }
    await clients[0].send("GET /handler HTTP/1.1\r\nHost: a\r\n\r\n")
    await clients[1].send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    await clients[2].send("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
    for _ in 0..<3 { #expect(await events.next() == "started") }
    await clients[3].send("POST /collected HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
    await server.stop(deadline: 0.2)
    #expect(await events.next() == "disconnected")
    for client in clients { #expect(await client.receiveAll().isClosed) }
    for _ in 0..<3 { gate.add("go") }
  }

  @Test("Servers start and stop under load, again and again")
  func underLoad() async throws {
    for round in 0..<20 {
      let responder = Responder { _ in
        if round % 2 == 0 { await Task.yield() }
        return .text("x")
      }
      let server = HTTPServer(options: .patient, responder: responder)
      let port = try server.start()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let client = RawClient(port: port)
            let reader = ResponseReader(client)
            repeat { await client.send(Self.request) } while await reader.next() != nil
          }
        }
        try? await Task.sleep(nanoseconds: 20_000_000)
        await server.stop(deadline: round % 3 == 0 ? 0 : 10)
      }
    }
  }

  @Test("A server that nobody holds any more stops by itself")
  func forgotten() async throws {
    let client: RawClient
    do {
      let server = HTTPServer(options: .patient, responder: echo)
      client = RawClient(port: try server.start())
      await client.send(Self.request)
      #expect(await client.receive() != nil)
    }
    #expect(await client.receiveAll().isClosed)
  }
}
