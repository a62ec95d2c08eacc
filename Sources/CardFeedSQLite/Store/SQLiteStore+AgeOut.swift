public import CardFeed

extension SQLiteStore {
  /// Removes the exposures of deals before a time, 1,000 deals in a transaction. O(deals).
  ///
  /// - Throws: ``SQLiteError``; some may be removed then.
  public func prune(exposuresBefore time: Timestamp) async throws -> Int {
    try await maintenance.run {
      // Before the first is removed, so that `check()` never misses what the log lost.
      try await write { transaction in
        _ = try transaction.connection.run(MaintenanceStatements.setHorizon, .time(time))
      }
      var removed = 0
      var last = LogPosition.start
      while true {
        let deals = try await readers.read { [last] connection in
          try connection.rows(
            MaintenanceStatements.oldDeals, .position(last), .time(time), .limit(1_000)
          ) { try $0.logPosition(at: 0) }
        }
        guard let end = deals.last else { return removed }
        removed += try await write { transaction in
          try deals.reduce(0) { count, deal in
            count
              + (try transaction.connection.run(
                MaintenanceStatements.removeExposures, .position(deal)))
          }
        }
        last = end
      }
    }
  }

  /// Folds old answers into one set of cards for each viewer, 64 viewers in a transaction; deals and
  /// swipes go on in between. O(store).
  ///
  /// - Throws: ``SQLiteError``; some viewers may be done then.
  public func ageOut(
    negativesBefore: Timestamp?, unansweredLikesBefore: Timestamp?
  ) async throws -> AgeOutReport {
    try await maintenance.run {
      let bounds = AgeBounds(negatives: negativesBefore, likes: unansweredLikesBefore)
      var report = AgeOutReport()
      var last: Int64 = 0
      while true {
        let viewers = try await readers.read { [last] connection in
          try connection.rows(
            MaintenanceStatements.viewersWithOld, .integer(last), .time(bounds.negatives),
            .time(bounds.likes), .limit(64)
          ) { try $0.cardNumber(at: 0) }
        }
        guard let end = viewers.last else { return report }
        report.add(
          try await remove { transaction in
            var part = AgeOutReport()
            for viewer in viewers { try transaction.ageOut(viewer, bounds, &part) }
            return part
          })
        last = end.rawValue
      }
    }
  }
}

private struct AgeBounds: Sendable {
  let negatives: Timestamp?
  let likes: Timestamp?
}

extension AgeOutReport {
  fileprivate mutating func add(_ part: AgeOutReport) {
    viewers += part.viewers
    negatives += part.negatives
    likes += part.likes
    events += part.events
    bytes += part.bytes
  }
}

extension SQLiteTransaction {
  fileprivate mutating func ageOut(
    _ viewer: ViewerNumber, _ bounds: AgeBounds, _ report: inout AgeOutReport
  ) throws {
    var old = try connection.rows(
      MaintenanceStatements.old, .number(viewer), .time(bounds.negatives), .time(bounds.likes)
    ) { row in (card: try row.cardNumber(at: 5), answer: try row.seenEntry(at: 0).answer) }
    old = try old.filter { try $0.answer?.meaning != .positive || !hasAnswered($0.card, viewer) }
    let events = try eventsByCard(of: viewer, among: Set(old.map(\.card)))
    old = old.filter { events[$0.card] != nil }
    guard let latest = old.compactMap(\.answer?.time).max() else { return }

    let event = try append(NewEvent(kind: .ageOut, viewer: viewer, time: latest))
    var folded = try connection.folded(of: viewer) ?? FoldedAnswers()
    var gone = old.flatMap { events[$0.card] ?? [] }
    report.events += gone.count
    if !folded.groups.isEmpty {
      gone.append(
        LogPosition(try connection.integer(MaintenanceStatements.ageOutOf, .number(viewer))))
    }
    try remove(gone.sorted(), keepingLearnedAt: event, except: nil)
    for (card, answer) in old {
      guard let answer else { continue }
      folded.fold(card, answer)
      try connection.run(StoreStatements.removeSeen, .number(viewer), .number(card))
      if answer.meaning == .positive { report.likes += 1 } else { report.negatives += 1 }
    }
    try replace(folded, of: viewer, event: event)
    report.viewers += 1
    report.bytes += folded.groups.values.reduce(0) { $0 + $1.image.count }
  }

  private func hasAnswered(_ card: CardNumber, _ viewer: ViewerNumber) throws -> Bool {
    try connection.firstRow(
      MaintenanceStatements.hasAnswered, .number(card), .number(viewer)
    ) { _ in true } ?? false
  }

  /// The events between the viewer and each card on which nothing else rests; a card that has
  /// others is left out.
  private func eventsByCard(
    of viewer: ViewerNumber, among cards: Set<CardNumber>
  ) throws -> [CardNumber: [LogPosition]] {
    var events: [CardNumber: [LogPosition]] = [:]
    var held: Set<CardNumber> = []
    try connection.withStatement(MaintenanceStatements.clientEvents) { statement in
      try statement.bind(viewer.rawValue, at: 1)
      try statement.forEachRow { row in
        let card = try row.cardNumber(at: 2)
        guard cards.contains(card) else { return }
        let kind = try row.eventKind(at: 1)
        let isFree = try row.isNull(at: 3) && [.swipe, .rewind, .impression].contains(kind)
        if isFree {
          events[card, default: []].append(try row.logPosition(at: 0))
        } else {
          held.insert(card)
        }
      }
    }
    return events.filter { !held.contains($0.key) }
  }
}
