#if Postgres
  import CardFeed
  import CardFeedTesting
  import Foundation
  import Testing

  @testable import CardFeedPostgres

  /// Removals that meet another command at a step of it, held there until the other is at its own.
  /// A test that ends early opens its gate first, or it would wait for what the gate holds.
  @Suite(.disabled(if: PrivateCluster.isMissing, "skipped: no PostgreSQL"))
  struct RemovalStepTests {
    /// Holds a store's work at a statement until it is let go.
    private final class Gate: Sendable {
      private let state = Lock((isReached: false, isOpen: false))

      init(at statement: String, of store: PostgresStore) {
        store.pool.breakConnections { [state] step in
          guard step == .before(statement) else { return false }
          state.withLock { $0.isReached = true }
          while !state.withLock({ $0.isOpen }) { usleep(1000) }
          return false
        }
      }

      func reached() async throws {
        while !state.withLock({ $0.isReached }) { try await Task.sleep(for: .milliseconds(1)) }
      }

      func open() { state.withLock { $0.isOpen = true } }
    }

    private static let time = Timestamp(milliseconds: 1_000_000_000_000)
    private static let stack = StoredStack(generation: 0, top: 0, imageStart: 0, image: [1])

    /// What can be on its way when an erasure begins, held just before it writes.
    enum Late: String, CaseIterable {
      case swipe = "decide_swipes"
      case deal = "deal_cards"
      case rewind = "take_back_own"
      case block = "keep_apart"
      case impression = "add_events"
      case stack = "set_viewer"
      case card = "put_cards"
    }

    @Test(.timeLimit(.minutes(10)), arguments: Late.allCases)
    func whatWasOnItsWayIsWaitedForAndErased(_ late: Late) async throws {
      try await withStore(partitions: 16) { options in
        let one = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        let n = try await one.numbers(for: ["viewer", "gone"])
        let first = try await one.commit([swipe(n[0], n[1], "first", .negative)])
        guard case .applied(let receipt) = first[0] else {
          Issue.record("a swipe was answered with \(first)")
          return
        }
        let gate = Gate(at: late.rawValue, of: one)
        async let work: Void = send(late, n, receipt.event, to: one)
        defer { gate.open() }
        try await gate.reached()
        async let erasure = other.erase(person: n[1])
        defer { gate.open() }
        while try await other.integer("SELECT count(*) FROM erased") == 0 {
          try await Task.sleep(for: .milliseconds(1))
        }
        gate.open()
        _ = try await work
        #expect(try await erasure.events > 0)
        let left = try await other.events(after: .start, limit: 99).filter {
          $0.viewer == n[1] || $0.card == n[1]
        }
        #expect(left.map(\.kind) == [.erasure])
        #expect(try await other.viewer(n[0], swipes: 9).seen == [:])
        #expect(try await other.cards(after: nil, limit: 9) == [])
        #expect(try await other.check().map(\.description) == [])
        try await one.close()
        try await other.close()
      }
    }

    private func send(
      _ late: Late, _ n: [CardNumber], _ first: LogPosition, to store: PostgresStore
    ) async throws {
      switch late {
      case .swipe: _ = try await store.commit([swipe(n[0], n[1], "late")])
      case .deal:
        _ = try await store.commit(
          DealCommand(
            viewer: n[0], time: Self.time, fingerprint: "print",
            exposures: [
              Exposure(card: n[1], position: 0, score: 1, probability: nil, propensity: 1)
            ], stack: { _ in Self.stack }))
      case .rewind:
        _ = try await store.commit(
          RewindCommand(
            viewer: n[0], event: "late", swipe: first, time: Self.time, stack: Self.stack))
      case .block:
        _ = try await store.commit(
          BlockCommand(viewer: n[0], card: n[1], event: "late", kind: .block, time: Self.time))
      case .impression:
        _ = try await store.recordImpression(
          viewer: n[0], card: n[1], event: "late", time: Self.time)
      case .stack: try await store.save(Self.stack, of: n[1])
      case .card: _ = try await store.put([StoredCard(id: "gone", payload: [1])])
      }
    }

    /// The other way round: what comes when the door is closed and nothing is removed yet.
    @Test(.timeLimit(.minutes(10)))
    func whatComesBehindTheClosedDoorIsStale() async throws {
      try await withStore { options in
        let one = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        let n = try await one.numbers(for: ["viewer", "gone"])
        let first = try await one.commit([swipe(n[0], n[1], "first")])
        guard case .applied(let receipt) = first[0] else {
          Issue.record("a swipe was answered with \(first)")
          return
        }
        let gate = Gate(at: "events_about", of: one)
        async let erasure = one.erase(person: n[1])
        defer { gate.open() }
        try await gate.reached()
        #expect(try await other.commit([swipe(n[0], n[1], "late")]) == [.stale])
        #expect(try await other.commit([swipe(n[1], n[0], "late")]) == [.stale])
        let rewind = try await other.commit(
          RewindCommand(
            viewer: n[0], event: "late back", swipe: receipt.event, time: Self.time,
            stack: Self.stack))
        #expect(rewind == .stale)
        #expect(
          try await other.commit(
            BlockCommand(viewer: n[0], card: n[1], event: "b", kind: .block, time: Self.time))
            == .repeated)
        #expect(
          try await other.recordImpression(viewer: n[1], card: n[0], event: "i", time: Self.time)
            == .repeated)
        let parts = try await other.check().map(\.description)
        #expect(parts == ["1 erasures were begun and not finished: erase again"])
        gate.open()
        #expect(try await erasure == ErasureReport(events: 1, exposures: 0))
        #expect(try await other.check() == [])
        try await one.close()
        try await other.close()
      }
    }

    /// An erasure that fails behind the closed door is finished by the next one.
    @Test func anErasureThatFailedIsFinishedByTheNext() async throws {
      try await withStore { options in
        var options = options
        options.backOff.attempts = 1
        let store = try await PostgresStore.open(options)
        let n = try await store.numbers(for: ["viewer", "gone"])
        _ = try await store.commit([swipe(n[0], n[1], "first")])
        store.pool.breakConnections { $0 == .before("remove_deltas") }
        await #expect(throws: PostgresError.self) { try await store.erase(person: n[1]) }
        store.pool.breakConnections(nil)
        #expect(try await store.ids(for: n) == ["viewer", "gone"])
        #expect(try await store.viewer(n[0], swipes: 9).seen.count == 1)
        #expect(try await store.commit([swipe(n[0], n[1], "late")]) == [.stale])
        #expect(try await store.erase(person: n[1]) == ErasureReport(events: 1, exposures: 0))
        #expect(try await store.check() == [])
        try await store.close()
      }
    }

    @Test(
      .timeLimit(.minutes(10)), arguments: [false, true], [AnswerMeaning.negative, .positive])
    func aLikeThatIsAnsweredMeanwhileIsNotFolded(
      isViewerLow: Bool, meaning: AnswerMeaning
    ) async throws {
      try await withStore { options in
        let one = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        let viewer = CardNumber(isViewerLow ? 1 : 2)
        let card = CardNumber(isViewerLow ? 2 : 1)
        _ = try await one.commit([swipe(viewer, card, "like", at: 1)])
        // Behind the reading of what is old, before its pairs are locked.
        let early = Gate(at: "lock_pairs", of: one)
        async let nothing = one.ageOut(
          negativesBefore: nil, unansweredLikesBefore: Timestamp(milliseconds: 9))
        defer { early.open() }
        try await early.reached()
        let back = try await other.commit([swipe(card, viewer, "back", meaning)])
        early.open()
        #expect(try await nothing == AgeOutReport())
        #expect(back.contains(where: isNewMatch) == (meaning == .positive))
        #expect(try await other.answersReceived(by: card, limit: 9).map(\.from) == [viewer])
        #expect(try await other.check() == [])
        try await one.close()
        try await other.close()
      }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func anAnswerThatComesBehindTheLockMakesNoMatch(isViewerLow: Bool) async throws {
      try await withStore { options in
        let one = try await PostgresStore.open(options)
        let other = try await PostgresStore.open(options)
        let viewer = CardNumber(isViewerLow ? 1 : 2)
        let card = CardNumber(isViewerLow ? 2 : 1)
        _ = try await one.commit([swipe(viewer, card, "like", at: 1)])
        let late = Gate(at: "forget_answers", of: one)
        async let folding = one.ageOut(
          negativesBefore: nil, unansweredLikesBefore: Timestamp(milliseconds: 9))
        defer { late.open() }
        try await late.reached()
        async let back = other.commit([swipe(card, viewer, "back")])
        defer { late.open() }
        // Until the like waits for the row of the pair.
        while try await one.integer(
          "SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted") == 0
        { try await Task.sleep(for: .milliseconds(1)) }
        late.open()
        #expect(try await folding.likes == 1)
        #expect(try await !back.contains(where: isNewMatch))
        #expect(try await other.matches(of: viewer) == [])
        #expect(try await other.answersReceived(by: viewer, limit: 9).map(\.from) == [card])
        #expect(try await other.answersReceived(by: card, limit: 9).isEmpty)
        #expect(try await other.viewer(viewer, swipes: 9).seen[card]?.answer?.event == .start)
        #expect(try await other.check() == [])
        try await one.close()
        try await other.close()
      }
    }

    // MARK: Learned numbers

    private func delta(_ owner: CardNumber, _ amount: Int64) -> [LearnerDelta] {
      [
        LearnerDelta(
          learner: "elo", increments: [Increment(LearnedKey(owner: owner, slot: 0), amount)])
      ]
    }

    /// A process that read what there is to learn before an age-out must not save it behind it.
    @Test func aBlobThatARemovalOvertookIsNotKept() async throws {
      try await withStore { options in
        let store = try await PostgresStore.open(options)
        let n = (1...3).map { CardNumber($0) }
        _ = try await store.commit([
          swipe(n[0], n[1], "1", .negative, at: 1, learned: delta(n[1], 5)),
          swipe(n[0], n[2], "2", at: 9, learned: delta(n[1], 2)),
        ])
        let end = try await store.lastPosition()
        let known = try await learned("elo", store)
        let blob = LearnerBlob(
          position: end, stride: 1, numbers: known.map { Increment($0.key, $0.value) })
        _ = try await store.ageOut(
          negativesBefore: Timestamp(milliseconds: 5), unansweredLikesBefore: nil)
        try await store.save(blob, of: "elo")
        #expect(try await store.learnerBlob("elo") == nil)
        #expect(try await learned("elo", store) == known)
        try await saveBlob(of: "elo", in: store)
        let kept = try #require(try await store.learnerBlob("elo"))
        #expect(kept.position > end)
        #expect(try await learned("elo", store) == known)
        // Neither is one that ends before the one that is there.
        try await store.save(LearnerBlob(position: .start, stride: 1, numbers: []), of: "elo")
        #expect(try await store.learnerBlob("elo") == kept)
        try await store.close()
      }
    }

    @Test func ofTheErasedNothingIsSavedAndNothingKeptByAnAgeOut() async throws {
      try await withStore(partitions: 16) { options in
        let store = try await PostgresStore.open(options)
        let n = try await store.numbers(for: ["v", "gone", "other"])
        _ = try await store.commit([
          swipe(n[0], n[1], "1", .negative, at: 1, learned: delta(n[1], 5)),
          swipe(n[0], n[2], "2", .negative, at: 1, learned: delta(n[2], 7)),
        ])
        _ = try await store.ageOut(
          negativesBefore: Timestamp(milliseconds: 5), unansweredLikesBefore: nil)
        _ = try await store.erase(person: n[1])
        let rest = [LearnedKey(owner: n[2], slot: 0): Int64(7)]
        #expect(try await learned("elo", store) == rest)
        try await store.save(
          LearnerBlob(
            position: store.lastPosition(), stride: 1,
            numbers: [
              Increment(LearnedKey(owner: n[1], slot: 0), 5),
              Increment(LearnedKey(owner: n[2], slot: 0), 7),
            ]), of: "elo")
        #expect(try await learned("elo", store) == rest)
        #expect(try await store.check() == [])
        try await store.close()
      }
    }
  }
#endif
