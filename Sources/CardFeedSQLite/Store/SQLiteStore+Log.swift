public import CardFeed

extension SQLiteStore {
  /// Events after a place in the log, in order, `limit` at most. O(log events + limit).
  ///
  /// - Throws: ``SQLiteError``.
  public func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(StoreStatements.events, .position(position), .limit(limit)) {
        try $0.loggedEvent()
      }
    }
  }

  /// Which matches were made and ended after a place in the log, and who was erased; `limit` changes
  /// at most. O(log events + events after the place).
  ///
  /// - Throws: ``SQLiteError``.
  public func matchChanges(
    after position: LogPosition, limit: Int
  ) async throws -> MatchChanges {
    try await readers.read { connection in
      // First the end: what is appended between the two questions is for the next time.
      let end = max(LogPosition(try connection.integer(StoreStatements.lastPosition)), position)
      let found = try connection.rows(
        StoreStatements.matchChanges, .position(position), .position(end), .limit(limit)
      ) { row in (place: try row.logPosition(at: 0), change: try row.matchChange()) }
      let hasMore = found.count >= limit
      return MatchChanges(
        changes: found.compactMap(\.change),
        end: hasMore ? found.last?.place ?? position : end, hasMore: hasMore)
    }
  }

  /// The exposures of a deal, in order; none if there was no such deal. O(log deals + result).
  ///
  /// - Throws: ``SQLiteError``.
  public func exposures(of deal: LogPosition) async throws -> [Exposure] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(StoreStatements.exposures, .position(deal)) { try $0.exposure() }
    }
  }

  /// The place of the last event. O(log events).
  ///
  /// - Throws: ``SQLiteError``.
  public func lastPosition() async throws -> LogPosition {
    try await readers.read(isOneStatement: true) { connection in
      LogPosition(try connection.integer(StoreStatements.lastPosition))
    }
  }
}
