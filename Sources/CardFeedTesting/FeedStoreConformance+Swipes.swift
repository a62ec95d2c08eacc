import CardFeed

extension FeedStoreConformance {
  static let dealChecks: [Check] = [
    Check("a viewer without history is empty") { bench in
      let record = try await bench.record(try await bench.number("v"))
      try require(record.seen.isEmpty, "cards were seen")
      try require(record.stack == nil, "there is a stack")
      try require(record.recentSwipes.isEmpty, "there are swipes")
      try requireEqual(record.deals, 0, "deals")
    },
    Check("a deal keeps its exposures, the stack and the moment, through opening anew") { bench in
      let n = try await bench.numbers("v", "a", "b", "c")
      let image: [UInt8] = (0...255).map { UInt8($0) }
      let stack = StoredStack(generation: 3, top: -2, imageStart: -5, image: image)
      let deal = try await bench.deal([n[2], n[1], n[3]], to: n[0], stack: stack)
      try await bench.reopen()
      let record = try await bench.record(n[0])
      try requireEqual(record.stack, stack, "the stack")
      try requireEqual(record.deals, 1, "deals")
      try requireEqual(
        record.seen,
        Dictionary(
          uniqueKeysWithValues: n.dropFirst().map { ($0, SeenEntry(dealtAt: StoreBench.start)) }),
        "seen")
      let exposures = try await bench.store.exposures(of: deal)
      try requireEqual(exposures.map(\.card), [n[2], n[1], n[3]], "cards of the deal")
      try requireEqual(exposures.map(\.position), [0, 1, 2], "places")
      try requireEqual(exposures.map(\.score), [nil, 1.0 / 3, 2.0 / 3], "scores, bit by bit")
      try requireEqual(exposures.map(\.probability), [nil, 0.1, 0.2], "probabilities, bit by bit")
      try requireEqual(exposures.map(\.propensity), [1, 0.5, 1.0 / 3], "propensities, bit by bit")
    },
    Check("the stack of a deal is made with the deal's own place in the log") { bench in
      let n = try await bench.numbers("v", "a")
      let decision = try await bench.store.commit(
        DealCommand(
          viewer: n[0], time: StoreBench.start, fingerprint: "print",
          exposures: [
            Exposure(card: n[1], position: 0, score: 1, probability: 0.5, propensity: 1)
          ],
          stack: { position in
            StoredStack(generation: 0, top: position.rawValue, imageStart: 0, image: [])
          }))
      guard case .dealt(let position) = decision else {
        throw ConformanceFailure("the deal was answered with \(decision)")
      }
      try requireEqual(
        try await bench.record(n[0]).stack?.top, position.rawValue, "the place the stack was told")
    },
    Check("a deal with a blocked card changes nothing and names the card") { bench in
      let n = try await bench.numbers("v", "a", "b")
      _ = try await bench.block(n[2], n[0])
      let before = try await bench.store.lastPosition()
      let stack = bench.stack()
      let decision = try await bench.store.commit(
        DealCommand(
          viewer: n[0], time: StoreBench.start, fingerprint: "print",
          exposures: [n[1], n[2]].enumerated().map {
            Exposure(card: $1, position: $0, score: nil, probability: nil, propensity: 1)
          }, stack: { _ in stack }))
      try requireEqual(decision, .blocked([n[2]]), "the decision")
      try requireEqual(try await bench.store.lastPosition(), before, "the end of the log")
      let record = try await bench.record(n[0])
      try require(record.stack == nil && record.seen.isEmpty && record.deals == 0, "it left traces")
    },
    Check("saving a stack replaces it") { bench in
      let viewer = try await bench.number("v")
      try await bench.store.save(bench.stack(top: 4), of: viewer)
      try await bench.store.save(bench.stack(generation: 2, top: 5, bytes: []), of: viewer)
      try await bench.reopen()
      try requireEqual(
        try await bench.record(viewer).stack, bench.stack(generation: 2, top: 5, bytes: []),
        "the stack")
    },
  ]

