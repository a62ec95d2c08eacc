#if Postgres
  extension PostgresSchema {
    /// Makes the tables where there are none, and checks those that are there.
    ///
    /// - Throws: ``PostgresError`` `olderSchema`, `newerSchema`, `otherSchema`, or what the server
    ///   reports.
    static func prepare(
      _ connection: PostgresConnection, schema: String, partitions: Int
    ) throws {
      var attempt = 0
      while true {
        attempt += 1
        if try find(connection, partitions: partitions) { return }
        do {
          try connection.execute(
            ["BEGIN"] + script(schema: schema, partitions: partitions) + ["COMMIT"])
          return
        } catch let error as PostgresError where attempt < 5 && isRace(error) {
          // Another process made them at the same moment; look again.
          try connection.rollBack()
        }
      }
    }

    /// Checks the tables, and makes none. Returns whether there are any.
    ///
    /// - Throws: ``PostgresError`` `olderSchema`, `newerSchema`, `otherSchema`.
    static func find(_ connection: PostgresConnection, partitions: Int) throws -> Bool {
      guard let found = try found(connection) else { return false }
      try require(found, partitions: partitions, connection)
      return true
    }

    static func found(
      _ connection: PostgresConnection
    ) throws -> (version: Int64, partitions: Int64)? {
      // Only the schema itself counts, not a table of this name elsewhere.
      let exists = try connection.execute([
        "SELECT to_regclass(quote_ident(current_schema()) || '.cardfeed_schema') IS NOT NULL"
      ])
      guard try exists.first?.first({ try $0.optionalBytes(0) }) == [1] else { return nil }
      return try connection.execute(["SELECT version, partitions FROM cardfeed_schema"]).first?
        .first { (version: try $0.integer(0), partitions: try $0.integer(1)) }
    }

    static func require(
      _ found: (version: Int64, partitions: Int64), partitions: Int,
      _ connection: PostgresConnection
    ) throws {
      if found.version < version {
        throw PostgresError(
          .olderSchema, server: connection.server, operation: "open",
          found: "tables of version \(found.version), this program reads version \(version)")
      }
      if found.version > version {
        throw PostgresError(
          .newerSchema, server: connection.server, operation: "open",
          found: "tables of version \(found.version), this program reads version \(version)")
      }
      if found.partitions != Int64(partitions) {
        throw PostgresError(
          .otherSchema, server: connection.server, operation: "open",
          found: "tables with \(found.partitions) partitions each, \(partitions) were asked for")
      }
    }

    private static func isRace(_ error: PostgresError) -> Bool {
      ["42P06", "42P07", "23505"].contains(error.sqlState ?? "")
    }
  }
#endif
