import CardFeed

/// Reads the records of a store from the columns of a row.
extension Row {
  func cardNumber(at column: Int) throws -> CardNumber { CardNumber(try integer(at: column)) }

  func logPosition(at column: Int) throws -> LogPosition { LogPosition(try integer(at: column)) }

  func logPositionIfPresent(at column: Int) throws -> LogPosition? {
    try integerIfPresent(at: column).map { LogPosition($0) }
  }

  func timestamp(at column: Int) throws -> Timestamp {
    Timestamp(milliseconds: try integer(at: column))
  }

  func eventKind(at column: Int) throws -> EventKind {
    try known(EventKind(rawValue: try integer(at: column)), "a kind of event")
  }

  func meaning(at column: Int) throws -> AnswerMeaning {
    let raw = UInt8(exactly: try integer(at: column))
    return try known(raw.flatMap(AnswerMeaning.init(rawValue:)), "a meaning of an answer")
  }

  func standing(at column: Int) throws -> SafetyStanding {
    try known(SafetyStanding(stored: try integer(at: column)), "a standing of a pair")
  }

  /// Six columns from the first: position, kind, card, answer, match, remaining.
  func clientEvent() throws -> ClientEvent {
    ClientEvent(
      position: try logPosition(at: 0), kind: try eventKind(at: 1),
      card: try integerIfPresent(at: 2).map { CardNumber($0) },
      answer: try textIfPresent(at: 3), match: try logPositionIfPresent(at: 4),
      remaining: Int(try integer(at: 5)))
  }

  /// Three columns: generation, top, number of deals.
  func handRevision(at column: Int) throws -> HandRevision {
    HandRevision(
      generation: try integer(at: column), top: try integer(at: column + 1),
      deals: try integer(at: column + 2))
  }

  /// Five columns: dealt_at, answer, meaning, answered_at, event.
  func seenEntry(at column: Int) throws -> SeenEntry {
    var entry = SeenEntry(
      dealtAt: try integerIfPresent(at: column).map { Timestamp(milliseconds: $0) })
    if let event = try logPositionIfPresent(at: column + 4) {
      entry.answer = SeenEntry.Answered(
        answer: try text(at: column + 1), meaning: try meaning(at: column + 2),
        time: try timestamp(at: column + 3), event: event)
    }
    return entry
  }

  /// Four columns: event, low, high, time.
  func match(at column: Int) throws -> StoredMatch {
    StoredMatch(
      event: try logPosition(at: column), between: try cardNumber(at: column + 1),
      and: try cardNumber(at: column + 2), time: try timestamp(at: column + 3))
  }

  /// The image of a `SeenEntry`, nil where there is none.
  func seenImageIfPresent(at column: Int) throws -> SeenEntry? {
    guard let bytes = try bytesIfPresent(at: column) else { return nil }
    return try image { try SeenImage.decode(bytes) }
  }

  func increments(at column: Int) throws -> [Increment] {
    let bytes = try bytes(at: column)
    return try image { try IncrementsImage.decode(bytes) }
  }

  /// A set of folded answers.
  func folds(at column: Int) throws -> FoldedAnswers.Group {
    let bytes = try bytes(at: column)
    return try image { try FoldedAnswers.Group(image: bytes) }
  }

  /// For how long an impression lasted.
  func dwellIfPresent(at column: Int) throws -> Dwell? {
    guard let milliseconds = try integerIfPresent(at: column) else { return nil }
    return try image { try Dwell(milliseconds: milliseconds) }
  }

  /// Eleven columns, as `StoreStatements.events` has them.
  func loggedEvent() throws -> LoggedEvent {
    let kind = try eventKind(at: 1)
    return LoggedEvent(
      position: try logPosition(at: 0), kind: kind, viewer: try cardNumber(at: 2),
      card: try integerIfPresent(at: 3).map { CardNumber($0) }, time: try timestamp(at: 4),
      answer: try textIfPresent(at: 5), meaning: kind == .swipe ? try meaning(at: 6) : nil,
      about: try logPositionIfPresent(at: 7), isRewound: try integer(at: 8) == 1,
      dwell: try dwellIfPresent(at: 9), endedMatch: try logPositionIfPresent(at: 10))
  }

  /// Seven columns, as `StoreStatements.matchChanges` has them.
  func matchChange() throws -> MatchChanges.Change? {
    MatchChanges.Change(
      kind: try eventKind(at: 1), position: try logPosition(at: 0),
      viewer: try cardNumber(at: 2), card: try integerIfPresent(at: 3).map { CardNumber($0) },
      time: try timestamp(at: 4), about: try logPositionIfPresent(at: 5),
      endedMatch: try logPositionIfPresent(at: 6))
  }

  /// Five columns, as `StoreStatements.exposures` has them.
  func exposure() throws -> Exposure {
    Exposure(
      card: try cardNumber(at: 0), position: Int(try integer(at: 1)),
      score: try realIfPresent(at: 2), probability: try realIfPresent(at: 3),
      propensity: try real(at: 4))
  }

  private func image<Value>(_ decode: () throws -> Value) throws -> Value {
    do { return try decode() } catch {
      throw SQLiteError(
        .corrupt, file: statement.file, operation: statement.sql, found: "\(error)",
        advice: "If a newer version of CardFeed wrote the file, use that; otherwise check the "
          + "store and restore the last backup.")
    }
  }

  private func known<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else {
      throw SQLiteError(
        .corrupt, file: statement.file, operation: statement.sql,
        found: "\(what) that this version of CardFeed does not know")
    }
    return value
  }
}

extension SafetyStanding {
  /// The number in the table; nil for a pair that has no row.
  var stored: Int64? {
    switch self {
    case .clear: nil
    case .blocked: 1
    case .reported: 2
    case .unknown: 3
    case .unmatched: 4
    }
  }

  init?(stored: Int64) {
    switch stored {
    case 1: self = .blocked
    case 2: self = .reported
    case 3: self = .unknown
    case 4: self = .unmatched
    default: return nil
    }
  }
}

extension Statement.Value {
  static func number(_ value: CardNumber?) -> Self { value.map { .integer($0.rawValue) } ?? .null }

  static func position(_ value: LogPosition?) -> Self {
    value.map { .integer($0.rawValue) } ?? .null
  }

  static func time(_ value: Timestamp?) -> Self {
    value.map { .integer($0.milliseconds) } ?? .null
  }

  static func real(ifPresent value: Double?) -> Self { value.map { .real($0) } ?? .null }

  static func text(ifPresent value: String?) -> Self { value.map { .text($0) } ?? .null }

  static func bytes(ifPresent value: [UInt8]?) -> Self { value.map { .bytes($0) } ?? .null }

  static func meaning(_ value: AnswerMeaning?) -> Self {
    value.map { .integer(Int64($0.rawValue)) } ?? .null
  }
}
