#if Postgres
  import CardFeed
  import CardFeedEventSinks
  import CardFeedTesting
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

    /// From two likes to the bytes of a subscriber, over a relay that dies once between delivering
    /// and removing.
    @Test(.timeLimit(.minutes(10)))
    func aMatchReachesItsSubscribersAsServerSentEvents() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let people = try await store.numbers(for: ["ann", "bob", "cat"])
        let clock = ManualClock(now: Timestamp(milliseconds: 1))
        let sink = ServerSentEventSink(stream: 10, store: store, clock: clock)
        var ann = sink.events(of: people[0]).makeAsyncIterator()
        var bob = sink.events(of: people[1]).makeAsyncIterator()
        let cat = sink.events(of: people[2])
        let deliveries = Lock(0)
        let relay = relay(store, clock, seed: 1) { events in
          try await sink.deliver(events)
          let isFirst = deliveries.withLock { count in
            count += 1
            return count == 1
          }
          if isFirst { throw Refused() }
        }
        let relaying = Task { await relay.run() }

        _ = try await store.commit([swipe(people[0], people[1], "like")])
        let decisions = try await store.commit([swipe(people[1], people[0], "like")])
        guard case .applied(let receipt) = decisions[0], let made = receipt.match?.rawValue else {
          Issue.record("no match: \(decisions)")
          return
        }
        let block = try await store.commit(
          BlockCommand(
            viewer: people[1], card: people[0], event: "block", kind: .block,
            time: Timestamp(milliseconds: 5)))
        guard case .applied(let ended) = block else {
          Issue.record("no block: \(block)")
          return
        }
        func expected(_ card: String) -> [String] {
          [
            "retry: 3000\nid: a-0\n\n",
            """
            id: a-\(made)
            event: match-made
            data: {"kind":"match-made","event":\(made),"card":"\(card)","time":1000000000000}


            """,
            """
            id: a-\(ended.rawValue)
            event: match-ended
            data: {"kind":"match-ended","event":\(ended.rawValue),"card":"\(card)","time":5}


            """,
          ]
        }
        for text in expected("bob") { #expect(await ann.next() == Array(text.utf8)) }
        for text in expected("ann") { #expect(await bob.next() == Array(text.utf8)) }
        while try await store.integer("SELECT count(*) FROM outbox") > 0 {
          try await Task.sleep(for: .milliseconds(5))
        }
        relaying.cancel()
        await relaying.value
        #expect(deliveries.withLock { $0 } >= 2)
        sink.close()
        #expect(await ann.next() == nil, "what came again was dropped")
        #expect(await cat.reduce(0) { count, _ in count + 1 } == 1, "nothing of other people")
        try await store.close()
      }
    }
  }
#endif
