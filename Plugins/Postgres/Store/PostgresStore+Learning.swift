#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// The last blob of a learner, or nil when there is none. One round trip.
    ///
    /// - Throws: ``PostgresError``; `FeedError` if the blob was written by a newer version.
    public func learnerBlob(_ learner: String) async throws -> LearnerBlob? {
      try await pool.run("read learner") { connection in
        try connection.rows(PostgresCommand(StoreSQL.learnerBlob, .text(learner))).first { row in
          try LearnerBlob(bytes: try row.bytes(1), position: try row.position(0))
        }
      }
    }

    /// Replaces a learner's blob, unless that would count something twice or not at all: a blob that
    /// ends before the one that is there, or before a removal, which moved what it counts, is not
    /// kept; the next one is. Of people who were erased it holds nothing. Three round trips, of which
    /// one asks every shard.
    ///
    /// - Throws: ``PostgresError``.
    public func save(_ blob: LearnerBlob, of learner: String) async throws {
      try await pool.run("save learner") { connection in
        let rows = try connection.run(
          PostgresCommand(.begin), StoreSQL.lockRemovals,
          PostgresCommand(StoreSQL.learnerBlob, .text(learner)),
          PostgresCommand(StoreSQL.removalSince, .position(blob.position)),
          PostgresCommand(StoreSQL.erasedNumbers))
        let isOlder = try rows[2].first { try $0.position(0) > blob.position } ?? false
        if isOlder || rows[3].count > 0 { return }
        let erased = try Erased.numbers(rows[4])
        let kept =
          erased.isEmpty
          ? blob
          : LearnerBlob(
            position: blob.position, stride: blob.stride,
            numbers: blob.numbers.filter { !($0.key.owner.map(erased.contains) ?? false) })
        try connection.run(
          PostgresCommand(
            StoreSQL.setLearnerBlob, .text(learner), .position(kept.position),
            .bytes(kept.bytes)), PostgresCommand(.commit))
      }
    }

    /// What events after a place of the log added for a learner: positive for swipes, and once more,
    /// negated, for rewinds. `limit` at most, in order; none will appear behind one that was
    /// returned. Two round trips, of which one asks every shard.
    ///
    /// - Throws: ``PostgresError``.
    public func learnerDeltas(
      of learner: String, after position: LogPosition, limit: Int
    ) async throws -> [(position: LogPosition, increments: [Increment])] {
      try await pool.run("read what a learner learned") { connection in
        let end = try self.settledEnd(connection)
        return try connection.rows(
          PostgresCommand(
            StoreSQL.deltasInOrder, .text(learner), .position(position), .integer(end),
            .integer(Int64(max(0, limit))))
        ).map { row in
          (
            position: try row.position(0),
            increments: try row.image(1, IncrementsImage.decode) ?? []
          )
        }
      }
    }

    /// Stores what swipes of the log add for a learner that was not there when they were swiped, in
    /// one transaction. For a swipe that was rewound, what the rewind adds is stored too. Three
    /// round trips.
    ///
    /// - Throws: ``PostgresError``, `misuse` if the log has no swipe at one of the places.
    public func save(
      _ deltas: [(position: LogPosition, increments: [Increment])], of learner: String
    ) async throws {
      guard !deltas.isEmpty else { return }
      // Saved a second time, they would count twice: a lost connection is the caller's to judge.
      try await pool.runOnce("save what a learner learned") { connection in
        let owners = try connection.rows(
          PostgresCommand(
            StoreSQL.ownersOfPositions, .integers(deltas.map(\.position.rawValue)))
        ).map { (try $0.position(0), try $0.number(1)) }
        let viewers = Dictionary(owners) { _, last in last }
        guard deltas.allSatisfy({ viewers[$0.position] != nil }) else {
          throw PostgresError(
            .misuse, server: connection.server, operation: "save what a learner learned",
            found: "a place of the log that holds no swipe")
        }
        try Self.insert(deltas, viewers, learner, connection)
      }
    }

    private static func insert(
      _ deltas: [(position: LogPosition, increments: [Increment])],
      _ viewers: [LogPosition: ViewerNumber], _ learner: String, _ connection: PostgresConnection
    ) throws {
      // A rewind of one of the swipes must come before or after, not meanwhile.
      let owners = PostgresParameter.integers(deltas.map { viewers[$0.position]?.rawValue })
      let (_, rows) = try ViewerLock.begin(
        Array(viewers.values),
        reads: [
          PostgresCommand(
            StoreSQL.ordinalsOfPositions, owners, .integers(deltas.map(\.position.rawValue)))
        ], connection)
      var places: [LogPosition: (rewind: LogPosition?, next: Int64)] = [:]
      _ = try rows[0].map { row in
        places[try row.position(0)] = (try row.optionalPosition(1), try row.integer(2))
      }
      var columns = DeltaRows()
      for (position, increments) in deltas {
        guard let viewer = viewers[position], let place = places[position] else { continue }
        columns.append(
          learner, increments, viewer: viewer, at: position, ordinal: place.next)
        if let rewind = place.rewind {
          columns.append(
            learner, increments.map(\.negated), viewer: viewer, at: rewind, ordinal: place.next)
        }
        places[position] = (place.rewind, place.next + 1)
      }
      try connection.run(columns.command, PostgresCommand(.commit))
    }
  }
#endif
