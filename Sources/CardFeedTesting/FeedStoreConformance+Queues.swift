import CardFeed

extension FeedStoreConformance {
  private static func waiting(
    _ bench: StoreBench, _ cards: CardNumber..., limit: Int = 100
  ) async throws -> [Int] {
    try await bench.store.unansweredLikes(of: cards, limit: limit)
  }

  static let queueChecks: [Check] = [
    Check("unanswered likes are those whose card has said nothing, for each card in order") {
      bench in
      // The liked number is once the smallest and once the greatest.
      for v in 0..<2 {
        let ids = ["a", "b", "c", "d"].map { "\($0)\(v)" as String }
        let n = try await bench.store.numbers(
          for: (v == 0 ? ["v0"] + ids : ids + ["v1"]).map { CardID($0) })
        let (card, others) = v == 0 ? (n[0], Array(n[1...])) : (n[4], Array(n[..<4]))
        try requireEqual(try await waiting(bench, card), [0], "before any answer")
        try await bench.swipe(others[0], card)
        try await bench.swipe(others[1], card)
        try await bench.swipe(others[2], card, .negative)
        try await bench.swipe(others[3], card, .neutral)
        try await bench.reopen()
        try requireEqual(
          try await waiting(bench, others[0], card, others[2], card), [0, 2, 0, 2], "in order")
        for limit in 0...3 {
          try requireEqual(
            try await waiting(bench, card, limit: limit), [min(2, limit)], "up to \(limit)")
        }
        try await bench.swipe(card, others[0], .negative)
        try requireEqual(try await waiting(bench, card), [1], "after a pass")
        try await bench.swipe(card, others[1])
        try requireEqual(try await waiting(bench, card, others[1]), [0, 0], "after a match")
        try await bench.swipe(others[3], card)
        try requireEqual(try await waiting(bench, card), [1], "a like after a neutral answer")
        try await bench.swipe(others[3], card, .negative)
        try requireEqual(try await waiting(bench, card), [0], "a pass after the like")
      }
      try requireEqual(
        try await bench.store.unansweredLikes(of: [], limit: 5), [], "of no cards")
    },
    Check("a rewind takes an unanswered like back, and gives one back") { bench in
      let n = try await bench.numbers("a", "v", "b")
      for other in [n[0], n[2]] {
        let like = try await bench.swipe(other, n[1])
        try requireEqual(try await waiting(bench, n[1]), [1], "the like")
        _ = try await bench.rewind(other, like.event)
        try requireEqual(try await waiting(bench, n[1]), [0], "the like taken back")
        try await bench.swipe(other, n[1])
        let answer = try await bench.swipe(n[1], other, .negative)
        try requireEqual(try await waiting(bench, n[1]), [0], "an answered like")
        _ = try await bench.rewind(n[1], answer.event)
        try requireEqual(try await waiting(bench, n[1]), [1], "the answer taken back")
        try await bench.swipe(n[1], other)
      }
    },
    Check("likes between people who were kept apart wait for nothing") { bench in
      let n = try await bench.numbers("a", "v", "b", "c")
      for other in [n[0], n[2], n[3]] { try await bench.swipe(other, n[1]) }
      try requireEqual(try await waiting(bench, n[1]), [3], "before")
      _ = try await bench.block(n[1], n[0])
      try requireEqual(try await waiting(bench, n[1]), [2], "after a block by the liked one")
      _ = try await bench.block(n[2], n[1], kind: .report)
      try requireEqual(try await waiting(bench, n[1]), [1], "after a report by a liker")
    },
  ]

  static let maintainedQueueChecks: [Check] = [
    Check("an erased person waits for nothing") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("a", "v", "b")
      try await bench.swipe(n[0], n[1])
      try await bench.swipe(n[2], n[1])
      _ = try await store.erase(person: n[0])
      try requireEqual(try await waiting(bench, n[1]), [1], "after a liker is erased")
      _ = try await store.erase(person: n[1])
      try requireEqual(try await waiting(bench, n[1], n[0]), [0, 0], "of erased people")
    },
    Check("an expired like waits for nothing, and a folded answer is an answer") { bench in
      let store = try maintainable(bench)
      func at(_ offset: Int64) -> Timestamp { StoreBench.start.advanced(byMilliseconds: offset) }
      let n = try await bench.numbers("expired", "v", "answered", "waiting")
      try await bench.swipe(n[1], n[2], .negative, time: at(1))
      try await bench.swipe(n[0], n[1], time: at(1))
      try await bench.swipe(n[2], n[1], time: at(8))
      try await bench.swipe(n[3], n[1], time: at(8))
      try requireEqual(try await waiting(bench, n[1], n[3]), [2, 0], "before")
      let report = try await store.ageOut(negativesBefore: at(5), unansweredLikesBefore: at(5))
      try requireEqual([report.negatives, report.likes], [1, 1], "folded")
      try await bench.reopen()
      try requireEqual(try await waiting(bench, n[3], n[1], n[1]), [0, 1, 1], "after")
      try requireEqual(try await waiting(bench, n[1], limit: 0), [0], "up to 0")
    },
  ]
}
