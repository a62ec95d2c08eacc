import CardFeed

extension SQLiteTransaction {
  /// Takes events out of the log, with their deltas. What they taught since a learner's blob stays
  /// as one delta of the event that takes their place, without what belongs to `person`.
  ///
  /// Runs with foreign keys off: nothing that is left may refer to these events.
  func remove(
    _ positions: [LogPosition], keepingLearnedAt event: LogPosition, except person: CardNumber?
  ) throws {
    var counted: [Int64: LogPosition] = [:]
    for (learner, _) in try connection.allLearners() {
      counted[learner] = try connection.firstRow(
        StoreStatements.learnerBlob, .integer(learner)
      ) { try $0.logPosition(at: 0) }
    }
    var sums: [Int64: IncrementSum] = [:]
    for position in positions {
      for delta in try storedDeltas(of: position) {
        if position > counted[delta.learner] ?? .start {
          sums[delta.learner, default: IncrementSum()].add(delta.increments)
        }
        try connection.run(
          MaintenanceStatements.removeDeltas, .integer(delta.learner), .position(position))
      }
      try connection.run(MaintenanceStatements.removeEvent, .position(position))
    }
    for (learner, var sum) in sums {
      if let person { sum.forget(person) }
      let increments = sum.increments
      if increments.isEmpty { continue }
      try insert(increments, learner: learner, at: event, ordinal: 0)
    }
    try connection.run(MaintenanceStatements.countRemoved, .integer(Int64(positions.count)))
  }
}

extension SQLiteStore {
  /// Runs `body` as one transaction without foreign keys, alone on the writer: a key is looked up
  /// from its target, and no index leads from an event to all that names it.
  ///
  /// - Parameter overwriting: Whether the bytes of what is deleted are overwritten.
  func remove<Result: Sendable>(
    overwriting: Bool = false,
    _ body: @escaping @Sendable (inout SQLiteTransaction) throws -> Result
  ) async throws -> Result {
    try await writer.outsideTransaction { connection in
      let secure = overwriting ? "ON" : "OFF"
      try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA secure_delete = \(secure)")
      let outcome = Swift.Result {
        try connection.transaction { connection in
          var transaction = SQLiteTransaction(connection: connection)
          return try body(&transaction)
        }
      }
      try connection.execute("PRAGMA secure_delete = OFF; PRAGMA foreign_keys = ON")
      return try outcome.get()
    }
  }
}
