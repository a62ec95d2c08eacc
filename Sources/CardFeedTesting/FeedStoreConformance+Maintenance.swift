import CardFeed

extension FeedStoreConformance {
  /// What a `MaintainableStore` promises beyond `all`: export, erasure, pruning and age-out. Each
  /// check ends, as every check does, with the store's own `check()`.
  public static let maintenanceChecks: [Check] =
    exportChecks + erasureChecks + ageOutChecks
    + maintainedQueueChecks + maintainedMatchChangeChecks

  /// What the stores of one process promise: `all`, a log without gaps, and maintenance.
  public static let localChecks: [Check] = all + denseLogChecks + maintenanceChecks

  static func maintainable(_ bench: StoreBench) throws -> any MaintainableStore {
    guard let store = bench.store as? any MaintainableStore else {
      throw ConformanceFailure("makeStore makes a store that is not maintainable")
    }
    return store
  }

  static func delta(_ learner: String, _ amounts: [(CardNumber?, Int64)]) -> LearnerDelta {
    LearnerDelta(
      learner: learner,
      increments: amounts.map { Increment(LearnedKey(owner: $0.0, slot: 1), $0.1) })
  }

  /// What a learner knows: its blob, and what came after it.
  static func learned(
    _ learner: String, _ store: any FeedStore
  ) async throws -> [LearnedKey: Int64] {
    let blob = try await store.learnerBlob(learner)
    var sums: [LearnedKey: Int64] = [:]
    for increment in blob?.numbers ?? [] { sums[increment.key, default: 0] &+= increment.amount }
    let deltas = try await store.learnerDeltas(
      of: learner, after: blob?.position ?? .start, limit: 1_000_000)
    for increment in deltas.flatMap(\.increments) {
      sums[increment.key, default: 0] &+= increment.amount
    }
    return sums.filter { $0.value != 0 }
  }

  private static let exportChecks: [Check] = [
    Check("an export holds everything of one person, and of others only counts") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("me", "a", "b", "c")
      _ = try await store.put([StoredCard(id: "me", payload: [1, 2])])
      let deal = try await bench.deal([n[1], n[2]], to: n[0])
      try await bench.swipe(
        bench.command(
          n[0], n[1], at: 0, deal: deal, learned: [delta("elo", [(n[0], 5), (n[1], -5)])]))
      try await bench.swipe(n[1], n[0])
      try await bench.swipe(n[2], n[0], .negative)
      try await bench.swipe(n[3], n[0], .negative)
      try await bench.swipe(n[3], n[1])
      _ = try await store.recordImpression(
        viewer: n[0], card: n[2], event: "shown", time: StoreBench.start,
        dwell: try Dwell(milliseconds: 1234))
      let export = try await store.export(person: n[0])
      try requireEqual(export.number, n[0], "the number")
      try requireEqual(export.id, "me", "the identifier")
      try requireEqual(export.card?.payload, [1, 2], "the card")
      try requireEqual(
        export.events.map(\.kind), [.deal, .swipe, .impression], "own events")
      try requireEqual(
        export.events.map(\.dwell?.milliseconds), [nil, nil, 1234], "durations")
      try require(export.events.allSatisfy { $0.viewer == n[0] }, "an event of somebody else")
      try requireEqual(export.exposures.map(\.exposure.card), [n[1], n[2]], "exposures")
      try requireEqual(export.seen, try await bench.record(n[0]).seen, "seen")
      try requireEqual(export.answersReceived, [.positive: 1, .negative: 2], "answers received")
      try requireEqual(export.matches, try await store.matches(of: n[0]), "matches")
      try requireEqual(export.matches.count, 1, "the number of matches")
      try requireEqual(export.stack, try await bench.record(n[0]).stack, "the hand")
      try requireEqual(export.deals, 1, "deals")
      try requireEqual(
        export.learned, ["elo": [Increment(LearnedKey(owner: n[0], slot: 1), 5)]], "learned")
    },
    Check("an export of nobody is empty") { bench in
      let export = try await maintainable(bench).export(person: CardNumber(77))
      try require(
        export.id == nil && export.card == nil && export.events.isEmpty && export.seen.isEmpty
          && export.stack == nil && export.learned.isEmpty, "there is something")
    },
    Check("pruning removes old exposures and keeps that the cards were dealt") { bench in
      let store = try maintainable(bench)
      let n = try await bench.numbers("v", "a", "b")
      let old = try await bench.deal([n[1], n[2]], to: n[0])
      try await bench.swipe(bench.command(n[0], n[1], at: 0, deal: old))
      let before = try await bench.record(n[0])
      let start = StoreBench.start
      try requireEqual(try await store.prune(exposuresBefore: start), 0, "removed too early")
      let later = Timestamp(milliseconds: start.milliseconds + 1)
      try requireEqual(try await store.prune(exposuresBefore: later), 2, "removed")
      try requireEqual(try await store.prune(exposuresBefore: later), 0, "removed twice")
      try await bench.reopen()
      try require(try await bench.store.exposures(of: old).isEmpty, "exposures are left")
      let after = try await bench.record(n[0])
      try requireEqual(after.seen, before.seen, "seen")
      try requireEqual(after.deals, before.deals, "deals")
      // The pair goes on: dealt anew, answered, taken back.
      try requireEqual(try await bench.store.check().map(\.description), [], "problems")
      let swipe = try await bench.swipe(bench.command(n[0], n[2], at: 1, deal: old))
      try requireEqual(try await bench.store.check().map(\.description), [], "problems later")
      _ = try await bench.rewind(n[0], swipe.event)
      try requireEqual(try await bench.record(n[0]).seen, before.seen, "seen after a rewind")
    },
  ]
}
