import CardFeed

extension FeedStoreConformance {
  private static func at(_ offset: Int64) -> Timestamp {
    Timestamp(milliseconds: StoreBench.start.milliseconds + offset)
  }

  static let ageOutChecks: [Check] = [
    Check("an old pass is folded: the card stays seen, its events are gone") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "a", "b", "c")
      let deal = try await bench.deal([n[1]], to: n[0])
      let first = try await bench.swipe(
        bench.command(n[0], n[1], .negative, at: 0, deal: deal, time: at(1)))
      try await bench.swipe(n[0], n[2], .negative, time: at(3))
      try await bench.swipe(n[0], n[3], .negative, time: at(9))
      let report = try await store.ageOut(negativesBefore: at(5), unansweredLikesBefore: nil)
      try requireEqual(
        [report.viewers, report.negatives, report.likes, report.events], [1, 2, 0, 2],
        "viewers, negatives, likes, events")
      try await bench.reopen()
      let record = try await bench.record(n[0])
      try requireEqual(record.seen.keys.sorted(), [n[1], n[2], n[3]], "seen cards")
      for card in n[1...2] {
        let answer = record.seen[card]?.answer
        try requireEqual(answer?.meaning, .negative, "the meaning")
        try requireEqual(answer?.answer, "pass", "the answer")
        try requireEqual(answer?.event, .start, "the event")
        try requireEqual(answer?.time, at(3), "the time, the latest of the set")
      }
      try requireEqual(record.seen[n[3]]?.answer?.time, at(9), "a pass that is not old")
      try requireEqual(record.recentSwipes.count, 0, "swipes that can be taken back")
      try requireEqual(
        try await bench.rewind(n[0], first.event), .stale, "a rewind of a folded swipe")
      try requireEqual(
        try await bench.events().map(\.kind), [.deal, .swipe, .ageOut], "the log")
      let again = try await maintainable(bench).ageOut(
        negativesBefore: at(5), unansweredLikesBefore: nil)
      try requireEqual(again.negatives, 0, "folded twice")
    },
    Check("an old like without an answer expires: no like received, no match, still seen") {
      bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "silent", "answered", "matched")
      for card in n.dropFirst() { try await bench.swipe(n[0], card, time: at(1)) }
      try await bench.swipe(n[2], n[0], .negative, time: at(8))
      try await bench.swipe(n[3], n[0], time: at(8))
      let report = try await store.ageOut(negativesBefore: nil, unansweredLikesBefore: at(5))
      try requireEqual([report.likes, report.negatives], [1, 0], "likes and negatives")
      try await bench.reopen()
      let rest = bench.store
      try require(
        try await rest.answersReceived(by: n[1], limit: 9).isEmpty, "the like is still received")
      try requireEqual(
        try await rest.answersReceived(by: n[2], limit: 9).count, 1, "an answered like")
      let seen = try await bench.record(n[0]).seen
      try requireEqual(seen[n[1]]?.answer?.meaning, .positive, "to the liker it is a like")
      try requireEqual(try await bench.swipe(n[1], n[0]).match, nil, "a match on an expired like")
      try requireEqual(try await rest.matches(of: n[0]).count, 1, "the match that stands")
    },
    Check("a folded card that is answered anew, and taken back, is as it was") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "a")
      try await bench.swipe(n[0], n[1], .negative, time: at(1))
      _ = try await store.ageOut(negativesBefore: at(5), unansweredLikesBefore: nil)
      let folded = try await bench.record(n[0]).seen
      let like = try await bench.swipe(n[0], n[1], time: at(9))
      try requireEqual(
        try await bench.record(n[0]).seen[n[1]]?.answer?.event, like.event, "what stands")
      let decision = try await bench.rewind(n[0], like.event)
      guard case .applied(_, _, let restored, _, _) = decision else {
        throw ConformanceFailure("the rewind was answered with \(decision)")
      }
      try requireEqual(restored, folded[n[1]], "what is restored")
      try requireEqual(try await bench.record(n[0]).seen, folded, "seen")
      // And folded once more, as a like.
      try await bench.swipe(n[0], n[1], time: at(10))
      _ = try await store.ageOut(negativesBefore: at(20), unansweredLikesBefore: at(20))
      try requireEqual(
        try await bench.record(n[0]).seen[n[1]]?.answer?.meaning, .positive, "the later answer")
    },
    Check("impressions of a folded card go with it, others keep their durations") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "old", "new")
      for (place, card) in n.enumerated().dropFirst() {
        _ = try await store.recordImpression(
          viewer: n[0], card: card, event: EventID("shown \(place)"), time: at(0),
          dwell: try Dwell(milliseconds: Int64(place) * 100))
        try await bench.swipe(n[0], card, .negative, time: at(place == 1 ? 1 : 9))
      }
      let report = try await store.ageOut(negativesBefore: at(5), unansweredLikesBefore: nil)
      try requireEqual([report.negatives, report.events], [1, 2], "negatives, events")
      try await bench.reopen()
      let left = try await bench.store.impressions(of: n[0])
      try requireEqual(left.map(\.card), [n[2]], "what was shown")
      try requireEqual(left.map(\.dwell?.milliseconds), [200], "for how long")
    },
    Check("what something else rests on is not folded") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "matched", "blocked", "dealt")
      try await bench.swipe(n[0], n[1])
      try await bench.swipe(n[1], n[0])
      try await bench.swipe(n[0], n[1], .negative)
      try await bench.swipe(n[0], n[2], .negative)
      _ = try await bench.block(n[0], n[2])
      try await bench.swipe(n[0], n[3], .negative, time: at(-5))
      try await bench.deal([n[3]], to: n[0])
      let before = try await bench.record(n[0]).seen
      let report = try await store.ageOut(negativesBefore: at(9), unansweredLikesBefore: at(9))
      try requireEqual(report, AgeOutReport(), "folded")
      try requireEqual(try await bench.record(n[0]).seen, before, "seen")
    },
    Check("an age-out changes no learned number") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "a", "b")
      let first = try await bench.swipe(
        n[0], n[1], .negative, time: at(1), learned: [delta("one", [(n[1], 3), (nil, 1)])])
      _ = try await bench.rewind(n[0], first.event)
      try await bench.swipe(
        n[0], n[1], .negative, time: at(1), learned: [delta("one", [(n[1], 5), (n[0], 1)])])
      let known = try await learned("one", store)
      try await store.save(
        LearnerBlob(
          position: store.lastPosition(), stride: 2,
          numbers: known.map { Increment($0.key, $0.value) }), of: "one")
      try await bench.swipe(
        n[0], n[2], .negative, time: at(2),
        learned: [delta("one", [(n[2], 8)]), delta("two", [(n[2], -8)])])
      for bound in [at(2), at(3)] {
        let before = [try await learned("one", store), try await learned("two", store)]
        let report = try await store.ageOut(negativesBefore: bound, unansweredLikesBefore: nil)
        try requireEqual(report.negatives, 1, "folded")
        let after = [try await learned("one", store), try await learned("two", store)]
        try requireEqual(after, before, "learned numbers")
      }
    },
    Check("a folded card's person can be erased, and a viewer with folded cards too") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "a", "b")
      for card in n.dropFirst() {
        try await bench.swipe(n[0], card, .negative, time: at(1))
      }
      _ = try await store.ageOut(negativesBefore: at(5), unansweredLikesBefore: nil)
      _ = try await store.erase(person: n[1])
      try requireEqual(try await bench.record(n[0]).seen.keys.sorted(), [n[2]], "seen cards")
      _ = try await store.erase(person: n[2])
      try requireEqual(try await bench.record(n[0]).seen, [:], "seen")
      try requireEqual(try await store.check().map(\.description), [], "problems")
      _ = try await store.erase(person: n[0])
    },
  ]
}
