#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Checks a store without opening it as one: nothing is made, changed or brought up to date.
    ///
    /// - Returns: How many events the log holds, and what is wrong.
    /// - Throws: ``PostgresError``: `olderSchema`, `newerSchema`, `otherSchema`, also where the
    ///   schema holds no store.
    public static func check(
      _ options: Options
    ) async throws -> (events: Int64, problems: [StoreProblem]) {
      let partitions = max(0, options.partitions)
      let store = try await connect(options) { connection in
        if try !PostgresSchema.find(connection, partitions: partitions) {
          throw missing(connection)
        }
      }
      do {
        let problems = try await store.check()
        let events = try await store.pool.run("count events") { connection in
          try connection.readPatiently {
            try connection.execute(["SELECT count(*) FROM events"]).first?
              .first { try $0.integer(0) } ?? 0
          }
        }
        try await store.close()
        return (events, problems)
      } catch {
        try? await store.close()
        throw error
      }
    }

    /// Brings the tables of a store up to date, in one transaction. Stop the servers that use it
    /// before. PostgreSQL keeps no copy of them: make one with `pg_dump`.
    ///
    /// - Returns: The version that was found, and the one the tables have now.
    /// - Throws: ``PostgresError``: `otherSchema` where the schema holds no store, and what the
    ///   server reports; nothing was changed then.
    public static func migrate(_ options: Options) async throws -> (from: Int64, to: Int64) {
      let found = Lock<Int64?>(nil)
      let store = try await connect(options) { connection in
        let version = try connection.patiently { try PostgresSchema.migrate(connection) }
        guard let version else { throw missing(connection) }
        found.withLock { $0 = version }
      }
      try await store.close()
      let from = found.withLock { $0 } ?? PostgresSchema.version
      return (from, max(from, PostgresSchema.version))
    }

    private static func missing(_ connection: PostgresConnection) -> PostgresError {
      PostgresError(
        .otherSchema, server: connection.server, operation: "open",
        found: "no tables of a store",
        advice: "Check the schema's name; a server makes the tables when it first opens the store.")
    }
  }
#endif
