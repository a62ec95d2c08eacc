import CardFeed

extension FeedStoreConformance {
  static let safetyChecks: [Check] = [
    Check("a block holds in both directions, and for that pair only") { bench in
      let n = try await bench.numbers("a", "b", "c")
      try require(try await bench.store.unsafe(for: n[0]).isEmpty, "unsafe before any block")
      let decision = try await bench.block(n[0], n[1])
      guard case .applied = decision else {
        throw ConformanceFailure("a new block was answered with \(decision)")
      }
      try await bench.reopen()
      try requireEqual(try await bench.store.unsafe(for: n[0]), [n[1]: .blocked], "one side")
      try requireEqual(try await bench.store.unsafe(for: n[1]), [n[0]: .blocked], "other side")
      try require(try await bench.store.unsafe(for: n[2]).isEmpty, "a third person is unsafe")
    },
    Check("a session begins with the number, the answers and who must not be met") { bench in
      let n = try await bench.numbers("a", "b", "c")
      try await bench.swipe(n[0], n[1])
      _ = try await bench.block(n[2], n[0])
      try await bench.reopen()
      for known in [nil, n[0]] {
        let start = try await bench.store.sessionStart(of: "a", number: known, swipes: 5)
        try requireEqual(start.number, n[0], "the number")
        try requireEqual(
          start.record.seen, try await bench.store.viewer(n[0], swipes: 5).seen, "the answers")
        try requireEqual(Set(start.record.seen.keys), [n[1]], "the answered cards")
        try requireEqual(start.unsafe, [n[2]], "who must not be met")
      }
      let new = try await bench.store.sessionStart(of: "d", number: nil, swipes: 5)
      try requireEqual([new.number], try await bench.numbers("d"), "the number of somebody new")
      try require(new.record.seen.isEmpty && new.unsafe.isEmpty, "somebody new has a past")
    },
    Check("a report keeps the two apart as well") { bench in
      let n = try await bench.numbers("a", "b")
      _ = try await bench.block(n[0], n[1], kind: .report)
      try requireEqual(try await bench.store.unsafe(for: n[0]), [n[1]: .reported], "one side")
      try requireEqual(try await bench.store.unsafe(for: n[1]), [n[0]: .reported], "other side")
      try requireEqual(try await bench.events().map(\.kind), [.report], "the log")
    },
    Check("a block is applied once, and its event id belongs to it") { bench in
      let n = try await bench.numbers("a", "b", "c")
      _ = try await bench.block(n[0], n[1], event: "e")
      let end = try await bench.store.lastPosition()
      try await bench.reopen()
      try requireEqual(try await bench.block(n[0], n[1], event: "e"), .repeated, "repeated")
      try requireEqual(
        try await bench.block(n[0], n[2], event: "e"), .conflict, "another card")
      try requireEqual(
        try await bench.block(n[0], n[1], event: "e", kind: .report), .conflict, "another kind")
      try requireEqual(try await bench.store.lastPosition(), end, "the end of the log")
      try require(try await bench.store.unsafe(for: n[2]).isEmpty, "a conflict blocked somebody")
    },
    Check("a block ends the match of the two, and no other") { bench in
      let n = try await bench.numbers("a", "b", "c")
      for other in [n[1], n[2]] {
        try await bench.swipe(n[0], other)
        try await bench.swipe(other, n[0])
      }
      _ = try await bench.block(n[1], n[0])
      try requireEqual(
        try await bench.store.matches(of: n[0]).map { $0.low == n[0] ? $0.high : $0.low }, [n[2]],
        "the matches that stand")
      try require(try await bench.store.matches(of: n[1]).isEmpty, "the blocker has a match")
    },
    Check("an impression is recorded once") { bench in
      let n = try await bench.numbers("v", "a", "b")
      func impression(
        _ card: CardNumber, for milliseconds: Int64? = nil
      ) async throws -> RecordDecision {
        try await bench.store.recordImpression(
          viewer: n[0], card: card, event: "seen", time: StoreBench.start,
          dwell: try milliseconds.map { try Dwell(milliseconds: $0) })
      }
      let first = try await impression(n[1], for: 1500)
      guard case .applied(let position) = first else {
        throw ConformanceFailure("a new impression was answered with \(first)")
      }
      try requireEqual(try await impression(n[1], for: 1500), .repeated, "repeated")
      // A duration is a claim like a time, and no part of the event.
      for other: Int64? in [nil, 0, 1501] {
        try requireEqual(try await impression(n[1], for: other), .repeated, "another duration")
      }
      try requireEqual(try await impression(n[2]), .conflict, "another card")
      let events = try await bench.events()
      try requireEqual(
        events,
        [
          LoggedEvent(
            position: position, kind: .impression, viewer: n[0], card: n[1],
            time: StoreBench.start, dwell: try Dwell(milliseconds: 1500))
        ], "the log")
      try require(try await bench.record(n[0]).seen.isEmpty, "an impression counts as an answer")
    },
  ]

