public import CardFeed

extension SQLiteTransaction {
  /// A delta with its place among those of its event.
  struct StoredDelta {
    let learner: Int64
    let identity: String
    let ordinal: Int64
    let increments: [Increment]
  }

  /// Stores what a swipe adds for learners; if it was taken back meanwhile, also what taking it
  /// back adds. O(increments + learners).
  ///
  /// - Throws: ``SQLiteError``.
  public mutating func insert(_ deltas: [LearnerDelta], of swipe: LogPosition) throws {
    guard !deltas.isEmpty else { return }
    var ordinal: Int64 = 0
    var rewind: LogPosition??
    if isEarlier(swipe) || hasDeltas {
      ordinal = try connection.integer(StoreStatements.nextOrdinal, .position(swipe))
      rewind = try connection.firstRow(StoreStatements.rewoundBy, .position(swipe)) { row in
        try row.logPositionIfPresent(at: 0)
      }
    }
    hasDeltas = true
    for delta in deltas {
      let learner = try learner(delta.learner)
      try insert(delta.increments, learner: learner, at: swipe, ordinal: ordinal)
      if let rewind = rewind ?? nil {
        try insert(
          delta.increments.map(\.negated), learner: learner, at: rewind, ordinal: ordinal)
      }
      ordinal += 1
    }
  }

  /// What a swipe that stands added for learners. O(increments + learners).
  ///
  /// - Throws: ``SQLiteError``.
  public func deltas(of swipe: LogPosition) throws -> [LearnerDelta] {
    try storedDeltas(of: swipe).map {
      LearnerDelta(learner: $0.identity, increments: $0.increments)
    }
  }

  func storedDeltas(of event: LogPosition) throws -> [StoredDelta] {
    try connection.rows(StoreStatements.deltasOfEvent, .position(event)) { row in
      StoredDelta(
        learner: try row.integer(at: 0), identity: try row.text(at: 1),
        ordinal: try row.integer(at: 2), increments: try row.increments(at: 3))
    }
  }

  func insert(
    _ increments: [Increment], learner: Int64, at position: LogPosition, ordinal: Int64
  ) throws {
    try connection.run(
      StoreStatements.insertDelta, .integer(learner), .position(position), .integer(ordinal),
      .bytes(IncrementsImage.encode(increments)))
  }

  /// The number that stands for a learner's identity, made where there is none yet.
  func learner(_ identity: String) throws -> Int64 {
    if let known = connection.learnerNumbers[identity] { return known }
    let number: Int64
    if let known = try connection.learner(identity) {
      number = known
    } else {
      try connection.run(StoreStatements.insertLearner, .text(identity))
      number = connection.lastInsertRowid
    }
    connection.learnerNumbers[identity] = number
    return number
  }
}

extension Connection {
  func learner(_ identity: String) throws -> Int64? {
    try firstRow(StoreStatements.learner, .text(identity)) { try $0.integer(at: 0) }
  }
}
