import CSQLite

extension Connection {
  /// How thoroughly a checkpoint moves the write-ahead log into the database file.
  package enum CheckpointMode: Sendable {
    /// As much as is possible without waiting for anybody.
    case passive
    /// Everything, waiting for readers up to the busy timeout.
    case full
    /// Everything, and the log file is cut to nothing.
    case truncate
  }

  /// What a checkpoint did, in pages. Both are -1 for a database without a write-ahead log.
  package struct Checkpoint: Sendable, Equatable {
    /// Pages in the log when it ended.
    package let logged: Int
    /// Pages of these that are in the database file.
    package let moved: Int
  }

  /// Moves the write-ahead log into the database file. Must be called outside a transaction.
  ///
  /// - Throws: ``SQLiteError`` `busy` if a reader or writer held on for the whole busy timeout.
  @discardableResult
  package func checkpoint(_ mode: CheckpointMode) throws -> Checkpoint {
    let operation = "checkpoint"
    let database = try openHandle(for: operation)
    let number =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var logged: Int32 = 0
    var moved: Int32 = 0
    try check(
      sqlite3_wal_checkpoint_v2(database, "main", number, &logged, &moved), operation: operation)
    return Checkpoint(logged: Int(logged), moved: Int(moved))
  }

  /// Reads the whole database and returns what is wrong with it, nothing if all is well: damaged
  /// pages, rows missing from indexes, violated NOT NULL, UNIQUE and FOREIGN KEY constraints.
  ///
  /// The texts name tables, indexes and row ids, never column values. Complexity O(size of the
  /// file); at most 100 problems are listed per kind.
  package func integrityCheck() throws -> [String] {
    var problems: [String] = []
    do {
      problems += try rows("PRAGMA integrity_check(100)") { try $0.text(at: 0) }
        .filter { $0 != "ok" }
      problems += try foreignKeyProblems(limit: 100)
    } catch let error as SQLiteError where error.code == .corrupt {
      // Too damaged to be checked to the end, which is an answer and not a failure of the check.
      problems.append("the check could not be finished: \(error.found)")
    }
    return problems
  }

  func foreignKeyProblems(limit: Int64) throws -> [String] {
    let sql = """
      SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT ?1
      """
    return try rows(sql, .integer(limit)) { row in
      let child = try row.text(at: 0)
      let rowid = try row.integerIfPresent(at: 1).map { "row \($0)" } ?? "a row"
      return "\(rowid) of \(child) refers to a missing row of \(try row.text(at: 2))"
    }
  }

  /// Rebuilds the file without its free pages. Must be called outside a transaction.
  package func vacuum() throws {
    // VACUUM begins a transaction of its own.
    try allowingTransactionControl { try execute("VACUUM") }
  }
}
