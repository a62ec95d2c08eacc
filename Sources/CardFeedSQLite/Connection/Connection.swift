import CSQLite

/// One connection to an SQLite database, with its prepared statements.
///
/// A connection belongs to one thread at a time: it is opened without SQLite's own mutex.
/// ``WriteQueue`` and ``ReaderPool`` are the ways to share a database between tasks. Transactions
/// are begun and ended by methods only; `BEGIN`, `COMMIT`, `ROLLBACK` and `SAVEPOINT` in SQL are
/// refused, so that no script can end a transaction that belongs to somebody else.
///
/// A file is recognised by the application id in its header. A file of another application is
/// refused before anything is written to it.
package final class Connection {
  package let location: Location
  package let mode: Mode
  package let options: Options

  /// The database, nil once closed.
  private(set) var handle: OpaquePointer?
  /// True while a transaction begun here has neither been committed nor rolled back here. SQLite
  /// may roll back by itself after a severe error; then this differs from `isInTransaction`.
  var expectsTransaction = false
  /// True if a queue owns the transactions of this connection.
  var isLent = false
  /// The numbers of learners that this connection has looked up or made. A number never changes,
  /// but a rollback may take back that it was made: it clears them.
  var learnerNumbers: [String: Int64] = [:]
  private var cache: StatementCache
  private var takenStatements = 0
  private var controls: [TransactionControl: Statement] = [:]
  /// Pages in the write-ahead log after the last commit; nil while SQLite makes checkpoints itself.
  private var logPageCount: UnsafeMutablePointer<Int>?
  /// Read by the authorizer while it prepares; true only while our own control statements run.
  private let mayControlTransactions: UnsafeMutablePointer<Bool>

  package var file: String { location.description }

  /// Opens a database, checks whose it is, and applies the settings.
  ///
  /// - Throws: ``SQLiteError``: `cannotOpen`, `notADatabase`, `foreignFile`, `readOnly` (a file
  ///   that should be written but is write-protected), `busy`, `ioError`, `corrupt`.
  package init(
    _ location: Location, mode: Mode = .readWriteCreate, options: Options = Options()
  ) throws {
    self.location = location
    self.mode = mode
    self.options = options
    cache = StatementCache(capacity: options.statementCacheCapacity)
    mayControlTransactions = .allocate(capacity: 1)
    mayControlTransactions.initialize(to: false)
    // From here on every property is set, so that a throw runs deinit, which closes and frees.
    handle = try Connection.open(location, mode: mode, options: options)
    try prepareForUse()
  }

  deinit {
    finalizeStatements()
    // Closes even where a statement is still held, which is then finalized later.
    sqlite3_close_v2(handle)
    mayControlTransactions.deinitialize(count: 1)
    mayControlTransactions.deallocate()
    logPageCount?.deallocate()
  }

  /// Finalises all statements and closes the database. An open transaction is rolled back.
  /// Closing twice is allowed.
  ///
  /// - Throws: ``SQLiteError`` `misuse` if a statement is in use further up the call stack.
  package func close() throws {
    guard let database = handle else { return }
    guard takenStatements == 0 else {
      throw SQLiteError(
        .misuse, file: file, operation: "close", found: "\(takenStatements) statements in use",
        advice: "Close the connection outside of withStatement.")
    }
    finalizeStatements()
    try check(sqlite3_close(database), operation: "close")
    handle = nil
    expectsTransaction = false
  }

  package var isClosed: Bool { handle == nil }

  /// The number of statements kept for reuse.
  package var cachedStatementCount: Int { cache.count }

  /// The row id of the last row inserted by this connection.
  package var lastInsertRowid: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// The number of rows changed by the last INSERT, UPDATE or DELETE of this connection.
  package var changes: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// Prepares a statement, or takes it from the cache, for the time of `body`. Afterwards it is
  /// reset, its bindings are cleared, and it is kept for the next use, also if `body` throws.
  ///
  /// - Parameter sql: Exactly one statement. Data belongs in bindings: the text is quoted in errors.
  package func withStatement<R>(
    _ sql: String, _ body: (Statement) throws -> R
  ) throws -> R {
    let database = try openHandle(for: sql)
    let statement: Statement
    var isCached = true
    switch cache.find(sql) {
    case .found(let kept):
      statement = kept
    case .missing:
      statement = try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT), database)
      cache.insert(statement)
    case .taken:
      statement = try prepare(sql, flags: 0, database)
      isCached = false
    }
    defer { if !isCached { statement.finalize() } }
    return try lending(statement, to: body)
  }

  /// Runs a script of any number of statements without bindings; rows they return are dropped.
  /// It stops at the first failure; wrap it in `transaction` to undo the statements before that.
  package func execute(_ script: String) throws {
    let database = try openHandle(for: script)
    try script.withCString { start in
      var next: UnsafePointer<CChar>? = start
      while let current = next, current.pointee != 0 {
        var prepared: OpaquePointer?
        let result = sqlite3_prepare_v3(database, current, -1, 0, &prepared, &next)
        try check(result, phase: .preparing, operation: script)
        // Nothing but white space or a comment.
        guard let prepared else { continue }
        let text = sqlite3_sql(prepared).map { String(cString: $0) } ?? script
        let statement = Statement(handle: prepared, connection: self, sql: text)
        defer { statement.finalize() }
        try lending(statement) { try $0.run() }
      }
    }
  }

  /// Pages in the write-ahead log after the last commit of this connection; 0 before
  /// `takeOverCheckpoints`.
  var logPages: Int { logPageCount?.pointee ?? 0 }

  /// Ends SQLite's own checkpoints, which run inside the commit that fills the log, and counts the
  /// pages of the log instead. Whoever calls it has to see to checkpoints.
  func takeOverCheckpoints() throws {
    if logPageCount == nil { logPageCount = try countLogPages() }
  }

  // MARK: For the other files of this folder

  func openHandle(for operation: String) throws -> OpaquePointer {
    guard let handle else { throw SQLiteError.closed(file: file, operation: operation) }
    return handle
  }

  func check(
    _ result: Int32, phase: SQLiteError.Phase = .stepping, operation: String
  ) throws {
    if result != SQLITE_OK {
      throw SQLiteError.reported(
        result, by: handle, phase: phase, file: file, operation: operation)
    }
  }

  /// Runs one of our own control statements, which are kept apart from the cache so that the same
  /// SQL given by a caller is still refused.
  func control(_ control: TransactionControl) throws {
    let database = try openHandle(for: control.rawValue)
    // Kept set while stepping too: SQLite prepares again after a change of the schema.
    try allowingTransactionControl {
      let statement: Statement
      if let kept = controls[control] {
        statement = kept
      } else {
        statement = try prepare(
          control.rawValue, flags: UInt32(SQLITE_PREPARE_PERSISTENT), database)
        controls[control] = statement
      }
      try lending(statement) { try $0.run() }
    }
  }

  func allowingTransactionControl<R>(_ body: () throws -> R) rethrows -> R {
    mayControlTransactions.pointee = true
    defer { mayControlTransactions.pointee = false }
    return try body()
  }

  /// The address the authorizer reads.
  var authorizerContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(mayControlTransactions) }

  // MARK: Private

  private func lending<R>(
    _ statement: Statement, to body: (Statement) throws -> R
  ) rethrows -> R {
    takenStatements += 1
    statement.take()
    defer {
      statement.giveBack()
      takenStatements -= 1
    }
    return try body(statement)
  }

  private func prepare(
    _ sql: String, flags: UInt32, _ database: OpaquePointer
  ) throws -> Statement {
    try sql.withCString { start in
      var prepared: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let result = sqlite3_prepare_v3(database, start, -1, flags, &prepared, &tail)
      try check(result, phase: .preparing, operation: sql)
      let isBlankAfter = tail.map { String(cString: $0).allSatisfy { $0.isWhitespace } } ?? true
      guard let prepared, isBlankAfter else {
        sqlite3_finalize(prepared)
        throw SQLiteError(
          .misuse, file: file, operation: sql,
          found: prepared == nil ? "no statement" : "more than one statement",
          advice: "Give exactly one statement; scripts go through execute.")
      }
      return Statement(handle: prepared, connection: self, sql: sql)
    }
  }

  private func finalizeStatements() {
    cache.finalizeAll()
    for statement in controls.values {
      statement.finalize()
    }
    controls = [:]
  }
}
