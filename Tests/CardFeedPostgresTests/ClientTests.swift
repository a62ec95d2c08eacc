#if Postgres
  import CardFeed
  import CardFeedTesting
  import CardFeedConfiguration
  import Testing

  @testable import CardFeedPostgres

  /// The connection layer: values, failures and what is said of them.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct ClientTests {
    @Test func valuesComeBackAsTheyWere() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let bytes: [[UInt8]?] = [[], [0], nil, [1, 2, 255]]
        let integers: [Int64?] = [.min, -1, nil, .max]
        let texts: [String?] = ["", "é", nil, "e\u{301}\"\\{},"]
        let doubles: [Double?] = [-0.0, .infinity, nil, 1.0 / 3]
        let statement = PostgresStatement(
          "round_trip", .none,
          """
          SELECT i, b, t, d, f FROM unnest($1::bigint[], $2::bytea[], $3::text[],
            $4::double precision[], $5::boolean[]) AS s(i, b, t, d, f)
          """)
        try await store.pool.run("round trip") { connection in
          let rows = try connection.rows(
            PostgresCommand(
              statement, .integers(integers), .byteStrings(bytes), .texts(texts),
              .doubles(doubles), .flags([true, false, true, false])))
          #expect(try rows.map { try $0.optionalInteger(0) } == integers)
          #expect(try rows.map { try $0.optionalBytes(1) } == bytes)
          #expect(
            try rows.map { try $0.optionalText(2)?.utf8.map { $0 } }
              == texts.map {
                $0?.utf8.map { $0 }
              })
          #expect(
            try rows.map { try $0.optionalDouble(3)?.bitPattern } == doubles.map(\.?.bitPattern))
          #expect(try rows.map { try $0.flag(4) } == [true, false, true, false])
          let empty = try connection.rows(
            PostgresCommand(
              statement, .integers([Int64]()), .byteStrings([]), .texts([]), .doubles([]),
              .flags([])))
          #expect(empty.count == 0)
          #expect(throws: PostgresError.self) { try rows.map { try $0.integer(0) } }
          #expect(throws: PostgresError.self) { try rows.map { try $0.integer(9) } }
        }
        try await store.close()
      }
    }

    @Test func aFailedStatementLeavesTheConnectionUsable() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let error = await #expect(throws: PostgresError.self) {
          try await store.pool.run("divide") { connection in
            try connection.execute(["BEGIN", "SELECT 1 / 0", "SELECT 1"])
            return ()
          }
        }
        #expect(error?.sqlState == "22012")
        #expect(try await store.numbers(for: ["a", "b"]).map(\.rawValue) == [1, 2])
        try await store.close()
      }
    }

    @Test func errorsNameTheRuleAndNoValue() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        _ = try await store.numbers(for: ["secret"])
        let error = await #expect(throws: PostgresError.self) {
          try await store.pool.run("double") { connection in
            try connection.run(
              PostgresCommand(
                StoreSQL.addIdentifiers, .byteStrings([Array("secret".utf8)]), .integers([7])))
            return ()
          }
        }
        let text = error?.description ?? ""
        #expect(error?.code == .constraint)
        #expect(text.hasPrefix("constraint violated: the rule identifiers_pkey (SQLSTATE 23505)"))
        #expect(text.hasSuffix("This try changed nothing; check what was to be stored."))
        #expect(!text.contains("secret") && !text.contains("\\x"))
        try await store.close()
      }
    }

    @Test func aStatementThatTakesTooLongIsCancelled() async throws {
      try await withStore { options in
        var options = options
        options.statementTimeoutMilliseconds = 50
        let store = try await PostgresStore.open(options)
        let error = await #expect(throws: PostgresError.self) {
          try await store.pool.run("sleep") { connection in
            try connection.execute(["SELECT pg_sleep(20)"])
            return ()
          }
        }
        #expect(error?.code == .timeout)
        try await store.close()
      }
    }

    /// All connections at once, as when the server restarts: the next work finds them closed and does
    /// not spend a try on each.
    @Test func connectionsThatTheServerClosedAreMadeAgain() async throws {
      try await withStore { options in
        var options = options
        options.backOff.attempts = 1
        let store = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        for round in 0..<3 {
          let pids = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<4 {
              group.addTask {
                try await store.integer(
                  "SELECT pg_backend_pid()::bigint + 0 * length(pg_sleep(0.1)::text)")
              }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
          }
          #expect(pids.count == 4, "round \(round)")
          for pid in pids {
            #expect(
              try await other.integer("SELECT pg_terminate_backend(\(pid), 5000)::int::bigint")
                == 1)
          }
          #expect(try await store.numbers(for: ["a"]).map(\.rawValue) == [1])
        }
        try await other.close()
        try await store.close()
      }
    }

    @Test func aServerThatIsNotThereIsSaidSo() async throws {
      var options = PostgresStore.Options(
        conninfo: "host=127.0.0.1 port=1 user=card dbname=cards password=hidden")
      options.backOff = BackOff(firstMilliseconds: 1, capMilliseconds: 1, attempts: 2, seed: 0)
      let error = await #expect(throws: PostgresError.self) {
        try await PostgresStore.open(options)
      }
      #expect(error?.code == .cannotConnect)
      #expect(error?.description.contains("127.0.0.1:1/cards") == true)
      #expect(error?.description.contains("Check that the server runs") == true)
      #expect(error?.description.contains("hidden") == false)
      options.conninfo = "service=there-is-none"
      let service = await #expect(throws: PostgresError.self) {
        try await PostgresStore.open(options)
      }
      #expect(service?.code == .authentication || service?.code == .cannotConnect)
    }

    /// Whatever became of the last try, the one before may have been kept.
    @Test func aFailureBehindALostConnectionDoesNotSayThatNothingWasKept() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let tries = Lock(0)
        let error = await #expect(throws: PostgresError.self) {
          try await store.pool.run("work") { connection in
            let count = tries.withLock { count in
              count += 1
              return count
            }
            throw PostgresError(
              count == 1 ? .connectionLost : .timeout, server: connection.server,
              operation: "work", found: "a test")
          }
        }
        #expect(tries.withLock { $0 } == 2)
        #expect(error?.code == .timeout)
        #expect(
          error?.advice
            == "This try changed nothing; find what blocks, or raise the statement timeout. "
            + "An earlier try lost its connection and may have been kept. Sending the same event "
            + "again is safe: it is applied once.")
        try await store.close()
      }
    }

    /// A primary that is demoted for a planned change keeps its connections and refuses writes.
    @Test func aConnectionThatOnlyReadsIsLeftForOneThatWrites() async throws {
      try await withStore { options in
        var options = options
        options.connections = 1
        options.backOff.attempts = 2
        let store = try await PostgresStore.open(options)
        func makeReadOnly() async throws {
          try await store.pool.run("demote") { connection in
            try connection.execute(["SET default_transaction_read_only = on"])
            return ()
          }
        }
        try await makeReadOnly()
        #expect(try await store.numbers(for: ["a"]).map(\.rawValue) == [1])
        try await makeReadOnly()
        let error = await #expect(throws: PostgresError.self) {
          try await store.pool.runOnce("write") { connection in
            try connection.execute(["DELETE FROM cards"])
            return ()
          }
        }
        #expect(error?.code == .readOnly)
        try await store.close()
      }
    }

    @Test func anUnknownDatabaseIsNoReasonToTryAgain() async throws {
      var options = PostgresStore.Options(
        conninfo: try await SharedServer.server.conninfo() + " dbname=nothing_here")
      options.backOff.attempts = 1000
      let error = await #expect(throws: PostgresError.self) {
        try await PostgresStore.open(options)
      }
      #expect(error?.code == .authentication)
    }

    @Test func tablesOfAnotherLayoutOrANewerVersionAreRefused() async throws {
      try await withStore { options in
        var options = options
        options.schema = "refused"
        let store = try await PostgresStore.open(options)
        options.partitions = 4
        let other = await #expect(throws: PostgresError.self) {
          try await PostgresStore.open(options)
        }
        #expect(other?.code == .otherSchema)
        options.partitions = 0
        try await store.pool.run("age") { connection in
          try connection.execute(["UPDATE cardfeed_schema SET version = 99"])
          return ()
        }
        let newer = await #expect(throws: PostgresError.self) {
          try await PostgresStore.open(options)
        }
        #expect(newer?.code == .newerSchema)
        #expect(
          newer?.found == "tables of version 99, this program reads version 5")
        try await store.pool.run("clear") { connection in
          try connection.execute(["DROP SCHEMA refused CASCADE"])
          return ()
        }
        try await store.close()
      }
    }

    @Test func eightProcessesMayMakeTheTablesAtOnce() async throws {
      try await withStore { options in
        var changed = options
        changed.schema = "made \"together\""
        changed.connections = 1
        let fresh = changed
        let stores = try await withThrowingTaskGroup(of: PostgresStore.self) { group in
          for _ in 0..<8 { group.addTask { try await PostgresStore.open(fresh) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        for store in stores {
          #expect(try await store.numbers(for: ["a"]).map(\.rawValue) == [1])
        }
        try await stores[0].pool.run("clear") { connection in
          try connection.execute([
            "DROP SCHEMA \(PostgresConnectionOptions.quoted(fresh.schema)) CASCADE"
          ])
          return ()
        }
        for store in stores { try await store.close() }
      }
    }

    @Test func aClosedStoreRefusesWork() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        try await store.close()
        try await store.close()
        let error = await #expect(throws: PostgresError.self) {
          try await store.numbers(for: ["a"])
        }
        #expect(error?.code == .misuse)
      }
    }

    @Test func otherProcessesFollowTheChangesOfCards() async throws {
      try await withStore(partitions: 16) { options in
        let writer = try await PostgresStore.open(options)
        let reader = try await PostgresStore.open(options)
        let numbers = try await writer.put([
          StoredCard(id: "a", payload: [1]), StoredCard(id: "b", payload: [2]),
          StoredCard(id: "a", payload: [3]),
        ])
        let first = try await reader.cardChanges(after: 0, limit: 10)
        #expect(first.map(\.card.id) == ["a", "b"])
        #expect(first.map(\.card.payload) == [[3], [2]])
        let last = try #require(first.last?.sequence)
        try await writer.withdraw([numbers[0], CardNumber(99)])
        let second = try await reader.cardChanges(after: last, limit: 10)
        #expect(second.map(\.card.number) == [numbers[0]])
        #expect(second.map(\.card.isWithdrawn) == [true])
        #expect(try await reader.cardChanges(after: second[0].sequence, limit: 10).isEmpty)
        #expect(try await reader.cardChanges(after: 0, limit: 1).map(\.card.id) == ["b"])
        try await writer.close()
        try await reader.close()
      }
    }

    @Test func likersAmongCandidatesAreThoseWhoseLikeStands() async throws {
      try await withStore(partitions: 16) { options in
        let store = try await PostgresStore.open(options)
        let n = (1...5).map { CardNumber($0) }
        _ = try await store.commit([
          swipe(n[1], n[0], "1"), swipe(n[2], n[0], "2", .negative), swipe(n[3], n[0], "3"),
          swipe(n[4], n[0], "4"),
        ])
        _ = try await store.commit(
          BlockCommand(
            viewer: n[0], card: n[4], event: "b", kind: .block,
            time: Timestamp(milliseconds: 1)))
        #expect(try await store.likers(of: n[0], among: n) == [n[1], n[3]])
        #expect(try await store.likers(of: n[0], among: [n[2], n[3]]) == [n[3]])
        #expect(try await store.likers(of: n[1], among: n) == [])
        try await store.close()
      }
    }

    @Test func aConfigurationOpensTheStore() async throws {
      try await withStore(partitions: 16) { options in
        let description = try #require(PostgresPlugin().stores.first)
        #expect(description.description.parameters.allSatisfy { !$0.isRequired })
        var values: [String: ParameterValue] = [
          "conninfo": .text(options.conninfo), "service": .null, "schema": .text(options.schema),
          "connections": .integer(2), "statementTimeoutMilliseconds": .integer(5000),
          "partitions": .integer(16),
        ]
        #expect(
          Set(description.description.parameters.map(\.name)) == Set(values.keys),
          "a parameter that this test does not know")
        let store = try await description.open(Parameters(values))
        #expect(try await store.numbers(for: ["a"]).map(\.rawValue) == [1])
        #expect(store is any MaintainableStore)
        try await store.close()
        let maintenance = try #require(description.maintenance)
        let found = try await maintenance.check(Parameters(values))
        #expect(found.events == 0 && found.problems == [])
        let migration = try await maintenance.migrate(Parameters(values))
        #expect(migration.summary == "schema version 5, nothing to do" && migration.copy == nil)
        let refusal = await #expect(throws: FeedError.self) {
          try await maintenance.backup(Parameters(values), "copy")
        }
        #expect(refusal?.description.contains("pg_dump") == true)
        values["partitions"] = .integer(0)
        await #expect(throws: PostgresError.self) {
          try await description.open(Parameters(values))
        }
        // A quote in a service's name stays inside it.
        values["service"] = .text("no ' such \\ service")
        let error = await #expect(throws: PostgresError.self) {
          try await description.open(Parameters(values))
        }
        #expect(error?.description.contains("no ' such \\ service") == true)
      }
    }
  }

  @Suite struct BackOffTests {
    @Test func waitsGrowToTheCapAndFollowTheSeed() {
      let backOff = BackOff(firstMilliseconds: 20, capMilliseconds: 1000, attempts: 9, seed: 3)
      var one = SplitMix64(seed: 3)
      var two = SplitMix64(seed: 3)
      for (failure, longest) in zip(1..., [20, 40, 80, 160, 320, 640, 1000, 1000] as [Int64]) {
        let wait = backOff.milliseconds(afterFailure: failure, &one)
        #expect(wait >= longest / 2 && wait <= longest)
        #expect(wait == backOff.milliseconds(afterFailure: failure, &two))
      }
      #expect(backOff.milliseconds(afterFailure: 5000, &one) <= 1000)
    }
  }
#endif
