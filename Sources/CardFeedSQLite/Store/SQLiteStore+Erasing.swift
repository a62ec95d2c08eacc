public import CardFeed

extension SQLiteStore: MaintainableStore {
  /// Removes everything that is kept of one person, in one transaction, and overwrites where it
  /// was. What needs whole tables to be read is read before, beside deals and swipes; the writer
  /// waits only for what is removed. Backups made before still hold it. O(store).
  ///
  /// - Throws: ``SQLiteError``; nothing was changed then.
  public func erase(person: CardNumber) async throws -> ErasureReport {
    try await maintenance.run {
      let traces = try await readers.read { connection in
        try PersonTraces(of: person, on: connection)
      }
      let report = try await remove(overwriting: true) { transaction in
        try transaction.erase(person, traces)
      }
      if !location.isInMemory {
        // The old pages are in the log until it is moved; a reader may put that off.
        do { try await checkpoint() } catch let error as SQLiteError where error.code == .busy {}
      }
      return report
    }
  }
}

/// Where a person is named, in tables that have no index for it.
private struct PersonTraces: Sendable {
  let end: LogPosition
  var events: [LogPosition] = []
  var deals: [LogPosition] = []
  var exposures: [(deal: LogPosition, place: Int64, viewer: CardNumber)] = []
  var seenBy: Set<CardNumber> = []
  var foldedBy: [CardNumber] = []
  /// Removals of other events that kept something of what those taught of the person.
  var taughtBy: [LogPosition] = []
  var lastTime = Timestamp(milliseconds: 0)

  init(of person: CardNumber, on connection: Connection) throws {
    end = LogPosition(try connection.integer(StoreStatements.lastPosition))
    try addEvents(of: person, after: .start, on: connection)
    seenBy = Set(
      try connection.rows(MaintenanceStatements.seenOf, .number(person)) {
        try $0.cardNumber(at: 0)
      })
    try connection.withStatement("SELECT viewer, cards FROM folds") { statement in
      try statement.forEachRow { row in
        if try row.folds(at: 1).cards.contains(person) {
          foldedBy.append(try row.cardNumber(at: 0))
        }
      }
    }
  }

  /// What came into the log since the traces were read; nobody else removes anything meanwhile.
  mutating func addEvents(
    of person: CardNumber, after position: LogPosition, on connection: Connection
  ) throws {
    var removals: [LogPosition] = []
    try connection.withStatement(MaintenanceStatements.eventsWith) { statement in
      try statement.bind(person.rawValue, at: 1)
      try statement.bind(position.rawValue, at: 2)
      try statement.forEachRow { row in
        let event = try row.logPosition(at: 0)
        if try row.integer(at: 3) == 0 {
          removals.append(event)
          return
        }
        events.append(event)
        if try row.eventKind(at: 1) == .deal { deals.append(event) }
        lastTime = try row.timestamp(at: 2)
      }
    }
    for event in removals {
      let increments = try connection.rows(StoreStatements.deltasOfEvent, .position(event)) {
        try $0.increments(at: 3)
      }
      if increments.joined().contains(where: { $0.key.owner == person }) { taughtBy.append(event) }
    }
    try connection.withStatement(MaintenanceStatements.exposuresOf) { statement in
      try statement.bind(person.rawValue, at: 1)
      try statement.bind(position.rawValue, at: 2)
      try statement.forEachRow { row in
        let viewer = try row.cardNumber(at: 2)
        exposures.append((try row.logPosition(at: 0), try row.integer(at: 1), viewer))
        seenBy.insert(viewer)
      }
    }
    let answered = try connection.rows(
      StoreStatements.answersReceived, .number(person), .integer(.max)
    ) { try $0.cardNumber(at: 0) }
    seenBy.formUnion(answered)
  }
}

extension SQLiteTransaction {
  fileprivate mutating func erase(
    _ person: CardNumber, _ found: PersonTraces
  ) throws -> ErasureReport {
    let isKnown = try connection.firstRow(StoreStatements.id, .number(person)) { row in
      try !row.isNull(at: 0)
    }
    guard isKnown == true else { return ErasureReport(events: 0, exposures: 0) }
    var traces = found
    try traces.addEvents(of: person, after: found.end, on: connection)
    let erasure = try append(
      NewEvent(kind: .erasure, viewer: person, card: person, time: traces.lastTime))
    try remove(traces.events, keepingLearnedAt: erasure, except: person)
    var exposed = traces.exposures.count
    for exposure in traces.exposures {
      try connection.run(
        MaintenanceStatements.removeExposure, .position(exposure.deal), .integer(exposure.place))
    }
    for deal in traces.deals {
      exposed += try connection.run(MaintenanceStatements.removeExposures, .position(deal))
    }
    for viewer in traces.seenBy {
      try connection.run(StoreStatements.removeSeen, .number(viewer), .number(person))
    }
    for viewer in traces.foldedBy { try unfold(person, of: viewer) }
    let others = try connection.rows(StoreStatements.standings, .number(person)) {
      try $0.cardNumber(at: 0)
    }
    for other in others {
      try connection.run(StoreStatements.removeStanding, .number(other), .number(person))
    }
    for statement in MaintenanceStatements.removeOwn {
      try connection.run(statement, .number(person))
    }
    for event in traces.taughtBy { try forgetLearned(of: person, at: event) }
    try forgetLearned(of: person)
    try connection.run(MaintenanceStatements.forgetIdentity, .number(person))
    try setStanding(.unknown, by: person, of: person, event: erasure)
    return ErasureReport(events: traces.events.count, exposures: exposed)
  }

  private func unfold(_ person: CardNumber, of viewer: CardNumber) throws {
    guard var folded = try connection.folded(of: viewer) else { return }
    let event = try connection.integer(MaintenanceStatements.ageOutOf, .number(viewer))
    folded.remove(person)
    try replace(folded, of: viewer, event: LogPosition(event))
  }

  func replace(
    _ folded: FoldedAnswers, of viewer: ViewerNumber, event: LogPosition
  ) throws {
    try connection.run(MaintenanceStatements.removeFolds, .number(viewer))
    for (key, group) in folded.groups {
      try connection.run(
        MaintenanceStatements.setFold, .number(viewer), .text(key.answer), .meaning(key.meaning),
        .position(event), .bytes(group.image))
    }
  }

  private func forgetLearned(of person: CardNumber, at event: LogPosition) throws {
    for delta in try storedDeltas(of: event) {
      let rest = delta.increments.filter { $0.key.owner != person }
      if rest.count == delta.increments.count { continue }
      // An event that took the place of others has one delta for each learner.
      try connection.run(
        MaintenanceStatements.removeDeltas, .integer(delta.learner), .position(event))
      if rest.isEmpty { continue }
      try insert(rest, learner: delta.learner, at: event, ordinal: delta.ordinal)
    }
  }

  private func forgetLearned(of person: CardNumber) throws {
    for (number, _) in try connection.allLearners() {
      guard let blob = try connection.learnerBlob(number) else { continue }
      let rest = blob.forgetting(person)
      if rest == blob { continue }
      try connection.run(
        StoreStatements.setLearnerBlob, .integer(number), .position(rest.position),
        .bytes(rest.bytes))
    }
  }
}
