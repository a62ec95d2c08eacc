#if Postgres
  import CardFeed
  import Testing

  @testable import CardFeedPostgres

  /// A primary and its standby on two hosts; the link between them is cut under load, then the
  /// standby is promoted. A killed server alone proves nothing of this: its disk is still there.
  @Suite(.disabled(if: TwoHosts.missing != nil, TwoHosts.missing))
  struct FailoverTests {
    private let hosts: TwoHosts
    private let old: PrivateCluster
    private let standby: PrivateCluster
    private let load = LikeLoad()

    init() throws {
      hosts = try TwoHosts()
      old = try PrivateCluster(
        isDurable: true, settings: ["wal_sender_timeout=2s", "restart_after_crash=off"],
        host: hosts.first)
      standby = try PrivateCluster(standbyOf: old, host: hosts.second)
    }

    private func options(_ conninfo: String, attempts: Int) -> PostgresStore.Options {
      var options = PostgresStore.Options(conninfo: conninfo)
      options.connections = 4
      options.statementTimeoutMilliseconds = 2000
      options.backOff = BackOff(
        firstMilliseconds: 20, capMilliseconds: 200, attempts: attempts, seed: 1)
      return options
    }

    /// Both servers, as an operator of this store writes them.
    private var both: String {
      old.conninfo + " host=\(old.socketFolder),\(standby.socketFolder)"
        + " target_session_attrs=read-write connect_timeout=2"
    }

    /// Runs `body` while the writers write to a store that knows both servers.
    private func underLoad(_ body: (PostgresStore) async throws -> Void) async throws {
      let store = try await PostgresStore.open(options(both, attempts: 5))
      let load = load
      async let writers: Void = load.run(store)
      do {
        try await load.waitForAcknowledgements(400)
        try await body(store)
      } catch {
        Issue.record(error)
      }
      load.stage = .over
      await writers
      try await store.close()
    }

    // MARK: A synchronous standby

    @Test(.timeLimit(.minutes(10)))
    func nothingAcknowledgedIsLostWhenASynchronousStandbyIsPromoted() async throws {
      let observer = try await PostgresStore.open(options(old.conninfo, attempts: 100))
      try await makeStandbySynchronous(observer)
      let isolated = try await Isolated(
        options(old.conninfo + " application_name=isolated", attempts: 1))

      try await underLoad { _ in
        try hosts.cut()
        load.stage = .cut
        // Commits wait for the standby; stores give up waiting and say so.
        for error in await isolated.failures() {
          #expect(error.code == .connectionLost)
          #expect(error.advice == "Sending the same event again is safe: it is applied once.")
        }
        #expect(load.behindTheCut.isEmpty)

        // A crash of the primary ends the waiting: it now holds, for everybody to read, what nobody
        // else holds. Asked again, it must still not acknowledge any of it.
        old.kill()
        try old.start()
        let held = try await observer.integer(
          "SELECT count(*) FROM events WHERE kind <> 7 AND viewer >= \(Isolated.firstViewer)")
        #expect(held == Int64(Isolated.likes.count + Isolated.others))
        async let again = isolated.failures()
        let waiting = """
          SELECT count(*) FROM pg_stat_activity
          WHERE wait_event = 'SyncRep' AND application_name = 'isolated'
          """
        while !isolated.isAcknowledged,
          try await observer.integer(waiting) < Int64(Isolated.commands)
        {
          try await Task.sleep(for: .milliseconds(10))
        }
        #expect(load.behindTheCut.isEmpty)

        // Whoever takes over sees to it that the old primary is gone.
        old.kill()
        #expect(await again.count == Isolated.commands)
        let nobody = await #expect(throws: PostgresError.self) {
          try await PostgresStore.open(options(both, attempts: 1))
        }
        #expect(nobody?.code == .readOnly)
        #expect(nobody?.advice.contains("promote a standby") == true)

        try standby.promote()
        load.stage = .promoted
        // The writers' store, opened before all this, writes to the new primary.
        let count = load.acknowledged.count
        try await load.waitForAcknowledgements(count + 200)
      }
      try? await observer.close()
      try? await isolated.store.close()

      let new = try await PostgresStore.open(options(standby.conninfo, attempts: 1))
      #expect(try await load.missing(in: new).isEmpty)
      try await expectRedeliveryIsHarmless(isolated: isolated, new)
      try await new.close()
    }

    /// Every event is sent to the promoted server once more.
    private func expectRedeliveryIsHarmless(
      isolated: Isolated, _ new: PostgresStore
    ) async throws {
      let acknowledged = load.acknowledged
      let again = try await new.commit(acknowledged.map(\.command))
      #expect(again == acknowledged.map { .repeated($0.receipt) })

      // What was never acknowledged is applied now, or was already; then it is repeated.
      let first = try await new.commit(Isolated.likes)
      let second = try await new.commit(Isolated.likes)
      for (one, two) in zip(first, second) {
        switch one {
        case .applied(let receipt), .repeated(let receipt): #expect(two == .repeated(receipt))
        default: Issue.record("a like was answered with \(one)")
        }
      }
      for _ in 1...2 { try await isolated.sendOthers(to: new) }

      // The other half of each pair, wherever the writers stopped.
      _ = try await new.commit(load.sent.map { swipe($0.card, $0.viewer, "like") })
      let pairs = Set(load.sent.map { min($0.viewer, $0.card) })
      try await expectMatches(pairs.count + Isolated.likes.count / 2, in: new)
    }

    private func makeStandbySynchronous(_ observer: PostgresStore) async throws {
      try await observer.pool.runOnce("replicate synchronously") { connection in
        try connection.execute(["ALTER SYSTEM SET synchronous_standby_names = 'standby'"])
        try connection.execute(["SELECT pg_reload_conf()"])
        return ()
      }
      let synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
      while try await observer.integer(synchronous) < 1 {
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    // MARK: An asynchronous standby

    /// The same with a standby that commits do not wait for. If this did not find anything missing,
    /// the test above would prove nothing.
    @Test(.timeLimit(.minutes(10)))
    func anAsynchronousStandbyLosesWhatWasAcknowledged() async throws {
      try await underLoad { _ in
        try hosts.cut()
        load.stage = .cut
        try await load.waitForAcknowledgements(200, \.isBehindTheCut)
      }
      try standby.promote()
      old.kill()
      let new = try await PostgresStore.open(options(standby.conninfo, attempts: 1))
      let missing = try await load.missing(in: new)
      #expect(missing.count >= 200)
      #expect(
        Set(missing.map(\.command.viewer)).isSuperset(
          of: load.behindTheCut.map(\.command.viewer)))
      #expect(missing.count < load.acknowledged.count)

      // Clients that keep their events until they are old repair it.
      _ = try await new.commit(load.sent)
      _ = try await new.commit(load.sent.map { swipe($0.card, $0.viewer, "like") })
      try await expectMatches(Set(load.sent.map { min($0.viewer, $0.card) }).count, in: new)
      try await new.close()
    }
  }

  /// Commands that are first sent when the primary is cut off: mutual likes, a rewind, a block and
  /// an impression.
  private struct Isolated {
    static let firstViewer: Int64 = 1_000_001
    static let likes: [SwipeCommand] = (500_000..<500_010).flatMap { pair in
      let (low, high) = numbers(ofPair: pair)
      return [swipe(low, high, "like"), swipe(high, low, "like")]
    }
    static let others = 3 + 1
    /// How many transactions they are.
    static let commands = 4

    let store: PostgresStore
    private let acknowledged = Lock(false)
    private let toRewind: StoredReceipt
    private static let viewer = CardNumber(2_000_001)
    private static let card = CardNumber(2_000_002)
    private static let time = Timestamp(milliseconds: 1_000_000_000_000)

    var isAcknowledged: Bool { acknowledged.withLock { $0 } }

    /// Stores the swipe that will be taken back.
    init(_ options: PostgresStore.Options) async throws {
      store = try await PostgresStore.open(options)
      guard
        case .applied(let receipt) = try await store.commit([
          swipe(Self.viewer, Self.card, "to be taken back")
        ])[0]
      else { throw CancellationError() }
      toRewind = receipt
    }

    /// Sends everything at once and returns what went wrong. Nothing may go right.
    func failures() async -> [PostgresError] {
      await withTaskGroup(of: PostgresError?.self) { group in
        func add(_ body: @escaping @Sendable () async throws -> Void) {
          group.addTask {
            do {
              try await body()
              acknowledged.withLock { $0 = true }
              Issue.record("a primary that was cut off acknowledged something")
              return nil
            } catch { return error as? PostgresError }
          }
        }
        let store = store
        add { _ = try await store.commit(Self.likes) }
        add { try await rewind(store) }
        add { try await block(store) }
        add { try await impression(store) }
        return await group.reduce(into: []) { errors, error in
          if let error { errors.append(error) }
        }
      }
    }

    func sendOthers(to store: PostgresStore) async throws {
      try await rewind(store)
      try await block(store)
      try await impression(store)
    }

    private func rewind(_ store: PostgresStore) async throws {
      let decision = try await store.commit(
        RewindCommand(
          viewer: Self.viewer, event: "back", swipe: toRewind.event, time: Self.time,
          stack: StoredStack(generation: 0, top: 0, imageStart: 0, image: [])))
      switch decision {
      case .applied, .repeated: break
      default: Issue.record("a rewind was answered with \(decision)")
      }
    }

    private func block(_ store: PostgresStore) async throws {
      expectKept(
        try await store.commit(
          BlockCommand(
            viewer: CardNumber(2_000_003), card: CardNumber(2_000_004), event: "block",
            kind: .block, time: Self.time)))
    }

    private func impression(_ store: PostgresStore) async throws {
      expectKept(
        try await store.recordImpression(
          viewer: CardNumber(2_000_005), card: CardNumber(2_000_006), event: "shown",
          time: Self.time))
    }

    private func expectKept(_ decision: RecordDecision) {
      switch decision {
      case .applied, .repeated: break
      default: Issue.record("an event was answered with \(decision)")
      }
    }
  }
#endif