  static let learnerChecks: [Check] = [
    Check("a learner's blob comes back as it was, and is replaced by the next") { bench in
      try require(try await bench.store.learnerBlob("elo/1") == nil, "a blob out of nothing")
      let blob = LearnerBlob(
        position: LogPosition(12), stride: 200,
        numbers: [
          Increment(.init(owner: nil, slot: 0), .max), Increment(.init(owner: nil, slot: 199), -1),
          Increment(.init(owner: CardNumber(70_000), slot: 5), .min),
        ])
      try await bench.store.save(blob, of: "elo/1")
      try await bench.store.save(
        LearnerBlob(position: .start, stride: 1, numbers: []), of: "Elo/1")
      try await bench.reopen()
      try requireEqual(try await bench.store.learnerBlob("elo/1"), blob, "the blob")
      let next = LearnerBlob(position: LogPosition(13), stride: 2, numbers: [])
      try await bench.store.save(next, of: "elo/1")
      try requireEqual(try await bench.store.learnerBlob("elo/1"), next, "the next blob")
    },
    Check("a learner's deltas follow the log; a rewind adds them once more, negated") { bench in
      let n = try await bench.numbers("v", "a", "b")
      func delta(_ amount: Int64) -> [LearnerDelta] {
        [
          LearnerDelta(
            learner: "one", increments: [Increment(.init(owner: n[1], slot: 1), amount)]),
          LearnerDelta(
            learner: "two", increments: [Increment(.init(owner: nil, slot: 0), amount * 10)]),
        ]
      }
      let first = try await bench.swipe(n[0], n[1], learned: delta(5))
      try await bench.swipe(n[0], n[2], .negative)
      let third = try await bench.swipe(n[1], n[0], .negative, learned: delta(-3))
      guard case .applied(let rewind, _, _, _, _) = try await bench.rewind(n[0], first.event)
      else { throw ConformanceFailure("the rewind was not applied") }
      try await bench.reopen()
      let deltas = try await bench.store.learnerDeltas(of: "one", after: .start, limit: 10)
      try requireEqual(deltas.map(\.position), [first.event, third.event, rewind], "places")
      try requireEqual(deltas.map { $0.increments.map(\.amount) }, [[5], [-3], [-5]], "amounts")
      let other = try await bench.store.learnerDeltas(of: "two", after: first.event, limit: 1)
      try requireEqual(other.map(\.position), [third.event], "one of the other learner's")
      try requireEqual(other.map { $0.increments.map(\.amount) }, [[-30]], "its amount")
      try require(
        try await bench.store.learnerDeltas(of: "three", after: .start, limit: 10).isEmpty,
        "deltas of an unknown learner")
    },
    Check("deltas saved later belong to their swipes, and go with their rewind") { bench in
      let n = try await bench.numbers("v", "a", "b")
      let swipes = [try await bench.swipe(n[0], n[1]), try await bench.swipe(n[0], n[2])]
      let increments = [Increment(.init(owner: n[0], slot: 0), 9)]
      try await bench.store.save(
        swipes.map { (position: $0.event, increments: increments) }, of: "late")
      let decision = try await bench.rewind(n[0], swipes[1].event)
      guard case .applied(let rewind, _, _, let unlearned, _) = decision else {
        throw ConformanceFailure("the rewind was answered with \(decision)")
      }
      try requireEqual(
        unlearned, [LearnerDelta(learner: "late", increments: increments)], "taken back")
      let deltas = try await bench.store.learnerDeltas(of: "late", after: .start, limit: 10)
      try requireEqual(deltas.map(\.position), swipes.map(\.event) + [rewind], "places")
      try requireEqual(deltas.map { $0.increments.map(\.amount) }, [[9], [9], [-9]], "amounts")
    },
  ]

