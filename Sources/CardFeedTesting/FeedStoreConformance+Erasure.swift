import CardFeed

extension FeedStoreConformance {
  static let erasureChecks: [Check] = [
    Check("an erased person is gone, in both directions, and others keep what is theirs") {
      bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("gone", "a", "b", "c")
      _ = try await store.put(
        ["gone", "a"].map { StoredCard(id: CardID($0), payload: [7]) })
      let deal = try await bench.deal([n[1], n[2]], to: n[0])
      let theirs = try await bench.deal([n[0], n[2]], to: n[1])
      try await bench.swipe(bench.command(n[0], n[1], at: 0, deal: deal))
      try await bench.swipe(bench.command(n[1], n[0], at: 0, deal: theirs))
      let pass = try await bench.swipe(n[0], n[2], .negative)
      _ = try await bench.rewind(n[0], pass.event)
      _ = try await bench.block(n[3], n[0])
      try await bench.swipe(n[1], n[2])
      try await bench.swipe(n[2], n[1])
      _ = try await store.recordImpression(
        viewer: n[1], card: n[0], event: "shown", time: StoreBench.start,
        dwell: try Dwell(milliseconds: 900))
      _ = try await store.recordImpression(
        viewer: n[1], card: n[2], event: "shown too", time: StoreBench.start,
        dwell: try Dwell(milliseconds: 700))
      let end = try await store.lastPosition()
      let report = try await store.erase(person: n[0])
      try requireEqual(report.events, 8, "events removed")
      try requireEqual(report.exposures, 3, "exposures removed")
      try await bench.reopen()
      let rest = bench.store
      try requireEqual(try await rest.ids(for: n), [nil, "a", "b", "c"], "identifiers")
      try requireEqual(
        try await rest.cards(after: nil, limit: 9).map(\.id), ["a"], "cards")
      try requireEqual(try await bench.record(n[0]).seen, [:], "what they saw")
      try require(try await bench.record(n[0]).stack == nil, "their hand is left")
      for other in n {
        try require(try await bench.record(other).seen[n[0]] == nil, "somebody saw them")
        try require(
          try await rest.matches(of: other).allSatisfy { $0.low != n[0] && $0.high != n[0] },
          "a match of theirs is left")
        try require(
          try await rest.answersReceived(by: other, limit: 9).allSatisfy { $0.from != n[0] },
          "an answer of theirs is left")
      }
      try requireEqual(try await rest.unsafe(for: n[3]), [:], "who they were kept from")
      let shown = try await rest.impressions(of: n[1])
      try requireEqual(shown.map(\.card), [n[2]], "who was shown")
      try requireEqual(shown.map(\.dwell?.milliseconds), [700], "for how long")
      try requireEqual(
        try await rest.exposures(of: theirs).map(\.card), [n[2]], "exposures of another's deal")
      try requireEqual(try await rest.matches(of: n[1]).count, 1, "the match of two others")
      let left = try await bench.events().filter { $0.viewer == n[0] || $0.card == n[0] }
      try requireEqual(left.map(\.kind), [.erasure], "events by and about them")
      try require(try await rest.lastPosition() > end, "a place in the log was used again")
    },
    Check("a number is never used again, and what still comes in about it is stale") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("gone", "a")
      _ = try await store.erase(person: n[0])
      let again = try await bench.numbers("gone", "new")
      try requireEqual(again, [CardNumber(3), CardNumber(4)], "new numbers")
      for (viewer, card) in [(n[1], n[0]), (n[0], n[1])] {
        try requireEqual(
          try await bench.decide(bench.command(viewer, card)), .stale, "a late swipe")
      }
      let deal = DealCommand(
        viewer: n[1], time: StoreBench.start, fingerprint: "f",
        exposures: [
          Exposure(card: n[0], position: 0, score: nil, probability: nil, propensity: 1)
        ], stack: { _ in StoredStack(generation: 0, top: 0, imageStart: 0, image: []) })
      try requireEqual(try await bench.store.commit(deal), .blocked([n[0]]), "a late deal")
      let end = try await store.lastPosition()
      try requireEqual(
        try await store.erase(person: n[0]), ErasureReport(events: 0, exposures: 0), "erased twice")
      try requireEqual(
        try await store.erase(person: CardNumber(99)), ErasureReport(events: 0, exposures: 0),
        "nobody erased")
      try requireEqual(try await store.lastPosition(), end, "the end of the log")
    },
    Check("neither a revision nor a return brings an erased card back") { bench in
      let store = try maintainable(bench)
      let numbers = try await store.put([
        StoredCard(id: "gone", payload: [1]), StoredCard(id: "a", payload: [2]),
      ])
      try await store.withdraw([numbers[0]])
      _ = try await store.erase(person: numbers[0])
      try requireEqual(try await store.reinstate(numbers), [numbers[1]], "who is back")
      let late = StoredCard(id: "gone", number: numbers[0], payload: [3])
      try requireEqual(
        try await store.revise([late, StoredCard(id: "a", number: numbers[1], payload: [4])])
          .map { $0?.payload }, [nil, [4]], "what was kept")
      try requireEqual(try await store.numbers(for: ["new"]), [CardNumber(3)], "the next number")
      // Somebody else has the identifier now.
      _ = try await store.put([StoredCard(id: "gone", payload: [5])])
      try requireEqual(try await store.revise([late]), [nil], "a late revision")
      try await bench.reopen()
      let cards = try await bench.store.cards(after: nil, limit: 9)
      try requireEqual(cards.map(\.id), ["a", "gone"], "cards")
      try requireEqual(cards.map(\.payload), [[4], [5]], "payloads")
    },
    Check("an erasure takes a person's own numbers, and nobody else's jump") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("gone", "a", "b")
      func swipe(_ viewer: Int, _ card: Int, _ amount: Int64) async throws {
        try await bench.swipe(
          n[viewer], n[card],
          learned: [
            delta("blob", [(n[viewer], amount), (n[card], -amount), (nil, 1)]),
            delta("none", [(n[card], amount)]),
          ])
      }
      try await swipe(0, 1, 3)
      try await swipe(1, 2, 4)
      let blob = try await learned("blob", store)
      try await store.save(
        LearnerBlob(
          position: store.lastPosition(), stride: 2,
          numbers: blob.map { Increment($0.key, $0.value) }), of: "blob")
      try await swipe(2, 0, 10)
      try await swipe(0, 2, 20)
      for learner in ["blob", "none"] {
        let before = try await learned(learner, store)
        try require(before.keys.contains { $0.owner == n[0] }, "nothing was learned of them")
      }
      let before = [try await learned("blob", store), try await learned("none", store)]
      _ = try await store.erase(person: n[0])
      try await bench.reopen()
      let after = [
        try await learned("blob", bench.store), try await learned("none", bench.store),
      ]
      for (before, after) in zip(before, after) {
        try requireEqual(after, before.filter { $0.key.owner != n[0] }, "numbers of the others")
      }
    },
    Check("an erasure takes what events that were removed before taught of the person") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("gone", "a", "b", "c")
      for (viewer, card) in [(1, 0), (1, 2), (3, 0), (0, 1), (2, 0)] {
        try await bench.swipe(
          n[viewer], n[card], .negative,
          learned: [
            delta("both", [(n[viewer], 3), (n[card], -5), (nil, 1)]),
            delta("card", [(n[card], 7)]),
          ])
      }
      let late = StoreBench.start.advanced(byMilliseconds: 1_000_000_000)
      let report = try await store.ageOut(negativesBefore: late, unansweredLikesBefore: nil)
      try requireEqual(report.negatives, 5, "answers folded")
      // What was kept of one who is gone names others as well.
      _ = try await store.erase(person: n[2])
      let before = [try await learned("both", store), try await learned("card", store)]
      for numbers in before {
        try require(numbers.keys.contains { $0.owner == n[0] }, "nothing was learned of them")
        try require(!numbers.keys.contains { $0.owner == n[2] }, "numbers of the first are left")
      }
      _ = try await store.erase(person: n[0])
      try await bench.reopen()
      let after = [
        try await learned("both", bench.store), try await learned("card", bench.store),
      ]
      for (before, after) in zip(before, after) {
        try requireEqual(after, before.filter { $0.key.owner != n[0] }, "numbers of the others")
      }
    },
    Check("an erasure beside swipes leaves no trace of the erased") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("gone", "a", "b", "c", "d")
      _ = try await bench.together(
        n.dropFirst().map { viewer in
          { @Sendable in
            for _ in 0..<40 { _ = try await bench.decide(bench.command(viewer, n[0])) }
          }
        } + [
          { @Sendable in
            for _ in 0..<20 { _ = try await bench.decide(bench.command(n[0], n[1])) }
            _ = try await store.erase(person: n[0])
          }
        ])
      let left = try await bench.events().filter { $0.viewer == n[0] || $0.card == n[0] }
      try requireEqual(left.map(\.kind), [.erasure], "events by and about them")
    },
  ]
}
