#if Postgres
  internal import CardFeed

  /// Where a viewer's stack stands.
  struct StackTop {
    let generation: Int64
    var top: Int64
    let deals: Int64

    var revision: HandRevision { HandRevision(generation: generation, top: top, deals: deals) }
  }

  /// Locks viewers at the beginning of a transaction and reads, in the same round trip, what only
  /// their own events change.
  enum ViewerLock {
    /// Begins a transaction, locks the viewers in the order of their numbers and runs `reads` behind
    /// it. Draws of places belong into `reads`: a place drawn before the lock is held could appear in
    /// the log behind a later one.
    ///
    /// - Parameters:
    ///   - first: What is locked before the viewers.
    /// - Returns: Where each viewer's stack stands, and the rows of the reads.
    static func begin(
      _ viewers: [ViewerNumber], first: [PostgresCommand] = [], reads: [PostgresCommand],
      _ connection: PostgresConnection
    ) throws -> (tops: [ViewerNumber: StackTop], rows: [PostgresRows]) {
      let wanted = Set(viewers).sorted()
      let numbers = PostgresParameter.integers(wanted.map(\.rawValue))
      let lock = PostgresCommand(StoreSQL.lockViewers, numbers)
      var rows = try connection.run([PostgresCommand(.begin)] + first + [lock] + reads)
      rows.removeFirst(1 + first.count)
      if rows[0].count < wanted.count {
        // A viewer's first event. What was read so far was read without a lock.
        rows = try connection.run(
          [PostgresCommand(StoreSQL.addViewers, numbers), lock] + reads)
        rows.removeFirst()
      }
      var tops: [ViewerNumber: StackTop] = [:]
      _ = try rows.removeFirst().map { row in
        if let generation = try row.optionalInteger(1), let top = try row.optionalInteger(2) {
          tops[try row.number(0)] = StackTop(
            generation: generation, top: top, deals: try row.integer(3))
        }
      }
      return (tops, rows)
    }

    static func draw(_ count: Int) -> PostgresCommand {
      let blocks = (Int64(count) * 2 + PostgresSchema.block - 1) / PostgresSchema.block
      return PostgresCommand(StoreSQL.drawPositions, .integer(blocks))
    }

    /// The places that were drawn, at least `count` of them.
    static func drawn(
      _ rows: PostgresRows, _ count: Int, _ memory: AttemptMemory
    ) throws -> [LogPosition] {
      var positions: [LogPosition] = []
      positions.reserveCapacity(count)
      for start in try rows.map({ try $0.integer(0) }) {
        for place in stride(from: start, to: start + PostgresSchema.block, by: 2)
        where positions.count < count { positions.append(LogPosition(place)) }
      }
      guard positions.count == count else {
        throw rows.unexpected("\(positions.count) places of the log, \(count) wanted")
      }
      memory.remember(positions)
      return positions
    }

    static func one(_ rows: PostgresRows, _ memory: AttemptMemory) throws -> LogPosition {
      try drawn(rows, 1, memory)[0]
    }

    /// A place for what ends a match, behind the match's own: the match may have been made after the
    /// place was drawn, by whoever held the pair meanwhile, and who follows the log must not hear of
    /// its end first. One round trip more in that case.
    static func place(
      _ drawn: LogPosition, behind match: LogPosition?, _ connection: PostgresConnection,
      _ memory: AttemptMemory
    ) throws -> LogPosition {
      guard let match, match > drawn else { return drawn }
      return try one(try connection.rows(draw(1)), memory)
    }

    static func findClientEvents(
      _ keys: [(viewer: ViewerNumber, event: EventID)]
    ) -> PostgresCommand {
      PostgresCommand(
        StoreSQL.findClientEvents, .integers(keys.map { $0.viewer.rawValue }),
        .integers(keys.map { ClientKey.of($0.event) }),
        .byteStrings(keys.map { $0.event.bytes }))
    }

    static func clientEvents(_ rows: PostgresRows) throws -> ClientEvents {
      var events = ClientEvents()
      _ = try rows.map { row in
        let place = Int(try row.integer(0)) - 1
        events.take(try row.integer(7), of: place)
        guard try row.flag(8) else { return }
        events.found[place] = ClientEvent(
          position: try row.position(1), kind: try row.kind(2), card: try row.optionalNumber(3),
          answer: try row.optionalText(4), match: try row.optionalPosition(5),
          remaining: Int(try row.integer(6)))
      }
      return events
    }
  }

  extension PostgresRow {
    /// Moment dealt, answer, meaning, moment answered, event.
    func seenEntry(at column: Int32) throws -> SeenEntry {
      var entry = SeenEntry(dealtAt: try optionalTime(column))
      if let event = try optionalPosition(column + 4) {
        entry.answer = SeenEntry.Answered(
          answer: try text(column + 1), meaning: try meaning(column + 2),
          time: try time(column + 3), event: event)
      }
      return entry
    }
  }
#endif
