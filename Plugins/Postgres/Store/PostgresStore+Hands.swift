#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Makes a deal durable, unless one of its cards was blocked or the hand was moved meanwhile.
    /// Three round trips.
    ///
    /// - Throws: ``PostgresError``.
    public func commit(_ deal: DealCommand) async throws -> DealDecision {
      let memory = AttemptMemory()
      return try await pool.run("commit deal") { connection in
        try Self.apply(deal, connection, memory)
      }
    }

    private static func apply(
      _ deal: DealCommand, _ connection: PostgresConnection, _ memory: AttemptMemory
    ) throws -> DealDecision {
      let viewer = PostgresParameter.number(deal.viewer)
      let earlier = memory.positions.sorted()
      let (tops, rows) = try ViewerLock.begin(
        [deal.viewer],
        reads: [
          PostgresCommand(
            StoreSQL.eventAt, viewer, .integers(earlier.map(\.rawValue))),
          ViewerLock.draw(1), Erased.find([deal.viewer] + deal.exposures.map(\.card)),
        ], connection)
      // An earlier attempt was committed without an answer: each attempt draws one place.
      if rows[0].count > 0, let position = try Self.dealt(earlier, deal.viewer, connection) {
        try connection.confirm()
        return .dealt(position)
      }
      guard (tops[deal.viewer]?.revision).allows(deal.basis) else { return .stale }
      let position = try ViewerLock.one(rows[1], memory)
      let erased = try Erased.numbers(rows[2])
      if !erased.isEmpty {
        let all = deal.exposures.map(\.card)
        return .blocked(erased.contains(deal.viewer) ? all : all.filter(erased.contains))
      }

      // Canonical rows first, as everybody locks them.
      let cards = Set(deal.exposures.map(\.card)).sorted()
      let parts = [cards.filter { $0 > deal.viewer }, cards.filter { $0 <= deal.viewer }]
      let standings = try connection.run(
        parts.filter { !$0.isEmpty }.map { part in
          PostgresCommand(
            StoreSQL.dealCards, viewer, .integers(part.map(\.rawValue)), .time(deal.time))
        })
      var unsafe: Set<CardNumber> = []
      for rows in standings {
        _ = try rows.map { row in
          if try row.integer(1) != 0 { unsafe.insert(try row.number(0)) }
        }
      }
      if !unsafe.isEmpty {
        return .blocked(deal.exposures.map(\.card).filter(unsafe.contains))
      }
      var events = EventRows()
      events.append(
        NewEvent(
          kind: .deal, viewer: deal.viewer, time: deal.time, fingerprint: deal.fingerprint),
        at: position)
      try connection.run(
        [events.command, exposures(deal.exposures, of: position)]
          + stack(deal.stack(position), of: deal.viewer, deals: 1) + [PostgresCommand(.commit)])
      return .dealt(position)
    }

    private static func dealt(
      _ positions: [LogPosition], _ viewer: ViewerNumber, _ connection: PostgresConnection
    ) throws -> LogPosition? {
      for position in positions {
        let rows = try connection.rows(
          PostgresCommand(
            StoreSQL.eventAt, .number(viewer), .integers([position.rawValue])))
        if rows.count > 0 { return position }
      }
      return nil
    }

    private static func exposures(
      _ exposures: [Exposure], of deal: LogPosition
    ) -> PostgresCommand {
      PostgresCommand(
        StoreSQL.addExposures, .position(deal), .integers(exposures.map { Int64($0.position) }),
        .integers(exposures.map(\.card.rawValue)), .doubles(exposures.map(\.score)),
        .doubles(exposures.map(\.probability)), .doubles(exposures.map(\.propensity)))
    }

    static func stack(
      _ stack: StoredStack, of viewer: ViewerNumber, deals: Int64
    ) -> [PostgresCommand] {
      [
        PostgresCommand(
          StoreSQL.setViewer, .number(viewer), .integer(stack.generation), .integer(stack.top),
          .integer(deals)),
        PostgresCommand(
          StoreSQL.setStack, .number(viewer), .integer(stack.imageStart), .bytes(stack.image)),
      ]
    }

    /// Replaces the viewer's stack, unless the viewer was erased or the hand was moved meanwhile. Two
    /// round trips.
    ///
    /// - Throws: ``PostgresError``.
    @discardableResult
    public func save(
      _ stack: StoredStack, of viewer: ViewerNumber, basis: HandRevision?
    ) async throws -> Bool {
      try await pool.run("save stack") { connection in
        let (tops, rows) = try ViewerLock.begin(
          [viewer], reads: [Erased.find([viewer])], connection)
        guard rows[0].count == 0, (tops[viewer]?.revision).allows(basis) else { return false }
        try connection.run(
          Self.stack(stack, of: viewer, deals: 0) + [PostgresCommand(.commit)])
        return true
      }
    }

    /// What is known of a viewer, with at most `swipes` of the latest swipes that came from a hand
    /// and stand. One consistent state, one round trip, three statements.
    ///
    /// - Throws: ``PostgresError``.
    public func viewer(_ number: ViewerNumber, swipes: Int) async throws -> ViewerRecord {
      try await pool.run("read viewer") { connection in
        let viewer = PostgresParameter.number(number)
        let rows = try connection.run(
          PostgresCommand(.beginReading), PostgresCommand(StoreSQL.seenCards, viewer),
          PostgresCommand(StoreSQL.stackAndFolds, viewer),
          PostgresCommand(StoreSQL.recentSwipes, viewer, .integer(Int64(max(0, swipes)))),
          PostgresCommand(.commit))
        var record = ViewerRecord()
        record.seen = try Self.seen(rows[1], folded: Folds.beside(rows[2]))
        if let (stack, deals) = try rows[2].first({ try $0.stack() }) {
          record.stack = stack
          record.deals = deals
        }
        record.recentSwipes = try rows[3].map { row in
          StoredSwipe(
            event: try row.position(0), card: try row.number(1), answer: try row.text(2),
            deal: try row.optionalPosition(3))
        }.reversed()
        return record
      }
    }

    /// The viewer's swipes of hands that stand and happened at a time or later, in the order of the
    /// log. One round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func handAnswers(
      of viewer: ViewerNumber, since time: Timestamp
    ) async throws -> [DatedAnswer] {
      try await pool.run("read answers of hands") { connection in
        try connection.rows(
          PostgresCommand(StoreSQL.handAnswers, .number(viewer), .time(time))
        ).map { row in
          DatedAnswer(
            event: try row.position(0), answer: try row.text(1),
            time: try row.time(2))
        }
      }
    }

    /// All answers of the viewer that stand, in the order of the log. One round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func answersGiven(by viewer: ViewerNumber) async throws -> [GivenAnswer] {
      try await pool.run("read answers given") { connection in
        try connection.rows(PostgresCommand(StoreSQL.answersGiven, .number(viewer))).map { row in
          GivenAnswer(
            card: try row.number(0), answer: try row.text(1), meaning: try row.meaning(2),
            time: try row.time(3), event: try row.position(4))
        }
      }
    }

    /// What clients showed the viewer, in the order of the log. One round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func impressions(of viewer: ViewerNumber) async throws -> [Impression] {
      try await pool.run("read impressions") { connection in
        try connection.rows(PostgresCommand(StoreSQL.impressions, .number(viewer))).map { row in
          Impression(
            card: try row.number(0), time: try row.time(1), event: try row.position(2),
            dwell: try row.optionalDwell(3))
        }
      }
    }

    /// What a viewer and each card had to do with each other, with the answers that were folded.
    static func seen(
      _ rows: PostgresRows, folded: FoldedAnswers
    ) throws -> [CardNumber: SeenEntry] {
      var seen: [CardNumber: SeenEntry] = [:]
      _ = try rows.map { row in seen[try row.number(0)] = try row.seenEntry(at: 1) }
      return folded.completing(seen)
    }

    /// The exposures of a deal, in order; none if there was no such deal. One round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func exposures(of deal: LogPosition) async throws -> [Exposure] {
      try await pool.run("read exposures") { connection in
        try connection.rows(PostgresCommand(StoreSQL.findExposures, .position(deal)))
          .map { try $0.exposure() }
      }
    }
  }

  extension PostgresRow {
    /// Generation, top, number of deals, start of the image, image.
    func stack() throws -> (StoredStack?, deals: Int64) {
      let deals = try integer(2)
      guard let generation = try optionalInteger(0) else { return (nil, deals) }
      let stack = StoredStack(
        generation: generation, top: try integer(1), imageStart: try integer(3),
        image: try bytes(4))
      return (stack, deals)
    }

    /// Card, place, score, probability, propensity.
    func exposure() throws -> Exposure {
      Exposure(
        card: try number(0), position: Int(try integer(1)), score: try optionalDouble(2),
        probability: try optionalDouble(3), propensity: try optionalDouble(4) ?? 0)
    }
  }
#endif
