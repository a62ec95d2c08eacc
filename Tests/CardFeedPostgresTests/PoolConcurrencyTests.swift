#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// Many tasks on few connections, for the thread sanitizer as well.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct PoolConcurrencyTests {
    @Test func manyTasksShareFewConnectionsWhileTheyBreakAndTheStoreCloses() async throws {
      try await withStore { options in
        var options = options
        options.connections = 3
        let store = try await PostgresStore.open(options)
        let steps = Lock(0)
        store.pool.breakConnections { _ in
          steps.withLock { steps in
            steps += 1
            return steps % 97 == 0
          }
        }
        let applied = try await withThrowingTaskGroup(of: Int.self) { group in
          for viewer in 1...12 {
            group.addTask {
              var applied = 0
              for card in 101...115 {
                let decisions = try await store.commit([
                  swipe(CardNumber(Int64(viewer)), CardNumber(Int64(card)), "to \(card)")
                ])
                if case .applied = decisions[0] { applied += 1 }
                _ = try await store.events(after: .start, limit: 5)
              }
              return applied
            }
          }
          return try await group.reduce(0, +)
        }
        store.pool.breakConnections(nil)
        #expect(applied == 180)
        #expect(steps.withLock { $0 } > 97 * 4)
        #expect(try await store.integer("SELECT count(*) FROM events") == 180)
        #expect(try await store.check() == [])
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { _ = try? await store.numbers(for: ["a"]) } }
          group.addTask { try? await store.close() }
        }
        await #expect(throws: PostgresError.self) { try await store.numbers(for: ["a"]) }
      }
    }
  }
#endif
