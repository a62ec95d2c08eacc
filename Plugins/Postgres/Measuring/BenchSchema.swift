#if Postgres
  internal import CardFeed

  /// The schema of a measurement: made for it, marked, and dropped behind it. One that is there
  /// without the mark is somebody's data and is left alone.
  enum BenchSchema {
    static let mark = "made by cardfeed bench postgres, which drops it"

    private static let found = PostgresStatement(
      "bench_schema", .none,
      """
      SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1::text
      """)

    /// Makes the schema and opens a store in it.
    ///
    /// - Throws: ``PostgresError`` `misuse` if the schema is there and not the measurement's own.
    static func open(_ options: PostgresStore.Options) async throws -> PostgresStore {
      try await withConnection(options) { connection in
        let rows = try connection.rows(PostgresCommand(found, .text(options.schema)))
        let name = PostgresConnectionOptions.quoted(options.schema)
        if rows.count > 0 {
          guard try rows.first({ try $0.optionalText(0) }) == mark else {
            throw PostgresError(
              .misuse, server: connection.server, operation: "make a schema to measure in",
              found: "the schema \(name), which this command did not make",
              advice: "Name another one with --schema; it is made and dropped again.")
          }
          try connection.execute(["DROP SCHEMA \(name) CASCADE"])
        }
        try connection.execute([
          "BEGIN", "CREATE SCHEMA \(name)", "COMMENT ON SCHEMA \(name) IS '\(mark)'", "COMMIT",
        ])
      }
      do { return try await PostgresStore.open(options) } catch {
        try? await drop(options)
        throw error
      }
    }

    static func drop(_ options: PostgresStore.Options) async throws {
      try await withConnection(options) { connection in
        try connection.execute([
          "SET statement_timeout = 0",
          "DROP SCHEMA IF EXISTS \(PostgresConnectionOptions.quoted(options.schema)) CASCADE",
        ])
      }
    }

    private static func withConnection(
      _ options: PostgresStore.Options,
      _ body: @escaping @Sendable (PostgresConnection) throws -> Void
    ) async throws {
      let pool = ConnectionPool(
        PostgresConnectionOptions(
          conninfo: options.conninfo, schema: options.schema,
          statementTimeoutMilliseconds: options.statementTimeoutMilliseconds),
        size: 1, backOff: options.backOff)
      do { try await pool.run("prepare a measurement", body) } catch {
        await pool.close()
        throw error
      }
      await pool.close()
    }
  }
#endif
