import CardFeed

extension FeedStoreConformance {
  static let handChecks: [Check] = [
    Check("a deal that was made from a hand which a deal, swipe, rewind or removal moved is stale")
    {
      bench in
      for (place, move) in HandMove.allCases.enumerated() {
        let n = try await bench.numbers(
          CardID("v\(place)"), CardID("a\(place)"), CardID("b\(place)"), CardID("c\(place)"))
        let deal = try await bench.deal([n[1], n[2]], to: n[0])
        let swipe = try await bench.swipe(bench.command(n[0], n[1], at: 0, deal: deal))
        let old = try await bench.revision(n[0])
        try await bench.apply(move, to: n[0], card: n[2], swipe: swipe.event)
        try await bench.reopen()
        let before = try await bench.record(n[0])
        let end = try await bench.store.lastPosition()
        let newer = try await bench.revision(n[0])
        try require(old != newer, "\(move) did not move the hand")
        try requireEqual(
          try await bench.decide([n[3]], to: n[0], basis: old), .stale, "a deal after \(move)")
        try requireEqual(
          try await bench.store.save(bench.stack(bytes: [9]), of: n[0], basis: old), false,
          "a removal after \(move)")
        try requireEqual(
          try await bench.rewind(n[0], swipe.event, basis: old), .stale, "a rewind after \(move)")
        let after = try await bench.record(n[0])
        try requireEqual(after.stack, before.stack, "the stack")
        try requireEqual(after.seen, before.seen, "seen")
        try requireEqual(after.deals, before.deals, "deals")
        try requireEqual(try await bench.store.lastPosition(), end, "the end of the log")
        guard case .dealt = try await bench.decide([n[3]], to: n[0], basis: newer) else {
          throw ConformanceFailure("a deal from the hand that is there was refused")
        }
      }
    },
    Check("of many deals that were made from one hand at the same moment one is dealt") { bench in
      let n = try await bench.numbers("v", "a", "b", "c", "d", "e")
      for round in 0..<8 {
        let basis = try await bench.revision(n[0])
        let decisions = try await bench.together(
          (1...5).map { place in
            { try await bench.decide([n[place]], to: n[0], basis: basis) }
          })
        try requireEqual(decisions.count { $0 != .stale }, 1, "deals in round \(round)")
        try requireEqual(try await bench.record(n[0]).deals, Int64(round + 1), "deals")
      }
    },
    Check("a hand may be dealt, removed from and rewound as it stands") { bench in
      let n = try await bench.numbers("v", "a", "b")
      let none = HandRevision(generation: 0, top: 0, deals: 0)
      guard case .dealt = try await bench.decide([n[1], n[2]], to: n[0], basis: none) else {
        throw ConformanceFailure("the first deal was refused")
      }
      try requireEqual(
        try await bench.decide([n[1]], to: n[0], basis: none), .stale, "a second first deal")
      let swipe = try await bench.swipe(bench.command(n[0], n[1], at: 0))
      guard
        case .applied = try await bench.rewind(
          n[0], swipe.event, event: "back", stack: bench.stack(generation: 1),
          basis: HandRevision(generation: 0, top: 1, deals: 1))
      else { throw ConformanceFailure("the rewind was refused") }
      // Sent again, it was made from a hand that is not there any more.
      try requireEqual(
        try await bench.rewind(
          n[0], swipe.event, event: "back", basis: HandRevision(generation: 0, top: 1, deals: 1)),
        .repeated(card: n[1]), "the rewind, repeated")
      try requireEqual(
        try await bench.store.save(
          bench.stack(generation: 2, bytes: []), of: n[0],
          basis: HandRevision(generation: 1, top: 0, deals: 1)), true, "a removal")
      try await bench.reopen()
      try requireEqual(
        try await bench.record(n[0]).stack, bench.stack(generation: 2, bytes: []), "the stack")
    },
    Check("what a swipe teaches that was taken back meanwhile is stored and taken back") { bench in
      let n = try await bench.numbers("v", "a")
      let deal = try await bench.deal([n[1]], to: n[0])
      let swipe = try await bench.swipe(bench.command(n[0], n[1], at: 0, deal: deal))
      guard case .applied(let rewind, _, _, _, _) = try await bench.rewind(n[0], swipe.event) else {
        throw ConformanceFailure("the rewind was not applied")
      }
      let increments = [Increment(.init(owner: n[1], slot: 0), 5)]
      try await bench.store.save([(position: swipe.event, increments: increments)], of: "late")
      try await bench.reopen()
      let deltas = try await bench.store.learnerDeltas(of: "late", after: .start, limit: 9)
      try requireEqual(deltas.map(\.position), [swipe.event, rewind], "places")
      try requireEqual(
        deltas.map(\.increments), [increments, increments.map(\.negated)], "increments")
    },
  ]
}

/// What moves a hand.
private enum HandMove: CaseIterable {
  case deal, swipe, rewind, removal
}

extension StoreBench {
  fileprivate func revision(_ viewer: CardNumber) async throws -> HandRevision {
    let record = try await record(viewer)
    return HandRevision(
      generation: record.stack?.generation ?? 0, top: record.stack?.top ?? 0, deals: record.deals)
  }

  fileprivate func decide(
    _ cards: [CardNumber], to viewer: CardNumber, basis: HandRevision?
  ) async throws -> DealDecision {
    let stack = StoredStack(
      generation: basis?.generation ?? 0, top: basis?.top ?? 0, imageStart: basis?.top ?? 0,
      image: [1])
    return try await store.commit(
      DealCommand(
        viewer: viewer, time: Self.start, fingerprint: "print",
        exposures: cards.enumerated().map {
          Exposure(card: $1, position: $0, score: nil, probability: nil, propensity: 1)
        }, basis: basis, stack: { _ in stack }))
  }

  /// Moves a hand whose first card was swiped and whose second one lies on top.
  fileprivate func apply(
    _ move: HandMove, to viewer: CardNumber, card: CardNumber, swipe: LogPosition
  ) async throws {
    switch move {
    case .deal: try await deal([card], to: viewer, stack: stack(top: 1))
    case .swipe: try await self.swipe(command(viewer, card, at: 1))
    case .rewind: _ = try await rewind(viewer, swipe, stack: stack(generation: 1))
    case .removal: try await store.save(stack(generation: 1, top: 1), of: viewer)
    }
  }
}
