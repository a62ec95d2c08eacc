#if Postgres
  internal import CardFeed

  /// What the server says of itself before and behind a part of a measurement.
  struct BenchMeter {
    struct Reading {
      let logBytes: Int64
      let tableBytes: Int64
      let indexBytes: Int64
      let processorNanoseconds: Double?
    }

    private let store: PostgresStore
    private let processor: ServerProcessor?

    /// - Parameter isHere: Whether the server may run on this machine.
    init(_ store: PostgresStore) async throws {
      self.store = store
      let session = try await Self.integers(
        """
        SELECT CASE WHEN coalesce(host(inet_server_addr()), '127.0.0.1') IN ('127.0.0.1', '::1')
          THEN pg_backend_pid() END
        """, store)
      processor = session.first.flatMap { Int32(exactly: $0) }
        .flatMap { ServerProcessor(session: $0) }
    }

    /// Whether the server's processor time can be read.
    var readsProcessor: Bool { processor?.nanoseconds != nil }

    func read() async throws -> Reading {
      // The processor first and last in turn would count this statement; it is 1 of thousands.
      let values = try await Self.integers(
        """
        SELECT CAST(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bigint),
          CAST(coalesce(sum(pg_table_size(oid)), 0) AS bigint),
          CAST(coalesce(sum(pg_indexes_size(oid)), 0) AS bigint)
        FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(
          quote_ident(current_schema()))
        """, store)
      guard values.count == 3 else {
        throw PostgresError(
          .unexpectedAnswer, server: "?", operation: "read sizes",
          found: "\(values.count) numbers, 3 wanted")
      }
      return Reading(
        logBytes: values[0], tableBytes: values[1], indexBytes: values[2],
        processorNanoseconds: processor?.nanoseconds)
    }

    /// The numbers of the first row that a query answers with; NULLs are left out.
    static func integers(_ query: String, _ store: PostgresStore) async throws -> [Int64] {
      try await store.pool.run("read figures") { connection in
        try connection.execute(["SET statement_timeout = 0"])
        let rows = try connection.execute([query])
        return try rows.first?.first { row in
          try (0..<row.columns).compactMap { try row.optionalInteger($0) }
        } ?? []
      }
    }
  }
#endif
