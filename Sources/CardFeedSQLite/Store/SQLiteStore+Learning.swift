public import CardFeed

extension SQLiteStore {
  /// The last blob of a learner, or nil when there is none. O(blob).
  ///
  /// - Throws: ``SQLiteError``; `FeedError` if the blob was written by a newer version.
  public func learnerBlob(_ learner: String) async throws -> LearnerBlob? {
    try await readers.read { connection in
      guard let number = try connection.learner(learner) else { return nil }
      return try connection.firstRow(StoreStatements.learnerBlob, .integer(number)) { row in
        try LearnerBlob(bytes: try row.bytes(at: 1), position: try row.logPosition(at: 0))
      }
    }
  }

  /// Replaces a learner's blob. O(blob).
  ///
  /// - Throws: ``SQLiteError``.
  public func save(_ blob: LearnerBlob, of learner: String) async throws {
    try await write { transaction in
      let number = try transaction.learner(learner)
      try transaction.connection.run(
        StoreStatements.setLearnerBlob, .integer(number), .position(blob.position),
        .bytes(blob.bytes))
    }
  }

  /// What events after a place of the log added for a learner: positive for swipes, and once more,
  /// negated, for rewinds. `limit` at most, in order. O(log deltas + limit).
  ///
  /// - Throws: ``SQLiteError``.
  public func learnerDeltas(
    of learner: String, after position: LogPosition, limit: Int
  ) async throws -> [(position: LogPosition, increments: [Increment])] {
    try await readers.read { connection in
      guard let number = try connection.learner(learner) else { return [] }
      return try connection.rows(
        StoreStatements.learnerDeltas, .integer(number), .position(position), .limit(limit)
      ) { row in
        (position: try row.logPosition(at: 0), increments: try row.increments(at: 1))
      }
    }
  }

  /// Stores what swipes of the log add for a learner that was not there when they were swiped, in
  /// one transaction. For a swipe that was rewound, what the rewind adds is stored too.
  /// O(n log deltas).
  ///
  /// - Throws: ``SQLiteError``, `constraint` if the log has no such place.
  public func save(
    _ deltas: [(position: LogPosition, increments: [Increment])], of learner: String
  ) async throws {
    try await write { transaction in
      for (position, increments) in deltas {
        try transaction.insert(
          [LearnerDelta(learner: learner, increments: increments)], of: position)
      }
    }
  }
}
