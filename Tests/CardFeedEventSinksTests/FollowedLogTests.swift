import CardFeed
import CardFeedEventSinks
import CardFeedTesting
import Testing

/// A sink that gets every change of a log, in order.
@Suite(.timeLimit(.minutes(10))) struct FollowedLogTests {
  private func page(
    _ changes: [MatchChanges.Change], end: Int64, hasMore: Bool = false
  ) -> MatchChanges {
    MatchChanges(changes: changes, end: LogPosition(end), hasMore: hasMore)
  }

  private func made(_ event: Int64, _ one: Int64, _ other: Int64) -> MatchChanges.Change {
    .match(match(event, one, other))
  }

  /// What a subscriber gets from a sink that is closed then.
  private func texts(
    _ sink: ServerSentEventSink, _ viewer: Int64, after id: String?,
    matched: Set<CardNumber>? = nil, asOf place: Int64 = 0
  ) async -> [String] {
    let stream = sink.events(
      of: CardNumber(viewer), after: id, matched: matched, asOf: LogPosition(place))
    sink.close()
    var reader = Reader(stream)
    return await reader.rest()
  }

  private func follow(
    from place: Int64, window: Int = 10_000, _ pages: [MatchChanges]
  ) async throws -> ServerSentEventSink {
    let sink = makeSink(.init(window: window))
    sink.follow(from: LogPosition(place))
    for page in pages { try await sink.deliver(page) }
    return sink
  }

  @Test(arguments: [(3, 3), (4, 2), (5, 2), (6, 1), (7, 1), (8, 0), (20, 0)])
  func everyPlaceThatWasReachedIsOneToResumeFrom(place: Int, missed: Int) async throws {
    let sink = try await follow(
      from: 3,
      [page([made(4, 1, 2), made(6, 3, 1)], end: 7), page([made(8, 1, 4)], end: 20)])
    let texts = await texts(sink, 1, after: "a-\(place)")
    #expect(texts.first == "retry: 3000\nid: a-\(place)\n\n")
    #expect(texts.count == 1 + missed)
    #expect(!texts.joined().contains("reload"))
  }

  @Test(arguments: ["a-2", "a-0", "a-21"])
  func otherPlacesAreTooOld(id: String) async throws {
    let sink = try await follow(from: 3, [page([made(4, 1, 2)], end: 20)])
    #expect(
      await texts(sink, 1, after: id).last
        == "id: a-20\nevent: reload\ndata: {\"reason\":\"too-old\"}\n\n")
    #expect(sink.counts.reloads == 1)
  }

  @Test(arguments: [(4, false), (6, true), (8, true)])
  func whatTheWindowForgotIsTooOld(place: Int, isKnown: Bool) async throws {
    let sink = try await follow(
      from: 0, window: 2,
      [page([made(4, 1, 2), made(6, 1, 3), made(8, 1, 4), made(10, 1, 5)], end: 11)])
    let texts = await texts(sink, 1, after: "a-\(place)")
    #expect(texts.joined().contains("reload") == !isKnown)
  }

  @Test func whatComesAgainIsDropped() async throws {
    let first = page([made(4, 1, 2), made(6, 1, 3)], end: 7)
    let sink = try await follow(from: 0, [first, first, page([made(6, 1, 3)], end: 9)])
    #expect(sink.counts.changes == 2)
    #expect(await texts(sink, 1, after: "a-0").count == 3)
  }

  @Test func aPageThatIsCutDoesNotMoveThePlaceBeyondItsLastChange() async throws {
    // The swipe at 8 makes a match, and the page ends behind it.
    let sink = try await follow(from: 0, [page([made(4, 1, 2)], end: 8, hasMore: true)])
    #expect(sink.place == LogPosition(4))
    try await sink.deliver(page([made(8, 1, 3)], end: 9))
    #expect(sink.place == LogPosition(9))
    #expect(sink.counts.changes == 2)
  }

  @Test func anErasureEndsTheMatchesOfThosePeople() async throws {
    let sink = try await follow(from: 0, [])
    let streams = [1, 2].map { viewer in
      sink.events(
        of: CardNumber(viewer), after: nil, matched: viewer == 1 ? [CardNumber(9)] : [],
        asOf: .start)
    }
    func erased(_ person: Int64, _ place: Int64) -> MatchChanges.Change {
      .erased(CardNumber(person), at: LogPosition(place))
    }
    try await sink.deliver(page([erased(9, 4), made(6, 2, 7), erased(7, 8), erased(9, 9)], end: 9))
    sink.close()
    var found: [[String]] = []
    for stream in streams {
      var reader = Reader(stream)
      found.append(Array(await reader.rest().dropFirst()))
    }
    func end(_ event: Int) -> String {
      "id: a-\(event)\nevent: match-ended\n"
        + "data: {\"kind\":\"match-ended\",\"event\":\(event),\"card\":null,"
    }
    #expect(found[0].count == 1)
    #expect(found[0].first?.hasPrefix(end(4)) == true)
    #expect(found[1].count == 2)
    #expect(found[1].last?.hasPrefix(end(8)) == true)
  }

  @Test func whoWasAwayDuringAnErasureLoadsAnew() async throws {
    let pages = [page([made(4, 1, 2), .erased(CardNumber(9), at: LogPosition(6))], end: 7)]
    let people = try await follow(from: 0, pages)
    #expect(
      await texts(people, 1, after: "a-4", matched: []).last?.contains("\"erasure\"") == true)
    let later = try await follow(from: 0, pages)
    #expect(await texts(later, 1, after: "a-6", matched: []).count == 1)
    // Matches with cards have nothing to do with people.
    let cards = try await follow(from: 0, pages)
    #expect(await texts(cards, 1, after: "a-0").count == 2)
  }

  @Test func whatCameWhileTheMatchesWereReadIsToldAndCounts() async throws {
    let sink = try await follow(from: 0, [page([made(4, 1, 2)], end: 5)])
    // Read as of place 0, before the match.
    let stream = sink.events(of: CardNumber(1), after: nil, matched: [], asOf: .start)
    try await sink.deliver(
      page([.erased(CardNumber(2), at: LogPosition(8))], end: 9))
    sink.close()
    var reader = Reader(stream)
    let texts = await reader.rest()
    #expect(texts.map { $0.contains("match-made") } == [false, true, false])
    #expect(texts.last?.contains("match-ended") == true)
  }
}
