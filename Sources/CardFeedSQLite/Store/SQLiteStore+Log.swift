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
