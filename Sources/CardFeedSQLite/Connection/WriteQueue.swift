import CardFeed
import Dispatch

/// The one writer of a database, with group commit: all writes that wait at a moment share one
/// transaction and so one sync of the disk, and each caller goes on only after that commit.
///
/// - Each job runs in a savepoint. A job that throws is undone alone; only its caller gets the
///   error.
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
  /// The sizes of the groups that were committed together; nil while nobody wants to know.
  private let groups = Lock([Int]?.none)
  private let batchLimit: Int
  private let file: String

  /// - Parameters:
  ///   - connection: A connection for writing, outside a transaction, which the queue takes over.
  ///   - batchLimit: The most jobs that share a transaction, at least 1.
  package init(_ connection: sending Connection, batchLimit: Int = 256) {
    connection.isLent = true
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

  /// Keeps the sizes of groups from now on, for measurements.
  package func recordGroups() { groups.withLock { $0 = [] } }

  /// The sizes of the groups that were committed since `recordGroups`, in order.
  package var recordedGroups: [Int] { groups.withLock { $0 ?? [] } }

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
      if !first.isExclusive { groups.withLock { $0?.append(batch.count) } }
      for job in batch {
        job.announce()
      }
      for job in batch {
        job.resume()
      }
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

  /// False if nothing was committed and the jobs have to be repeated.
  private func commitTogether(_ batch: [WriteJob]) -> Bool {
    do {
      try begin()
      for job in batch {
        job.attempt(.inSavepoint, on: connection)
        // A severe error in one job may have taken the work of those before it.
        try connection.requireIntactTransaction(for: "batch of writes")
      }
      try connection.commitTransaction()
      return true
    } catch {
      abandon()
      return false
    }
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
      job.attempt(.directly, on: connection)
      guard job.hasSucceeded else {
        abandon()
        continue
      }
      do {
        try connection.commitTransaction()
      } catch {
        abandon()
        job.fail(error)
      }
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
