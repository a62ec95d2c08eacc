import CSQLite

/// The statements that begin and end transactions. Savepoints share one name: SQLite resolves a
/// name to the innermost savepoint that has it.
enum TransactionControl: String {
  case beginImmediate = "BEGIN IMMEDIATE"
  case beginDeferred = "BEGIN DEFERRED"
  case commit = "COMMIT"
  case rollback = "ROLLBACK"
  case savepoint = "SAVEPOINT cardfeed"
  case release = "RELEASE cardfeed"
  case rollbackToSavepoint = "ROLLBACK TO cardfeed"
}

extension Connection {
  /// Whether SQLite has a transaction open now.
  package var isInTransaction: Bool {
    handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// Begins a transaction and takes the write lock at once, so that no later statement of it can
  /// fail because another connection wrote in between.
  ///
  /// - Throws: ``SQLiteError`` `busy` after the busy timeout, `misuse` inside a transaction.
  package func beginImmediate() throws {
    try requireOwnTransactions("begin")
    try begin(.beginImmediate)
  }

  /// Commits. If it throws, the transaction may still be open: roll it back.
  package func commit() throws {
    try requireOwnTransactions("commit")
    try commitTransaction()
  }

  /// Rolls back. Does nothing if SQLite has already rolled back after a severe error.
  package func rollback() throws {
    try requireOwnTransactions("roll back")
    try rollbackTransaction()
  }

  /// Runs `body` in a transaction: committed if it returns, rolled back if it throws. Inside
  /// another transaction it is a savepoint.
  package func transaction<R>(_ body: (Connection) throws -> R) throws -> R {
    if expectsTransaction { return try savepoint(body) }
    return try bracket(.beginImmediate, body)
  }

  /// Runs `body` on one unchanging state of the database, whatever other connections write.
  /// Inside a transaction that state is the transaction's.
  package func snapshot<R>(_ body: (Connection) throws -> R) throws -> R {
    if expectsTransaction { return try body(self) }
    return try bracket(.beginDeferred, body)
  }

  /// Runs `body` in a savepoint of the open transaction: what it changed is undone if it throws,
  /// and the transaction goes on. Savepoints nest.
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` `misuse` outside a transaction.
  package func savepoint<R>(_ body: (Connection) throws -> R) throws -> R {
    guard expectsTransaction else {
      // Outside a transaction a savepoint would begin one that waits for the write lock too late.
      throw SQLiteError(
        .misuse, file: file, operation: "savepoint", found: "no open transaction",
        advice: "Use transaction, or begin one before.")
    }
    try requireIntactTransaction(for: TransactionControl.savepoint.rawValue)
    try control(.savepoint)
    do {
      let result = try body(self)
      try requireIntactTransaction(for: TransactionControl.release.rawValue)
      try control(.release)
      return result
    } catch {
      learnerNumbers = [:]
      if isInTransaction {
        do {
          try control(.rollbackToSavepoint)
          try control(.release)
        } catch {
          // Half undone work must not be committed with the rest: give up the whole transaction.
          // expectsTransaction stays set, so whoever began it is told.
          try? control(.rollback)
        }
      }
      throw error
    }
  }

  // MARK: For the queues, which own the transactions of their connections

  func begin(_ kind: TransactionControl) throws {
    guard !expectsTransaction else {
      throw SQLiteError(
        .misuse, file: file, operation: kind.rawValue, found: "an open transaction",
        advice: "Use transaction or savepoint, which nest.")
    }
    try control(kind)
    expectsTransaction = true
  }

  func commitTransaction() throws {
    guard expectsTransaction else {
      throw SQLiteError(
        .misuse, file: file, operation: "COMMIT", found: "no open transaction",
        advice: "Begin a transaction before.")
    }
    try requireIntactTransaction(for: TransactionControl.commit.rawValue)
    try control(.commit)
    expectsTransaction = false
  }

  func rollbackTransaction() throws {
    learnerNumbers = [:]
    if isInTransaction {
      try control(.rollback)
    }
    expectsTransaction = false
  }

  /// Stops work that believes to be in a transaction which SQLite has rolled back: its statements
  /// would otherwise be committed one by one.
  func requireIntactTransaction(for operation: String) throws {
    if expectsTransaction, !isInTransaction {
      throw SQLiteError(
        .misuse, file: file, operation: operation,
        found: "an earlier error has rolled back the transaction",
        advice: "Let that error through instead of going on after it.")
    }
  }

  private func requireOwnTransactions(_ operation: String) throws {
    if isLent {
      throw SQLiteError(
        .misuse, file: file, operation: operation,
        found: "a connection whose transactions belong to its queue",
        advice: "Use savepoint inside the job; the queue begins and commits.")
    }
  }

  private func bracket<R>(
    _ kind: TransactionControl, _ body: (Connection) throws -> R
  ) throws -> R {
    try begin(kind)
    do {
      let result = try body(self)
      try commitTransaction()
      return result
    } catch {
      // The first error says why; a rollback that fails after it has nothing to add.
      try? rollbackTransaction()
      throw error
    }
  }
}
