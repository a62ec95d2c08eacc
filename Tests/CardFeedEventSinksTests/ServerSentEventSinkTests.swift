import CardFeed
import CardFeedEventSinks
import CardFeedTesting
import Testing

/// Exact bytes, who gets what, and what becomes of the slow.
@Suite(.timeLimit(.minutes(10))) struct ServerSentEventSinkTests {
  @Test func eachSideGetsItsOwnView() async throws {
    let sink = makeSink()
    var one = Reader(sink.events(of: CardNumber(1)))
    var two = Reader(sink.events(of: CardNumber(2)))
    var three = Reader(sink.events(of: CardNumber(3)))
    var all = Reader(sink.allEvents())
    try await sink.deliver([match(4, 2, 1), match(6, 1, 2, kind: .matchEnded)])
    sink.close()
    let beginning = "retry: 3000\nid: a-0\n\n"
    #expect(
      await one.rest() == [
        beginning,
        """
        id: a-4
        event: match-made
        data: {"kind":"match-made","event":4,"card":"n2","time":1004}


        """,
        """
        id: a-6
        event: match-ended
        data: {"kind":"match-ended","event":6,"card":"n2","time":1006}


        """,
      ])
    let other = await two.rest()
    #expect(
      other[1].hasSuffix("{\"kind\":\"match-made\",\"event\":4,\"card\":\"n1\",\"time\":1004}\n\n"))
    #expect(await three.rest() == [beginning])
    #expect(
      await all.rest() == [
        beginning,
        """
        id: a-4
        event: match-made
        data: {"kind":"match-made","event":4,"low":1,"high":2,"time":1004}


        """,
        """
        id: a-6
        event: match-ended
        data: {"kind":"match-ended","event":6,"low":1,"high":2,"time":1006}


        """,
      ])
  }

  @Test func identifiersOfAnyBytesAreNamed() async throws {
    let sink = ServerSentEventSink(stream: 10, clock: ManualClock()) { numbers in
      numbers.map { number in
        switch number.rawValue {
        case 2: CardID("\"Zoë\"\n👩‍👩‍👧\u{2028}")
        case 3: CardID(bytes: [0xff, 0x00, 0x7f])
        case 4: nil
        default: CardID("me")
        }
      }
    }
    var reader = Reader(sink.events(of: CardNumber(1)))
    try await sink.deliver([match(4, 1, 2), match(6, 1, 3), match(8, 1, 4)])
    sink.close()
    let texts = await reader.rest().dropFirst().map { $0.split(separator: "\n").last ?? "" }
    #expect(
      texts == [
        "data: {\"kind\":\"match-made\",\"event\":4,\"card\":\"\\\"Zoë\\\"\\n👩‍👩‍👧\u{2028}\",\"time\":1004}",
        "data: {\"kind\":\"match-made\",\"event\":6,\"cardHex\":\"ff007f\",\"time\":1006}",
        "data: {\"kind\":\"match-made\",\"event\":8,\"card\":null,\"time\":1008}",
      ])
  }

  @Test func aSubscriberThatWaitsIsHandedTheNextEvent() async throws {
    let sink = makeSink()
    let stream = sink.events(of: CardNumber(1))
    async let texts = {
      var reader = Reader(stream)
      return await reader.rest()
    }()
    for event in 1...5 as ClosedRange<Int64> { try await sink.deliver([match(event, 1, 2)]) }
    sink.close()
    #expect(
      await texts.map { $0.prefix(7) } == [
        "retry: ", "id: a-1", "id: a-2", "id: a-3", "id: a-4", "id: a-5",
      ])
  }

  @Test func severalSubscriptionsOfOneViewerAllGetIt() async throws {
    let sink = makeSink()
    let streams = (0..<3).map { _ in sink.events(of: CardNumber(1)) }
    try await sink.deliver([match(4, 1, 2)])
    sink.close()
    for stream in streams {
      var reader = Reader(stream)
      #expect(await reader.rest().count == 2)
    }
  }

  // MARK: Slow readers

  @Test func aSlowSubscriberIsClosedWithTheIdToResumeFrom() async throws {
    let sink = makeSink(.init(buffer: 3))
    var slow = Reader(sink.events(of: CardNumber(1)))
    var quick = Reader(sink.events(of: CardNumber(1)))
    var parser = EventStreamParser()
    for event in 1...6 as ClosedRange<Int64> {
      // Nobody reads for the slow one; the relay is not held up.
      try await sink.deliver([match(event, 1, 2)])
      _ = await quick.texts(event == 1 ? 2 : 1)
    }
    #expect(sink.subscribers == 1)
    let texts = await slow.rest()
    #expect(
      texts.map { $0.prefix(7) } == ["retry: ", "id: a-1", "id: a-2", "id: a-3", "id: a-3"])
    #expect(texts.last == "id: a-3\nevent: closed\ndata: {\"reason\":\"slow\"}\n\n")
    for text in texts { parser.feed(Array(text.utf8)) }
    #expect(parser.lastID == "a-3")

    var again = Reader(sink.events(of: CardNumber(1), after: parser.lastID))
    sink.close()
    for text in await again.rest() { parser.feed(Array(text.utf8)) }
    let events = parser.messages.filter { $0.name == "match-made" }.map(\.lastID)
    #expect(events == (1...6).map { "a-\($0)" })
  }

  @Test func whatIsResumedDoesNotCountAgainstTheBuffer() async throws {
    let sink = makeSink(.init(buffer: 1))
    for event in 1...9 as ClosedRange<Int64> { try await sink.deliver([match(event, 1, 2)]) }
    var reader = Reader(sink.events(of: CardNumber(1), after: "a-0"))
    try await sink.deliver([match(10, 1, 2)])
    #expect(sink.subscribers == 1)
    sink.close()
    #expect(await reader.rest().count == 11)
  }

  // MARK: Signs of life

  @Test func commentsComeAfterAQuietWhileOnly() async throws {
    let clock = ManualClock()
    let sink = makeSink(.init(heartbeatMilliseconds: 1000), clock: clock)
    var reader = Reader(sink.events(of: CardNumber(1)))
    _ = await reader.texts(1)
    clock.advance(byMilliseconds: 999)
    sink.beat()
    // Of somebody else: the quiet subscriber learns how far the stream is.
    try await sink.deliver([match(4, 2, 3)])
    clock.advance(byMilliseconds: 1)
    sink.beat()
    sink.beat()
    #expect(await reader.texts(1) == [":\nid: a-4\n\n"])
    sink.beat()
    clock.advance(byMilliseconds: 1000)
    sink.beat()
    // An event takes the comment's place: the id must not go back.
    try await sink.deliver([match(6, 1, 3)])
    sink.close()
    #expect(await reader.rest().map { $0.prefix(7) } == ["id: a-6"])
  }

  @Test func aWaitingReaderIsHandedTheComment() async throws {
    let clock = ManualClock()
    let sink = makeSink(.init(heartbeatMilliseconds: 1), clock: clock)
    let stream = sink.events(of: CardNumber(1))
    let reading = Task {
      var reader = Reader(stream)
      return await reader.texts(2)
    }
    let beating = Task { await sink.keepAlive() }
    let moving = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 1)
        await Task.yield()
      }
    }
    #expect(await reading.value == ["retry: 3000\nid: a-0\n\n", ":\nid: a-0\n\n"])
    moving.cancel()
    beating.cancel()
    await beating.value
  }

  // MARK: Failures and endings

  @Test func aBatchWhoseNamesAreMissingIsDeliveredWhenItComesAgain() async throws {
    struct Refused: Error {}
    let isRefusing = Lock(true)
    let sink = ServerSentEventSink(stream: 10, clock: ManualClock()) { numbers in
      if isRefusing.withLock({ $0 }) { throw Refused() }
      return numbers.map { CardID("n\($0.rawValue)") }
    }
    var reader = Reader(sink.events(of: CardNumber(1)))
    await #expect(throws: Refused.self) { try await sink.deliver([match(4, 1, 2)]) }
    isRefusing.withLock { $0 = false }
    try await sink.deliver([match(4, 1, 2)])
    sink.close()
    #expect(await reader.rest().count == 2)
  }

  @Test func aClosedSinkTakesNothingAndEndsLaterSubscribers() async throws {
    let sink = makeSink()
    sink.close()
    sink.close()
    let error = await #expect(throws: ServerSentEventSinkClosed.self) {
      try await sink.deliver([match(4, 1, 2)])
    }
    #expect(
      error?.description
        == "the sink of server-sent events is closed. Its events stay in the outbox; end the relay "
        + "before the sink, or open another sink.")
    var reader = Reader(sink.events(of: CardNumber(1)))
    #expect(await reader.rest().count == 1)
    #expect(sink.subscribers == 0)
  }

  @Test func streamsEndWithTheirSink() async throws {
    var sink: ServerSentEventSink? = makeSink()
    let stream = try #require(sink?.events(of: CardNumber(1)))
    sink = nil
    var reader = Reader(stream)
    #expect(await reader.rest().count == 1)
  }

  @Test func aStreamThatNobodyHoldsIsLeft() async throws {
    let sink = makeSink()
    var stream: ServerSentEventStream? = sink.allEvents()
    var reader: Reader? = Reader(sink.events(of: CardNumber(1)))
    #expect(sink.subscribers == 2)
    #expect(stream != nil && reader != nil)
    stream = nil
    #expect(sink.subscribers == 1)
    reader = nil
    #expect(sink.subscribers == 0)
    try await sink.deliver([match(4, 1, 2)])
  }

  @Test func aSecondReaderOfAStreamTraps() async {
    await #expect(processExitsWith: .failure) {
      let sink = makeSink()
      let stream = sink.events(of: CardNumber(1))
      var reader = Reader(stream)
      _ = await reader.texts(1)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            var reader = Reader(stream)
            _ = await reader.texts(1)
          }
        }
      }
    }
  }
}
