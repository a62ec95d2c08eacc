#if Postgres
  internal import CardFeed
  internal import CardFeedConfiguration

  extension PostgresBenchmark {
    /// What swipes took.
    struct Swiping {
      let count: Int
      let nanoseconds: UInt64
      let times: [UInt64]
      let before: BenchMeter.Reading
      let after: BenchMeter.Reading

      /// Of the server, for a swipe.
      var processorMicroseconds: Double? {
        guard let before = before.processorNanoseconds, let after = after.processorNanoseconds
        else { return nil }
        return (after - before) / Double(max(1, count)) / 1000
      }

      func figures(_ how: String, each: String) -> [Benchmark.Figure] {
        let swipes = Double(max(1, count))
        return [
          Benchmark.Figure(
            "durable swipes \(how)", swipes / (Double(max(1, nanoseconds)) / 1e9), unit: "1/s"),
          .nanoseconds("  from asking to receipt of \(each), median", times, 50),
          .nanoseconds("  from asking to receipt of \(each), p99", times, 99),
          Benchmark.Figure(
            "  processor time of the server for a swipe", processorMicroseconds, decimals: 1,
            unit: "µs"),
          Benchmark.Figure(
            "  write-ahead log of a swipe", Double(after.logBytes - before.logBytes) / swipes,
            unit: "bytes"),
          Benchmark.Figure(
            "  tables of a swipe", Double(after.tableBytes - before.tableBytes) / swipes,
            unit: "bytes"),
          Benchmark.Figure(
            "  indexes of a swipe", Double(after.indexBytes - before.indexBytes) / swipes,
            unit: "bytes"),
        ]
      }
    }

    /// The rows that a viewer's first deal makes.
    func addViewers() async throws {
      for start in stride(from: 1, through: people, by: 10_000) {
        let numbers = (start..<min(start + 10_000, people + 1)).map { Int64($0) }
        try await store.pool.run("add viewers") { connection in
          try connection.run(PostgresCommand(StoreSQL.addViewers, .integers(numbers)))
          return ()
        }
      }
    }

    func fill() async throws {
      guard swipes > 0 else { return }
      // Large batches: how the store is filled is not measured.
      _ = try await record(swipes, batch: 1000, firstStream: 1, part: "fill")
      // Otherwise the server would do so while it is measured, and what the filling left is not what
      // a measured swipe costs.
      try await store.pool.run("vacuum") { connection in
        try connection.execute(["SET statement_timeout = 0"])
        for table in PostgresSchema.tables {
          try connection.execute(["VACUUM (ANALYZE) \(table.name)"])
        }
      }
    }

    /// The store gathers what waits, so its transactions are larger than the calls.
    func measureBatches() async throws -> (swiping: Swiping, transactions: Int) {
      let transactions = Lock(0)
      store.pool.breakConnections { step in
        if step == .before(StoreSQL.decideSwipes.name) { transactions.withLock { $0 += 1 } }
        return false
      }
      defer { store.pool.breakConnections(nil) }
      let swiping = try await metered(measured) {
        try await record(measured, batch: batch, firstStream: 1001, part: "batches")
      }
      return (swiping, max(1, transactions.withLock { $0 }))
    }

    /// Every viewer swipes from a hand and waits for the receipt before the next one.
    func measureHands() async throws -> Swiping {
      let viewers = (1...viewersAtOnce).map { CardNumber(Int64(people + $0)) }
      for viewer in viewers { _ = try await store.commit(BenchSwipes.deal(to: viewer)) }
      let each = max(1, measured / 10 / viewersAtOnce)
      let progress = Counted(progress, "hands", total: each * viewersAtOnce)
      return try await metered(each * viewersAtOnce) {
        try await withThrowingTaskGroup(of: [UInt64].self) { group in
          for (index, viewer) in viewers.enumerated() {
            group.addTask {
              var swipes = BenchSwipes(people: people, stream: 10_001 + index)
              var times: [UInt64] = []
              for top in 0..<each {
                times.append(try await commit([swipes.next(of: viewer, at: Int64(top))]))
                progress.add(1)
              }
              return times
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }
    }

    private static let addBare = PostgresStatement(
      "bench_add_bare", .shard("viewer"),
      """
      INSERT INTO bare (viewer, card, event, time, meaning)
      SELECT unnest($1::bigint[]), unnest($2::bigint[]), unnest($3::bigint[]),
        unnest($4::bigint[]), unnest($5::smallint[])
      ON CONFLICT (viewer, card) DO NOTHING
      """)

    /// The least that remembering an answer can cost: one narrow row with one key, the same pairs in
    /// batches of the same size on the same connections, nothing asked.
    func measureBare() async throws -> Swiping {
      try await store.pool.run("make the reference") { connection in
        try connection.execute([
          "CREATE TABLE bare (viewer bigint NOT NULL, card bigint NOT NULL, event bigint NOT NULL, "
            + "time bigint NOT NULL, meaning smallint NOT NULL, PRIMARY KEY (viewer, card))"
        ])
        return ()
      }
      let reference = try await metered(measured) {
        try await record(measured, batch: batch, firstStream: 1001, part: "reference") { swipes in
          let clock = SystemClock()
          let start = clock.uptimeNanoseconds
          let command = PostgresCommand(
            Self.addBare, .integers(swipes.map(\.viewer.rawValue)),
            .integers(swipes.map(\.card.rawValue)), .integers(swipes.map { _ in 1 }),
            .integers(swipes.map(\.time.milliseconds)),
            .integers16(swipes.map { Int64($0.meaning.rawValue) }))
          try await store.pool.run("reference") { connection in
            try connection.run(command)
            return ()
          }
          return clock.uptimeNanoseconds - start
        }
      }
      try await store.pool.run("drop the reference") { connection in
        try connection.execute(["DROP TABLE bare"])
        return ()
      }
      return reference
    }

    func metered(
      _ count: Int, _ body: () async throws -> [UInt64]
    ) async throws -> Swiping {
      let before = try await meter.read()
      let clock = SystemClock()
      let start = clock.uptimeNanoseconds
      let times = try await body()
      let nanoseconds = clock.uptimeNanoseconds - start
      return Swiping(
        count: count, nanoseconds: nanoseconds, times: times, before: before,
        after: try await meter.read())
    }

    private func record(
      _ count: Int, batch: Int, firstStream: Int, part: String,
      _ write: (@Sendable ([SwipeCommand]) async throws -> UInt64)? = nil
    ) async throws -> [UInt64] {
      let progress = Counted(progress, part, total: count)
      return try await withThrowingTaskGroup(of: [UInt64].self) { group in
        for index in 0..<connections {
          group.addTask {
            var swipes = BenchSwipes(
              people: people, stream: firstStream + index, caller: index, of: connections)
            var left = count * (index + 1) / connections - count * index / connections
            var times: [UInt64] = []
            while left > 0 {
              let commands = (0..<min(batch, left)).map { _ in swipes.next() }
              times.append(try await (write ?? commit)(commands))
              left -= commands.count
              progress.add(commands.count)
            }
            return times
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }

    /// Commits swipes, all of which must be applied, and returns the nanoseconds it took.
    @Sendable private func commit(_ swipes: [SwipeCommand]) async throws -> UInt64 {
      let clock = SystemClock()
      let start = clock.uptimeNanoseconds
      let decisions = try await store.commit(swipes)
      let nanoseconds = clock.uptimeNanoseconds - start
      for decision in decisions {
        guard case .applied = decision else {
          throw PostgresError(
            .corrupt, server: store.options.schema, operation: "swipe",
            found: "a new swipe that was not applied")
        }
      }
      return nanoseconds
    }
  }

  /// How far the tasks of a part have come together.
  final class Counted: Sendable {
    private let progress: Benchmark.Progress
    private let part: String
    private let total: Int
    private let done = Lock(0)

    init(_ progress: @escaping Benchmark.Progress, _ part: String, total: Int) {
      self.progress = progress
      self.part = part
      self.total = total
    }

    func add(_ count: Int) {
      let done = done.withLock { done in
        done += count
        return done
      }
      progress(part, done, total)
    }
  }
#endif
