import CardFeed

extension FeedStoreConformance {
  static let quotaChecks: [Check] = [
    Check("a swipe over a quota changes nothing and spends no event id") { bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.swipe(n[1], n[0])
      try await bench.deal([n[1], n[2]], to: n[0])
      let (before, record) = (try await bench.store.lastPosition(), try await bench.record(n[0]))
      let learned = [
        LearnerDelta(learner: "one", increments: [Increment(.init(owner: n[1], slot: 0), 5)])
      ]
      let over = bench.command(
        n[0], n[1], event: "e", at: 0, learned: learned, isOverQuota: true)
      for _ in 0..<2 {
        try requireEqual(try await bench.decide(over), .overQuota, "the answer over the quota")
      }
      try await bench.reopen()
      try requireEqual(try await bench.store.lastPosition(), before, "the end of the log")
      let after = try await bench.record(n[0])
      try requireEqual(after.stack, record.stack, "the stack")
      try requireEqual(after.seen, record.seen, "what was seen")
      try require(try await bench.store.matches(of: n[0]).isEmpty, "there is a match")
      try require(
        try await bench.store.learnerDeltas(of: "one", after: .start, limit: 1).isEmpty,
        "something was learned")
      // The next day the same event counts, and makes the match.
      let receipt = try await bench.swipe(bench.command(n[0], n[1], event: "e", at: 0))
      try requireEqual(receipt.match, receipt.event, "the match of the next day")
      try requireEqual(
        try await bench.decide(over), .repeated(receipt), "sent again over the quota")
    },
    Check("over a quota an earlier event keeps its answer, and a stale card is stale") { bench in
      let n = try await bench.numbers("v", "a", "b", "w")
      try await bench.deal([n[1], n[2]], to: n[0])
      let receipt = try await bench.swipe(bench.command(n[0], n[1], event: "e", at: 0))
      func over(_ card: CardNumber, _ event: EventID, at top: Int64) async throws -> SwipeDecision {
        try await bench.decide(
          bench.command(n[0], card, event: event, at: top, isOverQuota: true))
      }
      try requireEqual(try await over(n[1], "e", at: 0), .repeated(receipt), "the same event")
      try requireEqual(try await over(n[2], "e", at: 1), .conflict, "another card")
      try requireEqual(try await over(n[1], "late", at: 0), .stale, "a card that has gone")
      try requireEqual(try await over(n[2], "new", at: 1), .overQuota, "the top card")
      // A block shows neither in a stale nor in any other answer.
      _ = try await bench.block(n[2], n[0])
      try requireEqual(try await over(n[2], "new", at: 1), .overQuota, "a card that blocks")
    },
    Check("a batch goes on behind a swipe over a quota") { bench in
      let n = try await bench.numbers("v", "a", "b", "w")
      try await bench.deal([n[1], n[2]], to: n[0])
      try await bench.deal([n[1]], to: n[3])
      let decisions = try await bench.store.commit([
        bench.command(n[0], n[1], at: 0, isOverQuota: true), bench.command(n[3], n[1], at: 0),
        bench.command(n[0], n[1], .negative, at: 0), bench.command(n[0], n[2], at: 1),
      ])
      let applied = decisions.map { if case .applied = $0 { true } else { false } }
      try requireEqual(applied, [false, true, true, true], "applied")
      try requireEqual(decisions[0], .overQuota, "the first of the batch")
    },
    Check("the answers of hands since a time are those that stand, in the order of the log") {
      bench in
      let n = try await bench.numbers("v", "a", "b", "c", "d", "w")
      let deal = try await bench.deal([n[1], n[2], n[3], n[4]], to: n[0])
      func at(_ milliseconds: Int64) -> Timestamp {
        StoreBench.start.advanced(byMilliseconds: milliseconds)
      }
      var receipts: [StoredReceipt] = []
      for (place, time) in [10, 30, 20, 40].enumerated() {
        receipts.append(
          try await bench.swipe(
            bench.command(
              n[0], n[place + 1], place == 1 ? .negative : .positive, at: Int64(place), deal: deal,
              time: at(Int64(time)))))
      }
      // Recorded elsewhere, and of another viewer.
      try await bench.swipe(n[0], n[5], time: at(25))
      try await bench.deal([n[1]], to: n[5])
      try await bench.swipe(bench.command(n[5], n[1], at: 0, time: at(25)))
      _ = try await bench.rewind(n[0], receipts[3].event, stack: bench.stack(top: 3))
      try await bench.reopen()
      for (since, places) in [(0, [0, 1, 2]), (10, [0, 1, 2]), (11, [1, 2]), (31, [])] {
        let found = try await bench.store.handAnswers(of: n[0], since: at(Int64(since)))
        try requireEqual(found.map(\.event), places.map { receipts[$0].event }, "since \(since)")
        try requireEqual(
          found.map(\.answer), places.map { $0 == 1 ? "pass" : "like" }, "answers")
        try requireEqual(
          found.map(\.time), places.map { at([10, 30, 20][$0]) }, "times since \(since)")
      }
    },
    Check("all answers of a viewer are those that stand, in the order of the log") { bench in
      let n = try await bench.numbers("v", "a", "b", "w")
      let deal = try await bench.deal([n[1]], to: n[0])
      func given(_ receipt: StoredReceipt, _ meaning: AnswerMeaning, at time: Int64) -> GivenAnswer
      {
        GivenAnswer(
          card: receipt.card, answer: receipt.answer, meaning: meaning,
          time: StoreBench.start.advanced(byMilliseconds: time), event: receipt.event)
      }
      func at(_ milliseconds: Int64) -> Timestamp {
        StoreBench.start.advanced(byMilliseconds: milliseconds)
      }
      let first = try await bench.swipe(
        bench.command(n[0], n[1], .negative, at: 0, deal: deal, time: at(20)))
      // The same card again, recorded from elsewhere, and one that happened before the first.
      let second = try await bench.swipe(n[0], n[1], time: at(40))
      let third = try await bench.swipe(n[0], n[2], time: at(10))
      try await bench.swipe(n[3], n[1], time: at(30))
      try await bench.reopen()
      let all = [
        given(first, .negative, at: 20), given(second, .positive, at: 40),
        given(third, .positive, at: 10),
      ]
      try requireEqual(try await bench.store.answersGiven(by: n[0]), all, "answers")
      _ = try await bench.rewind(n[0], second.event, stack: bench.stack(top: 1))
      try requireEqual(
        try await bench.store.answersGiven(by: n[0]), [all[0], all[2]], "after a rewind")
      try requireEqual(try await bench.store.answersGiven(by: n[2]), [], "of one who gave none")
    },
    Check("impressions of a viewer are those that were recorded, in the order of the log") {
      bench in
      let n = try await bench.numbers("v", "a", "b", "w")
      var expected: [Impression] = []
      let dwells: [Int64?] = [nil, 0, Dwell.longest]
      for (index, card) in [n[1], n[2], n[1]].enumerated() {
        let dwell = try dwells[index].map { try Dwell(milliseconds: $0) }
        let time = StoreBench.start.advanced(byMilliseconds: Int64(30 - index))
        let decision = try await bench.store.recordImpression(
          viewer: n[0], card: card, event: EventID("shown \(index)"), time: time, dwell: dwell)
        guard case .applied(let position) = decision else {
          throw ConformanceFailure("an impression was not recorded: \(decision)")
        }
        expected.append(Impression(card: card, time: time, event: position, dwell: dwell))
        // Somebody else's, and an answer.
        _ = try await bench.store.recordImpression(
          viewer: n[3], card: card, event: EventID("shown \(index)"), time: time)
        try await bench.swipe(n[0], card, time: time)
      }
      _ = try await bench.store.recordImpression(
        viewer: n[0], card: n[1], event: EventID("shown 0"), time: expected[0].time)
      try await bench.reopen()
      try requireEqual(try await bench.store.impressions(of: n[0]), expected, "impressions")
      try requireEqual(
        try await bench.store.impressions(of: n[1]), [], "of one who was shown nothing")
      let logged = try await bench.events().filter {
        $0.kind == .impression && $0.viewer == n[0]
      }
      try requireEqual(logged.map(\.dwell), expected.map(\.dwell), "durations of the log")
    },
  ]
}
