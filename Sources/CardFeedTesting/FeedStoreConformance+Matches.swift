import CardFeed

extension FeedStoreConformance {
  static let matchChecks: [Check] = [
    Check("two likes make one match, whichever comes first") { bench in
      for (one, other) in [("a", "b"), ("d", "c")] as [(CardID, CardID)] {
        let n = try await bench.numbers(one, other)
        let first = try await bench.swipe(n[0], n[1])
        try requireEqual(first.match, nil, "the match of a first like")
        try require(try await bench.store.matches(of: n[0]).isEmpty, "one like made a match")
        let second = try await bench.swipe(n[1], n[0])
        try requireEqual(second.match, second.event, "the match of the second like")
        let expected = StoredMatch(
          event: second.event, between: n[0], and: n[1], time: StoreBench.start)
        try requireEqual(try await bench.store.matches(of: n[0]), [expected], "seen by one")
        try requireEqual(try await bench.store.matches(of: n[1]), [expected], "seen by the other")
      }
      try requireEqual(
        try await bench.events().count { $0.kind == .match }, 2, "match events in the log")
    },
    Check("a like of somebody who is matched already confirms the same match") { bench in
      let n = try await bench.numbers("a", "b")
      try await bench.swipe(n[0], n[1])
      let second = try await bench.swipe(n[1], n[0])
      let third = try await bench.swipe(n[0], n[1])
      try requireEqual(third.match, second.match, "the match of the third like")
      try requireEqual(try await bench.store.matches(of: n[0]).count, 1, "matches")
    },
    Check("two likes at the same moment make exactly one match, in 300 rounds") { bench in
      for round in 0..<300 {
        let n = try await bench.numbers(CardID("a\(round)"), CardID("b\(round)"))
        let receipts = try await bench.together([
          { @Sendable in try await bench.swipe(n[0], n[1]) },
          { @Sendable in try await bench.swipe(n[1], n[0]) },
        ])
        let named = receipts.compactMap(\.match)
        try requireEqual(named.count, 1, "receipts with a match in round \(round)")
        for side in n {
          let matches = try await bench.store.matches(of: side)
          try requireEqual(matches.map(\.event), named, "matches of a side in round \(round)")
        }
      }
      try requireEqual(
        try await bench.events().count { $0.kind == .match }, 300, "match events in the log")
    },
    Check("a pass committed first prevents the match") { bench in
      let n = try await bench.numbers("a", "b")
      try await bench.swipe(n[0], n[1], .negative)
      try requireEqual(try await bench.swipe(n[1], n[0]).match, nil, "the match")
      try require(try await bench.store.matches(of: n[1]).isEmpty, "there is a match")
    },
    Check("a block committed first prevents the match, from either side") { bench in
      for (blocker, name) in [(0, "x"), (1, "y")] {
        let n = try await bench.numbers(CardID("a-\(name)"), CardID("b-\(name)"))
        try await bench.swipe(n[0], n[1])
        _ = try await bench.block(n[blocker], n[1 - blocker])
        let decision = try await bench.decide(bench.command(n[1], n[0]))
        try requireEqual(decision, .stale, "a like between blocked people")
        try require(try await bench.store.matches(of: n[0]).isEmpty, "there is a match")
      }
    },
    Check("a like racing a block leaves no match between blocked people, in 200 rounds") { bench in
      for round in 0..<200 {
        let n = try await bench.numbers(CardID("a\(round)"), CardID("b\(round)"))
        try await bench.swipe(n[1], n[0])
        _ = try await bench.together([
          { @Sendable in _ = try await bench.decide(bench.command(n[0], n[1])) },
          { @Sendable in _ = try await bench.block(n[1], n[0]) },
        ])
        try require(
          try await bench.store.matches(of: n[0]).isEmpty, "a match stands in round \(round)")
      }
    },
    Check("a like racing the rewind of the other like ends with a match or without, alike for both")
    {
      bench in
      for round in 0..<200 {
        let n = try await bench.numbers(CardID("a\(round)"), CardID("b\(round)"))
        let like = try await bench.swipe(n[0], n[1])
        _ = try await bench.together([
          { @Sendable in _ = try await bench.swipe(n[1], n[0]) },
          { @Sendable in _ = try await bench.rewind(n[0], like.event) },
        ])
        // Whichever came first, the rewound like stands no more, so no match can.
        for side in n {
          try require(
            try await bench.store.matches(of: side).isEmpty, "a match stands in round \(round)")
        }
      }
    },
    Check("matches come oldest first, and only a viewer's own") { bench in
      let n = try await bench.numbers("v", "a", "b", "c", "w")
      for other in [n[2], n[1], n[3]] {
        try await bench.swipe(other, n[0])
        try await bench.swipe(n[0], other)
      }
      try await bench.swipe(n[4], n[1])
      try await bench.swipe(n[1], n[4])
      try await bench.reopen()
      let matches = try await bench.store.matches(of: n[0])
      let others = matches.map { $0.low == n[0] ? $0.high : $0.low }
      try requireEqual(others, [n[2], n[1], n[3]], "the others, oldest match first")
    },
    Check("the rule decides with what was said on both sides and the stored probability") { bench in
      let cases: [(CardID, AnswerMeaning?, AnswerMeaning, Double?, isMatch: Bool)] = [
        ("a", .neutral, .positive, 0.25, true), ("b", .negative, .positive, 0.25, false),
        ("c", .positive, .positive, 0.25, false), ("d", nil, .positive, 0.25, false),
        ("e", .neutral, .negative, 0.25, false), ("f", .neutral, .positive, 0.5, false),
        ("g", .neutral, .positive, nil, false),
      ]
      for (place, (id, reverse, meaning, compatibility, isMatch)) in cases.enumerated() {
        // The viewer is the smaller number of some pairs and the greater one of others.
        let ids = place % 2 == 0 ? ["v", id] : [id, "v"]
        let numbers = try await bench.store.numbers(for: ids)
        let (viewer, card) =
          place % 2 == 0 ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
        if let reverse { try await bench.swipe(card, viewer, reverse) }
        let command = SwipeCommand(
          viewer: viewer, card: card, event: bench.newEvent(), answer: "like", meaning: meaning,
          time: StoreBench.start, expectation: .recorded, deal: nil,
          compatibility: compatibility, remaining: 0, matchRule: ParticularRule(), learned: [])
        let receipt = try await bench.swipe(command)
        try requireEqual(receipt.match == receipt.event, isMatch, "a match with \(id)")
      }
    },
    Check("answers received are the last of each person that stand, newest first") { bench in
      let n = try await bench.numbers("v", "a", "b", "c")
      func time(_ offset: Int64) -> Timestamp {
        StoreBench.start.advanced(byMilliseconds: offset)
      }
      try await bench.swipe(n[1], n[0], .negative, time: time(1))
      try await bench.swipe(n[2], n[0], .positive, time: time(2))
      try await bench.swipe(n[1], n[0], .positive, time: time(3))
      let last = try await bench.swipe(n[3], n[0], .neutral, time: time(4))
      try await bench.reopen()
      let all = try await bench.store.answersReceived(by: n[0], limit: 10)
      try requireEqual(
        all,
        [
          ReceivedAnswer(from: n[3], meaning: .neutral, time: time(4)),
          ReceivedAnswer(from: n[1], meaning: .positive, time: time(3)),
          ReceivedAnswer(from: n[2], meaning: .positive, time: time(2)),
        ], "answers received")
      let two = try await bench.store.answersReceived(by: n[0], limit: 2)
      try requireEqual(two, Array(all.prefix(2)), "the newest two")
      _ = try await bench.rewind(n[3], last.event)
      let after = try await bench.store.answersReceived(by: n[0], limit: 10)
      try requireEqual(after, Array(all.dropFirst()), "answers received after a rewind")
    },
  ]
}

/// Says match in one particular case, so that a store which asks with anything else is found out.
private struct ParticularRule: MatchRule {
  func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive && circumstances.reverse == .neutral
      && circumstances.compatibility == 0.25
  }
}
