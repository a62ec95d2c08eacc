#if Postgres
  internal import CardFeed

  extension PostgresBenchmark {
    private struct Row: Sendable {
      let swipe: SwipeCommand
      let pair: Pair
    }

    private static let addCanonical = PostgresStatement(
      "bench_add_canonical", .shard("owner"), StoreSQL.insertCanonical)

    /// What the server cannot be spared: the rows that new swipes leave, in the same tables with the
    /// same keys and in transactions as large as the store's. Nobody is locked, nothing is looked up
    /// and nothing decided, so the swipes are known to be the first of their pairs.
    func measureRows(inTransactionsOf size: Int) async throws -> Swiping {
      let rows = try await firstOfTheirPairs(measured)
      let writers = SwipeGatherer.usual
      let progress = Counted(progress, "rows", total: rows.count)
      return try await metered(rows.count) {
        try await withThrowingTaskGroup(of: [UInt64].self) { group in
          for index in 0..<writers {
            let part = rows[
              (rows.count * index / writers)..<(rows.count * (index + 1) / writers)]
            group.addTask {
              var times: [UInt64] = []
              for start in stride(from: part.startIndex, to: part.endIndex, by: size) {
                let transaction = part[start..<min(start + size, part.endIndex)]
                times.append(try await write(transaction.sorted { $0.pair < $1.pair }))
                progress.add(transaction.count)
              }
              return times
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }
    }

    private func firstOfTheirPairs(_ count: Int) async throws -> [Row] {
      var swipes = BenchSwipes(people: people, stream: 20_001)
      var rows: [Row] = []
      var pairs: Set<Pair> = []
      while rows.count < count {
        var some: [Row] = []
        for _ in 0..<min(1000, count - rows.count) {
          let swipe = swipes.next()
          let pair = Pair(swipe.viewer, swipe.card)
          if pairs.insert(pair).inserted { some.append(Row(swipe: swipe, pair: pair)) }
        }
        let command = PostgresCommand(
          StoreSQL.findOwnEdges, .integers(some.map(\.pair.low.rawValue)),
          .integers(some.map(\.pair.high.rawValue)))
        let found = try await store.pool.run("look for pairs") { connection in
          Set(try connection.rows(command).map { Int(try $0.integer(0)) - 1 })
        }
        rows += some.enumerated().filter { !found.contains($0.offset) }.map(\.element)
      }
      return rows
    }

    private func write(_ rows: [Row]) async throws -> UInt64 {
      let clock = SystemClock()
      let start = clock.uptimeNanoseconds
      try await store.pool.run("write rows") { connection in
        let drawn = try connection.run(
          PostgresCommand(.begin), ViewerLock.draw(rows.count))
        let positions = try ViewerLock.drawn(drawn[1], rows.count, AttemptMemory())
        var events = EventRows()
        for (row, position) in zip(rows, positions).sorted(by: {
          $0.0.swipe.viewer < $1.0.swipe.viewer
        }) {
          let swipe = row.swipe
          events.append(
            NewEvent(
              kind: .swipe, viewer: swipe.viewer, card: swipe.card, clientID: swipe.event,
              time: swipe.time, answer: swipe.answer, meaning: swipe.meaning,
              remaining: swipe.remaining), at: position)
        }
        let followers = zip(rows, positions).sorted {
          ($0.0.pair.high, $0.0.pair.low) < ($1.0.pair.high, $1.0.pair.low)
        }
        try connection.run([
          PostgresCommand(
            Self.addCanonical, .integers(rows.map(\.pair.low.rawValue)),
            .integers(rows.map(\.pair.high.rawValue)),
            .flags(rows.map { $0.pair.low == $0.swipe.viewer }),
            .integers(positions.map(\.rawValue)), .integers(rows.map(\.swipe.time.milliseconds)),
            .integers16(rows.map { Int64($0.swipe.meaning.rawValue) }),
            .texts(rows.map(\.swipe.answer)),
            .integers16(rows.map { SwipeRule.table($0.swipe) })),
          PostgresCommand(
            StoreSQL.addFollowers, .integers(followers.map(\.0.pair.low.rawValue)),
            .integers(followers.map(\.0.pair.high.rawValue)),
            .flags(followers.map { $0.0.pair.low == $0.0.swipe.viewer }),
            .integers(followers.map(\.1.rawValue)),
            .integers(followers.map(\.0.swipe.time.milliseconds)),
            .integers16(followers.map { Int64($0.0.swipe.meaning.rawValue) }),
            .texts(followers.map(\.0.swipe.answer)), .integers(followers.map { _ in nil }),
            .integers(followers.map { _ in nil })),
          events.command, PostgresCommand(.commit),
        ])
        return ()
      }
      return clock.uptimeNanoseconds - start
    }
  }
#endif
