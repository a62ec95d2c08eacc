#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Keeps two people apart from now on, in both directions, and ends their match; an unmatch only
    /// if there is one. Of people who were erased nothing is recorded: `repeated`. Three round trips.
    ///
    /// - Throws: ``PostgresError``.
    public func commit(_ block: BlockCommand) async throws -> RecordDecision {
      let memory = AttemptMemory()
      return try await pool.run("commit block") { connection in
        try Self.apply(block, connection, memory)
      }
    }

    private static func apply(
      _ block: BlockCommand, _ connection: PostgresConnection, _ memory: AttemptMemory
    ) throws -> RecordDecision {
      let unknown = memory.positions
      let (_, rows) = try ViewerLock.begin(
        [block.viewer],
        reads: [
          ViewerLock.findClientEvents([(block.viewer, block.event)]), ViewerLock.draw(1),
        ], connection)
      let clients = try ViewerLock.clientEvents(rows[0])
      if let earlier = clients.found[0] {
        try connection.confirm()
        return decision(
          earlier, isSame: earlier.kind == block.kind && earlier.card == block.card, unknown)
      }
      let drawn = try ViewerLock.one(rows[1], memory)
      let pair = Pair(block.viewer, block.card)
      let state = try connection.run(
        PostgresCommand(StoreSQL.lockPair, .number(pair.low), .number(pair.high)),
        Erased.find([block.viewer, block.card]))
      // Whoever was erased meets nobody anyway, and nothing about them is kept.
      if state[1].count > 0 { return block.kind == .unmatch ? .noMatch : .repeated }
      let match = try state[0].first { try $0.optionalPosition(0) } ?? nil
      if block.kind == .unmatch, match == nil { return .noMatch }
      let position = try ViewerLock.place(drawn, behind: match, connection, memory)
      let standing = PostgresParameter.integer(standing(of: block.kind))
      var events = EventRows()
      events.append(
        NewEvent(
          kind: block.kind, viewer: block.viewer, card: block.card, clientID: block.event,
          time: block.time, endedMatch: match), at: position, slot: clients.slot(0))
      var writes = [(pair.low, pair.high), (pair.high, pair.low)].map { owner, other in
        PostgresCommand(StoreSQL.keepApart, .number(owner), .number(other), standing)
      }
      writes.append(events.command)
      if match != nil {
        var outbox = OutboxRows()
        outbox.append(.matchEnded, pair, at: position, time: block.time)
        writes.append(outbox.command)
      }
      try connection.run(writes + [PostgresCommand(.commit)])
      return .applied(position)
    }

    private static func standing(of kind: EventKind) -> Int64 {
      switch kind {
      case .report: 2
      case .unmatch: 3
      default: 1
      }
    }

    private static func decision(
      _ earlier: ClientEvent, isSame: Bool, _ unknown: Set<LogPosition>
    ) -> RecordDecision {
      if !isSame { return .conflict }
      return unknown.contains(earlier.position) ? .applied(earlier.position) : .repeated
    }

    /// Records that a client showed a card; of people who were erased nothing: `repeated`. Two round
    /// trips.
    ///
    /// - Throws: ``PostgresError``.
    public func recordImpression(
      viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp, dwell: Dwell?
    ) async throws -> RecordDecision {
      let memory = AttemptMemory()
      return try await pool.run("record impression") { connection in
        let unknown = memory.positions
        let (_, rows) = try ViewerLock.begin(
          [viewer],
          reads: [
            ViewerLock.findClientEvents([(viewer, event)]), ViewerLock.draw(1),
            Erased.find([viewer, card]),
          ], connection)
        let clients = try ViewerLock.clientEvents(rows[0])
        if let earlier = clients.found[0] {
          try connection.confirm()
          return Self.decision(
            earlier, isSame: earlier.kind == .impression && earlier.card == card, unknown)
        }
        if rows[2].count > 0 { return .repeated }
        let position = try ViewerLock.one(rows[1], memory)
        var events = EventRows()
        events.append(
          NewEvent(
            kind: .impression, viewer: viewer, card: card, clientID: event, time: time,
            dwell: dwell),
          at: position, slot: clients.slot(0))
        try connection.run(events.command, PostgresCommand(.commit))
        return .applied(position)
      }
    }

    /// Every card that must not meet the viewer, in both directions, with the reason. One round
    /// trip.
    ///
    /// - Throws: ``PostgresError``.
    public func unsafe(for viewer: ViewerNumber) async throws -> [CardNumber: SafetyStanding] {
      try await pool.run("read blocks") { connection in
        let pairs = try connection.rows(PostgresCommand(StoreSQL.unsafeCards, .number(viewer)))
          .map { row in (try row.number(0), try row.standing(1)) }
        return Dictionary(pairs) { _, last in last }
      }
    }
  }

  extension PostgresRow {
    /// 1 blocked, 2 reported, 3 unmatched; what this version does not know counts as unsafe.
    fileprivate func standing(_ column: Int32) throws -> SafetyStanding {
      switch try integer(column) {
      case 0: .clear
      case 1: .blocked
      case 2: .reported
      case 3: .unmatched
      default: .unknown
      }
    }
  }
#endif
