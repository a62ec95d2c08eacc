import CardFeed

extension FeedStoreConformance {
  static let matchChangeChecks: [Check] = [
    Check("what made and ended matches is read from the log, in order, from any place") { bench in
      let n = try await bench.numbers("a", "b", "c", "d", "e")
      let made = try await makeMatches(of: n[0], with: n[1...], bench)
      var ends: [(LogPosition, CardNumber)] = []
      for (other, kind) in zip(n[1...], [EventKind.block, .report, .unmatch]) {
        guard case .applied(let place) = try await bench.block(other, n[0], kind: kind) else {
          throw ConformanceFailure("a new \(kind) was not applied")
        }
        ends.append((place, other))
      }
      let last = try await bench.rewind(n[4], made[3].event)
      guard case .applied(let place, _, _, _, true) = last else {
        throw ConformanceFailure("a rewind of a match was answered with \(last)")
      }
      ends.append((place, n[4]))

      try await bench.reopen()
      let expected =
        made.map { MatchChanges.Change.match($0) }
        + ends.map { place, other in
          .match(
            OutboxEvent(
              kind: .matchEnded, event: place, between: n[0], and: other,
              time: StoreBench.start))
        }
      try await requireChanges(expected, bench)
    },
    Check("what leaves a match standing, or finds none, is no end of a match") { bench in
      let n = try await bench.numbers("a", "b", "c")
      // The match rests on the earlier like still.
      let first = try await bench.swipe(n[0], n[1])
      let second = try await bench.swipe(n[1], n[0])
      let third = try await bench.swipe(n[0], n[1])
      guard case .applied(_, _, _, _, false) = try await bench.rewind(n[0], third.event) else {
        throw ConformanceFailure("the rewind of a second like ended the match")
      }
      let alone = try await bench.swipe(n[0], n[2])
      _ = try await bench.rewind(n[0], alone.event)
      _ = try await bench.block(n[2], n[0])
      _ = try await bench.block(n[0], n[2])
      let made = MatchChanges.Change.match(
        OutboxEvent(
          kind: .matchMade, event: second.event, between: n[0], and: n[1],
          time: StoreBench.start))
      try await requireChanges([made], bench)
      // And the earlier like, which came before the match, takes it along.
      guard
        case .applied(let place, _, _, _, true) = try await bench.rewind(n[0], first.event)
      else { throw ConformanceFailure("the rewind of an earlier like left the match") }
      let ended = MatchChanges.Change.match(
        OutboxEvent(
          kind: .matchEnded, event: place, between: n[0], and: n[1], time: StoreBench.start))
      try await requireChanges([made, ended], bench)
    },
  ]

  static let maintainedMatchChangeChecks: [Check] = [
    Check("of who was erased only that is read, and no match of theirs") { bench in
      let n = try await bench.numbers("a", "b", "c")
      let made = try await makeMatches(of: n[0], with: n[1...], bench)
      let store = try maintainable(bench)
      _ = try await store.erase(person: n[1])
      let page = try await bench.store.matchChanges(after: .start, limit: 100)
      try requireEqual(page.changes.count, 2, "changes")
      try requireEqual(page.changes.first, .match(made[1]), "the match with somebody else")
      guard case .erased(n[1], let place) = page.changes.last else {
        throw ConformanceFailure("the erasure is not told: \(page.changes)")
      }
      try require(place > made[1].event, "the erasure has its place in order")
    }
  ]

  private static func makeMatches(
    of person: CardNumber, with others: ArraySlice<CardNumber>, _ bench: StoreBench
  ) async throws -> [OutboxEvent] {
    var made: [OutboxEvent] = []
    for other in others {
      try await bench.swipe(person, other)
      let receipt = try await bench.swipe(other, person)
      made.append(
        OutboxEvent(
          kind: .matchMade, event: receipt.event, between: person, and: other,
          time: StoreBench.start))
    }
    return made
  }

  /// The same at once, one by one, and from each place on; and reading it twice takes nothing away.
  private static func requireChanges(
    _ expected: [MatchChanges.Change], _ bench: StoreBench
  ) async throws {
    for limit in [1000, 1, 2] {
      var end = LogPosition.start
      var found: [MatchChanges.Change] = []
      var hasMore = true
      while hasMore {
        let page = try await bench.store.matchChanges(after: end, limit: limit)
        found += page.changes
        try require(!page.hasMore || page.end > end, "a page does not come forward")
        end = page.end
        hasMore = page.hasMore
      }
      try requireEqual(found, expected, "changes, \(limit) at a time")
    }
    let places = expected.map(\.place)
    try requireEqual(places, places.sorted(), "the order of the places")
    for (index, place) in places.enumerated() {
      let rest = try await bench.store.matchChanges(after: place, limit: 1000).changes
      try requireEqual(
        rest.filter { $0.place > place }, Array(expected[(index + 1)...]), "behind a place")
    }
  }
}
