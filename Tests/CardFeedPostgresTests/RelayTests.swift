#if Postgres
  import CardFeed
  import CardFeedTesting
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// What is in the outbox comes to the sink: at least once, each batch to one relay at a time.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct RelayTests {
    private struct Refused: Error {}

    private func match(_ pairs: Range<Int>, in store: PostgresStore) async throws {
      var likes: [SwipeCommand] = []
      for pair in pairs {
        let (low, high) = numbers(ofPair: pair)
        likes += [swipe(low, high, "like"), swipe(high, low, "like")]
      }
      _ = try await store.commit(likes)
    }

    private func relay(
      _ store: PostgresStore, _ clock: any FeedClock, seed: UInt64, batch: Int = 500,
      _ body: @escaping @Sendable ([OutboxEvent]) async throws -> Void
    ) -> PostgresRelay {
      var options = PostgresRelay.Options(seed: seed)
      options.batch = batch
      options.idleMilliseconds = 5
      options.backOff = BackOff(firstMilliseconds: 1, capMilliseconds: 5, seed: seed)
      return PostgresRelay(
        store: store, sink: ClosureSink(body), clock: clock, options: options)
    }

    @Test(arguments: [0, 16])
    func matchesThatAreMadeAndEndedAreDeliveredInOrderAndRemoved(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        try await match(0..<3, in: store)
        _ = try await store.commit(
          BlockCommand(
            viewer: CardNumber(3), card: CardNumber(4), event: "block", kind: .block,
            time: Timestamp(milliseconds: 5)))
        let delivered = Lock([OutboxEvent]())
        let relay = relay(store, ManualClock(now: Timestamp(milliseconds: 1)), seed: 1) { events in
          delivered.withLock { $0 += events }
        }
        #expect(try await relay.relayOnce() == 4)
        #expect(try await relay.relayOnce() == 0)
        let events = delivered.withLock { $0 }
        #expect(events.map(\.kind) == [.matchMade, .matchMade, .matchMade, .matchEnded])
        #expect(events.map(\.low.rawValue) == [1, 3, 5, 3])
        #expect(events.map(\.high.rawValue) == [2, 4, 6, 4])
        #expect(events.map(\.event) == events.map(\.event).sorted())
        #expect(try await store.integer("SELECT count(*) FROM outbox") == 0)
        try await store.close()
      }
    }

    @Test func aLeaseKeepsOthersAwayUntilItRunsOut() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        try await match(0..<1, in: store)
        func lease(at now: Int64, until: Int64, _ lease: Int64) async throws -> [OutboxEvent] {
          try await store.leaseOutbox(
            limit: 9, now: Timestamp(milliseconds: now), until: Timestamp(milliseconds: until),
            lease: lease)
        }
        let first = try await lease(at: 100, until: 200, 1)
        #expect(first.count == 1)
        #expect(try await lease(at: 199, until: 300, 2) == [])
        #expect(try await lease(at: 200, until: 300, 2) == first)
        // The first holder comes back from a long pause: the rows are not its own any more.
        try await store.removeFromOutbox(first, lease: 1)
        #expect(try await store.integer("SELECT count(*) FROM outbox") == 1)
        try await store.removeFromOutbox(first, lease: 2)
        #expect(try await store.integer("SELECT count(*) FROM outbox") == 0)
        try await store.close()
      }
    }

    @Test func aRefusedDeliveryComesAgain() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        try await match(0..<2, in: store)
        let tries = Lock(0)
        let relay = relay(store, ManualClock(now: Timestamp(milliseconds: 1)), seed: 1) { events in
          #expect(events.count == 2)
          if tries.withLock({ tries in
            tries += 1; return tries
          }) < 3 {
            throw Refused()
          }
        }
        await #expect(throws: Refused.self) { try await relay.relayOnce() }
        await #expect(throws: Refused.self) { try await relay.relayOnce() }
        #expect(try await relay.relayOnce() == 2)
        #expect(try await store.integer("SELECT count(*) FROM outbox") == 0)
        try await store.close()
      }
    }

    @Test func fourRelaysBesideWritersDeliverEveryMatchOnce() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let delivered = Lock([OutboxEvent]())
        let clock = ManualClock(now: Timestamp(milliseconds: 1))
        let relays = (1...4).map { number in
          relay(store, clock, seed: UInt64(number), batch: 7) { events in
            delivered.withLock { $0 += events }
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for relay in relays { group.addTask { await relay.run() } }
          for start in stride(from: 0, to: 200, by: 20) {
            try await match(start..<start + 20, in: store)
          }
          while delivered.withLock({ $0.count }) < 200 {
            try await Task.sleep(for: .milliseconds(5))
          }
          group.cancelAll()
        }
        let events = delivered.withLock { $0 }
        // The clock stands still, so no lease runs out and nothing comes twice.
        #expect(events.count == 200)
        #expect(Set(events.map(\.event)).count == 200)
        try await store.close()
      }
    }

    @Test func aFileSinkAppendsOneObjectALine() async throws {
      let path = "/tmp/cardfeed-sink-\(UInt32.random(in: 0 ... .max)).jsonl"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let events = [
        OutboxEvent(
          kind: .matchMade, event: LogPosition(4), between: CardNumber(9), and: CardNumber(2),
          time: Timestamp(milliseconds: 7)),
        OutboxEvent(
          kind: .matchEnded, event: LogPosition(6), between: CardNumber(2), and: CardNumber(9),
          time: Timestamp(milliseconds: 8)),
      ]
      try await FileSink(path: path).deliver([events[0]])
      try await FileSink(path: path).deliver([events[1]])
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(
        text == """
          {"kind":"match-made","event":4,"low":2,"high":9,"time":7}
          {"kind":"match-ended","event":6,"low":2,"high":9,"time":8}

          """)
      let error = #expect(throws: FileSinkError.self) { try FileSink(path: "/nowhere/at/all") }
      #expect(
        error?.description
          == "cannot open /nowhere/at/all: No such file or directory. Check the folder, its "
          + "permissions and the free space; the events come again.")
    }
  }
#endif
