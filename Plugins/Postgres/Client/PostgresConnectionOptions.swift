#if Postgres
  /// How one connection is made.
  struct PostgresConnectionOptions: Sendable, Equatable {
    /// A connection string or URI as libpq reads it.
    var conninfo: String
    /// The schema that holds the tables.
    var schema: String
    /// How long the server works on one statement; 0 is without end.
    var statementTimeoutMilliseconds: Int

    var quotedSchema: String { Self.quoted(schema) }

    static func quoted(_ name: String) -> String {
      "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\""
    }
  }
#endif
