#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// The whole server is killed under load, again and again. What was acknowledged must be there.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct CrashTests {
    private struct Acknowledged: Sendable {
      let command: SwipeCommand
      let receipt: StoredReceipt
    }

    @Test func nothingAcknowledgedIsLostWhenTheServerIsKilled() async throws {
      let cluster = try PrivateCluster(isDurable: true)
      var options = PostgresStore.Options(conninfo: cluster.conninfo)
      // Writers wait out the server's restart.
      options.backOff = BackOff(
        firstMilliseconds: 20, capMilliseconds: 300, attempts: 400, seed: 1)
      let store = try await PostgresStore.open(options)
      let acknowledged = Lock([Acknowledged]())
      let people = (1...16).map { CardNumber($0) }
      let isOver = Lock(false)

      try await withThrowingTaskGroup(of: Void.self) { group in
        for viewer in people {
          group.addTask {
            var number = 0
            while !isOver.withLock({ $0 }) {
              number += 1
              let card = people[(Int(viewer.rawValue) + number) % people.count]
              if card == viewer { continue }
              let command = swipe(viewer, card, "swipe \(number)")
              let decisions = try await store.commit([command])
              guard case .applied(let receipt) = decisions[0] else {
                Issue.record("a new swipe was answered with \(decisions)")
                return
              }
              acknowledged.withLock {
                $0.append(Acknowledged(command: command, receipt: receipt))
              }
            }
          }
        }
        for round in 1...3 {
          while acknowledged.withLock({ $0.count }) < round * 300 {
            try await Task.sleep(for: .milliseconds(10))
          }
          cluster.kill()
          try cluster.start()
        }
        while acknowledged.withLock({ $0.count }) < 1200 {
          try await Task.sleep(for: .milliseconds(10))
        }
        isOver.withLock { $0 = true }
        try await group.waitForAll()
      }

      let all = acknowledged.withLock { $0 }
      let events = try await store.events(after: .start, limit: 1_000_000)
      let swipes = events.filter { $0.kind == .swipe }
      let places = Dictionary(grouping: swipes, by: \.position)
      for one in all {
        let found = places[one.receipt.event]
        #expect(found?.count == 1 && found?.first?.viewer == one.command.viewer, "lost")
      }
      #expect(swipes.count == all.count, "applied without an answer, or twice")
      for one in all.suffix(50) {
        let again = try await store.commit([one.command])
        #expect(again == [.repeated(one.receipt)])
      }
      #expect(try await store.check() == [])
      try await store.close()
    }
  }
#endif
