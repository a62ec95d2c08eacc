#if Postgres
  internal import CardFeed
  internal import CardFeedConfiguration

  /// Measures what swipes and questions cost a PostgreSQL server, in a schema of its own.
  struct PostgresBenchmark {
    let store: PostgresStore
    let meter: BenchMeter
    let swipes: Int
    let measured: Int
    let batch: Int
    let connections: Int
    let folder: String
    let progress: Benchmark.Progress

    /// As many that one person has some fifty answers.
    var people: Int { max(20_000, swipes / 50) }
    /// Viewers that swipe at once, each from a hand and waiting for its commit.
    var viewersAtOnce: Int { 256 }

    private static func run(
      _ parameters: Parameters, _ progress: @escaping Benchmark.Progress
    ) async throws -> Benchmark.Report {
      var options = PostgresStore.Options(conninfo: parameters.optionalText("conninfo") ?? "")
      options.schema = parameters.text("schema")
      options.connections = parameters.integer("connections")
      options.partitions = parameters.integer("partitions")
      options.statementTimeoutMilliseconds = 120_000
      let store = try await BenchSchema.open(options)
      let result: Result<Benchmark.Report, any Error>
      do {
        let work = PostgresBenchmark(
          store: store, meter: try await BenchMeter(store),
          swipes: parameters.integer("swipes"), measured: parameters.integer("measured"),
          batch: parameters.integer("batch"), connections: options.connections,
          folder: parameters.text("in"), progress: progress)
        result = .success(try await work.report())
      } catch { result = .failure(error) }
      try await store.close()
      if !parameters.bool("keep") { try await BenchSchema.drop(options) }
      return try result.get()
    }

    private func report() async throws -> Benchmark.Report {
      var report = Benchmark.Report()
      try await addViewers()
      try await fill()
      var syncs = try DiskSync.measure(in: folder, pages: 100)
      let (batches, transactions) = try await measureBatches()
      syncs += try DiskSync.measure(in: folder, pages: 100)
      let reference = try await measureBare()
      let size = (batches.count + transactions - 1) / transactions
      let rows = try await measureRows(inTransactionsOf: size)
      let hands = try await measureHands()
      syncs += try DiskSync.measure(in: folder, pages: 100)
      report.figures += [
        .nanoseconds("a page of 8 KiB on the disk (fdatasync), median", syncs, 50),
        .nanoseconds("a page of 8 KiB on the disk (fdatasync), p99", syncs, 99),
        Benchmark.Figure("swipes in the store before", Double(swipes)),
      ]
      report.figures += [
        Benchmark.Figure(
          "processor time of the server for a bare row (the reference)",
          reference.processorMicroseconds, decimals: 1, unit: "µs"),
        Benchmark.Figure(
          "  for the bare rows of a swipe", rows.processorMicroseconds, decimals: 1, unit: "µs"),
      ]
      report.figures += batches.figures(
        "in batches of \(batch), \(connections) connections", each: "a batch")
      report.figures += [
        Benchmark.Figure(
          "  ratio to the bare rows of a swipe",
          batches.processorMicroseconds.flatMap { whole in
            rows.processorMicroseconds.map { whole / max($0, 0.001) }
          }, decimals: 2),
        Benchmark.Figure("  swipes of a transaction, on average", Double(size)),
      ]
      report.figures += hands.figures(
        "from hands, \(viewersAtOnce) viewers at once", each: "a swipe")
      report.figures += try await readFigures()
      try await requireEverySwipe(swipes + batches.count + rows.count + hands.count)
      if !meter.readsProcessor {
        report.notes.append(
          "the server's processor time was not measured: it does not run on this machine, or "
            + "/proc does not show its processes")
      }
      return report
    }

    /// What was acknowledged must be there: figures of a store that loses swipes mean nothing.
    private func requireEverySwipe(_ count: Int) async throws {
      let found = try await BenchMeter.integers(
        "SELECT count(*) FROM events WHERE kind = 3", store)
      guard found == [Int64(count)] else {
        throw PostgresError(
          .corrupt, server: store.options.schema, operation: "count what was acknowledged",
          found: "\(found.first ?? 0) swipes in the log, \(count) were acknowledged",
          advice: "Do not use this server until it is understood.")
      }
    }

    static var description: Benchmark {
      Benchmark(
        name: "postgres", summary: "Measures what swipes cost a PostgreSQL server.",
        discussion: """
          Makes a schema, fills it, measures and drops it again; a schema of that name that it did \
          not make is refused. Swipes are measured twice: recorded in batches, and from hands, one \
          each from many viewers at once, which the store gathers; beside them stand a bare row with \
          one key, and the bare rows of a swipe: those that a new pair leaves, in the same tables, \
          with nothing locked, looked up or decided. Then how quickly it answers who \
          of 200 cards likes a viewer, and loads a viewer whom the process does not know. The \
          server's processor time is read from /proc, so only where the server runs on this \
          machine and does nothing else meanwhile. \
          'make bench-postgres' starts a server for it.
          """, parameters: parameters
      ) { try await run($0, $1) }
    }

    private static var parameters: [ParameterDescription] {
      [
        ParameterDescription(
          "conninfo", .text, default: .null,
          help: "A connection string as libpq reads it; what it leaves out comes from libpq's "
            + "environment variables and the password file."),
        ParameterDescription(
          "schema", .text, default: "cardfeed_bench", help: "The schema that is made and dropped."),
        ParameterDescription(
          "swipes", .integer(0...1_000_000_000), default: 100_000,
          help: "Swipes in the store before anything is measured."),
        ParameterDescription(
          "measured", .integer(1000...100_000_000), default: 200_000,
          help: "Swipes that are measured in batches; a tenth of it from hands."),
        ParameterDescription(
          "batch", .integer(1...10_000), default: 200, help: "Swipes of a call."),
        ParameterDescription(
          "connections", .integer(1...1000), default: 8, help: "Connections, and calls at a time."),
        ParameterDescription(
          "partitions", .integer(0...1024), default: 0,
          help: "Hash partitions of each table; 0 for none."),
        ParameterDescription(
          "in", .text, default: ".",
          help: "A folder of the server's disk, to see what a sync of it takes."),
        ParameterDescription(
          "keep", .bool, default: false, help: "Keeps the schema; the next run drops it."),
      ]
    }
  }

  extension Benchmark.Figure {
    /// A percentile of times, in milliseconds.
    static func nanoseconds(_ name: String, _ times: [UInt64], _ percent: Int) -> Self {
      let sorted = times.sorted()
      let value =
        sorted.isEmpty ? nil : Double(sorted[(sorted.count - 1) * percent / 100]) / 1e6
      return Self(name, value, decimals: 3, unit: "ms")
    }
  }
#endif
