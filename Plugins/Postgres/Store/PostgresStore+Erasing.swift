#if Postgres
  public import CardFeed
  internal import Glibc

  extension PostgresStore {
    /// Removes everything that is kept of one person, in one transaction. Before it the door is
    /// closed: from then on what any process sends about the person is stale, and what was on its
    /// way is waited for. What needs whole tables to be read is read in between, beside deals and
    /// swipes. If it fails, the door stays closed and the person is kept: erase again. O(store).
    ///
    /// Other processes learn of it by ``cardChanges(after:limit:)``. Rows of the outbox about the
    /// person go too; the log tells its readers with an event of kind `.erasure`. The server
    /// overwrites the bytes when it vacuums the tables; its write-ahead log and backups hold them
    /// for as long as those are kept.
    ///
    /// - Throws: ``PostgresError``, `timeout` if transactions that began before do not end.
    public func erase(person: CardNumber) async throws -> ErasureReport {
      let memory = RemovalMemory<ErasureReport>()
      return try await pool.run("erase person") { connection in
        let erasure = ErasureTransaction(person: person, connection: connection, memory: memory)
        return try connection.patiently {
          guard try erasure.closeDoor() else { return ErasureReport(events: 0, exposures: 0) }
          try self.waitForWriters(connection)
          return try erasure.run(try PersonTraces(of: person, connection))
        }
      }
    }

    /// Waits until every transaction has ended that may have begun to write before now.
    private func waitForWriters(_ connection: PostgresConnection) throws {
      // A server ends a transaction whose client is silent for four statements' time.
      let longest = options.statementTimeoutMilliseconds * 6
      var waited = 0
      var pause = 1
      var writers: Set<String>?
      while true {
        let running = Set(
          try connection.rows(PostgresCommand(StoreSQL.runningWriters)).map { try $0.text(0) })
        let left = writers?.intersection(running) ?? running
        if left.isEmpty { return }
        writers = left
        if longest > 0, waited >= longest {
          throw PostgresError(
            .timeout, server: connection.server, operation: "erase person",
            found: "transactions that began before do not end",
            advice: "Nothing was removed, and nobody meets the person; erase again.")
        }
        usleep(UInt32(pause * 1000))
        waited += pause
        pause = min(pause * 2, 50)
      }
    }
  }

  /// Where a person is named. Read when nobody writes about them any more.
  private struct PersonTraces {
    var removed = RemovedEvents()
    var lastTime = Timestamp(milliseconds: 0)
    var deals: [LogPosition] = []
    var exposures: [(deal: Int64, place: Int64)] = []
    var edges: [(owner: CardNumber, other: CardNumber)] = []
    var outbox: [(low: Int64, event: Int64)] = []
    /// Who has a set of folded answers with the person in it.
    var foldedBy: Set<ViewerNumber> = []
    /// Whose removed events taught something of the person.
    var taughtBy: Set<ViewerNumber> = []
    /// Whose events are removed.
    var viewers: Set<ViewerNumber> = []

    init(of person: CardNumber, _ connection: PostgresConnection) throws {
      try connection.readPatiently {
        let number = PostgresParameter.number(person)
        try addEvents(connection.rows(PostgresCommand(StoreSQL.eventsAbout, number)))
        let rows = try connection.run(
          PostgresCommand(StoreSQL.exposuresOfCard, number),
          PostgresCommand(StoreSQL.edgesOf, number), PostgresCommand(StoreSQL.edgesWith, number),
          PostgresCommand(StoreSQL.outboxWith, number), PostgresCommand(StoreSQL.removalDeltas))
        exposures = try rows[0].map { (try $0.integer(0), try $0.integer(1)) }
        edges =
          try rows[1].map { (person, try $0.number(0)) }
          + rows[2].map { (try $0.number(0), person) }
        outbox = try rows[3].map { (try $0.integer(0), try $0.integer(1)) }
        _ = try rows[4].map { row in
          // The person's own age-out goes with their events.
          let viewer = try row.number(0)
          if viewer != person, try row.teaches(person) { taughtBy.insert(viewer) }
        }
        try Folds.forEach(connection) { row in
          if try row.fold(at: 1).1.cards.contains(person) { foldedBy.insert(try row.number(0)) }
        }
      }
    }

    private mutating func addEvents(_ rows: PostgresRows) throws {
      var last = LogPosition.start
      _ = try rows.map { row in
        let (viewer, position) = (try row.number(0), try row.position(1))
        viewers.insert(viewer)
        removed.append(viewer, position, key: try row.integer(4))
        if try row.kind(2) == .deal { deals.append(position) }
        if position > last {
          last = position
          lastTime = try row.time(3)
        }
      }
    }
  }

  extension PostgresRow {
    /// Viewer, place, learner, increments: whether something belongs to a person.
    fileprivate func teaches(_ person: CardNumber) throws -> Bool {
      try increments(3).contains { $0.key.owner == person }
    }

    fileprivate func increments(_ column: Int32) throws -> [Increment] {
      try image(column, IncrementsImage.decode) ?? []
    }
  }

  /// The transaction that removes a person.
  private struct ErasureTransaction {
    let person: CardNumber
    let connection: PostgresConnection
    let memory: RemovalMemory<ErasureReport>

    private var number: PostgresParameter { .number(person) }

    /// Whether there is somebody to erase, or an erasure to finish.
    func closeDoor() throws -> Bool {
      // In one transaction: who is erased never changes without the mark.
      try connection.run(
        PostgresCommand(.begin), PostgresCommand(StoreSQL.closeDoor, number),
        PostgresCommand(
          StoreSQL.moveCounter, .text(PostgresSchema.doorMark),
          .integer(.random(in: 1 ... .max))), PostgresCommand(.commit))
      return try connection.rows(PostgresCommand(StoreSQL.erasureOf, number)).count > 0
    }

    func run(_ traces: PersonTraces) throws -> ErasureReport {
      let changed = traces.viewers.union(traces.foldedBy).union(traces.taughtBy).union([person])
      let viewers = changed.sorted()
      try connection.execute(["BEGIN", "SET LOCAL statement_timeout = 0"])
      let rows = try connection.run(
        StoreSQL.lockRemovals,
        PostgresCommand(StoreSQL.lockViewers, .integers(viewers.map(\.rawValue))),
        PostgresCommand(StoreSQL.erasureOf, number), ViewerLock.draw(1),
        PostgresCommand(StoreSQL.learnerBlobs), Folds.find(traces.foldedBy.sorted()),
        PostgresCommand(
          StoreSQL.removalDeltasOf, .integers(traces.taughtBy.sorted().map(\.rawValue))),
        PostgresCommand(StoreSQL.identifierToErase, number))
      if let done = try rows[2].first({ try $0.optionalPosition(0) }) ?? nil {
        // Somebody else did, or an earlier attempt was committed without an answer.
        try connection.confirm()
        return memory.positions.positions.contains(done) && memory.last != nil
          ? memory.last ?? ErasureReport(events: 0, exposures: 0)
          : ErasureReport(events: 0, exposures: 0)
      }
      let position = try ViewerLock.one(rows[3], memory.positions)
      var removed = traces.removed
      let blobs = try blobs(rows[4])
      try removed.remove(
        counted: blobs.mapValues(\.position), owner: person, connection)
      let report = ErasureReport(
        events: removed.positions.count, exposures: try removeExposures(traces))

      var events = EventRows()
      events.append(
        NewEvent(kind: .erasure, viewer: person, card: person, time: traces.lastTime),
        at: position)
      var kept = DeltaRows()
      removed.addKept(to: &kept) { _ in position }
      let forgotten = try forget(rows[6], into: &kept)
      var writes = [events.command] + forgotten + (kept.isEmpty ? [] : [kept.command])
      writes += try unfold(rows[5]).commands + remove(traces)
      for (learner, blob) in blobs.sorted(by: { $0.key < $1.key }) {
        let rest = blob.forgetting(person)
        if rest == blob { continue }
        writes.append(
          PostgresCommand(
            StoreSQL.setLearnerBlob, .text(learner), .position(rest.position), .bytes(rest.bytes)))
      }
      let id = try rows[7].first { try $0.bytes(0) }
      if let id { writes.append(PostgresCommand(StoreSQL.forgetIdentifier, .bytes(id))) }
      try finish(writes, at: position, report)
      return report
    }

    /// The change is counted last: others wait for the counter.
    private func finish(
      _ writes: [PostgresCommand], at position: LogPosition, _ report: ErasureReport
    ) throws {
      let counter = PostgresParameter.text("cards")
      let rows = try connection.run(writes + [PostgresCommand(StoreSQL.lockCounter, counter)])
      let last = try PostgresStore.required(
        rows.last?.first { try $0.integer(0) }, "changes", StoreSQL.lockCounter, connection)
      memory.remember(report)
      try connection.run(
        PostgresCommand(StoreSQL.forgetCard, number),
        PostgresCommand(StoreSQL.moveCounter, counter, .integer(last + 1)),
        PostgresCommand(
          StoreSQL.finishErasure, number, .position(position), .integer(last + 1)),
        PostgresCommand(.commit))
    }

    private func blobs(_ rows: PostgresRows) throws -> [String: LearnerBlob] {
      let pairs = try rows.map { row in
        (
          try row.text(0),
          try LearnerBlob(bytes: try row.bytes(2), position: try row.position(1))
        )
      }
      return Dictionary(pairs) { _, last in last }
    }

    private func removeExposures(_ traces: PersonTraces) throws -> Int {
      let rows = try connection.run(
        PostgresCommand(
          StoreSQL.removeExposuresAt, .integers(traces.exposures.map(\.deal)),
          .integers(traces.exposures.map(\.place))),
        PostgresCommand(StoreSQL.removeExposures, .integers(traces.deals.map(\.rawValue))))
      return rows.reduce(0) { $0 + $1.changed }
    }

    /// What events removed earlier taught of the person.
    private func forget(
      _ rows: PostgresRows, into kept: inout DeltaRows
    ) throws -> [PostgresCommand] {
      var viewers: [Int64] = []
      var positions: [Int64] = []
      var ordinals: [LogPosition: Int64] = [:]
      let all = try rows.map { row in
        (
          viewer: try row.number(0), position: try row.position(1), learner: try row.text(2),
          increments: try row.increments(3)
        )
      }
      let touched = Set(
        all.filter { $0.increments.contains { $0.key.owner == person } }.map(\.position))
      for one in all where touched.contains(one.position) {
        viewers.append(one.viewer.rawValue)
        positions.append(one.position.rawValue)
        let rest = one.increments.filter { $0.key.owner != person }
        if rest.isEmpty { continue }
        kept.append(
          one.learner, rest, viewer: one.viewer, at: one.position,
          ordinal: ordinals[one.position, default: 0])
        ordinals[one.position, default: 0] += 1
      }
      if positions.isEmpty { return [] }
      return [PostgresCommand(StoreSQL.removeDeltas, .integers(viewers), .integers(positions))]
    }

    private func unfold(_ rows: PostgresRows) throws -> FoldRows {
      var folds = FoldRows()
      let events = try Folds.events(rows)
      for (viewer, sets) in try Folds.byViewer(rows) {
        guard let event = events[viewer] else { continue }
        var rest = sets
        if viewer == person { rest = FoldedAnswers() } else { rest.remove(person) }
        folds.replace(rest, of: viewer, event: event)
      }
      folds.replace(FoldedAnswers(), of: person, event: .start)
      return folds
    }

    private func remove(_ traces: PersonTraces) -> [PostgresCommand] {
      // Canonical rows first, as everybody locks them.
      let edges = traces.edges.sorted {
        ($0.owner > $0.other ? 1 : 0, $0.owner, $0.other)
          < ($1.owner > $1.other ? 1 : 0, $1.owner, $1.other)
      }
      return [
        PostgresCommand(
          StoreSQL.removeEdges, .integers(edges.map(\.owner.rawValue)),
          .integers(edges.map(\.other.rawValue))),
        PostgresCommand(
          StoreSQL.forgetInOutbox, .integers(traces.outbox.map(\.low)),
          .integers(traces.outbox.map(\.event))),
        PostgresCommand(StoreSQL.forgetStack, number),
        PostgresCommand(StoreSQL.forgetViewer, number),
        PostgresCommand(StoreSQL.forgetNumber, number),
      ]
    }
  }
#endif
