#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Takes a swipe back. Three round trips.
    ///
    /// - Throws: ``PostgresError``.
    public func commit(_ rewind: RewindCommand) async throws -> RewindDecision {
      let memory = AttemptMemory()
      return try await pool.run("commit rewind") { connection in
        let work = RewindTransaction(command: rewind, connection: connection, memory: memory)
        return try work.run()
      }
    }
  }

  /// One transaction that takes a swipe back.
  private struct RewindTransaction {
    let command: RewindCommand
    let connection: PostgresConnection
    let memory: AttemptMemory

    private struct Delta {
      let learner: String
      let ordinal: Int64
      let increments: [Increment]
    }

    func run() throws -> RewindDecision {
      let unknown = memory.positions
      let viewer = PostgresParameter.number(command.viewer)
      let (tops, rows) = try ViewerLock.begin(
        [command.viewer],
        reads: [
          ViewerLock.findClientEvents([(command.viewer, command.event)]),
          PostgresCommand(StoreSQL.swipeToRewind, viewer, .position(command.swipe)),
          PostgresCommand(StoreSQL.deltasOfSwipe, viewer, .position(command.swipe)),
          ViewerLock.draw(1), Folds.find([command.viewer]),
        ], connection)
      let folded = try Folds.byViewer(rows[4])[command.viewer]
      let clients = try ViewerLock.clientEvents(rows[0])
      if let earlier = clients.found[0] {
        guard earlier.kind == .rewind, let card = earlier.card else { return .conflict }
        let decision: RewindDecision =
          unknown.contains(earlier.position)
          ? try applied(before: earlier, card, folded) : .repeated(card: card)
        try connection.confirm()
        return decision
      }
      guard (tops[command.viewer]?.revision).allows(command.basis) else { return .stale }
      let swipe = try rows[1].first { row in
        (card: try row.number(0), before: try row.image(1, SeenImage.decode))
      }
      guard let swipe else { return .stale }
      let restored = Self.completed(swipe.before, folded?.answer(for: swipe.card))
      let deltas = try deltas(rows[2])
      let drawn = try ViewerLock.one(rows[3], memory)

      let pair = Pair(command.viewer, swipe.card)
      let state = try connection.run(
        PostgresCommand(StoreSQL.lockPair, .number(pair.low), .number(pair.high)),
        PostgresCommand(
          StoreSQL.findOwnEdges, .integers([command.viewer.rawValue]),
          .integers([swipe.card.rawValue])), Erased.find([command.viewer, swipe.card]))
      if state[2].count > 0 { return .stale }
      // A later answer elsewhere replaced this one; what stands is not this swipe's to take back.
      guard try state[1].first({ try $0.optionalPosition(5) }) == command.swipe else {
        return .stale
      }
      let match = try state[0].first { try $0.optionalPosition(0) } ?? nil
      let isStillPositive = swipe.before?.answer?.meaning == .positive
      let endsMatch = match.map { $0 == command.swipe || !isStillPositive } ?? false
      let ended = endsMatch ? match : nil
      let position = try ViewerLock.place(drawn, behind: ended, connection, memory)
      try connection.run(
        writes(
          pair, swipe.card, swipe.before, deltas, at: position, slot: clients.slot(0),
          ended: ended)
          + [PostgresCommand(.commit)])
      return .applied(
        event: position, card: swipe.card, restored: restored,
        unlearned: deltas.map { LearnerDelta(learner: $0.learner, increments: $0.increments) },
        endedMatch: endsMatch)
    }

    /// What stands of a pair once a later answer is taken back may have been folded. A folded like
    /// expired, so no match rests on it, and it has no place in the pair's rows.
    private static func completed(
      _ entry: SeenEntry?, _ folded: SeenEntry.Answered?
    ) -> SeenEntry? {
      guard entry?.answer == nil, let folded else { return entry }
      return SeenEntry(dealtAt: entry?.dealtAt, answer: folded)
    }

    private func deltas(_ rows: PostgresRows) throws -> [Delta] {
      try rows.map { row in
        Delta(
          learner: try row.text(0), ordinal: try row.integer(1),
          increments: try row.image(2, IncrementsImage.decode) ?? [])
      }
    }

    /// An earlier attempt was committed without an answer: the same decision, from what it wrote.
    private func applied(
      before rewind: ClientEvent, _ card: CardNumber, _ folded: FoldedAnswers?
    ) throws -> RewindDecision {
      let rows = try connection.run(
        PostgresCommand(
          StoreSQL.deltasOfSwipe, .number(command.viewer), .position(command.swipe)),
        PostgresCommand(
          StoreSQL.findOwnEdges, .integers([command.viewer.rawValue]),
          .integers([card.rawValue])))
      let entry = try rows[1].first { try $0.seenEntry(at: 1) }
      let restored = Self.completed(
        entry == SeenEntry() ? nil : entry, folded?.answer(for: card))
      return .applied(
        event: rewind.position, card: card, restored: restored,
        unlearned: try deltas(rows[0]).map {
          LearnerDelta(learner: $0.learner, increments: $0.increments)
        }, endedMatch: rewind.match != nil)
    }

    private func writes(
      _ pair: Pair, _ card: CardNumber, _ before: SeenEntry?, _ deltas: [Delta],
      at position: LogPosition, slot: Int64, ended: LogPosition?
    ) -> [PostgresCommand] {
      let endsMatch = ended != nil
      let answer = before?.answer
      let meaning = PostgresParameter.integer(answer.map { Int64($0.meaning.rawValue) })
      let own = PostgresCommand(
        StoreSQL.takeBackOwn, .number(command.viewer), .number(card), .position(position),
        .time(before?.dealtAt), .text(answer?.answer), meaning, .time(answer?.time),
        .position(answer?.event), .flag(endsMatch))
      let other = PostgresCommand(
        StoreSQL.takeBackOther, .number(card), .number(command.viewer), .position(position),
        meaning, .time(answer?.time), .position(answer?.event), .flag(endsMatch))
      var events = EventRows()
      events.append(
        NewEvent(
          kind: .rewind, viewer: command.viewer, card: card, clientID: command.event,
          time: command.time, about: command.swipe, endedMatch: ended), at: position, slot: slot)
      // The canonical row first.
      var writes = command.viewer < card ? [own, other] : [other, own]
      writes += [
        PostgresCommand(
          StoreSQL.markRewound, .number(command.viewer), .position(command.swipe),
          .position(position)), events.command,
      ]
      var negated = DeltaRows()
      for delta in deltas {
        negated.append(
          delta.learner, delta.increments.map(\.negated), viewer: command.viewer, at: position,
          ordinal: delta.ordinal)
      }
      if !negated.isEmpty { writes.append(negated.command) }
      if endsMatch {
        var outbox = OutboxRows()
        outbox.append(.matchEnded, pair, at: position, time: command.time)
        writes.append(outbox.command)
      }
      return writes + PostgresStore.stack(command.stack, of: command.viewer, deals: 0)
    }
  }
#endif
