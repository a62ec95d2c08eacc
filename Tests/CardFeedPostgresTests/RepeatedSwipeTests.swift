#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// Swipes are taken for new; those that are not are found out, alone and among others.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct RepeatedSwipeTests {
    private func numbers(_ count: Int, _ store: PostgresStore) async throws -> [CardNumber] {
      try await store.numbers(for: (0..<count).map { CardID("\($0)") })
    }

    @Test(arguments: [0, 16])
    func oneRepeatedSwipeAmongNewOnesIsAnsweredAndTheOthersAreApplied(
      partitions: Int
    ) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(40, store)
        let first = try await store.commit([swipe(n[0], n[1], "first")])
        guard case .applied(let receipt) = first[0] else {
          Issue.record("a new swipe was answered with \(first)")
          return
        }
        let statements = Statements(of: store)
        let batch =
          (2..<20).map { swipe(n[$0], n[$0 + 20], "e") } + [swipe(n[0], n[1], "first")]
          + [swipe(n[0], n[2], "first"), swipe(n[0], n[3], "new"), swipe(n[0], n[3], "new")]
        let decisions = try await store.commit(batch)
        store.pool.breakConnections(nil)
        for decision in decisions[..<18] + [decisions[20]] {
          guard case .applied = decision else {
            Issue.record("a new swipe was answered with \(decision)")
            continue
          }
        }
        #expect(decisions[18] == .repeated(receipt))
        #expect(decisions[19] == .conflict)
        guard case .repeated(let again) = decisions[21], case .applied(again) = decisions[20] else {
          Issue.record("a swipe that came twice was answered with \(decisions[20...])")
          return
        }
        #expect(statements[StoreSQL.addEvents] >= 2, "nothing was taken for new")
        #expect(try await store.integer("SELECT count(*) FROM events") == 20)
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    @Test func newSwipesAreNotLookedUpUntilOneWasRepeated() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(40, store)
        let statements = Statements(of: store)
        for card in 1...5 { _ = try await store.commit([swipe(n[0], n[card], "\(card)")]) }
        #expect(statements[StoreSQL.findClientEvents] == 0)
        let repeated = try await store.commit([swipe(n[0], n[1], "1")])
        guard case .repeated = repeated[0] else {
          Issue.record("a repeated swipe was answered with \(repeated)")
          return
        }
        #expect(statements[StoreSQL.findClientEvents] == 1)
        for event in 0..<(Caution.length + 3) {
          _ = try await store.commit([swipe(n[0], n[6 + event % 30], "later \(event)")])
        }
        #expect(statements[StoreSQL.findClientEvents] == 1 + Caution.length)
        store.pool.breakConnections(nil)
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    @Test func aSwipeOfAHandThatIsSentAgainIsRepeatedAndALateOneStale() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(9, store)
        _ = try await store.commit(
          DealCommand(
            viewer: n[0], time: Timestamp(milliseconds: 1), fingerprint: "print", exposures: [],
            stack: { _ in StoredStack(generation: 0, top: 0, imageStart: 0, image: [1]) }))
        func top(_ card: CardNumber, _ event: String, _ position: Int64) -> SwipeCommand {
          SwipeCommand(
            viewer: n[0], card: card, event: EventID(event), answer: "like", meaning: .positive,
            time: Timestamp(milliseconds: 2), expectation: .top(generation: 0, position: position),
            deal: nil, compatibility: nil, remaining: 0, matchRule: MutualLike(), learned: [])
        }
        let first = try await store.commit([top(n[1], "a", 0)])
        guard case .applied(let receipt) = first[0] else {
          Issue.record("a new swipe was answered with \(first)")
          return
        }
        let second = try await store.commit([
          top(n[1], "a", 0), top(n[2], "late", 0), top(n[2], "b", 1), top(n[3], "c", 2),
        ])
        #expect(second[0] == .repeated(receipt))
        #expect(second[1] == .stale)
        for decision in second[2...] {
          guard case .applied = decision else {
            Issue.record("a swipe of the top was answered with \(decision)")
            continue
          }
        }
        #expect(try await store.integer("SELECT top FROM viewers WHERE top IS NOT NULL") == 3)
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    /// Two identifiers with the same key are two events.
    @Test func identifiersThatShareAKeyAreKeptApart() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(4, store)
        _ = try await store.commit([swipe(n[0], n[1], "one")])
        // As if another identifier had the same bits.
        try await store.pool.run("collide") { connection in
          try connection.execute(["UPDATE events SET client_id = 'other'"])
          return ()
        }
        let new = try await store.commit([swipe(n[0], n[2], "one")])
        guard case .applied(let receipt) = new[0] else {
          Issue.record("another identifier was answered with \(new)")
          return
        }
        #expect(try await store.commit([swipe(n[0], n[2], "one")]) == [.repeated(receipt)])
        let impression = try await store.recordImpression(
          viewer: n[0], card: n[2], event: "one", time: Timestamp(milliseconds: 1))
        #expect(impression == .conflict)
        let key = ClientKey.of("one")
        #expect(key < 0 && key % ClientKey.slots == 0)
        #expect(try await store.integer("SELECT max(event_key) FROM events") == key + 1)
        #expect(try await store.integer("SELECT min(event_key) FROM events") == key)
        // Where every key is taken, the event is refused and nothing is kept.
        try await store.pool.run("take all") { connection in
          try connection.execute([
            "UPDATE events SET client_id = 'third', event_key = \(key + ClientKey.slots - 1) "
              + "WHERE event_key = \(key + 1)"
          ])
          return ()
        }
        let error = await #expect(throws: PostgresError.self) {
          try await store.commit([swipe(n[0], n[3], "one")])
        }
        #expect(error?.code == .constraint)
        #expect(try await store.integer("SELECT count(*) FROM events") == 2)
        try await store.close()
      }
    }
  }
#endif
