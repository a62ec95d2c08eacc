#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// What others last said of a viewer and stands, newest first, `limit` at most. One round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func answersReceived(
      by viewer: ViewerNumber, limit: Int
    ) async throws -> [ReceivedAnswer] {
      try await pool.run("read answers received") { connection in
        try connection.rows(
          PostgresCommand(
            StoreSQL.answersReceived, .number(viewer), .integer(Int64(max(0, limit))))
        ).map { row in
          ReceivedAnswer(
            from: try row.number(0), meaning: try row.meaning(1), time: try row.time(2))
        }
      }
    }

    /// Which of these cards like the viewer: the last answer of each is positive, stands, and
    /// nothing is against the two meeting. One round trip, one index probe for each card.
    ///
    /// - Parameters:
    ///   - viewer: Whom they like.
    ///   - cards: The cards that are asked about.
    /// - Throws: ``PostgresError``.
    public func likers(
      of viewer: ViewerNumber, among cards: [CardNumber]
    ) async throws -> Set<CardNumber> {
      try await pool.run("read likes") { connection in
        Set(
          try connection.rows(
            PostgresCommand(
              StoreSQL.likesAmong, .number(viewer), .integers(cards.map(\.rawValue)))
          ).map { try $0.number(0) })
      }
    }

    /// The viewer's matches that stand, oldest first. One round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func matches(of viewer: ViewerNumber) async throws -> [StoredMatch] {
      try await pool.run("read matches") { connection in
        try connection.rows(PostgresCommand(StoreSQL.matchesOfViewer, .number(viewer)))
          .map { try $0.match(of: viewer) }
      }
    }
  }

  extension PostgresRow {
    /// Event, the other one, time.
    func match(of viewer: ViewerNumber) throws -> StoredMatch {
      StoredMatch(
        event: try position(0), between: viewer, and: try number(1), time: try time(2))
    }
  }
#endif