  static let logChecks: [Check] = [
    Check("the log holds every event in order, and pages cut it anywhere") { bench in
      let n = try await bench.numbers("v", "a", "b")
      let deal = try await bench.deal([n[1], n[2]], to: n[0])
      let like = try await bench.swipe(bench.command(n[0], n[1], at: 0, deal: deal))
      let back = try await bench.swipe(n[1], n[0])
      let pass = try await bench.swipe(bench.command(n[0], n[2], .negative, at: 1, deal: deal))
      _ = try await bench.rewind(n[0], pass.event)
      _ = try await bench.block(n[0], n[2])
      try await bench.reopen()
      let events = try await bench.events()
      try requireEqual(
        events.map(\.kind), [.deal, .swipe, .swipe, .match, .swipe, .rewind, .block], "kinds")
      try requireGrowing(events)
      try requireEqual(
        events.map(\.isRewound), [false, false, false, false, true, false, false], "rewound")
      try requireEqual(
        events.map(\.about), [nil, deal, nil, back.event, deal, pass.event, nil], "about")
      try requireEqual(
        events.map(\.viewer), [n[0], n[0], n[1], n[1], n[0], n[0], n[0]], "who")
      try requireEqual(
        events.map(\.card), [nil, n[1], n[0], n[0], n[2], n[2], n[2]], "to which card")
      try requireEqual(
        events.map(\.answer), [nil, "like", "like", nil, "pass", nil, nil], "answers")
      try requireEqual(
        events.map(\.meaning), [nil, .positive, .positive, nil, .negative, nil, nil], "meanings")
      try requireEqual(like.event, events[1].position, "a receipt names the place in the log")
      try requireEqual(try await bench.store.lastPosition(), events[6].position, "the end")
      for limit in 1...8 {
        var paged: [LoggedEvent] = []
        var last = LogPosition.start
        while true {
          let page = try await bench.store.events(after: last, limit: limit)
          guard let end = page.last else { break }
          paged += page
          last = end.position
        }
        try requireEqual(paged, events, "pages of \(limit)")
      }
    },
    Check("the log of an empty store is empty") { bench in
      try requireEqual(try await bench.store.lastPosition(), .start, "the end")
      try require(try await bench.events().isEmpty, "there are events")
      try require(
        try await bench.store.exposures(of: LogPosition(1)).isEmpty, "there are exposures")
    },
    Check("writers side by side lose nothing: 20 viewers, 40 swipes each") { bench in
      let viewers = try await bench.store.numbers(for: (0..<20).map { CardID("v\($0)") })
      let cards = try await bench.store.numbers(for: (0..<40).map { CardID("c\($0)") })
      _ = try await bench.together(
        viewers.map { viewer in
          { @Sendable in
            for card in cards { try await bench.swipe(viewer, card, .negative) }
          }
        })
      try await bench.reopen()
      let events = try await bench.events()
      try requireEqual(events.count, 800, "events")
      try requireGrowing(events)
      for viewer in viewers {
        try requireEqual(
          events.filter { $0.viewer == viewer }.map(\.card), cards, "one viewer's own order")
        try requireEqual(try await bench.record(viewer).seen.count, 40, "cards seen")
      }
    },
    Check("whoever follows the log beside 8 writers misses no event") { bench in
      let viewers = try await bench.store.numbers(for: (0..<8).map { CardID("v\($0)") })
      let cards = try await bench.store.numbers(for: (0..<30).map { CardID("c\($0)") })
      let followed = Lock([LoggedEvent]())
      let writing = Lock(viewers.count)
      let writers = viewers.map { viewer in
        { @Sendable in
          for card in cards { try await bench.swipe(viewer, card, .negative) }
          writing.withLock { $0 -= 1 }
        }
      }
      let reader = { @Sendable in
        while true {
          let isOver = writing.withLock { $0 == 0 }
          let last = followed.withLock { $0.last?.position ?? .start }
          let page = try await bench.store.events(after: last, limit: 7)
          followed.withLock { $0 += page }
          if isOver, page.isEmpty { return }
          await Task.yield()
        }
      }
      _ = try await bench.together(writers + [reader])
      try requireEqual(followed.withLock { $0 }, try await bench.events(), "events followed")
    },
  ]

  /// What a store promises whose log has no gaps, beyond `all`. A store that many processes share
  /// need not: places drawn by a transaction that fails are lost.
  public static let denseLogChecks: [Check] = [
    Check("places of the log are dense from 1") { bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.deal([n[1], n[2]], to: n[0])
      try await bench.swipe(bench.command(n[0], n[1], at: 0))
      _ = try await bench.decide(bench.command(n[0], n[1], at: 0))
      try await bench.swipe(n[1], n[0])
      try requireEqual(
        try await bench.events().map(\.position.rawValue), [1, 2, 3, 4], "places")
    }
  ]

  private static func requireGrowing(_ events: [LoggedEvent]) throws {
    let places = [.start] + events.map(\.position)
    try require(
      zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "places do not grow: \(places)")
  }
}
