#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// Connections break between any two statements, and at the commit; what was sent comes again.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct RedeliveryTests {
    /// Breaks the connection once, at the step of a number.
    private final class Breaker: Sendable {
      private let state: Lock<(count: Int, isBroken: Bool)>
      private let target: Int

      init(at target: Int) {
        self.target = target
        state = Lock((0, false))
      }

      var isBroken: Bool { state.withLock { $0.isBroken } }

      func arm(_ store: PostgresStore) {
        store.pool.breakConnections { _ in
          self.state.withLock { state in
            defer { state.count += 1 }
            if state.isBroken || state.count != self.target { return false }
            state.isBroken = true
            return true
          }
        }
      }
    }

    private static let time = Timestamp(milliseconds: 1_000_000_000_000)

    /// Runs `work` once for each step it has, each time on two new people and broken there.
    private func atEveryStep(
      _ options: PostgresStore.Options,
      _ work: (PostgresStore, _ low: CardNumber, _ high: CardNumber) async throws -> Void
    ) async throws -> Int {
      let store = try await PostgresStore.open(options)
      var step = 0
      while true {
        let (low, high) = numbers(ofPair: step)
        let breaker = Breaker(at: step)
        breaker.arm(store)
        try await work(store, low, high)
        store.pool.breakConnections(nil)
        #expect(try await store.check() == [], "broken at step \(step)")
        if !breaker.isBroken { break }
        step += 1
      }
      try await store.close()
      return step
    }

    @Test func theStoreSendsAgainAndAnswersAsIfNothingHadHappened() async throws {
      try await withStore { options in
        var options = options
        options.connections = 1
        let steps = try await atEveryStep(options) { store, low, high in
          let first = try await store.commit([swipe(low, high, "like")])
          guard case .applied(let one) = first[0] else {
            Issue.record("the first like was answered with \(first)")
            return
          }
          let second = try await store.commit([swipe(high, low, "like")])
          guard case .applied(let two) = second[0] else {
            Issue.record("the second like was answered with \(second)")
            return
          }
          #expect(one.match == nil)
          #expect(two.match == two.event)
          #expect(try await store.matches(of: low).map(\.event) == [two.event])
          let rewind = try await store.commit(
            RewindCommand(
              viewer: low, event: "back", swipe: one.event, time: Self.time,
              stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [])))
          guard case .applied(_, _, let restored, _, let endedMatch) = rewind else {
            Issue.record("the rewind was answered with \(rewind)")
            return
          }
          #expect(restored == nil)
          #expect(endedMatch)
          let deal = try await store.commit(
            DealCommand(
              viewer: low, time: Self.time, fingerprint: "print",
              exposures: [
                Exposure(card: high, position: 0, score: 1, probability: nil, propensity: 1)
              ],
              stack: { _ in StoredStack(generation: 1, top: 0, imageStart: 0, image: [1]) }))
          guard case .dealt = deal else {
            Issue.record("the deal was answered with \(deal)")
            return
          }
          let impression = try await store.recordImpression(
            viewer: low, card: high, event: "shown", time: Self.time)
          let block = try await store.commit(
            BlockCommand(viewer: low, card: high, event: "block", kind: .block, time: Self.time))
          for decision in [impression, block] {
            guard case .applied = decision else {
              Issue.record("a new event was answered with \(decision)")
              return
            }
          }
          #expect(try await store.viewer(low, swipes: 9).deals == 1)
          let events = try await store.integer(
            "SELECT count(*) FROM events WHERE viewer IN (\(low.rawValue), \(high.rawValue))")
          #expect(events == 7)
        }
        // Three round trips a command, each with at least two places to break.
        #expect(steps > 60)
      }
    }

    @Test func theClientSendsAgainWhatFailedAndNothingIsLostOrDoubled() async throws {
      try await withStore(partitions: 16) { options in
        var options = options
        options.connections = 1
        // The store does not try again itself: its caller does.
        options.backOff.attempts = 1
        let steps = try await atEveryStep(options) { store, low, high in
          var matches: Set<LogPosition> = []
          for command in [swipe(low, high, "like"), swipe(high, low, "like")] {
            var decisions: [SwipeDecision]?
            while decisions == nil {
              do { decisions = try await store.commit([command]) } catch let error
                as PostgresError
              {
                #expect(error.code == .connectionLost)
              }
            }
            switch decisions?.first {
            case .applied(let receipt), .repeated(let receipt):
              if let match = receipt.match { matches.insert(match) }
            case let other: Issue.record("a like was answered with \(String(describing: other))")
            }
          }
          store.pool.breakConnections(nil)
          #expect(matches.count == 1)
          #expect(try await store.matches(of: high).map(\.event) == Array(matches))
        }
        #expect(steps > 20)
      }
    }

    /// Age-out, pruning and erasure, broken at each of their steps: each answers what it did, once.
    @Test(arguments: [0, 16])
    func removalsAnswerAsIfNothingHadHappened(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        var options = options
        options.connections = 1
        let store = try await PostgresStore.open(options)
        var step = 0
        while true {
          let n = try await store.numbers(for: (1...3).map { CardID("\(step) \($0)") })
          let deal = try await store.commit(
            DealCommand(
              viewer: n[0], time: Self.time, fingerprint: "print",
              exposures: n[1...].enumerated().map { place, card in
                Exposure(card: card, position: place, score: 1, probability: nil, propensity: 1)
              },
              stack: { _ in StoredStack(generation: 0, top: 0, imageStart: 0, image: []) }))
          guard case .dealt = deal else {
            Issue.record("a deal was answered with \(deal)")
            return
          }
          let learned = [
            LearnerDelta(
              learner: "elo", increments: [Increment(LearnedKey(owner: nil, slot: 0), 1)])
          ]
          _ = try await store.commit([
            swipe(n[0], n[1], "1", .negative, learned: learned),
            swipe(n[0], n[2], "2", learned: learned), swipe(n[1], n[2], "3", learned: learned),
          ])
          let late = Timestamp(milliseconds: Self.time.milliseconds + 1)
          let breaker = Breaker(at: step)
          breaker.arm(store)
          let folded = try await store.ageOut(negativesBefore: late, unansweredLikesBefore: nil)
          #expect([folded.viewers, folded.negatives, folded.events] == [1, 1, 1], "step \(step)")
          let pruned = try await store.prune(exposuresBefore: late)
          #expect(pruned == 2, "step \(step)")
          let erased = try await store.erase(person: n[2])
          #expect(erased == ErasureReport(events: 2, exposures: 0), "step \(step)")
          store.pool.breakConnections(nil)
          let sum = try await CardFeedPostgresTests.learned("elo", store)
          #expect(sum == [LearnedKey(owner: nil, slot: 0): Int64(3 * (step + 1))])
          #expect(try await store.check().map(\.description) == [], "broken at step \(step)")
          if !breaker.isBroken { break }
          step += 1
        }
        #expect(step > 40, "\(step) steps")
        try await store.close()
      }
    }

    /// The same pair from one side, in the wrong order: only a greater place of the log applies.
    @Test func anEventThatComesTooLateChangesNothing() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        func decide(_ event: Int64, _ meaning: Int64) async throws -> [Int64?] {
          try await store.pool.run("decide") { connection in
            let rows = try connection.rows(
              PostgresCommand(
                StoreSQL.decideSwipes, .integers([1]), .integers([2]), .flags([true]),
                .integers([event]), .integers([0]), .integers16([meaning]), .texts(["x"]),
                .integers16([0])))
            return try rows.map { try $0.optionalInteger(3) }
          }
        }
        #expect(try await decide(10, 2) == [10])
        #expect(try await decide(8, 0) == [10])
        #expect(try await decide(10, 0) == [10])
        #expect(try await decide(12, 0) == [12])
        // A rewind at 20 restores an older answer; what was sent before it does not come back.
        try await store.pool.run("take back") { connection in
          try connection.run(
            PostgresCommand(
              StoreSQL.takeBackOwn, .number(CardNumber(1)), .number(CardNumber(2)),
              .integer(20), .integer(nil), .text("x"), .integer(2), .integer(0), .integer(10),
              .flag(true)))
          return ()
        }
        #expect(try await decide(14, 0) == [10])
        #expect(try await decide(22, 0) == [22])
        try await store.close()
      }
    }
  }
#endif
