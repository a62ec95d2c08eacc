#if Postgres
  internal import CardFeed

  /// Lets swipes that wait at the same moment share a transaction: fewer round trips, fewer syncs of
  /// the server's disk, and a fraction of its work for each swipe.
  ///
  /// Two transactions run at a time: one works while the other waits for the disk. More would each be
  /// smaller and cost more, since in a larger one more rows share the pages of an index while they
  /// are near; they start when what waits fills them.
  final class SwipeGatherer: Sendable {
    private struct Job: Sendable {
      let swipes: [SwipeCommand]
      let continuation: CheckedContinuation<[SwipeDecision], any Error>
    }

    private struct State {
      var jobs: [Job] = []
      var waiting = 0
      var running = 0
    }

    /// Swipes of different calls that share a transaction, at most.
    static let limit = 1024
    /// Transactions that run however few swipes wait.
    static let usual = 2

    private let pool: ConnectionPool
    private let state = Lock(State())
    private let redelivery = Caution()
    private let dealt = Caution()
    private let gone = ErasedPeople()
    private let failure = Lock<(any Error)?>(nil)

    init(pool: ConnectionPool) { self.pool = pool }

    func commit(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision] {
      try await withCheckedThrowingContinuation { continuation in
        let isDrainNeeded = state.withLock { state in
          state.jobs.append(Job(swipes: swipes, continuation: continuation))
          state.waiting += swipes.count
          let wanted = Self.usual + state.waiting / Self.limit
          if state.running >= min(wanted, pool.size) { return false }
          state.running += 1
          return true
        }
        if isDrainNeeded { Task.detached { await self.drain() } }
      }
    }

    private func drain() async {
      while let jobs = nextJobs() {
        do {
          let decisions = try await run(jobs.flatMap(\.swipes))
          var start = 0
          for job in jobs {
            let end = start + job.swipes.count
            job.continuation.resume(returning: Array(decisions[start..<end]))
            start = end
          }
        } catch {
          // Where there is no server, one after the other would wait for it in vain.
          if jobs.count == 1 || (error as? PostgresError)?.mayPass == true {
            for job in jobs { job.continuation.resume(throwing: error) }
          } else {
            await runAlone(jobs)
          }
        }
        if gone.isBehind { await readErased() }
      }
    }

    /// What cannot be read now is looked up, and read behind the next swipes.
    private func readErased() async {
      do {
        _ = try await pool.runOnce("read erased people") { [gone] in try gone.read($0) }
      } catch {
        failure.withLock { $0 = error }
      }
    }

    /// Why people who were erased could not be read since this was asked last: no swipe fails for it,
    /// but each costs more.
    func takeFailure() -> (any Error)? {
      failure.withLock { failure in
        defer { failure = nil }
        return failure
      }
    }

    /// One call that cannot be done must not fail the others.
    private func runAlone(_ jobs: [Job]) async {
      for job in jobs {
        do { job.continuation.resume(returning: try await run(job.swipes)) } catch {
          job.continuation.resume(throwing: error)
        }
      }
    }

    private func run(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision] {
      let memory = AttemptMemory()
      return try await pool.run("commit swipes") { [redelivery, dealt, gone] connection in
        try SwipeTransaction.run(
          swipes, connection, memory, redelivery: redelivery, dealt: dealt, gone: gone)
      }
    }

    private func nextJobs() -> [Job]? {
      state.withLock { state in
        var count = 0
        var swipes = 0
        while count < state.jobs.count {
          swipes += state.jobs[count].swipes.count
          if count > 0, swipes > Self.limit { break }
          count += 1
        }
        guard count > 0 else {
          state.running -= 1
          return nil
        }
        let jobs = Array(state.jobs.prefix(count))
        state.jobs.removeFirst(count)
        state.waiting -= jobs.reduce(0) { $0 + $1.swipes.count }
        return jobs
      }
    }
  }

  /// Whether something was taken for new in vain lately. A transaction that does so is done twice, so
  /// behind one the next transactions look it up: however often it happens, one transaction in
  /// `length + 1` is wasted at most.
  final class Caution: Sendable {
    static let length = 32
    private let left = Lock(0)

    func happened() { left.withLock { $0 = Self.length } }

    /// Whether the next transaction had better look.
    func isExpected() -> Bool {
      left.withLock { left in
        guard left > 0 else { return false }
        left -= 1
        return true
      }
    }
  }

  /// The places that earlier attempts of the same work drew. When a connection breaks at the commit
  /// nobody knows whether it happened; finding an event at one of these places tells.
  final class AttemptMemory: Sendable {
    private let drawn = Lock(Set<LogPosition>())

    var positions: Set<LogPosition> { drawn.withLock { $0 } }

    func remember(_ positions: [LogPosition]) { drawn.withLock { $0.formUnion(positions) } }
  }
#endif
