#if Postgres
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// What keeps the tables fit for being cut by their shard columns.
  @Suite struct StatementTests {
    private static let statements = StoreSQL.all
    /// The statements that read every shard, each a reader of a whole log or table in order.
    private static let everyShard: Set = [
      "cards_in_order", "card_changes", "events_in_order", "partings_in_order",
      "match_changes_in_order", "last_position",
      "deltas_in_order",
      "owners_of_positions", "waiting_in_outbox",
      // Seldom: export, erasure, pruning, age-out, the saving of a blob, the check.
      "viewers_with_old", "folds_in_order", "old_deals", "next_learner", "erased_numbers",
      "erased_since", "erased_sums",
      "events_about", "exposures_of_card", "edges_with", "outbox_with", "learner_positions",
      "learner_blobs", "removal_deltas", "removal_since",
    ]

    @Test func namesAndTextsAreUnique() {
      #expect(Set(Self.statements.map(\.name)).count == Self.statements.count)
      #expect(Set(Self.statements.map(\.sql)).count == Self.statements.count)
    }

    @Test func everyStatementComparesItsShardColumnWithAValue() throws {
      for statement in Self.statements {
        switch statement.reach {
        case .none: continue
        case .everyShard: #expect(Self.everyShard.contains(statement.name), "\(statement.name)")
        case .shard(let column):
          let sql = statement.sql
          let isInsert = sql.hasPrefix("INSERT")
          let isCompared =
            isInsert
            ? sql.range(
              of: "^INSERT INTO [a-z_]+ (AS e )?\\(\\s*(owner|\(column))\\b",
              options: .regularExpression) != nil
            : sql.range(
              of: "\\b\(column) = (\\$[0-9]|ANY\\(\\$[0-9]|[qs]\\.|free\\.)",
              options: .regularExpression) != nil
          #expect(isCompared, "\(statement.name) does not name \(column)")
        }
      }
      let found = Set(Self.statements.filter { $0.reach == .everyShard }.map(\.name))
      #expect(found == Self.everyShard)
    }

    @Test func everyKeyBeginsWithItsShardColumn() {
      for table in PostgresSchema.tables {
        #expect(
          table.columns.contains("PRIMARY KEY (\(table.shardColumn)"), "the key of \(table.name)")
        for index in table.indexes where index.hasPrefix("UNIQUE") {
          #expect(index.contains("(\(table.shardColumn),"), "\(index)")
        }
      }
    }

    /// No clock, no chance, no lock that lives on one server only, nothing that serialises commits.
    private static let banned = [
      "now\\(", "current_timestamp", "localtimestamp", "clock_timestamp", "statement_timestamp",
      "transaction_timestamp", "random\\(", "gen_random", "advisory", "serializable", "notify",
      "listen ",
    ]

    @Test func noStatementHasAClockChanceOrABannedLock() {
      for statement in Self.statements {
        for word in Self.banned {
          #expect(
            statement.sql.range(of: word, options: [.regularExpression, .caseInsensitive]) == nil,
            "\(statement.name) contains \(word)")
        }
      }
      let script = PostgresSchema.script(schema: "s", partitions: 16).joined(separator: "\n")
      for word in Self.banned {
        #expect(
          script.range(of: word, options: [.regularExpression, .caseInsensitive]) == nil, "\(word)")
      }
    }

    @Test func noOtherSQLOfThePluginHasThemEither() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Plugins/Postgres").standardizedFileURL
      let files = try #require(
        FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      )
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      var count = 0
      for file in files {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        // Literals only: Swift has a clock and generators of its own, which are passed in.
        for line in lines where !line.drop(while: \.isWhitespace).hasPrefix("//") {
          count += 1
          for word in ["pg_advisory", "SERIALIZABLE", "NOTIFY", " now()", " random()"] {
            #expect(!line.contains(word), "\(file.lastPathComponent): \(line)")
          }
        }
      }
      // In a package that links the folder elsewhere there is nothing to read.
      if !files.isEmpty { #expect(count > 500) }
    }

    // MARK: Plans

    private static let samples: [String: String] = [
      "boolean": "true", "text": "'numbers'", "bytea": "'\\x61'",
      "boolean[]": "'{true}'", "text[]": "'{numbers}'",
      "bytea[]": "'{\"\\\\x61\"}'", "double precision[]": "'{0.5}'",
    ]

    private static func sampleCall(_ statement: PostgresStatement) throws -> String {
      var types: [Int: String] = [:]
      let pattern = /\$([0-9]+)::(double precision|[a-z]+)((\[\])?)/
      for match in statement.sql.matches(of: pattern) {
        types[try #require(Int(match.1))] = String(match.2 + match.3)
      }
      let values = try types.sorted { $0.key < $1.key }.map { number, type in
        // Growing numbers, so that no range is empty.
        switch type {
        case "bigint": "\(number)"
        case "bigint[]", "integer[]", "smallint[]": "'{\(number)}'"
        default: try #require(samples[type], "\(statement.name) $\(number) is \(type)")
        }
      }
      return values.isEmpty
        ? "EXECUTE s" : "EXECUTE s(\(values.joined(separator: ", ")))"
    }

    /// With the plans that a store uses, on rows that are found: what is executed, not what might be.
    @Test(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
    func everyReadAndChangeTouchesOnePartition() async throws {
      // An insert goes where its key belongs, and its plan says nothing of it.
      let explained = Self.statements.filter { $0.reach != .none && !$0.sql.hasPrefix("INSERT") }
      #expect(explained.count > 25)
      try await withStore(partitions: 16) { options in
        let store = try await PostgresStore.open(options)
        for statement in explained {
          let call = try Self.sampleCall(statement)
          let plan = try await store.pool.run("explain") { connection in
            try connection.execute([
              "BEGIN", "INSERT INTO outbox VALUES (1, 2, 3, 1, 0, 0, 0)",
              "PREPARE s AS \(statement.sql)",
            ])
            let lines = try connection.execute([
              "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(call)"
            ]).last?.map { try $0.text(0) }
            try connection.execute(["DEALLOCATE s", "ROLLBACK"])
            return lines ?? []
          }
          let partitions = Self.partitions(in: plan)
          let text = "\(statement.name):\n\(plan.joined(separator: "\n"))"
          switch statement.reach {
          case .everyShard: #expect(partitions.values.contains { $0.count == 16 }, "\(text)")
          case .shard, .none:
            #expect(!partitions.isEmpty, "\(text)")
            for (table, numbers) in partitions {
              #expect(numbers.count == 1, "\(table) in \(text)")
            }
          }
        }
        try await store.close()
      }
    }

    /// The partitions that are scanned, by table.
    private static func partitions(in plan: [String]) -> [String: Set<String>] {
      var found: [String: Set<String>] = [:]
      for line in plan where line.contains("Scan") && !line.contains("never executed") {
        for table in PostgresSchema.tables.map(\.name) {
          guard let on = line.range(of: " on "),
            let match = line.range(
              of: " \(table)_[0-9]+(?![0-9_])", options: .regularExpression,
              range: on.lowerBound..<line.endIndex)
          else { continue }
          found[table, default: []].insert(
            line[match].split(separator: "_").last.map(String.init) ?? "")
        }
      }
      return found
    }
  }
#endif
