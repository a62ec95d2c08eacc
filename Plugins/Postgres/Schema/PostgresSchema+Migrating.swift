#if Postgres
  internal import CardFeed

  extension PostgresSchema {
    /// Brings older tables up to date, in one transaction. Returns the version that was found, nil
    /// where there are no tables.
    ///
    /// - Throws: ``PostgresError`` `newerSchema`, or what the server reports.
    static func migrate(_ connection: PostgresConnection) throws -> Int64? {
      guard try found(connection) != nil else { return nil }
      try connection.execute([
        "BEGIN", "LOCK TABLE cardfeed_schema IN ACCESS EXCLUSIVE MODE",
        "SET LOCAL statement_timeout = 0",
      ])
      guard let found = try found(connection) else { return nil }
      let partitions = Int(found.partitions)
      guard found.version < version else {
        try require(found, partitions: partitions, connection)
        return found.version
      }
      if found.version < 2 { try toVersion2(connection, partitions: partitions) }
      if found.version < 3 { try connection.execute(toVersion3) }
      if found.version < 4 { try connection.execute(toVersion4) }
      try connection.execute(
        toVersion5 + ["UPDATE cardfeed_schema SET version = \(version)", "COMMIT"])
      return found.version
    }

    /// Version 2 lets a store forget, and finds clients' events by a hash in the log's key. Rows that
    /// are there keep the order of their columns; new tables have them without gaps.
    private static func toVersion2(
      _ connection: PostgresConnection, partitions: Int
    ) throws {
      try connection.execute(
        removals.flatMap { statements(for: $0, partitions: partitions) } + [
          "INSERT INTO counters (name, last) VALUES ('\(removalCounter)', 0)",
          "ALTER TABLE edges ALTER own_last DROP NOT NULL, ALTER own_last DROP DEFAULT, "
            + "ALTER other_last DROP NOT NULL, ALTER other_last DROP DEFAULT",
          "ALTER TABLE events ADD COLUMN key bigint NOT NULL DEFAULT 0",
        ])
      try fillKeys(connection)
      try connection.execute([
        "ALTER TABLE events ALTER key DROP DEFAULT", "DROP INDEX events_by_client",
        "ALTER TABLE events DROP CONSTRAINT events_pkey",
        "ALTER TABLE events ADD PRIMARY KEY (viewer, key, position)",
      ])
    }

    /// Version 3 has one event for each key. Identifiers that share theirs, if any do, stand behind one
    /// another; the order of the log decides, as if they had come one by one. What a process of
    /// version 2 that is still open writes about events fails.
    private static let toVersion3 = [
      "ALTER TABLE events DROP CONSTRAINT events_pkey",
      """
      UPDATE events SET key = CASE WHEN client_id IS NULL THEN position
        ELSE (key | CAST(\(Int64.min) AS bigint)) & \(-ClientKey.slots) END
      """,
      """
      UPDATE events SET key = events.key + s.slot
      FROM (
        SELECT viewer, position, row_number() OVER (PARTITION BY viewer, key ORDER BY position) - 1
          AS slot
        FROM events WHERE client_id IS NOT NULL) AS s
      WHERE s.slot > 0 AND events.viewer = s.viewer AND events.position = s.position
      """,
      "ALTER TABLE events RENAME key TO event_key",
      "ALTER TABLE events ADD PRIMARY KEY (viewer, event_key), ADD \(keyCheck)",
      "INSERT INTO counters (name, last) VALUES ('\(doorMark)', 0)",
    ]

    /// Version 4 knows when what is kept of a card was last replaced by something else; of the cards
    /// that are there that is not known, which 0 stands for. The column has no default, so that a
    /// process of version 3 that is still open fails when it puts cards, whose changes it would not
    /// note.
    private static let toVersion4 = [
      "ALTER TABLE cards ADD COLUMN changed_at bigint NOT NULL DEFAULT 0",
      "ALTER TABLE cards ALTER changed_at DROP DEFAULT",
    ]

    /// Version 5 keeps for how long an impression lasted; of those that are there that is not known.
    /// Its index of answers received has an entry for each answer, where versions 3 and 4 had one for
    /// a span of the log, within which they sorted.
    private static let toVersion5 = [
      "ALTER TABLE events ADD COLUMN dwell integer, ADD \(dwellCheck)",
      "DROP INDEX edges_received", "CREATE INDEX \(receivedIndex)",
    ]

    private static func fillKeys(_ connection: PostgresConnection) throws {
      let limit = 10_000
      var last: Int64 = 0
      while true {
        let rows = try connection.execute([
          "SELECT viewer, position, client_id FROM events "
            + "WHERE position > \(last) AND client_id IS NOT NULL ORDER BY position LIMIT \(limit)"
        ])
        let keys = try rows[0].map { row in
          (
            viewer: try row.integer(0), position: try row.integer(1),
            key: ClientKey.hash(EventID(bytes: try row.bytes(2)))
          )
        }
        guard let end = keys.last?.position else { return }
        let values = keys.map { "(\($0.viewer), \($0.position), \($0.key))" }
        try connection.execute([
          "UPDATE events SET key = s.key FROM (VALUES \(values.joined(separator: ", "))) "
            + "AS s (viewer, position, key) "
            + "WHERE events.viewer = s.viewer AND events.position = s.position"
        ])
        last = end
      }
    }
  }
#endif
