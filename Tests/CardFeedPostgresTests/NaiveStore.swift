#if Postgres
  import CardFeed

  @testable import CardFeedPostgres

  /// What one writes first: in one transaction insert the like, look for the other one, insert the
  /// match. Two likes at the same moment do not see each other. Only here to be found out.
  struct NaiveStore: FeedStore {
    private let base: PostgresStore

    static func open(_ options: PostgresStore.Options) async throws -> NaiveStore {
      let base = try await PostgresStore.open(options)
      try await base.pool.run("naive tables") { connection in
        try connection.execute([
          "DROP TABLE IF EXISTS naive_likes", "DROP TABLE IF EXISTS naive_matches",
          "CREATE TABLE naive_likes (viewer bigint, card bigint, PRIMARY KEY (viewer, card))",
          "CREATE TABLE naive_matches (event bigint, low bigint, high bigint, time bigint)",
        ])
        return ()
      }
      return NaiveStore(base: base)
    }

    func commit(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision] {
      var decisions: [SwipeDecision] = []
      for swipe in swipes { decisions.append(.applied(try await commit(swipe))) }
      return decisions
    }

    private func commit(_ swipe: SwipeCommand) async throws -> StoredReceipt {
      let (viewer, card) = (swipe.viewer.rawValue, swipe.card.rawValue)
      return try await base.pool.run("naive swipe") { connection in
        let rows = try connection.execute([
          "BEGIN", "SELECT nextval('log_positions')",
          "INSERT INTO naive_likes VALUES (\(viewer), \(card))",
          "SELECT count(*) FROM naive_likes WHERE viewer = \(card) AND card = \(viewer)",
        ])
        let event = LogPosition(try rows[1].first { try $0.integer(0) } ?? 0)
        let isMatch = try rows[3].first { try $0.integer(0) } == 1
        if isMatch {
          try connection.execute([
            "INSERT INTO naive_matches VALUES (\(event.rawValue), \(min(viewer, card)), "
              + "\(max(viewer, card)), \(swipe.time.milliseconds))"
          ])
        }
        try connection.execute(["COMMIT"])
        return StoredReceipt(
          event: event, card: swipe.card, answer: swipe.answer, match: isMatch ? event : nil,
          remaining: swipe.remaining)
      }
    }

    func matches(of viewer: ViewerNumber) async throws -> [StoredMatch] {
      try await base.pool.run("naive matches") { connection in
        try connection.execute([
          "SELECT event, low, high, time FROM naive_matches "
            + "WHERE low = \(viewer.rawValue) OR high = \(viewer.rawValue) ORDER BY event"
        ])[0].map { row in
          StoredMatch(
            event: try row.position(0), between: try row.number(1), and: try row.number(2),
            time: try row.time(3))
        }
      }
    }

    // MARK: The rest is not naive

    func numbers(for ids: [CardID]) async throws -> [CardNumber] {
      try await base.numbers(for: ids)
    }
    func ids(for numbers: [CardNumber]) async throws -> [CardID?] {
      try await base.ids(for: numbers)
    }
    func put(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard] {
      try await base.put(cards, at: time)
    }
    func revise(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard?] {
      try await base.revise(cards, at: time)
    }
    func reinstate(_ cards: [CardNumber]) async throws -> [CardNumber] {
      try await base.reinstate(cards)
    }
    func withdraw(_ cards: [CardNumber]) async throws { try await base.withdraw(cards) }
    func cards(after number: CardNumber?, limit: Int) async throws -> [StoredCard] {
      try await base.cards(after: number, limit: limit)
    }
    func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord {
      try await base.viewer(number, swipes: swipes)
    }
    func answersReceived(by viewer: ViewerNumber, limit: Int) async throws -> [ReceivedAnswer] {
      try await base.answersReceived(by: viewer, limit: limit)
    }
    func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int] {
      try await base.unansweredLikes(of: cards, limit: limit)
    }
    func answersGiven(by viewer: ViewerNumber) async throws -> [GivenAnswer] {
      try await base.answersGiven(by: viewer)
    }
    func impressions(of viewer: ViewerNumber) async throws -> [Impression] {
      try await base.impressions(of: viewer)
    }

    func handAnswers(of viewer: ViewerNumber, since time: Timestamp) async throws -> [DatedAnswer] {
      try await base.handAnswers(of: viewer, since: time)
    }
    func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding] {
      try await base.unsafe(for: viewer)
    }
    func commit(_ deal: DealCommand) async throws -> DealDecision { try await base.commit(deal) }
    func commit(_ rewind: RewindCommand) async throws -> RewindDecision {
      try await base.commit(rewind)
    }
    func commit(_ block: BlockCommand) async throws -> RecordDecision {
      try await base.commit(block)
    }
    func recordImpression(
      viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp, dwell: Dwell?
    ) async throws -> RecordDecision {
      try await base.recordImpression(
        viewer: viewer, card: card, event: event, time: time, dwell: dwell)
    }
    func save(
      _ stack: StoredStack, of viewer: ViewerNumber, basis: HandRevision?
    ) async throws -> Bool {
      try await base.save(stack, of: viewer, basis: basis)
    }
    func events(after position: LogPosition, limit: Int) async throws -> [LoggedEvent] {
      try await base.events(after: position, limit: limit)
    }
    func exposures(of deal: LogPosition) async throws -> [Exposure] {
      try await base.exposures(of: deal)
    }
    func learnerBlob(_ learner: String) async throws -> LearnerBlob? {
      try await base.learnerBlob(learner)
    }
    func save(_ blob: LearnerBlob, of learner: String) async throws {
      try await base.save(blob, of: learner)
    }
    func learnerDeltas(
      of learner: String, after position: LogPosition, limit: Int
    ) async throws -> [(position: LogPosition, increments: [Increment])] {
      try await base.learnerDeltas(of: learner, after: position, limit: limit)
    }
    func save(
      _ deltas: [(position: LogPosition, increments: [Increment])], of learner: String
    ) async throws { try await base.save(deltas, of: learner) }
    func lastPosition() async throws -> LogPosition { try await base.lastPosition() }
    func check() async throws -> [StoreProblem] { [] }
    func close() async throws { try await base.close() }
  }
#endif
