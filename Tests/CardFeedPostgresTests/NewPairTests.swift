#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// Swipes that come from no hand take their pair for new if it has no canonical row; what a deal or
  /// an earlier answer left is found out, and kept.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct NewPairTests {
    private func numbers(_ count: Int, _ store: PostgresStore) async throws -> [CardNumber] {
      try await store.numbers(for: (0..<count).map { CardID("\($0)") })
    }

    private static let dealtAt = Timestamp(milliseconds: 5)

    private func deal(
      _ card: CardNumber, to viewer: ViewerNumber, _ store: PostgresStore
    ) async throws {
      let decision = try await store.commit(
        DealCommand(
          viewer: viewer, time: Self.dealtAt, fingerprint: "print",
          exposures: [
            Exposure(card: card, position: 0, score: nil, probability: nil, propensity: 1)
          ], stack: { _ in StoredStack(generation: 0, top: 0, imageStart: 0, image: [1]) }))
      guard case .dealt = decision else {
        Issue.record("a deal was answered with \(decision)")
        return
      }
    }

    private func position(_ decision: SwipeDecision) throws -> LogPosition {
      guard case .applied(let receipt) = decision else {
        Issue.record("a new swipe was answered with \(decision)")
        return .start
      }
      return receipt.event
    }

    private func rewind(
      _ swipe: LogPosition, of viewer: ViewerNumber, _ store: PostgresStore
    ) async throws -> SeenEntry? {
      let decision = try await store.commit(
        RewindCommand(
          viewer: viewer, event: EventID("rewind \(swipe.rawValue)"), swipe: swipe,
          time: Timestamp(milliseconds: 9),
          stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [1])))
      guard case .applied(_, _, let restored, _, _) = decision else {
        Issue.record("a rewind was answered with \(decision)")
        return nil
      }
      return restored
    }

    @Test func rowsOfNewPairsAreNotLookedFor() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(20, store)
        let statements = Statements(of: store)
        let others = n.filter { $0 != n[9] }
        _ = try await store.commit(others.map { swipe(n[9], $0, "to \($0)") })
        #expect(statements[StoreSQL.findOwnEdges] == 0)
        #expect(statements[StoreSQL.addFollowers] == 1)
        #expect(statements[StoreSQL.followSwipes] == 0)
        let back = try await store.commit(others.map { swipe($0, n[9], "from \($0)") })
        #expect(back.filter(isNewMatch).count == 19)
        #expect(statements[StoreSQL.findOwnEdges] == 1)
        #expect(statements[StoreSQL.addFollowers] == 1)
        #expect(statements[StoreSQL.followSwipes] == 1)
        store.pool.breakConnections(nil)
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    /// The row of the greater number alone is there: of a card that was dealt, or of somebody to whom
    /// the viewer was dealt.
    @Test(arguments: [0, 16], [true, false])
    func aDealThatMadeTheRowIsFoundOutAndKept(partitions: Int, isOwn: Bool) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(80, store)
        let (low, high) = (n[1], n[2])
        try await deal(low, to: high, store)
        let (viewer, card) = isOwn ? (high, low) : (low, high)
        _ = try await store.commit([swipe(viewer, n[70], "first")])
        let statements = Statements(of: store)
        let decisions = try await store.commit(
          (3..<9).map { swipe(viewer, n[$0], "\($0)") } + [swipe(viewer, card, "one")])
        let event = try position(decisions[6])
        #expect(statements[StoreSQL.addFollowers] >= 2)
        #expect(statements[StoreSQL.findOwnEdges] == 1)
        // It may happen again soon, so the next ones look.
        for event in 0..<(Caution.length + 3) {
          _ = try await store.commit([swipe(viewer, n[10 + event], "later \(event)")])
        }
        #expect(statements[StoreSQL.findOwnEdges] == 1 + Caution.length)
        store.pool.breakConnections(nil)
        let seen = try await store.viewer(high, swipes: 0).seen[low]
        #expect(seen?.dealtAt == Self.dealtAt)
        #expect((seen?.answer != nil) == isOwn)
        #expect(try await store.likers(of: card, among: [viewer]) == [viewer])
        #expect(try await store.check() == [])
        let restored = try await rewind(event, of: viewer, store)
        #expect(restored == (isOwn ? SeenEntry(dealtAt: Self.dealtAt) : nil))
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    /// Who was erased is looked up only until it is known, however many erase.
    @Test(arguments: [0, 16])
    func peopleWhoWereErasedAreKnownAndFoundOut(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        let n = try await numbers(30, store)
        let statements = Statements(of: store)
        // What is known is read behind a swipe, before or after the caller goes on.
        func swipeUntilKnown(_ part: String, viewer: CardNumber) async throws {
          var count = 0
          while true {
            let before = statements[StoreSQL.findErased]
            let decision = try await store.commit([swipe(viewer, n[20], "\(part) \(count)")])[0]
            if statements[StoreSQL.findErased] == before { return }
            guard case .applied = decision else {
              Issue.record("a swipe was answered with \(decision)")
              return
            }
            count += 1
            try #require(count < 1000)
          }
        }
        try await swipeUntilKnown("first", viewer: n[0])
        for (place, gone) in [n[3], n[4]].enumerated() {
          _ = try await other.commit([swipe(gone, n[0], "from \(gone)")])
          #expect(try await other.erase(person: gone).events > 0)
          for part in ["at once", "known"] {
            let decisions = try await store.commit([
              swipe(n[0], gone, "\(part) \(place) to"), swipe(gone, n[1], "\(part) \(place)"),
            ])
            #expect(decisions == [.stale, .stale], "\(part)")
            try await swipeUntilKnown("\(part) \(place)", viewer: n[0])
          }
        }
        store.pool.breakConnections(nil)
        #expect(try await store.check() == [])
        try await store.close()
        try await other.close()
      }
    }

    /// The answer that another one replaced comes back, whosever row decides, in a batch and alone.
    @Test(arguments: [0, 16], [true, false])
    func anAnswerThatWasReplacedComesBack(partitions: Int, isTogether: Bool) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(9, store)
        for (viewer, card) in [(n[1], n[2]), (n[4], n[3]), (n[5], n[6]), (n[8], n[7])] {
          // Of two pairs the other side has answered as well.
          if viewer > n[4] { _ = try await store.commit([swipe(card, viewer, "other")]) }
          let both = [
            swipe(viewer, card, "one", .positive, at: 100),
            swipe(viewer, card, "two", .negative, at: 200),
          ]
          var decisions: [SwipeDecision] = []
          if isTogether {
            decisions = try await store.commit(both)
          } else {
            for one in both { decisions += try await store.commit([one]) }
          }
          let (first, second) = (try position(decisions[0]), try position(decisions[1]))
          let restored = try await rewind(second, of: viewer, store)
          #expect(
            restored
              == SeenEntry(
                answer: SeenEntry.Answered(
                  answer: "like", meaning: .positive, time: Timestamp(milliseconds: 100),
                  event: first)), "\(viewer) and \(card)")
          #expect(try await store.viewer(viewer, swipes: 0).seen[card] == restored)
          #expect(try await rewind(first, of: viewer, store) == nil)
        }
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    /// In the order of the log, and through the index: a page costs the page.
    @Test(arguments: [0, 16])
    func answersReceivedComeNewestFirst(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let n = try await numbers(13, store)
        // Far apart in the log, and in an order that is not that of their numbers.
        let senders = [2, 1, 3, 5, 4, 6, 8, 7, 9, 11, 10, 12].map { n[$0] }
        for (place, sender) in senders.enumerated() {
          if place % 3 == 0 {
            let span = Int64(place / 3 + 1) << 30
            try await store.pool.run("move on") { connection in
              try connection.execute(["ALTER SEQUENCE log_positions RESTART WITH \(span)"])
              return ()
            }
          }
          _ = try await store.commit([swipe(sender, n[0], "\(place)", .negative)])
        }
        let all = try await store.answersReceived(by: n[0], limit: 99)
        #expect(all.map(\.from) == senders.reversed())
        for limit in [0, 1, 4, 8, 12] {
          let some = try await store.answersReceived(by: n[0], limit: limit)
          #expect(some == Array(all.prefix(limit)))
        }
        // Of however many answers a page costs the page.
        let receiver = n[0].rawValue
        let plan = try await store.pool.run("explain") { connection in
          try connection.execute([
            "INSERT INTO edges (owner, other, other_event, other_time, other_meaning) "
              + "SELECT \(receiver), 1000 + i, 2 * i, 1, 2 FROM generate_series(1, 5000) AS i",
            "ANALYZE edges", "PREPARE s AS \(StoreSQL.answersReceived.sql)",
          ])
          let lines = try connection.execute([
            "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE s(\(receiver), 20)"
          ])[0].map { try $0.text(0) }
          try connection.execute(["DEALLOCATE s"])
          return lines
        }.joined(separator: "\n")
        #expect(plan.contains("Index Scan Backward using edges_"), "\(plan)")
        #expect(!plan.contains("Incremental Sort") && !plan.contains("->  Sort"), "\(plan)")
        let rows = plan.matches(of: /rows=([0-9]+)/).compactMap { Int($0.1) }
        #expect(rows.max() == 20, "\(plan)")
        try await store.close()
      }
    }
  }
#endif
