import CardFeedHTTP
import Testing

@Suite("HTTP: anything at all")
struct RandomBytesTests {
  /// A small generator with a seed (SplitMix64, Steele, Lea and Flood 2014).
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      return mixed ^ mixed >> 31
    }
  }

  static let words = [
    "GET ", "POST ", "HEAD ", "/", "/a?b=c", "%41", "%", " HTTP/1.1\r\n", " HTTP/1.0\r\n",
    "Host: a\r\n", "Content-Length: ", "3", "100", "\r\n", "\r\n\r\n", "\n", "\r", ":", " ", "\t",
    "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "5\r\nabcde\r\n", "\u{0}", "abc", ";x",
    "Connection: close\r\n", "Expect: 100-continue\r\n", "ä", "X: y\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
  ]

  /// Words of requests, a whole request with a few bytes changed, or noise.
  static func bytes(_ generator: inout Generator) -> [UInt8] {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0:
      return (0..<Int.random(in: 1..<30, using: &generator)).flatMap { _ in
        Array(words[Int.random(in: 0..<words.count, using: &generator)].utf8)
      }
    case 1:
      var text = Array(words[Int.random(in: 30..<32, using: &generator)].utf8)
      for _ in 0..<Int.random(in: 1..<5, using: &generator) {
        let index = Int.random(in: 0..<text.count, using: &generator)
        text[index] = UInt8.random(in: 0...255, using: &generator)
      }
      return text
    default:
      return (0..<Int.random(in: 1..<400, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
    }
  }

  @Test(
    "Whatever a client sends, its connection ends and the server lives", arguments: 0..<8)
  func anything(seed: Int) async throws {
    let responder = Responder(
      admission: { $0.contentLength == 100 ? .stream(limit: 50) : .collect(limit: 50) },
      answer: { request in
        if case .stream(let stream) = request.body {
          do { for try await _ in stream {} } catch { return .text("\(error)") }
        }
        return .text("x")
      })
    try await withServer(
      responder,
      { options in
        options.headTimeout = 0.5
        options.idleTimeout = 0.5
        options.bodyTimeout = 0.5
      }
    ) { port in
      await withTaskGroup(of: (UInt64, Bool).self) { group in
        for index in 0..<60 {
          let state = UInt64(seed * 1000 + index)
          group.addTask {
            var generator = Generator(state: state)
            let client = RawClient(port: port)
            let bytes = Self.bytes(&generator)
            let half = Int.random(in: 0...bytes.count, using: &generator)
            await client.send(Array(bytes[..<half]))
            await client.send(Array(bytes[half...]))
            if Bool.random(using: &generator) { client.endSending() }
            return (state, await client.receiveAll().isClosed)
          }
        }
        for await (state, isClosed) in group {
          #expect(isClosed, "The connection of seed \(state) hangs.")
        }
      }
      #expect(await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "x")
    }
  }
}
