#if Postgres
  internal import CardFeed

  /// What is written once the pairs are decided, in the same transaction.
  extension SwipeTransaction {
    mutating func write(
      _ candidates: [Candidate], _ verdicts: [Pair: Verdict], _ wave: Range<Int>, looksUp: Bool
    ) throws -> [PostgresCommand] {
      var events = EventRows()
      var deltas = DeltaRows()
      var outbox = OutboxRows()
      var applied: [(candidate: Candidate, verdict: Verdict)] = []
      // The log's key begins with the viewer: neighbours share the pages that lead to theirs.
      let byViewer = candidates.sorted { commands[$0.index].viewer < commands[$1.index].viewer }
      for candidate in byViewer {
        let command = commands[candidate.index]
        guard let verdict = verdicts[candidate.pair], verdict.isApplied else {
          if !looksUp { throw Failure.mustLookUp }
          try refuse(command, candidate.index, wave)
          continue
        }
        applied.append((candidate, verdict))
        if case .top = command.expectation { moved.insert(command.viewer) }
        let isMade = verdict.isMatch && verdict.matchedBy == candidate.position
        let match = verdict.isMatch ? verdict.matchedBy : nil
        events.append(
          NewEvent(
            kind: .swipe, viewer: command.viewer, card: command.card, clientID: command.event,
            time: command.time, answer: command.answer, meaning: command.meaning,
            about: command.deal, before: verdict.before == SeenEntry() ? nil : verdict.before,
            match: match.map { isMade ? .made : .existing($0) }, remaining: command.remaining),
          at: candidate.position, slot: candidate.slot)
        if isMade {
          events.append(
            NewEvent(
              kind: .match, viewer: command.viewer, card: command.card, time: command.time,
              about: candidate.position), at: candidate.position.next)
          outbox.append(.matchMade, candidate.pair, at: candidate.position, time: command.time)
        }
        for (ordinal, delta) in command.learned.enumerated() {
          deltas.append(
            delta.learner, delta.increments, viewer: command.viewer, at: candidate.position,
            ordinal: Int64(ordinal))
        }
        decisions[candidate.index] = .applied(
          StoredReceipt(
            event: candidate.position, card: command.card, answer: command.answer, match: match,
            remaining: command.remaining))
      }
      guard !applied.isEmpty else { return [] }
      var writes = follow(applied) + [events.command]
      if !deltas.isEmpty { writes.append(deltas.command) }
      if !outbox.isEmpty { writes.append(outbox.command) }
      return writes
    }

    /// The two must not meet. If the viewer's next swipe was judged by the top behind this one, the
    /// whole batch has to be judged again.
    private mutating func refuse(
      _ command: SwipeCommand, _ index: Int, _ wave: Range<Int>
    ) throws {
      decisions[index] = .stale
      guard case .top = command.expectation else { return }
      let hasLater = commands[(index + 1)..<wave.upperBound].contains {
        $0.viewer == command.viewer
      }
      if hasLater { throw Failure.tookTooMuchForGranted }
      tops[command.viewer]?.top -= 1
    }

    private func follow(
      _ applied: [(candidate: Candidate, verdict: Verdict)]
    ) -> [PostgresCommand] {
      let sorted = applied.sorted {
        ($0.candidate.pair.high, $0.candidate.pair.low)
          < ($1.candidate.pair.high, $1.candidate.pair.low)
      }
      let isNew = { (swipe: (candidate: Candidate, verdict: Verdict)) in
        switch (swipe.candidate.follower, following) {
        case (_, .upserting), (.present, _): false
        // Whoever answered meanwhile made the row.
        case (.absent, _): !swipe.verdict.hasReverse
        case (.notLookedFor, _): !swipe.verdict.wasThere
        }
      }
      let parts = [
        (StoreSQL.addFollowers, sorted.filter(isNew)),
        (StoreSQL.followSwipes, sorted.filter { !isNew($0) }),
      ]
      return parts.filter { !$0.1.isEmpty }.map { statement, part in
        let swipes = part.map { commands[$0.candidate.index] }
        return PostgresCommand(
          statement, .integers(part.map(\.candidate.pair.low.rawValue)),
          .integers(part.map(\.candidate.pair.high.rawValue)),
          .flags(part.map(\.candidate.isLow)), .integers(part.map(\.candidate.position.rawValue)),
          .integers(swipes.map(\.time.milliseconds)),
          .integers16(swipes.map { Int64($0.meaning.rawValue) }), .texts(swipes.map(\.answer)),
          .integers(part.map(\.verdict.matchedBy?.rawValue)),
          .integers(part.map(\.verdict.matchedAt?.milliseconds)))
      }
    }
  }

  extension LogPosition {
    /// The place that was drawn with this one, for the match that the swipe here makes.
    var next: LogPosition { LogPosition(rawValue + 1) }
  }
#endif
