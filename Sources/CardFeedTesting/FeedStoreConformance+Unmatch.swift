import CardFeed

extension FeedStoreConformance {
  static let unmatchChecks: [Check] = [
    Check("an unmatch ends the match of the two and no other, and they meet no more") { bench in
      let n = try await bench.numbers("a", "b", "c")
      for other in [n[1], n[2]] {
        try await bench.swipe(n[0], other)
        try await bench.swipe(other, n[0])
      }
      try await bench.deal([n[0]], to: n[1])
      let decision = try await bench.block(n[0], n[1], event: "e", kind: .unmatch)
      guard case .applied(let position) = decision else {
        throw ConformanceFailure("an unmatch of a match was answered with \(decision)")
      }
      try await bench.reopen()
      let left = try await bench.store.matches(of: n[0])
      try requireEqual(left.map { $0.low == n[0] ? $0.high : $0.low }, [n[2]], "matches")
      try require(try await bench.store.matches(of: n[1]).isEmpty, "the other has the match")
      try requireEqual(try await bench.store.unsafe(for: n[0]), [n[1]: .unmatched], "one side")
      try requireEqual(try await bench.store.unsafe(for: n[1]), [n[0]: .unmatched], "other side")
      let event = try await bench.events().last
      try requireEqual(event?.kind, .unmatch, "the log's last event")
      try requireEqual(event?.position, position, "its place")
      try requireEqual(event?.viewer, n[0], "who")
      try requireEqual(event?.card, n[1], "whom")
      // Nothing brings the two together again.
      for (viewer, card) in [(n[0], n[1]), (n[1], n[0])] {
        try requireEqual(
          try await bench.decide(bench.command(viewer, card)), .stale, "a later swipe")
        let stack = bench.stack()
        let dealt = try await bench.store.commit(
          DealCommand(
            viewer: viewer, time: StoreBench.start, fingerprint: "print",
            exposures: [
              Exposure(card: card, position: 0, score: nil, probability: nil, propensity: 1)
            ], stack: { _ in stack }))
        try requireEqual(dealt, .blocked([card]), "a later deal")
      }
    },
    Check("an unmatch is applied once, also from many tasks, and its event id belongs to it") {
      bench in
      let n = try await bench.numbers("a", "b", "c")
      for other in [n[1], n[2]] {
        try await bench.swipe(n[0], other)
        try await bench.swipe(other, n[0])
      }
      let decisions = try await bench.together(
        (0..<8).map { _ in
          { @Sendable in try await bench.block(n[0], n[1], event: "e", kind: .unmatch) }
        })
      try requireEqual(
        decisions.count { if case .applied = $0 { true } else { false } }, 1, "applied")
      try requireEqual(decisions.count { $0 == .repeated }, 7, "repeated")
      let end = try await bench.store.lastPosition()
      try await bench.reopen()
      for (card, kind, expected) in [
        (n[1], EventKind.unmatch, RecordDecision.repeated), (n[2], .unmatch, .conflict),
        (n[1], .block, .conflict),
      ] {
        try requireEqual(
          try await bench.block(n[0], card, event: "e", kind: kind), expected, "\(kind)")
      }
      try requireEqual(try await bench.store.lastPosition(), end, "the end of the log")
    },
    Check("without a match an unmatch changes nothing and spends no event id") { bench in
      let n = try await bench.numbers("a", "b", "c")
      try await bench.swipe(n[0], n[1])
      let end = try await bench.store.lastPosition()
      for (viewer, card) in [(n[0], n[1]), (n[1], n[0]), (n[0], n[2])] {
        try requireEqual(
          try await bench.block(viewer, card, event: "e", kind: .unmatch), .noMatch, "no match")
      }
      try requireEqual(try await bench.store.lastPosition(), end, "the end of the log")
      try require(try await bench.store.unsafe(for: n[0]).isEmpty, "somebody is kept apart")
      let back = try await bench.swipe(n[1], n[0])
      try requireEqual(back.match, back.event, "the match afterwards")
      guard case .applied = try await bench.block(n[0], n[1], event: "e", kind: .unmatch) else {
        throw ConformanceFailure("the event id was spent by an unmatch without a match")
      }
      try requireEqual(
        try await bench.block(n[1], n[0], kind: .unmatch), .noMatch, "the other side afterwards")
    },
    Check("a block after an unmatch is a block, and a rewind of either like brings nothing back") {
      bench in
      let n = try await bench.numbers("a", "b")
      let likes = [try await bench.swipe(n[0], n[1]), try await bench.swipe(n[1], n[0])]
      _ = try await bench.block(n[1], n[0], kind: .unmatch)
      guard case .applied(_, _, _, _, let endedMatch) = try await bench.rewind(n[0], likes[0].event)
      else { throw ConformanceFailure("the like could not be taken back") }
      try require(!endedMatch, "a match ended twice")
      try requireEqual(
        try await bench.decide(bench.command(n[0], n[1])), .stale, "another like")
      try require(try await bench.store.matches(of: n[0]).isEmpty, "there is a match again")
      try requireEqual(try await bench.store.unsafe(for: n[0]), [n[1]: .unmatched], "standing")
      _ = try await bench.block(n[0], n[1])
      try requireEqual(try await bench.store.unsafe(for: n[1]), [n[0]: .blocked], "after the block")
    },
    Check("an unmatch and a rewind at the same moment: one of them ends the match") { bench in
      for round in 0..<12 {
        let n = try await bench.numbers(CardID("a\(round)"), CardID("b\(round)"))
        let like = try await bench.swipe(n[0], n[1])
        try await bench.swipe(n[1], n[0])
        let ends = try await bench.together([
          { @Sendable in
            if case .applied = try await bench.block(n[1], n[0], kind: .unmatch) {
              true
            } else {
              false
            }
          },
          { @Sendable in
            guard case .applied(_, _, _, _, let ended) = try await bench.rewind(n[0], like.event)
            else { return false }
            return ended
          },
        ])
        try requireEqual(ends.count { $0 }, 1, "how many ended the match")
        try require(try await bench.store.matches(of: n[0]).isEmpty, "the match stands")
        let unsafe = try await bench.store.unsafe(for: n[0])
        try requireEqual(unsafe, ends[0] ? [n[1]: .unmatched] : [:], "whether they meet")
      }
    },
  ]
}
