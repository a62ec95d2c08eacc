import CardFeed

extension FeedStoreConformance {
  static let rewindChecks: [Check] = [
    Check("a rewind restores what was seen, the stack, and reports what learners take back") {
      bench in
      let n = try await bench.numbers("v", "a", "b")
      let earlier = try await bench.swipe(n[0], n[1], .neutral)
      let deal = try await bench.deal([n[1], n[2]], to: n[0])
      let before = try await bench.record(n[0])
      let learned = [
        LearnerDelta(
          learner: "elo/1",
          increments: [
            Increment(.init(owner: n[1], slot: 3), -7), Increment(.init(owner: nil, slot: 0), 2),
          ])
      ]
      let swipe = try await bench.swipe(
        bench.command(n[0], n[1], .negative, at: 0, deal: deal, learned: learned))
      try await bench.reopen()
      let decision = try await bench.rewind(n[0], swipe.event)
      guard case .applied(let position, let card, let restored, let unlearned, let ended) = decision
      else { throw ConformanceFailure("the rewind was answered with \(decision)") }
      try requireEqual(card, n[1], "the card")
      try requireEqual(restored, before.seen[n[1]], "the restored entry")
      try requireEqual(restored?.answer?.event, earlier.event, "the answer before")
      try requireEqual(unlearned, learned, "what learners take back")
      try requireEqual(ended, false, "a match ended")
      try require(position > swipe.event, "the rewind is not behind its swipe in the log")
      try await bench.reopen()
      let after = try await bench.record(n[0])
      try requireEqual(after.seen, before.seen, "seen")
      try requireEqual(after.stack, before.stack, "the stack")
      try requireEqual(after.recentSwipes, before.recentSwipes, "recent swipes")
      try requireEqual(after.deals, before.deals, "deals")
    },
    Check("a rewind of the first answer leaves no answer, and of an undealt card no entry") {
      bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.deal([n[1]], to: n[0])
      let dealt = try await bench.swipe(bench.command(n[0], n[1], at: 0))
      _ = try await bench.rewind(n[0], dealt.event)
      let undealt = try await bench.swipe(n[0], n[2])
      _ = try await bench.rewind(n[0], undealt.event)
      try requireEqual(
        try await bench.record(n[0]).seen, [n[1]: SeenEntry(dealtAt: StoreBench.start)], "seen")
    },
    Check("a rewind is applied once, however often it is sent") { bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.deal([n[1], n[2]], to: n[0])
      let first = try await bench.swipe(bench.command(n[0], n[1], at: 0))
      let second = try await bench.swipe(bench.command(n[0], n[2], at: 1))
      guard case .applied = try await bench.rewind(n[0], second.event, event: "back") else {
        throw ConformanceFailure("the rewind was not applied")
      }
      try await bench.reopen()
      let end = try await bench.store.lastPosition()
      for swipe in [second.event, first.event, .start] {
        try requireEqual(
          try await bench.rewind(n[0], swipe, event: "back"), .repeated(card: n[2]),
          "the answer to a repeated rewind")
      }
      try requireEqual(try await bench.store.lastPosition(), end, "the end of the log")
    },
    Check("a swipe cannot be rewound twice, by another viewer, or when it never was") { bench in
      let n = try await bench.numbers("v", "a", "w")
      let deal = try await bench.deal([n[1]], to: n[0])
      let swipe = try await bench.swipe(bench.command(n[0], n[1], at: 0))
      for (viewer, position) in [
        (n[2], swipe.event), (n[0], .start), (n[0], LogPosition(999)), (n[0], deal),
      ] {
        try requireEqual(try await bench.rewind(viewer, position), .stale, "not its to rewind")
      }
      _ = try await bench.rewind(n[0], swipe.event)
      try requireEqual(try await bench.rewind(n[0], swipe.event), .stale, "rewound already")
    },
    Check("a rewind of an answer that a later one replaced is stale") { bench in
      let n = try await bench.numbers("v", "a")
      let deal = try await bench.deal([n[1]], to: n[0])
      let first = try await bench.swipe(bench.command(n[0], n[1], .negative, at: 0, deal: deal))
      let second = try await bench.swipe(n[0], n[1])
      try requireEqual(try await bench.rewind(n[0], first.event), .stale, "the replaced answer")
      try requireEqual(
        try await bench.record(n[0]).seen[n[1]]?.answer?.event, second.event, "what stands")
    },
    Check("a rewind ends the match that rests on its swipe, whichever like came last") { bench in
      for (rewinder, name) in [(0, "x"), (1, "y")] {
        let n = try await bench.numbers(CardID("a-\(name)"), CardID("b-\(name)"))
        let likes = [try await bench.swipe(n[0], n[1]), try await bench.swipe(n[1], n[0])]
        let decision = try await bench.rewind(n[rewinder], likes[rewinder].event)
        guard case .applied(_, _, _, _, let ended) = decision, ended else {
          throw ConformanceFailure("side \(rewinder) rewound and was answered with \(decision)")
        }
        for side in n {
          try require(try await bench.store.matches(of: side).isEmpty, "the match still stands")
        }
        let again = try await bench.swipe(n[rewinder], n[1 - rewinder])
        try requireEqual(again.match, again.event, "the match of a new like")
      }
    },
    Check("a rewind of a like that only confirmed a match keeps the match") { bench in
      let n = try await bench.numbers("a", "b")
      try await bench.swipe(n[0], n[1])
      let second = try await bench.swipe(n[1], n[0])
      let third = try await bench.swipe(n[0], n[1])
      let decision = try await bench.rewind(n[0], third.event)
      guard case .applied(_, _, _, _, let ended) = decision, !ended else {
        throw ConformanceFailure("the rewind was answered with \(decision)")
      }
      try requireEqual(
        try await bench.store.matches(of: n[0]).map(\.event), [second.event], "matches")
    },
    Check("a repeated swipe keeps its receipt after its rewind") { bench in
      let n = try await bench.numbers("v", "a")
      let command = bench.command(n[0], n[1], event: "e")
      let receipt = try await bench.swipe(command)
      _ = try await bench.rewind(n[0], receipt.event)
      try requireEqual(try await bench.decide(command), .repeated(receipt), "the receipt")
      try require(try await bench.record(n[0]).seen[n[1]] == nil, "the swipe stands again")
    },
  ]
}
