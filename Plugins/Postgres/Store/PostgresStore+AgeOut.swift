#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// Folds old answers into one set of cards for each viewer, 64 viewers in a transaction; deals
    /// and swipes of all processes go on in between. O(store).
    ///
    /// - Throws: ``PostgresError``; some viewers may be done then.
    public func ageOut(
      negativesBefore: Timestamp?, unansweredLikesBefore: Timestamp?
    ) async throws -> AgeOutReport {
      let bounds = AgeBounds(negatives: negativesBefore, likes: unansweredLikesBefore)
      var report = AgeOutReport()
      var last: Int64 = 0
      while true {
        let viewers = try await pool.run("find old answers") { [last] connection in
          try connection.readPatiently {
            try connection.rows(
              PostgresCommand(
                StoreSQL.viewersWithOld, .integer(last), .time(bounds.negatives),
                .time(bounds.likes), .integer(64))
            ).map { try $0.number(0) }
          }
        }
        guard let end = viewers.last else { return report }
        let memory = RemovalMemory<AgeOutReport>()
        report.add(
          try await pool.run("age out answers") { connection in
            var transaction = AgeOutTransaction(
              viewers: viewers, bounds: bounds, connection: connection, memory: memory)
            return try transaction.run()
          })
        last = end.rawValue
      }
    }
  }

  private struct AgeBounds: Sendable {
    let negatives: Timestamp?
    let likes: Timestamp?
  }

  extension AgeOutReport {
    fileprivate mutating func add(_ part: AgeOutReport) {
      viewers += part.viewers
      negatives += part.negatives
      likes += part.likes
      events += part.events
      bytes += part.bytes
    }
  }

  /// One transaction that folds the old answers of some viewers.
  ///
  /// The viewers are locked, so that none of their own events comes in between; then both rows of
  /// each pair, canonical ones first, so that none of the other side's does. What stood when the
  /// rows were locked decides. Six round trips.
  private struct AgeOutTransaction {
    let viewers: [ViewerNumber]
    let bounds: AgeBounds
    let connection: PostgresConnection
    let memory: RemovalMemory<AgeOutReport>

    private var report = AgeOutReport()

    private struct Old {
      let viewer: ViewerNumber
      let card: CardNumber
      let answer: SeenEntry.Answered
      let events: [Event]

      var pair: Pair { Pair(viewer, card) }
    }

    private struct Event {
      let position: LogPosition
      let key: Int64
      let isFree: Bool
    }

    private struct Direction: Hashable {
      let viewer: ViewerNumber
      let card: CardNumber
    }

    init(
      viewers: [ViewerNumber], bounds: AgeBounds, connection: PostgresConnection,
      memory: RemovalMemory<AgeOutReport>
    ) {
      self.viewers = viewers
      self.bounds = bounds
      self.connection = connection
      self.memory = memory
    }

    mutating func run() throws -> AgeOutReport {
      let numbers = PostgresParameter.integers(viewers.map(\.rawValue))
      let earlier = memory.positions.positions.sorted().map(\.rawValue)
      let (_, rows) = try ViewerLock.begin(
        viewers, first: [StoreSQL.lockRemovals],
        reads: [
          PostgresCommand(
            StoreSQL.agedOut, .integers(viewers.map(\.rawValue)), .integers(earlier)),
          PostgresCommand(
            StoreSQL.oldAnswers, numbers, .time(bounds.negatives), .time(bounds.likes)),
          PostgresCommand(StoreSQL.clientEventsOf, numbers), Folds.find(viewers),
          PostgresCommand(StoreSQL.learnerPositions), ViewerLock.draw(viewers.count),
        ], connection)
      // An earlier attempt was committed without an answer.
      if rows[0].count > 0, let done = memory.last { return done }
      let places = Dictionary(
        uniqueKeysWithValues: zip(
          viewers, try ViewerLock.drawn(rows[5], viewers.count, memory.positions)))
      let old = try stillOld(candidates(rows[1], events: rows[2]))
      guard !old.isEmpty else { return report }

      var removed = RemovedEvents()
      for one in old {
        for event in one.events { removed.append(one.viewer, event.position, key: event.key) }
      }
      report.events = removed.positions.count
      let folded = Set(old.map(\.viewer))
      // The sets have one event in the log, the last.
      for (viewer, event) in try Folds.events(rows[3]) where folded.contains(viewer) {
        removed.append(viewer, event, key: event.rawValue)
      }
      let counted = Dictionary(
        uniqueKeysWithValues: try rows[4].map { (try $0.text(0), try $0.position(1)) })
      try removed.remove(counted: counted, owner: nil, connection)
      let writes = writes(old, places, removed, sets: try Folds.byViewer(rows[3]))
      memory.remember(report)
      try connection.run(writes + [PostgresCommand(.commit)])
      return report
    }

    /// Old answers on which nothing of the viewer's own rests, as far as the log says.
    private func candidates(_ rows: PostgresRows, events: PostgresRows) throws -> [Old] {
      var answers: [Direction: SeenEntry.Answered] = [:]
      _ = try rows.map { row in
        answers[Direction(viewer: try row.number(0), card: try row.number(1))] =
          try row.seenEntry(at: 2).answer
      }
      var found: [Direction: [Event]] = [:]
      _ = try events.map { row in
        guard let card = try row.optionalNumber(3) else { return }
        let direction = Direction(viewer: try row.number(0), card: card)
        guard answers[direction] != nil else { return }
        let isFree =
          try row.optionalPosition(4) == nil
          && [.swipe, .rewind, .impression].contains(try row.kind(2))
        found[direction, default: []].append(
          Event(position: try row.position(1), key: try row.integer(5), isFree: isFree))
      }
      return answers.compactMap { direction, answer in
        guard let events = found[direction], events.allSatisfy(\.isFree) else { return nil }
        return Old(
          viewer: direction.viewer, card: direction.card, answer: answer,
          events: events)
      }.sorted { ($0.pair, $0.viewer) < ($1.pair, $1.viewer) }
    }

    /// Locks the rows of the pairs and leaves out what the other side changed meanwhile.
    private func stillOld(_ candidates: [Old]) throws -> [Old] {
      guard !candidates.isEmpty else { return [] }
      let pairs = Set(candidates.map(\.pair)).sorted()
      let rows = try connection.run(
        PostgresCommand(
          StoreSQL.lockPairs, .integers(pairs.map(\.low.rawValue)),
          .integers(pairs.map(\.high.rawValue))),
        // Rows of the greater numbers: in their own order, as everybody locks them.
        lock(mirrorsOf: pairs),
        Erased.find(candidates.flatMap { [$0.viewer, $0.card] }))
      var free: [Pair: (low: LogPosition?, high: LogPosition?)] = [:]
      _ = try rows[0].map { row in
        guard try row.optionalPosition(4) == nil else { return }
        free[Pair(try row.number(0), try row.number(1))] =
          (try row.optionalPosition(2), try row.optionalPosition(3))
      }
      let erased = try Erased.numbers(rows[2])
      return candidates.filter { one in
        guard let events = free[one.pair], erased.isDisjoint(with: [one.viewer, one.card])
        else { return false }
        let isLow = one.viewer < one.card
        let reverse = isLow ? events.high : events.low
        return (isLow ? events.low : events.high) == one.answer.event
          && (one.answer.meaning != .positive || reverse == nil)
      }
    }

    private func lock(mirrorsOf pairs: [Pair]) -> PostgresCommand {
      let sorted = Self.mirrored(pairs)
      return PostgresCommand(
        StoreSQL.lockPairs, .integers(sorted.map(\.high.rawValue)),
        .integers(sorted.map(\.low.rawValue)))
    }

    private static func mirrored(_ pairs: some Sequence<Pair>) -> [Pair] {
      pairs.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    }

    private mutating func writes(
      _ old: [Old], _ places: [ViewerNumber: LogPosition], _ removed: RemovedEvents,
      sets: [ViewerNumber: FoldedAnswers]
    ) -> [PostgresCommand] {
      var events = EventRows()
      var folds = FoldRows()
      for (viewer, answers) in Dictionary(grouping: old, by: \.viewer).sorted(by: {
        $0.key < $1.key
      }) {
        guard let place = places[viewer], let latest = answers.map(\.answer.time).max()
        else { continue }
        var folded = sets[viewer] ?? FoldedAnswers()
        for one in answers.sorted(by: { $0.card < $1.card }) {
          folded.fold(one.card, one.answer)
          if one.answer.meaning == .positive { report.likes += 1 } else { report.negatives += 1 }
        }
        folds.replace(folded, of: viewer, event: place)
        events.append(NewEvent(kind: .ageOut, viewer: viewer, time: latest), at: place)
        report.viewers += 1
      }
      report.bytes = folds.bytes
      var kept = DeltaRows()
      removed.addKept(to: &kept) { places[$0] }
      return [events.command] + (kept.isEmpty ? [] : [kept.command]) + folds.commands
        + forget(old, places)
    }

    /// Both rows of each pair, canonical ones first. A row that says nothing any more goes.
    private func forget(
      _ old: [Old], _ places: [ViewerNumber: LogPosition]
    ) -> [PostgresCommand] {
      let mirrored = old.sorted {
        ($0.pair.high, $0.pair.low, $0.viewer) < ($1.pair.high, $1.pair.low, $1.viewer)
      }
      return [(old, true), (mirrored, false)].flatMap { old, isCanonical in
        let owners = old.map { isCanonical ? $0.pair.low : $0.pair.high }
        let others = old.map { isCanonical ? $0.pair.high : $0.pair.low }
        let keys: [PostgresParameter] = [
          .integers(owners.map(\.rawValue)), .integers(others.map(\.rawValue)),
        ]
        // Both sides of a pair may be forgotten at once; one statement changes a row once.
        return [true, false].map { isOwn in
          let part = zip(old, owners).filter { ($0.viewer == $1) == isOwn }.map(\.0)
          return PostgresCommand(
            StoreSQL.forgetAnswers,
            .integers(part.map { isCanonical ? $0.pair.low.rawValue : $0.pair.high.rawValue }),
            .integers(part.map { isCanonical ? $0.pair.high.rawValue : $0.pair.low.rawValue }),
            .flags(part.map { _ in isOwn }),
            .integers(part.map { places[$0.viewer]?.rawValue ?? 0 }))
        } + [PostgresCommand(StoreSQL.removeEmptyEdges, keys[0], keys[1])]
      }
    }
  }
#endif
