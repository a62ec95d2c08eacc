#if Postgres
  import CardFeed
  import CardFeedTesting
  import Testing

  @testable import CardFeedPostgres

  /// What a process knows of who was erased.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct ErasedPeopleTests {
    @Test(.timeLimit(.minutes(10)), arguments: [0, 16])
    func onlyWhoIsNewIsRead(partitions: Int) async throws {
      try await withStore(partitions: partitions) { options in
        let store = try await PostgresStore.open(options)
        let n = try await store.numbers(for: (0..<8).map { CardID("p\($0)") })
        let people = ErasedPeople()
        func read() async throws -> Int {
          try await store.pool.runOnce("read") { try people.read($0) }
        }
        func run(_ sql: String) async throws {
          try await store.pool.runOnce("run") { _ = try $0.execute([sql]) }
        }
        func known() async throws -> Set<CardNumber>? {
          let mark = try await store.pool.runOnce("mark") {
            try ErasedPeople.mark(try $0.rows(ErasedPeople.findMark))
          }
          return people.numbers(at: mark)
        }
        for person in n[0..<4] { _ = try await store.erase(person: person) }
        #expect(try await known() == nil)
        #expect(try await read() == 4)
        #expect(try await known() == Set(n[0..<4]))
        _ = try await store.erase(person: n[4])
        #expect(try await known() == nil)
        #expect(try await read() == 1)
        #expect(try await read() == 0)
        #expect(try await known() == Set(n[0..<5]))
        // A closed door is found, and once more when the erasure is done.
        try await run("INSERT INTO erased (number) VALUES (\(n[5].rawValue))")
        #expect(try await read() == 1)
        _ = try await store.erase(person: n[5])
        #expect(try await read() == 1)
        #expect(try await known() == Set(n[0..<6]))
        // A server that lost one erasure in a failover, and has another one in its place.
        try await run("UPDATE erased SET number = \(n[6].rawValue) WHERE number = \(n[5].rawValue)")
        #expect(try await read() == 6)
        #expect(try await known() == Set(n[0..<5] + [n[6]]))
        try await store.close()
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func aReadingThatFailsIsToldToWhoFollowsTheLog() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let n = try await store.numbers(for: ["a", "b", "gone"])
        _ = try await store.erase(person: n[2])
        #expect(try await store.partings(after: .start, limit: 9).pairs == [])
        store.pool.breakConnections { $0 == .before("erased_since") }
        let swipe = SwipeCommand(
          viewer: n[0], card: n[1], event: "swipe", answer: "like", meaning: .positive,
          time: Timestamp(milliseconds: 0), expectation: .recorded, deal: nil, compatibility: nil,
          remaining: 0, matchRule: BothLikeRule(), learned: [])
        guard case .applied = try await store.commit([swipe]).first else {
          Issue.record("the swipe was not applied")
          return
        }
        var told: (any Error)?
        while told == nil {
          do {
            _ = try await store.partings(after: .start, limit: 9)
            try await Task.sleep(for: .milliseconds(5))
          } catch { told = error }
        }
        #expect(told is PostgresError)
        store.pool.breakConnections { _ in false }
        #expect(try await store.partings(after: .start, limit: 9).pairs == [])
        try await store.close()
      }
    }
  }
#endif
