import CardFeed
import Dispatch
import Glibc

/// The one writer of a database, with group commit: all writes that wait at a moment share one
/// transaction and so one sync of the disk, and each caller goes on only after that commit.
///
/// - A job that throws is undone alone; only its caller gets the error. Since that is rare, jobs run
///   without savepoints at first: when one throws, all of them are undone and repeated, each in a
///   savepoint.
/// - If the shared transaction fails as a whole (busy, disk full, I/O, a deferred constraint), it
///   is rolled back and its jobs are repeated one by one, each in its own transaction. A job may
///   thus run more than once and should have no effects but those on its connection.
/// - A caller that got a result can rely on the commit; a caller that got an error can rely on
///   nothing being changed.
/// - Cancelling a task does not withdraw a job: once queued it is run, and `write` returns its
///   result. A swipe that was taken in is applied.
///
/// Work happens on a private serial dispatch queue, never on the cooperative pool.
///
/// Unchecked: the connection is used on the serial queue only, everything else is immutable or
/// behind the lock.
package final class WriteQueue: @unchecked Sendable {
  private struct Pending {
    var jobs: [WriteJob] = []
    var isDraining = false
    var isClosed = false
  }

  private let connection: Connection
  private let queue = DispatchQueue(label: "CardFeedSQLite.WriteQueue")
  private let pending = Lock(Pending())
  /// The groups that were committed; nil while nobody wants to know.
  private let groups = Lock([Group]?.none)
  private let batchLimit: Int
  private let file: String
  private let checkpointer: Checkpointer?
  /// Used on the serial queue only.
  private var lastCommitNanoseconds: UInt64 = 0

  /// - Parameters:
  ///   - connection: A connection for writing, outside a transaction, which the queue takes over.
  ///   - batchLimit: The most jobs that share a transaction, at least 1.
  ///   - checkpointer: What moves the write-ahead log into the file; nil leaves it to SQLite.
  convenience package init(_ connection: sending Connection, batchLimit: Int = 256) {
    self.init(connection, batchLimit: batchLimit, checkpointer: nil)
  }

  init(_ connection: sending Connection, batchLimit: Int, checkpointer: Checkpointer?) {
    connection.isLent = true
    self.checkpointer = checkpointer
    file = connection.file
    self.connection = connection
    self.batchLimit = max(1, batchLimit)
  }

  /// Runs `body` in a transaction and returns its result after the commit.
  ///
  /// - Parameters:
  ///   - body: The work. It may use savepoints; it cannot begin or commit. It may run repeatedly.
  ///   - committed: Called on the writer's queue with the result, after the commit and before any
  ///     caller goes on, in the order of the jobs. It must be brief and must not wait for a write.
  /// - Throws: What `body` throws; ``SQLiteError`` if the commit fails or the queue is closed.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value,
    committed: (@Sendable (Value) -> Void)? = nil
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(
        TypedWriteJob(
          isExclusive: false, body: body, committed: committed, continuation: continuation))
    }
  }

  /// Runs `body` on the writer's connection between two batches, outside a transaction: for
  /// checkpoints, checks, backups and VACUUM. All writes wait meanwhile.
  package func outsideTransaction<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(
        TypedWriteJob(
          isExclusive: true, body: body, committed: nil, continuation: continuation))
    }
  }

  /// Runs `body` on the writer's connection, held to reading, on one unchanging state. This is how
  /// a database in memory is read; one in a file has ``ReaderPool``.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await outsideTransaction { connection in
      try connection.execute("PRAGMA query_only = ON")
      do {
        let value = try connection.snapshot(body)
        try connection.execute("PRAGMA query_only = OFF")
        return value
      } catch {
        try connection.execute("PRAGMA query_only = OFF")
        throw error
      }
    }
  }

  /// Finishes what is queued, then closes the connection. Later calls get `misuse`.
  /// Closing twice is allowed.
  package func close() async throws {
    pending.withLock { $0.isClosed = true }
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      queue.async { self.finish(done) }
    }
  }

  /// The number of jobs that wait for a batch, those of the running one not counted.
  package var waitingCount: Int { pending.withLock { $0.jobs.count } }

  /// Jobs that were committed together, for measurements.
  struct Group: Sendable {
    /// How many they were.
    let size: Int
    /// Nanoseconds from the first job's turn to the end of the last one.
    let workNanoseconds: UInt64
    /// Nanoseconds of the commit: writing to the log and waiting for the disk.
    let commitNanoseconds: UInt64
  }

  /// Keeps what groups there are from now on.
  func recordGroups() { groups.withLock { $0 = [] } }

  /// The groups that were committed since `recordGroups`, in order.
  var recordedGroups: [Group] { groups.withLock { $0 ?? [] } }

  // MARK: Queueing

  private enum Admission {
    case refused
    case queued
    case first
  }

  private func enqueue(_ job: WriteJob) {
    let admission = pending.withLock { pending in
      if pending.isClosed { return Admission.refused }
      pending.jobs.append(job)
      if pending.isDraining { return Admission.queued }
      pending.isDraining = true
      return Admission.first
    }
    switch admission {
    case .refused:
      job.fail(SQLiteError.closed(file: file, operation: "write"))
      job.resume()
    case .queued:
      break
    case .first:
      queue.async { self.drain() }
    }
  }

  /// The next jobs that go together: one exclusive one, or some others in a row.
  private func takeBatch() -> [WriteJob] {
    pending.withLock { pending in
      guard let first = pending.jobs.first else {
        pending.isDraining = false
        return []
      }
      let border = pending.jobs.firstIndex { $0.isExclusive } ?? pending.jobs.count
      let count = first.isExclusive ? 1 : min(border, batchLimit)
      let batch = Array(pending.jobs.prefix(count))
      pending.jobs.removeFirst(count)
      return batch
    }
  }

  // MARK: On the serial queue

  private func drain() {
    while true {
      let batch = takeBatch()
      guard let first = batch.first else { return }
      if first.isExclusive {
        runExclusively(first)
      } else if batch.count == 1 || !commitTogether(batch) {
        commitSingly(batch)
      }
      for job in batch {
        job.announce()
      }
      for job in batch {
        job.resume()
      }
      // Only now: those who have their receipts need not wait for it.
      checkpointer?.afterCommit(logPages: connection.logPages, writer: connection)
      if batch.count > 1 { awaitReturn(of: batch.count) }
    }
  }

  /// Gives those who were just answered a moment to come back. Without it the first of them would
  /// make a small group of their own, and all others would wait for its sync besides their own.
  ///
  /// It ends when as many wait as were answered, when nobody new came since the last look, and in any
  /// case after a share of what the last commit took, so that it never costs more than it can save.
  private func awaitReturn(of count: Int) {
    let clock = SystemClock()
    let end = clock.uptimeNanoseconds + min(lastCommitNanoseconds / 4, 500_000)
    var before = -1
    while true {
      let waiting = waitingCount
      if waiting >= count || waiting == before || clock.uptimeNanoseconds >= end { return }
      before = waiting
      usleep(20)
    }
  }

  private func finish(_ done: CheckedContinuation<Void, any Error>) {
    drain()
    done.resume(with: Result { try connection.close() })
  }

  private func runExclusively(_ job: WriteJob) {
    connection.isLent = false
    job.attempt(.directly, on: connection)
    connection.isLent = true
    if connection.expectsTransaction {
      abandon()
      job.fail(
        SQLiteError(
          .misuse, file: file, operation: "work outside a transaction",
          found: "a transaction left open, which was rolled back",
          advice: "Commit before returning, or use transaction."))
    }
  }

  /// False if nothing was committed and the jobs have to be repeated one by one.
  private func commitTogether(_ batch: [WriteJob]) -> Bool {
    do {
      let start = SystemClock().uptimeNanoseconds
      try begin()
      if try !runAll(batch, .directly) {
        try connection.rollbackTransaction()
        try begin()
        _ = try runAll(batch, .inSavepoint)
      }
      let middle = SystemClock().uptimeNanoseconds
      try connection.commitTransaction()
      note(batch.count, since: start, middle)
      return true
    } catch {
      abandon()
      return false
    }
  }

  /// Runs the jobs in the open transaction. Without savepoints it stops at the first that throws, and
  /// returns false.
  private func runAll(_ batch: [WriteJob], _ runner: WriteJob.Runner) throws -> Bool {
    for job in batch {
      job.attempt(runner, on: connection)
      // A severe error in one job may have taken the work of those before it.
      try connection.requireIntactTransaction(for: "batch of writes")
      if runner == .directly, !job.hasSucceeded { return false }
    }
    return true
  }

  private func commitSingly(_ batch: [WriteJob]) {
    var obstacle: SQLiteError?
    for job in batch {
      if let obstacle {
        job.fail(obstacle)
        continue
      }
      do {
        try begin()
      } catch {
        // The busy timeout has passed once for this batch; it must not pass once per job.
        obstacle = (error as? SQLiteError).flatMap { $0.code == .busy ? $0 : nil }
        job.fail(error)
        continue
      }
      let start = SystemClock().uptimeNanoseconds
      job.attempt(.directly, on: connection)
      guard job.hasSucceeded else {
        abandon()
        continue
      }
      do {
        let middle = SystemClock().uptimeNanoseconds
        try connection.commitTransaction()
        note(1, since: start, middle)
      } catch {
        abandon()
        job.fail(error)
      }
    }
  }

  private func note(_ size: Int, since start: UInt64, _ middle: UInt64) {
    let end = SystemClock().uptimeNanoseconds
    lastCommitNanoseconds = end - middle
    groups.withLock {
      $0?.append(
        Group(size: size, workNanoseconds: middle - start, commitNanoseconds: end - middle))
    }
  }

  private func begin() throws {
    if connection.expectsTransaction {
      // An earlier rollback failed.
      try connection.rollbackTransaction()
    }
    try connection.begin(.beginImmediate)
  }

  private func abandon() {
    // If even the rollback fails, it is tried again before the next transaction.
    try? connection.rollbackTransaction()
  }
}
