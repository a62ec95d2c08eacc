public import CardFeed
import Dispatch

/// A store in one SQLite file, for a server that is one process.
///
/// One writer makes all commands durable, many at a time in one commit; reads run beside it on
/// connections of their own and see every commit that was awaited before them. The write-ahead log
/// is moved into the file beside the writer, on one more connection. Cancelling a task
/// does not withdraw a command: a swipe that was taken in is applied.
///
/// The file must lie on a local disk. Several processes may have it open, each sees what the others
/// committed; an engine, however, keeps sessions in memory, so run one engine for one store.
///
/// Every failure is an ``SQLiteError`` that says what to do; a failed command has changed nothing.
public final class SQLiteStore: TransactionalStore {
  /// The rows of this store inside a transaction.
  public typealias Transaction = SQLiteTransaction

  /// The steps that opening applied to an older or new file, by name, in order.
  public let appliedMigrations: [String]

  let writer: WriteQueue
  let readers: ReaderPool
  private let checkpointer: Checkpointer?
  let location: Connection.Location
  let settings: Connection.Options
  /// Erasure, pruning and age-out one after the other.
  let maintenance = SerialLane()
  /// Counts once somebody wants to know.
  let statementCounter = StatementCounter()
  private let isClosed = Lock(false)

  /// 128 MiB, so that of the swipes of one round, not one in a hundred waits for its end.
  static var pagesBetweenCheckpoints: Int { 32_768 }

  private init(_ location: Connection.Location, options: Options) throws {
    settings = options.connection
    self.location = location
    let connection = try Connection(location, options: settings)
    if !location.isInMemory { try connection.takeOverCheckpoints() }
    if !options.migrates, try !StoreSchema.isNew(connection) {
      try StoreSchema.migrations.requireUpToDate(connection)
    }
    appliedMigrations = try StoreSchema.migrations.apply(to: connection).applied
    let start = Self.pagesBetweenCheckpoints
    checkpointer =
      location.isInMemory
      ? nil
      : Checkpointer(
        try Connection(location, options: settings),
        limits: Checkpointer.Limits(start: start, rest: start / 32, most: start * 4))
    writer = WriteQueue(
      connection, batchLimit: options.groupSize, checkpointer: checkpointer)
    readers = try ReaderPool(
      location, options: settings, count: options.readers, writer: writer)
  }

  /// Opens the store in a file, and creates it where there is none.
  ///
  /// - Parameters:
  ///   - path: The file. Its folder must exist.
  ///   - options: How durable, how many readers, how patient.
  /// - Throws: ``SQLiteError``: `cannotOpen`, `notADatabase`, `foreignFile` (a database of another
  ///   program, left untouched), `olderSchema`, `newerSchema`, `readOnly`, `busy`, `ioError`, `corrupt`,
  ///   `diskFull`.
  public static func open(
    path: String, options: Options = Options()
  ) async throws -> SQLiteStore {
    try await open(.file(path), options: options)
  }

  /// Opens an empty store in memory, which is gone when it is closed. Every reader waits for the
  /// writer, so this is for tests and trials; `InMemoryStore` is quicker.
  ///
  /// - Parameter options: How many readers, how patient; durability means nothing here.
  /// - Throws: ``SQLiteError``.
  public static func openInMemory(options: Options = Options()) async throws -> SQLiteStore {
    // Stores of the same name would share their rows.
    var generator = SystemRandomNumberGenerator()
    let name = "\(generator.next())-\(generator.next())"
    return try await open(.memory(name), options: options)
  }

  private static func open(
    _ location: Connection.Location, options: Options
  ) async throws -> SQLiteStore {
    try await blocking { try SQLiteStore(location, options: options) }
  }

  /// Runs what waits for the disk and for locks away from the threads of the cooperative pool.
  static func blocking<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "CardFeedSQLite.SQLiteStore").async {
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }

  /// Runs `body` as one transaction, which may share its commit with others: all of it is durable
  /// when this returns, none of it when it throws.
  ///
  /// - Parameter body: The work. It may run more than once, when a commit fails that it shared.
  /// - Throws: What `body` throws; ``SQLiteError``.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout SQLiteTransaction) throws -> Result
  ) async throws -> Result {
    try await writer.write { connection in
      var transaction = SQLiteTransaction(connection: connection)
      return try body(&transaction)
    }
  }

  /// Moves the write-ahead log into the file and cuts it to nothing. The writer waits meanwhile.
  /// By itself the log is moved every 128 MiB, beside the writer, and on closing; call it before the file is copied by hand.
  ///
  /// - Throws: ``SQLiteError``, `busy` if a reader held on for the whole busy timeout.
  public func checkpoint() async throws {
    let writer = writer
    let truncate: @Sendable () async throws -> Void = {
      try await writer.outsideTransaction { connection in
        _ = try connection.checkpoint(.truncate)
      }
    }
    if let checkpointer {
      try await checkpointer.holding(truncate)
    } else {
      try await truncate()
    }
  }

  /// Copies the store, as it is now, into a new file, beside running reads and writes. The file
  /// appears under its name only when it is complete and on the disk.
  ///
  /// - Parameter path: The file to create; it must not exist.
  /// - Throws: ``SQLiteError``, `cannotOpen` if the file exists or its folder does not.
  public func backup(to path: String) async throws {
    try await readers.read { connection in try connection.backup(to: path) }
  }

  /// Copies the store in a file into a new one while others use it; nothing but the copy is written.
  /// A store of any version can be copied.
  ///
  /// - Throws: ``SQLiteError`` as `backup(to:)`, and `foreignFile`, `notADatabase`.
  public static func backup(
    of path: String, to copy: String, options: Options = Options()
  ) async throws {
    try await blocking {
      let connection = try Connection.inspecting(path, options: options.connection)
      try connection.backup(to: copy)
      try connection.close()
    }
  }

  /// Refuses what would go on with a store that was closed.
  func requireOpen(_ operation: String) throws {
    if isClosed.withLock({ $0 }) {
      throw SQLiteError.closed(file: location.description, operation: operation)
    }
  }

  /// Finishes the commands and reads that were asked for, moves the write-ahead log into the file
  /// and lets go of it. Closing twice is allowed; every other later call throws ``SQLiteError``
  /// `misuse`.
  ///
  /// - Throws: ``SQLiteError``. Whatever was acknowledged is durable all the same.
  public func close() async throws {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    try await readers.close()
    try await checkpointer?.close()
    var failure: (any Error)?
    if isFirst, !location.isInMemory {
      do { try await checkpoint() } catch let error as SQLiteError where error.code == .busy {
        // Another process reads; what the log holds stays there until somebody moves it.
      } catch { failure = error }
    }
    try await writer.close()
    if let failure { throw failure }
  }
}
