import CardFeed
import CardFeedEventSinks
import CardFeedTesting
import Testing

/// Where a client goes on: at its last id if the window reaches back that far, else it loads anew.
@Suite(.timeLimit(.minutes(10))) struct ResumeTests {
  private func texts(
    _ sink: ServerSentEventSink, _ viewer: Int64, after id: String?
  ) async throws -> [String] {
    // A marker of this viewer's ends the reading.
    var reader = Reader(sink.events(of: CardNumber(viewer), after: id))
    let marker = LogPosition(1_000_000 + Int64.random(in: 0...1_000_000))
    try await sink.deliver([match(marker.rawValue, viewer, viewer + 1000)])
    var texts: [String] = []
    while let text = await reader.texts(1).first {
      if text.hasPrefix("id: a-\(marker.rawValue)\n") { break }
      texts.append(text)
    }
    return texts
  }

  private func deliver(_ events: ClosedRange<Int64>, to sink: ServerSentEventSink) async throws {
    // Viewer 1 has the odd ones, viewer 2 the even ones.
    for event in events {
      try await sink.deliver([match(event, event % 2 == 1 ? 1 : 2, 9)])
    }
  }

  @Test func onlyWhatWasMissedComesAgainInOrder() async throws {
    let sink = makeSink()
    try await deliver(1...8, to: sink)
    #expect(
      try await texts(sink, 1, after: "a-3").map { $0.prefix(9) } == [
        "retry: 30", "id: a-5\ne", "id: a-7\ne",
      ])
  }

  @Test func anIdOfSomebodyElsesEventIsAPlaceToo() async throws {
    let sink = makeSink()
    try await deliver(1...8, to: sink)
    let texts = try await texts(sink, 1, after: "a-6")
    #expect(texts.first == "retry: 3000\nid: a-6\n\n")
    #expect(texts.map { $0.prefix(7) } == ["retry: ", "id: a-7"])
  }

  @Test func theBeginningIsAPlaceAsLongAsNothingIsForgotten() async throws {
    let sink = makeSink(.init(window: 4))
    try await deliver(1...4, to: sink)
    #expect(try await texts(sink, 1, after: "a-0").count == 3)
    let other = makeSink(.init(window: 4))
    try await deliver(1...5, to: other)
    #expect(try await texts(other, 1, after: "a-0").last?.contains("too-old") == true)
  }

  @Test(arguments: [
    ("a-1", "too-old"), ("a-999", "too-old"), ("b-7", "other-stream"), ("7", "other-stream"),
    ("a-", "other-stream"), ("a--7", "other-stream"), ("a-7x", "other-stream"),
    ("A-7", "other-stream"), ("a-99999999999999999999", "other-stream"), ("\0", "other-stream"),
  ])
  func anIdThatIsNotKnownMeansLoadingAnew(id: String, reason: String) async throws {
    let sink = makeSink(.init(window: 4))
    try await deliver(1...8, to: sink)
    #expect(
      try await texts(sink, 1, after: id) == [
        "retry: 3000\n\n",
        "id: a-8\nevent: reload\ndata: {\"reason\":\"\(reason)\"}\n\n",
      ])
  }

  @Test func noIdOrAnEmptyOneStartsNow() async throws {
    let sink = makeSink()
    try await deliver(1...8, to: sink)
    #expect(try await texts(sink, 1, after: nil) == ["retry: 3000\nid: a-8\n\n"])
    #expect(try await texts(sink, 2, after: "").count == 1)
  }

  @Test func aRestartedServiceMakesItsClientsLoadAnew() async throws {
    let sink = makeSink(stream: 11)
    var reader = Reader(sink.events(of: CardNumber(1), after: "a-4"))
    #expect(
      await reader.texts(2) == [
        "retry: 3000\n\n", "id: b-0\nevent: reload\ndata: {\"reason\":\"other-stream\"}\n\n",
      ])
  }

  // MARK: Events that come twice

  @Test func anEventThatComesAgainSoonIsDropped() async throws {
    let sink = makeSink()
    var reader = Reader(sink.events(of: CardNumber(1)))
    try await sink.deliver([match(4, 1, 2), match(4, 1, 2)])
    try await sink.deliver([match(4, 1, 2), match(6, 1, 2)])
    sink.close()
    #expect(await reader.rest().map { $0.prefix(7) } == ["retry: ", "id: a-4", "id: a-6"])
  }

  @Test func anEventThatComesAgainLateKeepsItsId() async throws {
    let sink = makeSink(.init(window: 2))
    var reader = Reader(sink.events(of: CardNumber(1)))
    for event in [4, 6, 8, 4] as [Int64] { try await sink.deliver([match(event, 1, 2)]) }
    sink.close()
    let texts = await reader.rest()
    #expect(texts.count == 5)
    #expect(texts[1] == texts[4])
  }

  /// A client that saw the first delivery of 4 and then nothing must not go on behind the second.
  @Test func aLateRepetitionIsNoPlaceToResumeFrom() async throws {
    let sink = makeSink(.init(window: 2))
    for event in [4, 6, 8, 4] as [Int64] { try await sink.deliver([match(event, 1, 2)]) }
    var reader = Reader(sink.events(of: CardNumber(1), after: "a-4"))
    // The last event is no place either, so the client's id stays what it is.
    #expect(
      await reader.texts(2) == [
        "retry: 3000\n\n", "event: reload\ndata: {\"reason\":\"too-old\"}\n\n",
      ])
    try await sink.deliver([match(10, 1, 2)])
    var later = Reader(sink.events(of: CardNumber(1), after: "a-10"))
    #expect(await later.texts(1) == ["retry: 3000\nid: a-10\n\n"])
  }

  /// Clients that disconnect at random and come back have everything, or were told to load anew.
  @Test func whoeverComesBackMissesNothingOrIsToldSo() async throws {
    var random = SplitMix64(seed: 11)
    var reloads = 0
    for round in 0..<200 {
      let sink = makeSink(
        .init(
          buffer: Int.random(in: 1...4, using: &random),
          window: Int.random(in: 1...12, using: &random)))
      var parser = EventStreamParser()
      var reader: Reader? = Reader(sink.events(of: CardNumber(1)))
      var delivered: [OutboxEvent] = []
      var owed: Set<String> = []
      var seenMessages = 0
      for step in 1...60 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: reader = nil
        case 1...4:
          // A new event, or one from before; of this viewer or of somebody else.
          let new = match(Int64(2 * step), step % 3 == 0 ? 7 : 1, 2)
          let isNew = Int.random(in: 0..<4, using: &random) != 0
          let event = isNew ? new : delivered.suffix(8).randomElement(using: &random) ?? new
          try await sink.deliver([event])
          if event.low == CardNumber(1), !delivered.contains(event) {
            owed.insert("a-\(event.event.rawValue)")
          }
          delivered.append(event)
        default:
          if reader == nil {
            let id = parser.lastID
            // Whoever never got anything starts now.
            if id.isEmpty { owed = [] }
            reader = Reader(sink.events(of: CardNumber(1), after: id))
          }
          // A marker tells the reader where to stop.
          let marker = Int64(2 * step + 1)
          try await sink.deliver([match(marker, 1, 2)])
          delivered.append(match(marker, 1, 2))
          var isAtMarker = false
          while !isAtMarker, let text = await reader?.texts(1).first {
            parser.feed(Array(text.utf8))
            isAtMarker = text.hasPrefix("id: a-\(marker)\n")
          }
          for message in parser.messages[seenMessages...] {
            if message.name == "reload" {
              reloads += 1
              owed = []
            }
            owed.remove(message.lastID)
          }
          seenMessages = parser.messages.count
          if isAtMarker {
            #expect(owed.isEmpty, "round \(round), step \(step)")
          } else {
            reader = nil
          }
        }
      }
    }
    #expect(reloads > 50)
  }
}
