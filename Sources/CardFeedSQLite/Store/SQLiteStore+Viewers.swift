public import CardFeed

extension SQLiteStore {
  /// What is known of a viewer, with at most `swipes` of the latest swipes that came from a hand
  /// and stand. One consistent state. O(cards the viewer has seen).
  ///
  /// - Throws: ``SQLiteError``.
  public func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord {
    try await readers.read { connection in
      var record = ViewerRecord()
      try connection.withStatement(StoreStatements.allSeen) { statement in
        try statement.bind(number.rawValue, at: 1)
        try statement.forEachRow { row in
          record.seen[try row.cardNumber(at: 5)] = try row.seenEntry(at: 0)
        }
      }
      record.stack = try connection.firstRow(StoreStatements.stack, .number(number)) { row in
        StoredStack(
          generation: try row.integer(at: 0), top: try row.integer(at: 1),
          imageStart: try row.integer(at: 2), image: try row.bytes(at: 3))
      }
      record.recentSwipes = try connection.rows(
        StoreStatements.recentSwipes, .number(number), .limit(swipes)
      ) { row in
        StoredSwipe(
          event: try row.logPosition(at: 0), card: try row.cardNumber(at: 1),
          answer: try row.text(at: 2), deal: try row.logPosition(at: 3))
      }.reversed()
      record.deals =
        try connection.firstRow(StoreStatements.deals, .number(number)) { row in
          try row.integer(at: 0)
        } ?? 0
      return record
    }
  }

  /// What others last said of a viewer and stands, newest first, `limit` at most.
  /// O(log pairs + limit).
  ///
  /// - Throws: ``SQLiteError``.
  public func answersReceived(
    by viewer: ViewerNumber, limit: Int
  ) async throws -> [ReceivedAnswer] {
    try await readers.read { connection in
      try connection.rows(
        StoreStatements.answersReceived, .number(viewer), .limit(limit)
      ) { row in
        ReceivedAnswer(
          from: try row.cardNumber(at: 0), meaning: try row.meaning(at: 1),
          time: try row.timestamp(at: 2))
      }
    }
  }

  /// Every card that must not meet the viewer, in both directions, with the reason.
  /// O(log pairs + result).
  ///
  /// - Throws: ``SQLiteError``.
  public func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding] {
    try await readers.read { connection in
      let pairs = try connection.rows(StoreStatements.standings, .number(viewer)) { row in
        (try row.cardNumber(at: 0), try row.standing(at: 1))
      }
      return Dictionary(pairs) { _, last in last }
    }
  }

  /// The viewer's matches that stand, oldest first. O(log matches + result).
  ///
  /// - Throws: ``SQLiteError``.
  public func matches(of viewer: ViewerNumber) async throws -> [StoredMatch] {
    try await readers.read { connection in
      try connection.rows(StoreStatements.matches, .number(viewer)) { try $0.match(at: 0) }
    }
  }
}
