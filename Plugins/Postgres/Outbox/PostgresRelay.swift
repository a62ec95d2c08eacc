#if Postgres
  public import CardFeed

  /// Carries what is in a store's outbox to a sink: leases a batch, delivers it, removes it.
  ///
  /// Any number of relays in any number of processes may run; a row is leased to one at a time. A
  /// relay that dies lets its lease run out, and another delivers the rows again: at least once.
  /// Time comes from the clock that is passed, so the processes' clocks should agree to a fraction
  /// of the lease.
  public final class PostgresRelay: Sendable {
    /// How a relay works.
    public struct Options: Sendable, Equatable {
      /// The most events of one delivery.
      public var batch: Int
      /// How long a batch belongs to this relay, in milliseconds. Longer than a delivery takes.
      public var leaseMilliseconds: Int64
      /// How long to wait when the outbox was empty, in milliseconds.
      public var idleMilliseconds: Int64
      /// How long to wait after a failed delivery.
      public var backOff: BackOff
      /// Where the names of leases start; give each relay another.
      public var seed: UInt64

      /// The options with their defaults.
      ///
      /// - Parameter seed: Where the names of leases start; give each relay another.
      public init(seed: UInt64) {
        batch = 500
        leaseMilliseconds = 30_000
        idleMilliseconds = 200
        backOff = BackOff(seed: seed)
        self.seed = seed
      }
    }

    private let store: PostgresStore
    private let sink: any EventSink
    private let clock: any FeedClock
    private let options: Options
    private let random: Lock<SplitMix64>

    /// A relay from a store to a sink.
    ///
    /// - Parameters:
    ///   - store: The store whose outbox is carried.
    ///   - sink: Where to.
    ///   - clock: The time by which leases run out.
    ///   - options: How it works.
    public init(
      store: PostgresStore, sink: any EventSink, clock: any FeedClock, options: Options
    ) {
      self.store = store
      self.sink = sink
      self.clock = clock
      self.options = options
      random = Lock(SplitMix64(seed: options.seed))
    }

    /// Delivers one batch.
    ///
    /// - Returns: How many events were delivered; 0 when none was free.
    /// - Throws: What the sink throws, after the batch was given back; ``PostgresError``.
    @discardableResult
    public func relayOnce() async throws -> Int {
      // Any positive number; 0 stands for "no lease".
      let lease = random.withLock { Int64($0.next() >> 1) | 1 }
      let events = try await store.leaseOutbox(
        limit: options.batch, now: clock.now, until: end(of: clock.now), lease: lease)
      guard !events.isEmpty else { return 0 }
      do { try await sink.deliver(events) } catch {
        // If giving back fails too, the lease runs out.
        try? await store.releaseOutbox(events, lease: lease, until: clock.now)
        throw error
      }
      try await store.removeFromOutbox(events, lease: lease)
      return events.count
    }

    private func end(of now: Timestamp) -> Timestamp {
      now.advanced(byMilliseconds: options.leaseMilliseconds)
    }

    /// Delivers until the task is cancelled. Failures are told to `failed` and tried again after a
    /// wait that grows up to the back-off's cap.
    ///
    /// - Parameter failed: Told of each failure.
    public func run(failed: @Sendable (any Error) -> Void = { _ in }) async {
      var failures = 0
      var random = SplitMix64(seed: options.backOff.seed)
      while !Task.isCancelled {
        do {
          let count = try await relayOnce()
          failures = 0
          if count == 0 { try await Task.sleep(for: .milliseconds(options.idleMilliseconds)) }
        } catch is CancellationError {
          return
        } catch {
          failed(error)
          failures += 1
          let wait = options.backOff.milliseconds(afterFailure: failures, &random)
          try? await Task.sleep(for: .milliseconds(wait))
        }
      }
    }
  }

  extension PostgresStore {
    /// Leases events that nobody holds, oldest first. Rows that another relay is taking at this
    /// moment are skipped.
    func leaseOutbox(
      limit: Int, now: Timestamp, until: Timestamp, lease: Int64
    ) async throws -> [OutboxEvent] {
      try await pool.run("lease outbox") { connection in
        let keys = try connection.rows(
          PostgresCommand(StoreSQL.waitingInOutbox, .time(now), .integer(Int64(max(1, limit))))
        ).map { (low: try $0.integer(0), event: try $0.integer(1)) }.sorted { $0 < $1 }
        guard !keys.isEmpty else { return [] }
        let events = try connection.rows(
          PostgresCommand(
            StoreSQL.leaseFromOutbox, .integers(keys.map(\.low)), .integers(keys.map(\.event)),
            .time(now), .time(until), .integer(lease))
        ).map { row in
          OutboxEvent(
            kind: try row.integer(3) == 1 ? .matchMade : .matchEnded, event: try row.position(1),
            between: try row.number(0), and: try row.number(2), time: try row.time(4))
        }
        return events.sorted { $0.event < $1.event }
      }
    }

    func removeFromOutbox(_ events: [OutboxEvent], lease: Int64) async throws {
      let sorted = events.sorted { ($0.low, $0.event) < ($1.low, $1.event) }
      try await pool.run("remove from outbox") { connection in
        try connection.run(
          PostgresCommand(
            StoreSQL.removeFromOutbox, .integers(sorted.map(\.low.rawValue)),
            .integers(sorted.map(\.event.rawValue)), .integer(lease)))
        return ()
      }
    }

    func releaseOutbox(
      _ events: [OutboxEvent], lease: Int64, until: Timestamp
    ) async throws {
      let sorted = events.sorted { ($0.low, $0.event) < ($1.low, $1.event) }
      try await pool.run("release outbox") { connection in
        try connection.run(
          PostgresCommand(
            StoreSQL.releaseToOutbox, .integers(sorted.map(\.low.rawValue)),
            .integers(sorted.map(\.event.rawValue)), .integer(lease), .time(until)))
        return ()
      }
    }
  }
#endif
