public import CardFeed

extension SQLiteStore {
  /// What is known of a viewer, with at most `swipes` of the latest swipes that came from a hand
  /// and stand: one statement, one consistent state. O(cards the viewer has seen).
  ///
  /// - Throws: ``SQLiteError``.
  public func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord {
    try await readers.read(isOneStatement: true) { connection in
      try connection.viewerRecord(number, swipes: swipes)
    }
  }

  /// What a session begins with: one read, one consistent state. A viewer who is new costs a write.
  /// O(cards the viewer has seen + log pairs).
  ///
  /// - Throws: ``SQLiteError``.
  public func sessionStart(
    of identity: CardID, number: ViewerNumber?, swipes: Int
  ) async throws -> SessionStart {
    // Three statements and no transaction around them: a block that comes in between is read last.
    let known = try await readers.read(isOneStatement: true) { connection -> SessionStart? in
      guard let number = try number ?? connection.number(of: identity) else { return nil }
      return SessionStart(
        number: number, record: try connection.viewerRecord(number, swipes: swipes),
        unsafe: Set(try connection.standings(of: number).keys))
    }
    if let known { return known }
    let new = try await writer.write { connection in try connection.numberOrNew(of: identity) }
    return SessionStart(number: new, record: ViewerRecord(), unsafe: [])
  }

  /// What others last said of a viewer and stands, newest first, `limit` at most.
  /// O(log pairs + limit).
  ///
  /// - Throws: ``SQLiteError``.
  public func answersReceived(
    by viewer: ViewerNumber, limit: Int
  ) async throws -> [ReceivedAnswer] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(
        StoreStatements.answersReceived, .number(viewer), .limit(limit)
      ) { row in
        ReceivedAnswer(
          from: try row.cardNumber(at: 0), meaning: try row.meaning(at: 1),
          time: try row.timestamp(at: 2))
      }
    }
  }

  /// The viewer's swipes of hands that stand and happened at a time or later, in the order of the
  /// log. O(swipes of the viewer's hands).
  ///
  /// - Throws: ``SQLiteError``.
  public func handAnswers(
    of viewer: ViewerNumber, since time: Timestamp
  ) async throws -> [DatedAnswer] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(StoreStatements.handAnswers, .number(viewer), .time(time)) { row in
        DatedAnswer(
          event: try row.logPosition(at: 0), answer: try row.text(at: 1),
          time: try row.timestamp(at: 2))
      }
    }
  }

  /// All answers of the viewer that stand, in the order of the log. O(events of the viewer).
  ///
  /// - Throws: ``SQLiteError``.
  public func answersGiven(by viewer: ViewerNumber) async throws -> [GivenAnswer] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(StoreStatements.answersGiven, .number(viewer)) { row in
        GivenAnswer(
          card: try row.cardNumber(at: 0), answer: try row.text(at: 1),
          meaning: try row.meaning(at: 2), time: try row.timestamp(at: 3),
          event: try row.logPosition(at: 4))
      }.sorted { $0.event < $1.event }
    }
  }

  /// What clients showed the viewer, in the order of the log. O(events of the viewer).
  ///
  /// - Throws: ``SQLiteError``.
  public func impressions(of viewer: ViewerNumber) async throws -> [Impression] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(StoreStatements.impressions, .number(viewer)) { row in
        Impression(
          card: try row.cardNumber(at: 0), time: try row.timestamp(at: 1),
          event: try row.logPosition(at: 2), dwell: try row.dwellIfPresent(at: 3))
      }.sorted { $0.event < $1.event }
    }
  }

  /// Every card that must not meet the viewer, in both directions, with the reason.
  /// O(log pairs + result).
  ///
  /// - Throws: ``SQLiteError``.
  public func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding] {
    try await readers.read(isOneStatement: true) { try $0.standings(of: viewer) }
  }

  /// The viewer's matches that stand, oldest first. O(log matches + result).
  ///
  /// - Throws: ``SQLiteError``.
  public func matches(of viewer: ViewerNumber) async throws -> [StoredMatch] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(StoreStatements.matches, .number(viewer)) { try $0.match(at: 0) }
    }
  }
}

extension Connection {
  fileprivate func standings(of viewer: ViewerNumber) throws -> [CardNumber: SafetyStanding] {
    let pairs = try rows(StoreStatements.standings, .number(viewer)) { row in
      (try row.cardNumber(at: 0), try row.standing(at: 1))
    }
    return Dictionary(pairs) { _, last in last }
  }

  func viewerRecord(_ viewer: ViewerNumber, swipes: Int) throws -> ViewerRecord {
    var record = ViewerRecord()
    var folded = FoldedAnswers()
    try withStatement(StoreStatements.viewer) { statement in
      try statement.bind(viewer.rawValue, at: 1)
      try statement.bind(max(0, swipes), at: 2)
      try statement.forEachRow { row in
        switch try row.integer(at: 0) {
        case 1: record.seen[try row.cardNumber(at: 1)] = try row.seenEntry(at: 2)
        case 2:
          record.stack = StoredStack(
            generation: try row.integer(at: 1), top: try row.integer(at: 2),
            imageStart: try row.integer(at: 5), image: try row.bytes(at: 7))
        case 3:
          record.recentSwipes.append(
            StoredSwipe(
              event: try row.logPosition(at: 6), card: try row.cardNumber(at: 1),
              answer: try row.text(at: 3), deal: try row.logPosition(at: 5)))
        case 4: record.deals = try row.integer(at: 1)
        default:
          let key = FoldedAnswers.Key(answer: try row.text(at: 3), meaning: try row.meaning(at: 4))
          folded.groups[key] = try row.folds(at: 7)
        }
      }
    }
    // They come newest first.
    record.recentSwipes.reverse()
    if !folded.groups.isEmpty { record.seen = folded.completing(record.seen) }
    return record
  }
}