  static let swipeChecks: [Check] = [
    Check("a swipe is remembered with its answer, and moves the stack on") { bench in
      let n = try await bench.numbers("v", "a", "b")
      let deal = try await bench.deal([n[1], n[2]], to: n[0])
      let time = StoreBench.start.advanced(byMilliseconds: 5)
      let receipt = try await bench.swipe(
        bench.command(n[0], n[1], .negative, at: 0, deal: deal, time: time, remaining: 1))
      try requireEqual(receipt.card, n[1], "the receipt's card")
      try requireEqual(receipt.answer, "pass", "the receipt's answer")
      try requireEqual(receipt.remaining, 1, "cards left")
      try requireEqual(receipt.match, nil, "the receipt's match")
      try await bench.reopen()
      let record = try await bench.record(n[0])
      try requireEqual(record.stack?.top, 1, "the top")
      try requireEqual(record.stack?.imageStart, 0, "the start of the image")
      try requireEqual(
        record.seen[n[1]],
        SeenEntry(
          dealtAt: StoreBench.start,
          answer: .init(answer: "pass", meaning: .negative, time: time, event: receipt.event)),
        "what is known of the card")
      try requireEqual(
        record.recentSwipes,
        [StoredSwipe(event: receipt.event, card: n[1], answer: "pass", deal: deal)],
        "recent swipes")
    },
    Check("the same event is applied once and answered with the same receipt") { bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.deal([n[1], n[2]], to: n[0])
      let command = bench.command(n[0], n[1], event: "once", at: 0)
      let receipt = try await bench.swipe(command)
      try await bench.reopen()
      for _ in 0..<3 {
        let again = try await bench.decide(command)
        try requireEqual(again, .repeated(receipt), "the answer to a repeated event")
      }
      try requireEqual(
        try await bench.events().count { $0.kind == .swipe }, 1, "swipes in the log")
      try requireEqual(try await bench.record(n[0]).stack?.top, 1, "the top")
    },
    Check("the same event twice in one batch is applied once") { bench in
      let n = try await bench.numbers("v", "a")
      let command = bench.command(n[0], n[1], event: "once")
      let decisions = try await bench.store.commit([command, command])
      guard case .applied(let receipt) = decisions.first else {
        throw ConformanceFailure("the first of two was answered with \(decisions)")
      }
      try requireEqual(decisions.last, .repeated(receipt), "the second of two")
    },
    Check("the same event sent from many tasks at once is applied once") { bench in
      let n = try await bench.numbers("v", "a")
      let command = bench.command(n[0], n[1], event: "once")
      let decisions = try await bench.together(
        (0..<16).map { _ in { @Sendable in try await bench.decide(command) } })
      let applied = decisions.count { if case .applied = $0 { true } else { false } }
      try requireEqual(applied, 1, "applied")
      let receipts = decisions.compactMap { decision in
        switch decision {
        case .applied(let receipt), .repeated(let receipt): receipt
        case .conflict, .stale, .overQuota: nil
        }
      }
      try requireEqual(receipts.count, 16, "receipts")
      try requireEqual(Set(receipts).count, 1, "different receipts")
    },
    Check("an event id with another card, answer or kind is a conflict and changes nothing") {
      bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.swipe(bench.command(n[0], n[1], event: "e"))
      let before = try await bench.store.lastPosition()
      for other in [
        bench.command(n[0], n[2], event: "e"), bench.command(n[0], n[1], .negative, event: "e"),
      ] {
        try requireEqual(try await bench.decide(other), .conflict, "another payload")
      }
      try requireEqual(
        try await bench.block(n[0], n[1], event: "e"), .conflict, "a block with a swipe's id")
      try requireEqual(
        try await bench.rewind(n[0], .start, event: "e"), .conflict, "a rewind with a swipe's id")
      try requireEqual(
        try await bench.store.recordImpression(
          viewer: n[0], card: n[1], event: "e", time: StoreBench.start), .conflict,
        "an impression with a swipe's id")
      try requireEqual(try await bench.store.lastPosition(), before, "the end of the log")
      // Event ids belong to their viewer, and are bytes.
      try await bench.swipe(bench.command(n[1], n[2], event: "e"))
      try await bench.swipe(bench.command(n[0], n[2], event: "E"))
    },
    Check("a swipe of another generation or position is stale and changes nothing") { bench in
      let n = try await bench.numbers("v", "a", "w")
      try await bench.deal([n[1]], to: n[0], stack: bench.stack(generation: 2, top: 7))
      let before = try await bench.store.lastPosition()
      for (generation, position) in [(2, 6), (2, 8), (1, 7), (3, 7)] as [(Int64, Int64)] {
        let decision = try await bench.decide(
          bench.command(n[0], n[1], at: position, generation: generation))
        try requireEqual(decision, .stale, "generation \(generation), position \(position)")
      }
      try requireEqual(
        try await bench.decide(bench.command(n[2], n[1], at: 0)), .stale,
        "a viewer without a stack")
      try requireEqual(try await bench.store.lastPosition(), before, "the end of the log")
      try await bench.swipe(bench.command(n[0], n[1], at: 7, generation: 2))
    },
    Check("a stale swipe spends no event id; a repeated one is answered before it is stale") {
      bench in
      let n = try await bench.numbers("v", "a", "b")
      try await bench.deal([n[1], n[2]], to: n[0])
      try requireEqual(
        try await bench.decide(bench.command(n[0], n[1], event: "e", at: 5)), .stale, "too far")
      let receipt = try await bench.swipe(bench.command(n[0], n[1], event: "e", at: 0))
      try requireEqual(
        try await bench.decide(bench.command(n[0], n[1], event: "e", at: 0)),
        .repeated(receipt), "the same swipe when the top has moved on")
    },
    Check("a batch decides each swipe by itself, in order") { bench in
      let n = try await bench.numbers("v", "a", "b", "c")
      try await bench.swipe(bench.command(n[0], n[3], event: "old"))
      try await bench.deal([n[1], n[2]], to: n[0])
      let decisions = try await bench.store.commit([
        bench.command(n[0], n[1], at: 0), bench.command(n[0], n[2], at: 0),
        bench.command(n[0], n[2], .negative, event: "old"), bench.command(n[0], n[2], at: 1),
      ])
      try requireEqual(decisions.count, 4, "decisions")
      let kinds = decisions.map { decision in
        switch decision {
        case .applied: "applied"
        case .repeated: "repeated"
        case .conflict: "conflict"
        case .stale: "stale"
        case .overQuota: "over quota"
        }
      }
      try requireEqual(kinds, ["applied", "stale", "conflict", "applied"], "the decisions")
      try require(try await bench.store.commit([SwipeCommand]()).isEmpty, "an empty batch decided")
    },
    Check("only the latest swipes of hands that stand are handed back, oldest first") { bench in
      let viewer = try await bench.number("v")
      let cards = try await bench.store.numbers(for: (0..<10).map { CardID("c\($0)") })
      let deal = try await bench.deal(cards, to: viewer)
      var receipts: [StoredReceipt] = []
      for (place, card) in cards.enumerated() {
        receipts.append(
          try await bench.swipe(
            bench.command(viewer, card, .negative, at: Int64(place), deal: deal)))
      }
      // Recorded elsewhere: no hand held it, so no rewind can bring it back.
      try await bench.swipe(viewer, try await bench.number("elsewhere"))
      _ = try await bench.rewind(viewer, receipts[9].event, stack: bench.stack(top: 9))
      let recent = try await bench.store.viewer(viewer, swipes: 3).recentSwipes
      try requireEqual(recent.map(\.card), Array(cards[6...8]), "cards")
      try requireEqual(recent.map(\.event), receipts[6...8].map(\.event), "events")
      try requireEqual(
        try await bench.store.viewer(viewer, swipes: 0).recentSwipes.count, 0, "none asked for")
    },
  ]
}
