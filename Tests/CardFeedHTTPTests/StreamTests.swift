import CardFeedHTTP
import Testing

@Suite("HTTP: answers that go out piece by piece")
struct StreamTests {
  static func responder(
    _ make: @escaping @Sendable () async throws -> [UInt8]?
  ) -> Responder {
    Responder { request in
      if request.head.path == "/plain" { return .text("plain") }
      return HTTPResponse(
        status: 200, headers: [("Content-Type", "text/event-stream")],
        body: .stream(Endless(make)))
    }
  }

  static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("Head and pieces arrive as they are made, and the connection goes on")
  func arrives() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let responder = Self.responder {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next().map { Array($0.utf8) }
    }
    try await withServer(responder) { port in
      let client = RawClient(port: port)
      let reader = ResponseReader(client)
      await client.send(Self.request)
      // Nothing was made yet: the head must not wait for it.
      let head = await reader.head()
      #expect(head?.headers["transfer-encoding"] == "chunked")
      #expect(head?.headers["content-type"] == "text/event-stream")
      for piece in ["data: 1\n\n", "data: 2\n\n", String(repeating: "x", count: 100)] {
        continuation.yield(piece)
        #expect(await reader.chunk() == Array(piece.utf8))
      }
      continuation.yield("")
      continuation.yield("after nothing")
      #expect(await reader.chunk() == Array("after nothing".utf8))
      continuation.finish()
      #expect(await reader.chunk() == [])
      await client.send("GET /plain HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(await reader.next()?.text == "plain")
    }
  }

  @Test("A long piece arrives whole, in several chunks")
  func longPiece() async throws {
    let piece = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let pieces = Queue([piece, piece])
    try await withServer(Self.responder { await pieces.next() }) { port in
      let response = await exchange(port, Self.request)
      #expect(response?.body == piece + piece)
    }
  }

  @Test("The source is not asked while the client takes nothing")
  func backPressure() async throws {
    let counter = Counter()
    let piece = [UInt8](repeating: 7, count: 1_000_000)
    let made = Self.responder {
      // 100 MB, more than all buffers between the two.
      await counter.up() <= 100 ? piece : nil
    }
    try await withServer(made) { port in
      let client = RawClient(port: port)
      await client.send(Self.request)
      let reader = ResponseReader(client)
      _ = await reader.head()
      // It settles, below what there is.
      var before = -1
      while await counter.value != before {
        before = await counter.value
        try await Task.sleep(nanoseconds: 200_000_000)
      }
      #expect(before < 60)
      var count = 0
      while let chunk = await reader.chunk(), !chunk.isEmpty { count += chunk.count }
      #expect(count == 100_000_000)
    }
  }

  @Test(
    "The source is cancelled when the client is gone, whether it waits or works",
    arguments: [true, false])
  func gone(waits: Bool) async throws {
    let events = Events()
    let made = Self.responder {
      try await withTaskCancellationHandler {
        if waits { try await Task.sleep(nanoseconds: 600_000_000_000) }
        while !Task.isCancelled { await Task.yield() }
        return Array("x".utf8)
      } onCancel: {
        events.add("cancelled")
      }
    }
    try await withServer(made) { port in
      do {
        let client = RawClient(port: port)
        await client.send(Self.request)
        _ = await ResponseReader(client).head()
      }
      #expect(await events.next() == "cancelled")
      #expect(await exchange(port, "GET /plain HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "plain")
    }
  }

  @Test("An error of the source cuts the answer off, so that it is no whole one")
  func failure() async throws {
    struct Broken: Error {}
    let pieces = Pieces(["one"])
    let made = Self.responder {
      guard let piece = await pieces.next() else { throw Broken() }
      return piece
    }
    try await withServer(made) { port in
      let client = RawClient(port: port)
      await client.send(Self.request)
      let (bytes, isClosed) = await client.receiveAll()
      #expect(isClosed)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("one"))
      #expect(!text.hasSuffix("0\r\n\r\n"))
    }
  }

  @Test("A source that never suspends is sent all the same")
  func neverSuspends() async throws {
    let left = Countdown(10_000)
    try await withServer(Self.responder { left.next() }) { port in
      let response = await exchange(port, Self.request)
      #expect(response?.body == [UInt8](repeating: 1, count: 10_000))
    }
  }
}

/// Some arrays, one after the other.
actor Queue {
  private var pieces: [[UInt8]]

  init(_ pieces: [[UInt8]]) { self.pieces = pieces }

  func next() -> [UInt8]? { pieces.isEmpty ? nil : pieces.removeFirst() }
}

/// Counts.
actor Counter {
  private(set) var value = 0

  func up() -> Int {
    value += 1
    return value
  }
}
