#if Postgres
  public import CardFeed
  internal import Glibc

  extension PostgresStore {
    /// Events after a place in the log, in order, `limit` at most. Places grow and have gaps; no
    /// event will appear behind one that was returned. What transactions that run meanwhile have
    /// drawn is waited for, for at most `settleMilliseconds`. Two round trips, of which one asks
    /// every shard.
    ///
    /// - Throws: ``PostgresError``.
    public func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent] {
      try await pool.run("read log") { connection in
        let end = try self.settledEnd(connection)
        return try connection.rows(
          PostgresCommand(
            StoreSQL.eventsInOrder, .position(position), .integer(end),
            .integer(Int64(max(0, limit))))
        ).map { try $0.loggedEvent() }
      }
    }

    /// Who was kept apart after a place in the log, by a block, a report or the end of a match,
    /// `limit` pairs at most. Waits as ``events(after:limit:)`` does, and reads what was appended
    /// since without sending it. Two round trips, of which one asks every shard.
    ///
    /// Processes ask it all the time, so it tells too, once, what failed behind their swipes: reading
    /// who was erased. Ask again then.
    ///
    /// - Throws: ``PostgresError``.
    public func partings(after position: LogPosition, limit: Int) async throws -> Partings {
      if let failure = swipes.takeFailure() { throw failure }
      let kinds = EventKind.allCases.filter(\.keepsApart).map(\.rawValue)
      return try await pool.run("read who was kept apart") { connection in
        let end = max(LogPosition(try self.settledEnd(connection)), position)
        let found = try connection.rows(
          PostgresCommand(
            StoreSQL.partingsInOrder, .position(position), .position(end), .integers(kinds),
            .integer(Int64(max(0, limit))))
        ).map { row in
          (
            place: try row.position(0),
            pair: Partings.Pair(viewer: try row.number(1), card: try row.number(2))
          )
        }
        let hasMore = found.count >= limit
        return Partings(
          pairs: found.map(\.pair), end: hasMore ? found.last?.place ?? position : end,
          hasMore: hasMore)
      }
    }

    /// Which matches were made and ended after a place in the log, and who was erased; `limit`
    /// changes at most. Waits as ``events(after:limit:)`` does, and reads what was appended since
    /// without sending it. The outbox stays as it is. Two round trips, of which one asks every shard.
    ///
    /// - Throws: ``PostgresError``.
    public func matchChanges(
      after position: LogPosition, limit: Int
    ) async throws -> MatchChanges {
      try await pool.run("read what became of matches") { connection in
        let end = max(LogPosition(try self.settledEnd(connection)), position)
        let found = try connection.rows(
          PostgresCommand(
            StoreSQL.matchChangesInOrder, .position(position), .position(end),
            .integer(Int64(max(0, limit))))
        ).map { row in
          (
            place: try row.position(0),
            change: MatchChanges.Change(
              kind: try row.kind(1), position: try row.position(0), viewer: try row.number(2),
              card: try row.optionalNumber(3), time: try row.time(4),
              about: try row.optionalPosition(5), endedMatch: try row.optionalPosition(6))
          )
        }
        let hasMore = found.count >= limit
        return MatchChanges(
          changes: found.compactMap(\.change),
          end: hasMore ? found.last?.place ?? position : end, hasMore: hasMore)
      }
    }

    /// The place of the last event that ``events(after:limit:)`` would return.
    ///
    /// - Throws: ``PostgresError``.
    public func lastPosition() async throws -> LogPosition {
      try await pool.run("read end of log") { connection in
        let end = try self.settledEnd(connection)
        return try connection.rows(PostgresCommand(StoreSQL.lastPosition, .integer(end)))
          .first { try $0.position(0) } ?? .start
      }
    }

    /// A place up to which no event is missing any more.
    ///
    /// Whoever appends locks the table of viewers before it draws places, until its transaction has
    /// ended. So once every transaction that held that lock after the last drawn place was read has
    /// ended, nobody can append at or before that place.
    func settledEnd(_ connection: PostgresConnection) throws -> Int64 {
      let rows = try connection.run(
        PostgresCommand(StoreSQL.lastDrawn), PostgresCommand(StoreSQL.runningWriters))
      let drawn = try rows[0].first { try $0.integer(0) } ?? 0
      var writers = Set(try rows[1].map { try $0.text(0) })
      var waited = 0
      var pause = 1
      while !writers.isEmpty, waited < options.settleMilliseconds {
        usleep(UInt32(pause * 1000))
        waited += pause
        pause = min(pause * 2, 50)
        let running = try connection.rows(PostgresCommand(StoreSQL.runningWriters))
        writers.formIntersection(try running.map { try $0.text(0) })
      }
      return settled.withLock { settled in
        if writers.isEmpty { settled = max(settled, drawn) }
        return settled
      }
    }
  }

  extension PostgresRow {
    /// Place, kind, viewer, card, time, answer, meaning, event it is about, whether it was rewound,
    /// for how long it lasted, the match that ended with it.
    func loggedEvent() throws -> LoggedEvent {
      LoggedEvent(
        position: try position(0), kind: try kind(1), viewer: try number(2),
        card: try optionalNumber(3), time: try time(4), answer: try optionalText(5),
        meaning: try optionalMeaning(6), about: try optionalPosition(7), isRewound: try flag(8),
        dwell: try optionalDwell(9), endedMatch: try optionalPosition(10))
    }
  }
#endif
