public import CardFeed

extension SQLiteStore {
  /// Events after a place in the log, in order, `limit` at most. O(log events + limit).
  ///
  /// - Throws: ``SQLiteError``.
  public func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent] {
    try await readers.read { connection in
      try connection.rows(StoreStatements.events, .position(position), .limit(limit)) { row in
        let kind = try row.eventKind(at: 1)
        return LoggedEvent(
          position: try row.logPosition(at: 0), kind: kind, viewer: try row.cardNumber(at: 2),
          card: try row.integerIfPresent(at: 3).map { CardNumber($0) },
          time: try row.timestamp(at: 4), answer: try row.textIfPresent(at: 5),
          meaning: kind == .swipe ? try row.meaning(at: 6) : nil,
          about: try row.logPositionIfPresent(at: 7), isRewound: try row.integer(at: 8) == 1)
      }
    }
  }

  /// The exposures of a deal, in order; none if there was no such deal. O(log deals + result).
  ///
  /// - Throws: ``SQLiteError``.
  public func exposures(of deal: LogPosition) async throws -> [Exposure] {
    try await readers.read { connection in
      try connection.rows(StoreStatements.exposures, .position(deal)) { row in
        Exposure(
          card: try row.cardNumber(at: 0), position: Int(try row.integer(at: 1)),
          score: try row.realIfPresent(at: 2), probability: try row.realIfPresent(at: 3),
          propensity: try row.real(at: 4))
      }
    }
  }

  /// The place of the last event. O(log events).
  ///
  /// - Throws: ``SQLiteError``.
  public func lastPosition() async throws -> LogPosition {
    try await readers.read { connection in
      LogPosition(try connection.integer(StoreStatements.lastPosition))
    }
  }
}
