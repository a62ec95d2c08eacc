#if Postgres
  import CardFeed
  import CardFeedTesting
  import Dispatch
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// Two likes at the same moment, from different connections, stores and processes.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct RaceTests {
    @Test(arguments: [0, 16])
    func twoStoresLikeEachOtherAtTheSameMoment(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        var single = options
        single.connections = 1
        let stores = [try await PostgresStore.open(single), try await PostgresStore.open(single)]
        var made = 0
        for pair in 0..<500 {
          let (low, high) = numbers(ofPair: pair)
          async let one = stores[0].commit([swipe(low, high, "like")])
          async let other = stores[1].commit([swipe(high, low, "like")])
          let decisions = try await one + other
          let matches = decisions.filter(isNewMatch)
          made += matches.count
          #expect(matches.count == 1, "pair \(pair): \(decisions)")
        }
        #expect(made == 500)
        try await expectMatches(500, in: stores[0])
        for store in stores { try await store.close() }
      }
    }

    /// Four groups of people who like everybody outside their group, in shuffled batches of one
    /// group: no two batches of different groups wait for a viewer, all of them for pairs.
    @Test func crossingBatchesNeitherDeadlockNorLoseAMatch() async throws {
      try await withStore { options in
        // A deadlock is not tried again: it fails. A store for each group, so that none share.
        var options = options
        options.backOff.attempts = 1
        var random = SplitMix64(seed: 5)
        let made = try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<4 {
            var likes: [SwipeCommand] = []
            for viewer in 1...40 where viewer % 4 == number {
              for card in 1...40 where card % 4 != number {
                likes.append(
                  swipe(CardNumber(Int64(viewer)), CardNumber(Int64(card)), "to \(card)"))
              }
            }
            likes.shuffle(using: &random)
            let store = try await PostgresStore.open(options)
            group.addTask { [likes] in
              var made = 0
              for start in stride(from: 0, to: likes.count, by: 30) {
                let batch = Array(likes[start..<min(start + 30, likes.count)])
                made += try await store.commit(batch).count(where: isNewMatch)
              }
              try await store.close()
              return made
            }
          }
          return try await group.reduce(0, +)
        }
        let pairs = 40 * 39 / 2 - 4 * (10 * 9 / 2)
        #expect(made == pairs)
        let store = try await PostgresStore.open(options)
        try await expectMatches(pairs, in: store)
        try await store.close()
      }
    }

    private static let variable = "CARDFEED_POSTGRES_RACE"
    private static let pairs = 10_000
    private static let processes = 8

    @Test func eightProcessesMakeTenThousandMatchesExactlyOnce() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        try await store.pool.run("prepare race") { connection in
          try connection.execute([
            "CREATE TABLE race_arrivals (process bigint)", "CREATE TABLE race_made (made bigint)",
          ])
          return ()
        }
        setenv(Self.variable, "\(options.schema)\n\(options.conninfo)", 1)
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<Self.processes {
            group.addTask {
              await #expect(processExitsWith: .success) {
                let text = try #require(
                  ProcessInfo.processInfo.environment["CARDFEED_POSTGRES_RACE"])
                let lines = text.split(separator: "\n").map(String.init)
                try await takePartInRace(schema: lines[0], conninfo: lines[1])
              }
            }
          }
        }
        unsetenv(Self.variable)
        #expect(try await store.integer("SELECT sum(made)::bigint FROM race_made") == 10_000)
        #expect(try await store.integer("SELECT count(*) FROM events WHERE kind = 3") == 20_000)
        try await expectMatches(10_000, in: store)
        try await store.pool.run("clear race") { connection in
          try connection.execute(["DROP TABLE race_arrivals", "DROP TABLE race_made"])
          return ()
        }
        try await store.close()
      }
    }

    @Test func aNaiveStoreIsFoundOut() async throws {
      try await withStore { options in
        let race = try #require(
          FeedStoreConformance.all.first {
            $0.name.hasPrefix("two likes at the same moment make exactly one match")
          })
        await #expect(throws: ConformanceFailure.self) {
          try await race.run(makeStore: { try await NaiveStore.open(options) })
        }
      }
    }

    /// A swipe takes the row of a new pair's greater number for new; a deal makes it in between.
    @Test(arguments: [0, 16])
    func aDealThatMakesTheRowMeanwhileIsNoFailure(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        // Nothing but the transaction itself may try again.
        var options = options
        options.backOff.attempts = 1
        let store = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        let low = CardNumber(1)
        let high = CardNumber(2)
        let dealt = Lock<DealDecision?>(nil)
        store.pool.breakConnections { step in
          guard step == .before("add_followers"), dealt.withLock({ $0 }) == nil else {
            return false
          }
          let isDone = DispatchSemaphore(value: 0)
          Task.detached {
            let decision = try? await other.commit(
              DealCommand(
                viewer: high, time: Timestamp(milliseconds: 7), fingerprint: "print",
                exposures: [
                  Exposure(card: low, position: 0, score: 1, probability: nil, propensity: 1)
                ],
                stack: { _ in StoredStack(generation: 0, top: 0, imageStart: 0, image: []) }))
            dealt.withLock { $0 = decision }
            isDone.signal()
          }
          isDone.wait()
          return false
        }
        let decisions = try await store.commit([swipe(low, high, "like")])
        store.pool.breakConnections(nil)
        guard case .dealt = dealt.withLock({ $0 }) else {
          Issue.record("the deal did not come in between")
          return
        }
        guard case .applied = decisions[0] else {
          Issue.record("the like was answered with \(decisions)")
          return
        }
        #expect(try await store.likers(of: high, among: [low]) == [low])
        #expect(
          try await store.viewer(high, swipes: 1).seen == [
            low: SeenEntry(dealtAt: Timestamp(milliseconds: 7))
          ])
        #expect(try await store.check() == [])
        try await other.close()
        try await store.close()
      }
    }

    /// What was there before a swipe is kept with it, on whichever side of the pair the viewer is.
    @Test(arguments: [0, 16]) func aSwipeKeepsWhatWasBefore(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let (low, high) = (CardNumber(1), CardNumber(2))
        let empty = StoredStack(generation: 0, top: 0, imageStart: 0, image: [])
        for (viewer, card) in [(low, high), (high, low)] {
          _ = try await store.commit(
            DealCommand(
              viewer: viewer, time: Timestamp(milliseconds: 7), fingerprint: "print",
              exposures: [
                Exposure(card: card, position: 0, score: 1, probability: nil, propensity: 1)
              ], stack: { _ in empty }))
          var events: [LogPosition] = []
          for event in ["first", "second"] {
            let decisions = try await store.commit([swipe(viewer, card, event)])
            if case .applied(let receipt) = decisions[0] { events.append(receipt.event) }
          }
          try #require(events.count == 2)
          let dealt = SeenEntry(dealtAt: Timestamp(milliseconds: 7))
          var answered = dealt
          answered.answer = SeenEntry.Answered(
            answer: "like", meaning: .positive, time: Timestamp(milliseconds: 1_000_000_000_000),
            event: events[0])
          for (event, before) in [(events[1], answered), (events[0], dealt)] {
            let rewind = try await store.commit(
              RewindCommand(
                viewer: viewer, event: EventID("back \(event)"), swipe: event,
                time: Timestamp(milliseconds: 9), stack: empty))
            guard case .applied(_, _, let restored, _, _) = rewind else {
              Issue.record("the rewind was answered with \(rewind)")
              return
            }
            #expect(restored == before)
          }
          #expect(try await store.viewer(viewer, swipes: 9).seen == [card: dealt])
        }
        #expect(try await store.check() == [])
        try await store.close()
      }
    }
  }

  func numbers(ofPair pair: Int) -> (low: CardNumber, high: CardNumber) {
    (CardNumber(Int64(2 * pair + 1)), CardNumber(Int64(2 * pair + 2)))
  }

  func isNewMatch(_ decision: SwipeDecision) -> Bool {
    guard case .applied(let receipt) = decision else { return false }
    return receipt.match == receipt.event
  }

  /// Each match is one row for each side, one event of the log and one row of the outbox.
  func expectMatches(_ count: Int, in store: PostgresStore) async throws {
    for query in [
      "SELECT count(*) FROM edges WHERE matched_by IS NOT NULL AND owner < other",
      "SELECT count(*) FROM edges WHERE matched_by IS NOT NULL AND owner > other",
      "SELECT count(*) FROM events WHERE kind = 7",
      "SELECT count(*) FROM outbox WHERE kind = 1",
    ] {
      #expect(try await store.integer(query) == Int64(count), "\(query)")
    }
    #expect(try await store.check() == [])
  }

  /// One of the processes: waits for the others, then sends its half of the likes. All go through
  /// the pairs in the same order, so that both sides of a pair come at nearly the same moment.
  private func takePartInRace(schema: String, conninfo: String) async throws {
    var options = PostgresStore.Options(conninfo: conninfo)
    options.schema = schema
    options.connections = 2
    let store = try await PostgresStore.open(options)
    let number = try await store.pool.runOnce("arrive") { connection in
      // The lock makes counting and arriving one step.
      let rows = try connection.execute([
        "BEGIN", "LOCK TABLE race_arrivals IN EXCLUSIVE MODE",
        "SELECT count(*) FROM race_arrivals", "INSERT INTO race_arrivals VALUES (1)", "COMMIT",
      ])
      return Int(try rows[2].first { try $0.integer(0) } ?? 0)
    }
    while try await store.integer("SELECT count(*) FROM race_arrivals") < 8 {
      try await Task.sleep(for: .milliseconds(5))
    }
    var likes: [SwipeCommand] = []
    for pair in 0..<10_000 {
      let (low, high) = numbers(ofPair: pair)
      if pair % 8 == number { likes.append(swipe(low, high, "like")) }
      if (pair + 1 + pair / 8 % 7) % 8 == number { likes.append(swipe(high, low, "like")) }
    }
    var made = 0
    var start = 0
    while start < likes.count {
      // From one like at a time to forty.
      let end = min(start + 1 + (start + number * 5) % 40, likes.count)
      made += try await store.commit(Array(likes[start..<end])).count(where: isNewMatch)
      start = end
    }
    let total = made
    try await store.pool.runOnce("tell") { connection in
      try connection.execute(["INSERT INTO race_made VALUES (\(total))"])
      return ()
    }
    try await store.close()
  }
#endif
