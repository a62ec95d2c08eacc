#if Postgres
  import CardFeed
  import CardFeedConfiguration
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// The measurement behind `cardfeed bench postgres`: what it makes, what it refuses, what it says.
  /// No time is looked at.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct BenchmarkTests {
    private func values(
      _ options: PostgresStore.Options, schema: String, keep: Bool = false
    ) -> Parameters {
      let values: [String: ParameterValue] = [
        "conninfo": .text(options.conninfo), "schema": .text(schema), "swipes": .integer(1500),
        "measured": .integer(1000), "batch": .integer(100), "connections": .integer(2),
        "partitions": .integer(Int64(options.partitions)), "in": .text("/tmp"),
        "keep": .bool(keep),
      ]
      #expect(
        Set(PostgresBenchmark.description.parameters.map(\.name)) == Set(values.keys),
        "a parameter that this test does not know")
      return Parameters(values)
    }

    private func count(of schema: String, _ store: PostgresStore) async throws -> Int64 {
      try await store.integer("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")
    }

    @Test(arguments: [0, 16]) func everyFigureIsThereAndNothingIsLeft(partitions: Int) async throws
    {
      try await withStore(partitions: partitions) { options in
        let parts = Lock(Set<String>())
        let schema = "bench of \(partitions)"
        let report = try await PostgresBenchmark.description.run(values(options, schema: schema)) {
          part, done, total in
          #expect(done > 0 && done <= total)
          parts.withLock { _ = $0.insert(part) }
        }
        #expect(
          parts.withLock { $0 }
            == ["fill", "batches", "reference", "rows", "hands", "questions"])
        #expect(report.figures.count == 29)
        for figure in report.figures {
          // The last swipes may fit into pages that are there already.
          let value = try #require(figure.value, "\(figure.name)")
          #expect(value >= 0 && value.isFinite, "\(figure.name)")
        }
        let figures = Dictionary(report.figures.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(figures["  round trips"] == 1)
        #expect(figures["  statements"] == 3)
        #expect(figures["swipes in the store before"] == 1500)
        // The tests' server runs here, so its processes can be seen.
        #expect(report.notes == [])
        let store = try await PostgresStore.open(options)
        #expect(try await count(of: schema, store) == 0)
        try await store.close()
      }
    }

    @Test func aSchemaOfSomebodyElseIsRefusedAndLeftAlone() async throws {
      try await withStore { options in
        let error = await #expect(throws: PostgresError.self) {
          try await PostgresBenchmark.description.run(values(options, schema: options.schema)) {
            _, _, _ in
          }
        }
        #expect(error?.code == .misuse)
        #expect(
          error?.found == "the schema \"\(options.schema)\", which this command did not make")
        #expect(error?.description.contains("--schema") == true)
        let store = try await PostgresStore.open(options)
        #expect(try await store.integer("SELECT count(*) FROM cardfeed_schema") == 1)
        try await store.close()
      }
    }

    @Test func whatIsKeptIsAStoreAndTheNextRunDropsIt() async throws {
      try await withStore { options in
        let schema = "kept bench"
        for keep in [true, false] {
          _ = try await PostgresBenchmark.description.run(
            values(options, schema: schema, keep: keep)
          ) { _, _, _ in }
          let store = try await PostgresStore.open(options)
          #expect(try await count(of: schema, store) == (keep ? 1 : 0))
          try await store.close()
          guard keep else { continue }
          var kept = options
          kept.schema = schema
          let opened = try await PostgresStore.open(kept)
          #expect(try await opened.check() == [])
          try await opened.close()
        }
      }
    }
  }
#endif
