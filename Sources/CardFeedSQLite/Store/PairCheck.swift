import CardFeed

/// Folds the log pair by pair and compares with `seen`, `matches` and `standings`. SQLite sorts the
/// events; in memory there is one pair at a time.
struct PairCheck {
  private let connection: Connection
  private let rows: SQLiteTransaction
  private var seen = Tally()
  private var matches = Tally()
  private var standings = Tally()
  private var memories = Tally()

  /// The rows of one table that were looked up, and those that differ from the log.
  private struct Tally {
    var present: Int64 = 0
    var differing = 0
    var first: LogPosition?

    mutating func compare<Value: Equatable>(
      _ held: Value?, _ folded: Value?, _ history: PairHistory
    ) {
      if held != nil { present += 1 }
      if held != folded { differ(at: history.lastEvent) }
    }

    mutating func compare(_ held: SeenEntry?, _ seen: PairHistory.Seen, _ history: PairHistory) {
      if held != nil { present += 1 }
      if !seen.agrees(with: held) { differ(at: history.lastEvent) }
    }

    mutating func differ(at position: LogPosition) {
      differing += 1
      first = min(first ?? position, position)
    }
  }

  init(connection: Connection) {
    self.connection = connection
    rows = SQLiteTransaction(connection: connection)
  }

  mutating func run() throws -> [StoreProblem] {
    let pruned = try connection.firstRow("SELECT exposures_before FROM log_state") { row in
      try row.integerIfPresent(at: 0).map { Timestamp(milliseconds: $0) }
    }
    let horizon = pruned ?? nil
    let isFolded = { [connection] (viewer: CardNumber, card: CardNumber) in
      // A set that cannot be read is found by the check of the sets.
      let folded = try? connection.folded(of: viewer)
      return (folded ?? nil)?.answer(for: card) != nil
    }
    var history: PairHistory?
    try connection.withStatement(Self.eventsByPair) { statement in
      try statement.forEachRow { row in
        let (low, high) = (try row.cardNumber(at: 0), try row.cardNumber(at: 1))
        if let finished = history, finished.low != low || finished.high != high {
          try compare(finished)
          history = nil
        }
        // A row without an event: of a deal whose exposures were pruned.
        let position = try row.logPosition(at: 2)
        var current =
          history ?? PairHistory(low: low, high: high, horizon: horizon, isFolded: isFolded)
        // Given up, so that the history is changed in place and not copied for each event.
        history = nil
        if position != .start { current.apply(try Self.event(row)) }
        history = current
      }
    }
    if let history { try compare(history) }
    return try problems("seen", "seen", seen) + problems("matches", "matches", matches)
      + problems("standings", "standings", standings) + forgetfulSwipes
  }

  private mutating func compare(_ history: PairHistory) throws {
    let (low, high) = (history.low, history.high)
    seen.compare(try rows.seen(low, high), history.forward, history)
    matches.compare(try rows.match(between: low, and: high), history.match, history)
    let folded = history.standing == .clear ? nil : history.standing
    standings.compare(try standing(low, high), folded, history)
    if low != high {
      seen.compare(try rows.seen(high, low), history.backward, history)
      standings.compare(try standing(high, low), folded, history)
    }
    if let swipe = history.forgetfulSwipe { memories.differ(at: swipe) }
  }

  private func standing(_ one: CardNumber, _ other: CardNumber) throws -> SafetyStanding? {
    try connection.firstRow(
      StoreStatements.standingOfPair, .number(one), .number(other)
    ) { row in try row.standing(at: 0) }
  }

  private func problems(
    _ part: String, _ table: String, _ tally: Tally
  ) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    if let first = tally.first {
      problems.append(
        StoreProblem(
          part: part,
          description: "\(tally.differing) entries differ from the log, the first in the pair "
            + "whose last event is \(first.rawValue)"))
    }
    let unknown = try connection.integer("SELECT count(*) FROM \(table)") - tally.present
    if unknown > 0 {
      problems.append(
        StoreProblem(
          part: part, description: "\(unknown) entries are of pairs that the log does not know"))
    }
    return problems
  }

  private var forgetfulSwipes: [StoreProblem] {
    guard let first = memories.first else { return [] }
    return [
      StoreProblem(
        part: "log",
        description: "swipes of \(memories.differing) pairs remember something else than what was "
          + "before them, the first at event \(first.rawValue)")
    ]
  }

  private static func event(_ row: Row) throws -> PairHistory.PairEvent {
    let kind = try row.eventKind(at: 3)
    return PairHistory.PairEvent(
      position: try row.logPosition(at: 2), kind: kind, viewer: try row.cardNumber(at: 4),
      card: try row.cardNumber(at: 5), time: try row.timestamp(at: 6),
      answer: try row.textIfPresent(at: 7), meaning: kind == .swipe ? try row.meaning(at: 8) : nil,
      about: try row.logPositionIfPresent(at: 9), before: try row.seenImageIfPresent(at: 10))
  }

  private static var eventsByPair: String {
    """
    SELECT min(viewer, card), max(viewer, card), position, kind, viewer, card, time, answer,
      meaning, about, before
    FROM events WHERE kind NOT IN (1, 2, 9)
    UNION ALL
    SELECT min(d.viewer, x.card), max(d.viewer, x.card), d.position, 1, d.viewer, x.card, d.time,
      NULL, NULL, NULL, NULL
    FROM exposures AS x JOIN events AS d ON d.position = x.deal AND d.kind = 1
    UNION ALL
    SELECT min(viewer, card), max(viewer, card), 0, 0, viewer, card, 0, NULL, NULL, NULL, NULL
    FROM seen WHERE event IS NULL AND dealt_at < (SELECT exposures_before FROM log_state)
    ORDER BY 1, 2, 3
    """
  }
}
