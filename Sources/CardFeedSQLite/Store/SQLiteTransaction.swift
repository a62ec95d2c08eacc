public import CardFeed

/// The rows of an ``SQLiteStore`` inside one of its transactions.
///
/// It is valid inside the closure it was given to and must not be kept: the connection under it
/// belongs to the store's writer.
public struct SQLiteTransaction: StoreTransaction {
  let connection: Connection
  /// The last swipe appended here; nothing else can know it yet.
  private var newSwipe: LogPosition?
  /// Whether deltas of `newSwipe` were inserted.
  var hasDeltas = false

  init(connection: Connection) { self.connection = connection }

  /// Whether the log has held the swipe for longer than this transaction.
  func isEarlier(_ swipe: LogPosition) -> Bool { newSwipe != swipe }

  /// An event that a client sent before, by its identity. O(log events).
  ///
  /// - Throws: ``SQLiteError``.
  public func clientEvent(_ event: EventID, of viewer: ViewerNumber) throws -> ClientEvent? {
    try connection.firstRow(
      StoreStatements.clientEvent, .number(viewer), .bytes(event.bytes)
    ) { row in
      try row.clientEvent()
    }
  }

  /// What a swipe is decided by, in one statement. O(log events).
  ///
  /// - Throws: ``SQLiteError``.
  public func circumstances(of swipe: SwipeCommand) throws -> SwipeCircumstances {
    let found = try connection.firstRow(
      StoreStatements.circumstances, .number(swipe.viewer), .number(swipe.card),
      .bytes(swipe.event.bytes)
    ) { row in
      SwipeCircumstances(
        earlier: try row.isNull(at: 0) ? nil : row.clientEvent(),
        top: try row.isNull(at: 6) ? nil : (try row.integer(at: 6), try row.integer(at: 7)),
        standing: try row.isNull(at: 8) ? .clear : row.standing(at: 8),
        before: try row.isNull(at: 9) ? nil : row.seenEntry(at: 10),
        reverse: try row.isNull(at: 15) ? nil : row.meaning(at: 15))
    }
    return found
      ?? SwipeCircumstances(earlier: nil, top: nil, standing: .clear, before: nil, reverse: nil)
  }

  /// What a deal is decided by, in one statement. O(cards · log pairs).
  ///
  /// - Throws: ``SQLiteError``.
  public func circumstances(of deal: DealCommand) throws -> DealCircumstances {
    let numbers = deal.exposures.map { "\($0.card.rawValue)" }
    var revision: HandRevision?
    var found: [CardNumber: DealCircumstances.Card] = [:]
    _ = try connection.rows(
      StoreStatements.dealCircumstances, .number(deal.viewer),
      .text("[\(numbers.joined(separator: ","))]")
    ) { row in
      if try !row.isNull(at: 0) { revision = try row.handRevision(at: 0) }
      guard try !row.isNull(at: 3) else { return }
      let card = try row.cardNumber(at: 3)
      found[card] = DealCircumstances.Card(
        number: card, standing: try row.isNull(at: 4) ? .clear : row.standing(at: 4),
        seen: try row.isNull(at: 5) ? nil : row.seenEntry(at: 6))
    }
    return DealCircumstances(
      revision: revision, cards: deal.exposures.compactMap { found[$0.card] })
  }

  /// Appends to the log and returns the place. O(log events).
  ///
  /// - Throws: ``SQLiteError``, `constraint` if the event names a number or a place that the store
  ///   never handed out, or a client's identity that the viewer has used before.
  public mutating func append(_ event: NewEvent) throws -> LogPosition {
    var existing: LogPosition?
    if case .existing(let match) = event.match { existing = match }
    try connection.run(
      StoreStatements.insertEvent, .integer(event.kind.rawValue), .number(event.viewer),
      .number(event.card), .bytes(ifPresent: event.clientID?.bytes), .time(event.time),
      .text(ifPresent: event.answer), .meaning(event.meaning), .position(event.about),
      .position(existing), .integer(Int64(event.remaining)),
      .bytes(ifPresent: event.before.map(SeenImage.encode)), .text(ifPresent: event.fingerprint),
      event.dwell.map { .integer($0.milliseconds) } ?? .null, .position(event.endedMatch))
    let position = LogPosition(connection.lastInsertRowid)
    if event.kind == .swipe {
      newSwipe = position
      hasDeltas = false
    }
    if event.match == .made {
      try connection.run(StoreStatements.nameOwnMatch, .position(position))
    }
    if event.kind == .deal {
      try connection.run(StoreStatements.countDeal, .number(event.viewer))
    }
    return position
  }

  /// The swipe at a place of the log, if it stands. O(log events).
  ///
  /// - Throws: ``SQLiteError``.
  public func standingSwipe(_ position: LogPosition) throws -> StandingSwipe? {
    let swipe = try connection.firstRow(
      StoreStatements.standingSwipe, .position(position)
    ) { row in
      StandingSwipe(
        viewer: try row.cardNumber(at: 0), card: try row.cardNumber(at: 1),
        before: try row.seenImageIfPresent(at: 2))
    }
    // What stands of a pair once a later answer is taken back may have been folded.
    guard let swipe, swipe.before?.answer == nil,
      let answer = try connection.folded(of: swipe.viewer)?.answer(for: swipe.card)
    else { return swipe }
    return StandingSwipe(
      viewer: swipe.viewer, card: swipe.card,
      before: SeenEntry(dealtAt: swipe.before?.dealtAt, answer: answer))
  }

  /// Marks a swipe as taken back by a rewind, and stores its learners' increments once more,
  /// negated, at the place of the rewind. O(increments).
  ///
  /// - Throws: ``SQLiteError``.
  public mutating func markRewound(_ swipe: LogPosition, by rewind: LogPosition) throws {
    let deltas = try storedDeltas(of: swipe)
    newSwipe = nil
    try connection.run(StoreStatements.markRewound, .position(swipe), .position(rewind))
    for delta in deltas {
      try insert(
        delta.increments.map(\.negated), learner: delta.learner, at: rewind,
        ordinal: delta.ordinal)
    }
  }

  /// Stores the cards of a deal. O(exposures).
  ///
  /// - Throws: ``SQLiteError``, `constraint` if two cards have the same place in the deal.
  public mutating func insert(
    _ exposures: [Exposure], of deal: LogPosition, viewer: ViewerNumber, time: Timestamp
  ) throws {
    for exposure in exposures {
      try connection.run(
        StoreStatements.insertExposure, .position(deal), .integer(Int64(exposure.position)),
        .number(exposure.card), .real(ifPresent: exposure.score),
        .real(ifPresent: exposure.probability), .real(exposure.propensity))
    }
  }
}
