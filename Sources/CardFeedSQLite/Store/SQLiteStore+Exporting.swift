public import CardFeed

extension SQLiteStore {
  /// Everything that is kept of one person, from one consistent state. Reads and writes go on
  /// meanwhile. O(events + what learners learned since their last blob).
  ///
  /// - Throws: ``SQLiteError``.
  public func export(person: CardNumber) async throws -> PersonExport {
    try await readers.read { connection in
      var export = PersonExport(number: person)
      export.id =
        try connection.firstRow(StoreStatements.id, .number(person)) { row in
          try row.bytesIfPresent(at: 0).map { CardID(bytes: $0) }
        } ?? nil
      export.card = try connection.firstRow(
        MaintenanceStatements.card, .number(person)
      ) { row in
        StoredCard(
          id: export.id ?? CardID(bytes: []), number: person, payload: try row.bytes(at: 0),
          isWithdrawn: try row.integer(at: 1) == 1, changedAt: try row.timestamp(at: 2))
      }
      export.events = try connection.rows(MaintenanceStatements.eventsOf, .number(person)) {
        try $0.loggedEvent()
      }
      for event in export.events where event.kind == .deal {
        export.exposures += try connection.rows(
          StoreStatements.exposures, .position(event.position)
        ) { (event.position, try $0.exposure()) }
      }
      let record = try connection.viewerRecord(person, swipes: 0)
      export.seen = record.seen
      export.stack = record.stack
      export.deals = record.deals
      try connection.withStatement(MaintenanceStatements.answersAbout) { statement in
        try statement.bind(person.rawValue, at: 1)
        try statement.forEachRow { row in
          export.answersReceived[try row.meaning(at: 0)] = Int(try row.integer(at: 1))
        }
      }
      export.matches = try connection.rows(StoreStatements.matches, .number(person)) {
        try $0.match(at: 0)
      }
      export.learned = try connection.learned(of: person)
      return export
    }
  }
}

extension Connection {
  /// A person's own numbers of every learner: the blob's, and what came after it.
  fileprivate func learned(of person: CardNumber) throws -> [String: [Increment]] {
    var result: [String: [Increment]] = [:]
    for (number, identity) in try allLearners() {
      var sum = IncrementSum()
      let blob = try learnerBlob(number)
      sum.add(blob?.numbers.filter { $0.key.owner == person } ?? [])
      try withStatement(MaintenanceStatements.deltasAfter) { statement in
        try statement.bind(number, at: 1)
        try statement.bind(blob?.position.rawValue ?? 0, at: 2)
        try statement.forEachRow { row in
          sum.add(try row.increments(at: 0).filter { $0.key.owner == person })
        }
      }
      if !sum.increments.isEmpty { result[identity] = sum.increments }
    }
    return result
  }

  func allLearners() throws -> [(number: Int64, identity: String)] {
    try rows("SELECT number, identity FROM learners ORDER BY number") { row in
      (number: try row.integer(at: 0), identity: try row.text(at: 1))
    }
  }

  func learnerBlob(_ number: Int64) throws -> LearnerBlob? {
    try firstRow(StoreStatements.learnerBlob, .integer(number)) { row in
      try LearnerBlob(bytes: try row.bytes(at: 1), position: try row.logPosition(at: 0))
    }
  }

  /// The sets of a viewer's folded answers, nil where there are none.
  func folded(of viewer: ViewerNumber) throws -> FoldedAnswers? {
    var folded = FoldedAnswers()
    try withStatement(StoreStatements.folds) { statement in
      try statement.bind(viewer.rawValue, at: 1)
      try statement.forEachRow { row in try folded.add(row) }
    }
    return folded.groups.isEmpty ? nil : folded
  }
}

extension FoldedAnswers {
  /// Three columns: answer, meaning, cards.
  mutating func add(_ row: Row, at column: Int = 0) throws {
    let key = Key(answer: try row.text(at: column), meaning: try row.meaning(at: column + 1))
    groups[key] = try row.folds(at: column + 2)
  }
}
