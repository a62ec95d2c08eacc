#if Postgres
  import CardFeed
  import CardFeedTesting
  import Testing

  @testable import CardFeedPostgres

  /// Tables of an older version are refused, brought up to date, and hold what they held.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct MigrationTests {
    /// The tables that changed, as version 1 made them.
    private static let version1 = [
      PostgresSchema.Table(
        name: "events", shardColumn: "viewer",
        columns: """
          viewer bigint NOT NULL, position bigint NOT NULL, kind smallint NOT NULL,
          card bigint, client_id bytea, time bigint NOT NULL, answer text, meaning smallint,
          about bigint, match bigint, remaining bigint NOT NULL, before bytea, rewound_by bigint,
          fingerprint text, PRIMARY KEY (viewer, position),
          CHECK (kind >= 1), CHECK ((kind = 3) = (answer IS NOT NULL))
          """,
        indexes: [
          "UNIQUE events_by_client ON events (viewer, client_id) WHERE client_id IS NOT NULL",
          "events_in_order ON events (position)",
        ]),
      PostgresSchema.Table(
        name: "edges", shardColumn: "owner",
        columns: """
          owner bigint NOT NULL, other bigint NOT NULL, dealt_at bigint,
          own_event bigint, own_time bigint, own_meaning smallint, own_answer text,
          own_last bigint NOT NULL DEFAULT 0,
          other_event bigint, other_time bigint, other_meaning smallint,
          other_last bigint NOT NULL DEFAULT 0,
          standing smallint NOT NULL DEFAULT 0, rule smallint NOT NULL DEFAULT 0,
          matched_by bigint, matched_at bigint,
          PRIMARY KEY (owner, other), CHECK (owner <> other),
          CHECK ((matched_by IS NULL) = (matched_at IS NULL))
          """,
        indexes: [
          "edges_received ON edges (owner, other_event) WHERE other_event IS NOT NULL",
          "edges_matched ON edges (owner, matched_by) WHERE matched_by IS NOT NULL",
          "edges_unsafe ON edges (owner) WHERE standing <> 0",
        ], spare: 10),
    ]

    /// The log as version 2 made it: a client's identifier had 64 bits, and keys could be shared.
    private static let version2 = PostgresSchema.Table(
      name: "events", shardColumn: "viewer",
      columns: """
        viewer bigint NOT NULL, key bigint NOT NULL, position bigint NOT NULL, card bigint,
        time bigint NOT NULL, about bigint, match bigint, rewound_by bigint,
        remaining integer NOT NULL, kind smallint NOT NULL, meaning smallint,
        client_id bytea, answer text, before bytea, fingerprint text,
        PRIMARY KEY (viewer, key, position),
        CHECK (kind >= 1), CHECK ((kind = 3) = (answer IS NOT NULL))
        """,
      indexes: ["events_in_order ON events (position)"])

    /// The columns that both versions have; the places of the last events were told in any case.
    private static let copied = [
      "viewer, position, kind, card, client_id, time, answer, meaning, about, match, remaining, "
        + "before, rewound_by, fingerprint",
      "owner, other, dealt_at, own_event, own_time, own_meaning, own_answer, other_event, "
        + "other_time, other_meaning, standing, rule, matched_by, matched_at",
    ]

    /// No version before 4 knew when cards changed.
    private static let withoutChanges = "ALTER TABLE cards DROP COLUMN changed_at"

    /// No version before 5 knew for how long an impression lasted; 3 and 4 found the answers received
    /// by spans of the log.
    private static let withoutDurations = [
      "ALTER TABLE events DROP COLUMN dwell", "DROP INDEX edges_received",
      "CREATE INDEX edges_received ON edges (owner, (other_event >> 30)) "
        + "WHERE other_event IS NOT NULL",
    ]

    private func makeVersion3(_ store: PostgresStore) async throws {
      try await makeVersion4(store)
      try await store.pool.run("age") { connection in
        try connection.execute([
          "BEGIN", Self.withoutChanges, "UPDATE cardfeed_schema SET version = 3", "COMMIT",
        ])
        return ()
      }
    }

    private func makeVersion4(_ store: PostgresStore) async throws {
      try await store.pool.run("age") { connection in
        try connection.execute(
          ["BEGIN"] + Self.withoutDurations
            + ["UPDATE cardfeed_schema SET version = 4", "COMMIT"])
        return ()
      }
    }

    /// How version 3 puts a card.
    private static let putCard3 = PostgresStatement(
      "put_card_3", .shard("number"),
      """
      INSERT INTO cards (number, id, payload, withdrawn, change)
      SELECT $1::bigint, id, '\\x07', false, change + 1 FROM cards WHERE number = $1::bigint
      ON CONFLICT (number) DO UPDATE SET payload = excluded.payload, change = excluded.change
      """)

    @Test(arguments: [0, 16])
    func cardsThatAnOpenProcessOfVersion3PutsAreRefused(partitions: Int) async throws {
      var options = PostgresStore.Options(conninfo: try await SharedServer.server.conninfo())
      options.schema = "cards \(partitions)"
      options.partitions = partitions
      options.connections = 1
      let store = try await PostgresStore.open(options)
      let numbers = try await store.put([StoredCard(id: "ada", payload: [1])])
      try await makeVersion3(store)
      let put = PostgresCommand(Self.putCard3, .integer(numbers[0].rawValue))
      try await store.pool.run("put as version 3") { connection in
        _ = try connection.run(put)
        return ()
      }
      #expect(try await PostgresStore.migrate(options) == (3, 5))
      // A change that it does not note would let old likes count for a new card.
      let refused = await #expect(throws: PostgresError.self) {
        try await store.pool.run("put as version 3") { connection in
          _ = try connection.run(put)
          return ()
        }
      }
      #expect(refused?.code == .constraint)
      let old = try await store.cards(after: nil, limit: 9)
      #expect(old.map(\.payload) == [[7]] && old.map(\.changedAt) == [nil])
      let time = Timestamp(milliseconds: 5)
      let new = try await store.put([StoredCard(id: "ada", payload: [8])], at: time)
      #expect(new.map(\.changedAt) == [time])
      try await drop(options, store)
    }

    private func makeVersion2(_ store: PostgresStore, partitions: Int) async throws {
      let columns = Self.copied[0]
      try await store.pool.run("age") { connection in
        try connection.execute(
          [
            "BEGIN",
            "CREATE TEMPORARY TABLE old_events ON COMMIT DROP AS "
              + "SELECT \(columns), event_key AS key FROM events",
            "DROP TABLE events",
          ] + PostgresSchema.statements(for: Self.version2, partitions: partitions) + [
            // Bits that version 3 leaves out, and two identifiers that it cannot tell apart by them.
            """
            UPDATE old_events SET key = CASE WHEN client_id IS NULL THEN 0
              WHEN client_id = 'shown later' THEN (
                SELECT (key + 9) & \(Int64.max) FROM old_events WHERE client_id = 'shown')
              ELSE (key & \(Int64.max)) | (position & 255) END
            """,
            "INSERT INTO events (\(columns), key) SELECT \(columns), key FROM old_events",
            "DROP INDEX edges_received",
            "CREATE INDEX edges_received ON edges (owner, other_event) "
              + "WHERE other_event IS NOT NULL",
            "DELETE FROM counters WHERE name = 'doors'", Self.withoutChanges,
            "UPDATE cardfeed_schema SET version = 2", "COMMIT",
          ])
        return ()
      }
    }

    private func makeVersion1(_ store: PostgresStore, partitions: Int) async throws {
      try await store.pool.run("age") { connection in
        var script = ["BEGIN"]
        for (table, columns) in zip(Self.version1, Self.copied) {
          script += [
            "CREATE TEMPORARY TABLE old_\(table.name) ON COMMIT DROP AS "
              + "SELECT \(columns) FROM \(table.name)", "DROP TABLE \(table.name)",
          ]
          script += PostgresSchema.statements(for: table, partitions: partitions)
          script.append(
            "INSERT INTO \(table.name) (\(columns)) SELECT \(columns) FROM old_\(table.name)")
        }
        script += [
          "UPDATE edges SET own_last = coalesce(own_event, 0), other_last = coalesce(other_event, 0)",
          "DROP TABLE folds", "DROP TABLE erased",
          "DELETE FROM counters WHERE name IN ('removals', 'doors')",
          Self.withoutChanges, "UPDATE cardfeed_schema SET version = 1", "COMMIT",
        ]
        try connection.execute(script)
        return ()
      }
    }

    /// How version 2 writes the log.
    private static let addEvents2 = PostgresStatement(
      "add_events_2", .shard("viewer"),
      """
      INSERT INTO events (
        viewer, key, position, kind, card, client_id, time, answer, meaning, about, match,
        remaining, before, fingerprint)
      SELECT unnest($1::bigint[]), unnest($2::bigint[]), unnest($3::bigint[]),
        unnest($4::smallint[]), unnest($5::bigint[]), unnest($6::bytea[]), unnest($7::bigint[]),
        unnest($8::text[]), unnest($9::smallint[]), unnest($10::bigint[]), unnest($11::bigint[]),
        unnest($12::integer[]), unnest($13::bytea[]), unnest($14::text[])
      """)

    /// A transaction of version 2: a deal, or the swipe of a client.
    private func writeAsVersion2(
      _ client: String?, key: Int64, at position: Int64, _ store: PostgresStore
    ) async throws {
      try await store.pool.run("write as version 2") { connection in
        try connection.run(
          PostgresCommand(.begin),
          PostgresCommand(
            StoreSQL.dealCards, .integer(7), .integers([100 + position]), .integer(1)),
          PostgresCommand(
            Self.addEvents2, .integers([7]), .integers([key]), .integers([position]),
            .integers16([client == nil ? 1 : 3]), .integers([client == nil ? nil : 8]),
            .byteStrings([client.map { Array($0.utf8) }]), .integers([1]),
            .texts([client == nil ? nil : "like"]), .integers16([client == nil ? nil : 2]),
            .integers([nil]), .integers([nil]), .integers32([0]), .byteStrings([nil]),
            .texts([nil])), PostgresCommand(.commit))
        return ()
      }
    }

    private static let counts = "SELECT (SELECT count(*) FROM events) * 1000 + count(*) FROM edges"

    @Test(arguments: [0, 16])
    func whatAnOpenProcessOfVersion2WritesIsRefused(partitions: Int) async throws {
      var options = PostgresStore.Options(conninfo: try await SharedServer.server.conninfo())
      options.schema = "open \(partitions)"
      options.partitions = partitions
      options.connections = 1
      let store = try await PostgresStore.open(options)
      try await makeVersion2(store, partitions: partitions)
      try await writeAsVersion2(nil, key: 0, at: 2, store)
      try await writeAsVersion2("one", key: -5, at: 4, store)
      try await writeAsVersion2("two", key: 5, at: 6, store)
      #expect(try await PostgresStore.migrate(options) == (2, 5))

      #expect(try await store.integer(Self.counts) == 3003)
      let later: [(String?, Int64)] = [(nil, 0), (nil, 8), ("three", -5), ("three", 5)]
      for (client, key) in later {
        let refused = await #expect(throws: PostgresError.self) {
          try await writeAsVersion2(client, key: key, at: 8, store)
        }
        #expect(refused?.operation == Self.addEvents2.name)
      }
      // Nor would it help to know the column: neither keys of 0 nor such above 0 are those of clients.
      for (client, key) in [("NULL", 0), ("NULL", -256), ("'three'", 5), ("'three'", 8)] {
        let refused = await #expect(throws: PostgresError.self) {
          _ = try await store.integer(
            "INSERT INTO events (viewer, event_key, position, time, remaining, kind, client_id) "
              + "VALUES (7, \(key), 8, 1, 0, 1, \(client)) RETURNING position")
        }
        #expect(refused?.code == .constraint)
        #expect(refused?.description.contains("events_key_check") == true)
      }
      #expect(try await store.integer(Self.counts) == 3003)
      try await drop(options, store)
    }

    /// What the tables refuse and how rows are found.
    private func rules(_ store: PostgresStore) async throws -> [String] {
      try await store.pool.run("read rules") { connection in
        try connection.execute([
          """
          SELECT conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
          WHERE connamespace = quote_ident(current_schema())::regnamespace
          UNION ALL
          SELECT replace(indexdef, quote_ident(schemaname) || '.', '') FROM pg_indexes
          WHERE schemaname = current_schema() ORDER BY 1
          """
        ])[0].map { try $0.text(0) }
      }
    }

    private func drop(_ options: PostgresStore.Options, _ store: PostgresStore) async throws {
      let schema = PostgresConnectionOptions.quoted(options.schema)
      try await store.pool.run("clear") { connection in
        try connection.execute(["DROP SCHEMA \(schema) CASCADE"])
        return ()
      }
      try await store.close()
    }

    @Test(arguments: [0, 16], [1, 2, 3, 4])
    func tablesOfAnOlderVersionAreRefusedAndMigrated(
      partitions: Int, version: Int64
    ) async throws {
      var options = PostgresStore.Options(conninfo: try await SharedServer.server.conninfo())
      options.schema = "older \(partitions) \(version)"
      options.partitions = partitions
      let missing = await #expect(throws: PostgresError.self) {
        try await PostgresStore.check(options)
      }
      #expect(missing?.code == .otherSchema)
      var store = try await PostgresStore.open(options)
      let rules = try await rules(store)
      #expect(rules.count > 20)
      let n = (1...3).map { CardNumber($0) }
      let like = swipe(n[0], n[1], "like", at: 1)
      let first = try await store.commit([like, swipe(n[2], n[0], "2", at: 1)])
      guard case .applied(let receipt) = first[0] else {
        Issue.record("a swipe was answered with \(first)")
        return
      }
      let shown = Timestamp(milliseconds: 2)
      for event in ["shown", "shown later"] {
        _ = try await store.recordImpression(
          viewer: n[2], card: n[1], event: EventID(event), time: shown)
      }
      switch version {
      case 1: try await makeVersion1(store, partitions: partitions)
      case 2: try await makeVersion2(store, partitions: partitions)
      case 3: try await makeVersion3(store)
      default: try await makeVersion4(store)
      }
      try await store.close()
      for body in [
        { _ = try await PostgresStore.open(options) },
        { _ = try await PostgresStore.check(options) },
      ] as [() async throws -> Void] {
        let older = await #expect(throws: PostgresError.self) { try await body() }
        #expect(older?.code == .olderSchema)
        #expect(older?.description.contains("cardfeed store migrate") == true)
      }
      #expect(try await PostgresStore.migrate(options) == (version, 5))
      #expect(try await PostgresStore.migrate(options) == (5, 5))

      store = try await PostgresStore.open(options)
      #expect(try await self.rules(store) == rules)
      #expect(try await store.commit([like]) == [.repeated(receipt)])
      let again = try await store.recordImpression(
        viewer: n[2], card: n[1], event: "shown", time: shown)
      #expect(again == .repeated)
      #expect(try await store.impressions(of: n[2]).map(\.dwell) == [nil, nil])
      if version == 2 {
        let apart = try await store.integer(
          "SELECT max(event_key) - min(event_key) FROM events WHERE client_id LIKE 'shown%'")
        #expect(apart == 1)
      }
      let back = try await store.commit([swipe(n[1], n[0], "back")])
      #expect(back.contains(where: isNewMatch))
      let rewind = try await store.commit(
        RewindCommand(
          viewer: n[0], event: "rewind", swipe: receipt.event, time: Timestamp(milliseconds: 1),
          stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [])))
      guard case .applied(_, _, nil, _, true) = rewind else {
        Issue.record("a rewind was answered with \(rewind)")
        return
      }
      let dwell = try Dwell(milliseconds: Dwell.longest)
      _ = try await store.recordImpression(
        viewer: n[2], card: n[1], event: "looked at", time: shown, dwell: dwell)
      #expect(try await store.impressions(of: n[2]).map(\.dwell) == [nil, nil, dwell])
      for change in ["dwell = -1", "dwell = 86400001", "dwell = 5, kind = 5"] {
        let refused = await #expect(throws: PostgresError.self) {
          _ = try await store.integer(
            "UPDATE events SET \(change) WHERE kind = 2 RETURNING position")
        }
        #expect(refused?.code == .constraint)
      }
      let late = Timestamp(milliseconds: 9)
      let report = try await store.ageOut(negativesBefore: late, unansweredLikesBefore: late)
      #expect(report.likes == 1)
      let (events, problems) = try await PostgresStore.check(options)
      #expect(events == 8 && problems == [])
      try await drop(options, store)
    }
  }
#endif
