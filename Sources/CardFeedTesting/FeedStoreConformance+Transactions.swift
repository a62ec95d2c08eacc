public import CardFeed

extension FeedStoreConformance {
  /// What a store with transactions promises beyond `all`: a transaction that throws half way
  /// leaves nothing behind. Not for `InMemoryStore`, whose own rules check before they write and
  /// which therefore has no way back.
  public static func transactionChecks<Store: TransactionalStore>(
    for type: Store.Type
  ) -> [Check] {
    [
      Check("a transaction that throws half way leaves nothing behind") { bench in
        guard let store = bench.store as? Store else {
          throw ConformanceFailure("makeStore makes another type than \(type)")
        }
        let n = try await bench.numbers("v", "a", "b")
        try await bench.deal([n[1], n[2]], to: n[0])
        try await bench.swipe(n[1], n[0])
        let before = try await bench.record(n[0])
        let end = try await store.lastPosition()
        let learned = [
          LearnerDelta(learner: "one", increments: [Increment(.init(owner: n[1], slot: 0), 3)])
        ]
        let commands = [
          bench.command(n[0], n[1], event: "first", at: 0, learned: learned),
          bench.command(n[0], n[2], event: "second", at: 1),
        ]
        do {
          try await store.write { transaction in
            for command in commands { _ = try transaction.apply(command) }
            throw HalfWay()
          }
          throw ConformanceFailure("the error of the transaction's body was swallowed")
        } catch is HalfWay {}
        try requireEqual(try await store.lastPosition(), end, "the end of the log")
        let after = try await bench.record(n[0])
        try requireEqual(after.seen, before.seen, "seen")
        try requireEqual(after.stack, before.stack, "the stack")
        try require(try await store.matches(of: n[0]).isEmpty, "a match was left behind")
        try require(
          try await store.learnerDeltas(of: "one", after: .start, limit: 9).isEmpty,
          "a learner's delta was left behind")
        // The event ids are free, and the places in the log too.
        let decisions = try await store.commit(commands)
        let applied = decisions.count { if case .applied = $0 { true } else { false } }
        try requireEqual(applied, 2, "swipes applied afterwards")
      }
    ]
  }
}

private struct HalfWay: Error {}
