import CardFeed
import Dispatch

/// Read-only connections to a database that is being written by a ``WriteQueue``.
///
/// Reads run at the same time as writes and see the last commit before their first query; all
/// queries of one read see the same state. Each connection has its own serial dispatch queue, so
/// that neither the cooperative pool nor the writer waits for a disk. If all connections are
/// taken, reads wait in the order they came.
///
/// A database in memory is read through its writer instead, between two batches.
///
/// Unchecked: a reader's connection is used on that reader's queue only; the rest is behind the
/// lock.
package final class ReaderPool: @unchecked Sendable {
  private final class Reader: @unchecked Sendable {
    let connection: Connection
    let queue = DispatchQueue(label: "CardFeedSQLite.ReaderPool")

    init(_ connection: sending Connection) {
      connection.isLent = true
      self.connection = connection
    }
  }

  private typealias Job = @Sendable (Connection) -> Void

  private struct State {
    var idle: [Reader]
    var waiting: [Job] = []
    var isClosed = false
  }

  private let writer: WriteQueue
  private let usesWriter: Bool
  private let file: String
  private let readers: [Reader]
  private let state: Lock<State>

  /// Opens the connections.
  ///
  /// - Parameters:
  ///   - location: The database, which must exist and be a CardFeed database.
  ///   - count: The number of connections, at least 1.
  ///   - writer: The writer of the same database.
  /// - Throws: ``SQLiteError`` as ``Connection/init(_:mode:options:)`` does.
  package init(
    _ location: Connection.Location, options: Connection.Options = Connection.Options(),
    count: Int = 2, writer: WriteQueue
  ) throws {
    var readers: [Reader] = []
    if !location.isInMemory {
      for _ in 0..<max(1, count) {
        readers.append(Reader(try Connection(location, mode: .readOnly, options: options)))
      }
    }
    self.writer = writer
    usesWriter = location.isInMemory
    file = location.description
    self.readers = readers
    state = Lock(State(idle: readers))
  }

  /// Runs `body` once on each connection, before its next read.
  func prepareEach(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
    for reader in readers {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        reader.queue.async { done.resume(with: Result { try body(reader.connection) }) }
      }
    }
  }

  /// Runs `body` on a connection that can only read.
  ///
  /// - Parameters:
  ///   - isOneStatement: Whether `body` runs one statement at most, which sees one state by itself, or
  ///     several that need not see the same one. No transaction is put around it then.
  ///   - body: The work.
  /// Cancelling the task does not stop a read; it is run and its result returned.
  ///
  /// - Throws: What `body` throws; ``SQLiteError``, `readOnly` if `body` writes, `misuse` if the
  ///   pool is closed.
  package func read<Value: Sendable>(
    isOneStatement: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    if usesWriter {
      if state.withLock({ $0.isClosed }) {
        throw SQLiteError.closed(file: file, operation: "read")
      }
      return try await writer.read(body)
    }
    return try await withCheckedThrowingContinuation { continuation in
      let isAdmitted = submit { connection in
        continuation.resume(
          with: Result {
            try isOneStatement ? body(connection) : connection.snapshot(body)
          })
      }
      if !isAdmitted {
        continuation.resume(throwing: SQLiteError.closed(file: file, operation: "read"))
      }
    }
  }

  /// Finishes the reads that were asked for, then closes the connections. Closing twice is allowed.
  /// Close the pool before its writer, whose closing then cleans up the log.
  package func close() async throws {
    state.withLock { $0.isClosed = true }
    for reader in readers {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        // Behind the jobs of this reader, which takes waiting ones until there are none.
        reader.queue.async { done.resume(with: Result { try reader.connection.close() }) }
      }
    }
  }

  /// False if the pool is closed.
  private func submit(_ job: @escaping Job) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      if let reader = state.idle.popLast() {
        // Inside the lock, so that close cannot get into the reader's queue before an admitted job.
        reader.queue.async { self.work(through: job, on: reader) }
      } else {
        state.waiting.append(job)
      }
      return true
    }
  }

  private func work(through first: @escaping Job, on reader: Reader) {
    var next: Job? = first
    while let job = next {
      job(reader.connection)
      next = state.withLock { state in
        if state.waiting.isEmpty {
          state.idle.append(reader)
          return nil
        }
        return state.waiting.removeFirst()
      }
    }
  }
}
