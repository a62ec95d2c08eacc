import Testing

@testable import CardFeedSQLite

@Suite struct ConnectionTransactionTests {
  let connection: Connection
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    connection = try openNumbers(folder.file())
  }

  private func insert(_ id: Int64) throws {
    try connection.run("INSERT INTO numbers (id) VALUES (?1)", .integer(id))
  }

  private var ids: [Int64] {
    get throws { try connection.rows("SELECT id FROM numbers") { try $0.integer(at: 0) } }
  }

  @Test func commitKeepsAndRollbackUndoes() throws {
    try connection.beginImmediate()
    #expect(connection.isInTransaction)
    try insert(1)
    try connection.commit()
    #expect(!connection.isInTransaction)
    try connection.beginImmediate()
    try insert(2)
    try connection.rollback()
    #expect(try ids == [1])
    let result = try connection.transaction { _ in
      try insert(3)
      return "done"
    }
    #expect(result == "done")
    #expect(throws: LogicalError(number: 4)) {
      try connection.transaction { _ in
        try insert(4)
        throw LogicalError(number: 4)
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try ids == [1, 3])
  }

  @Test func savepointsNest() throws {
    try connection.transaction { _ in
      try insert(1)
      try? connection.savepoint { _ in
        try insert(2)
        try connection.savepoint { _ in try insert(3) }
        try? connection.transaction { _ in
          try insert(4)
          throw LogicalError(number: 4)
        }
        #expect(try ids == [1, 2, 3])
        throw LogicalError(number: 2)
      }
      try connection.savepoint { _ in try insert(5) }
    }
    #expect(try ids == [1, 5])
  }

  @Test func wrongOrderIsMisuse() throws {
    #expect(try sqliteError { try connection.commit() }.code == .misuse)
    #expect(try sqliteError { try connection.savepoint { _ in } }.code == .misuse)
    try connection.rollback()
    try connection.beginImmediate()
    #expect(try sqliteError { try connection.beginImmediate() }.code == .misuse)
    try connection.rollback()
  }

  @Test(arguments: [
    "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "END", "ROLLBACK", "SAVEPOINT a", "RELEASE cardfeed",
    "/* hidden */ ROLLBACK TO cardfeed", "SAVEPOINT cardfeed",
  ])
  func transactionControlInSQLIsRefused(_ sql: String) throws {
    try connection.transaction { _ in try connection.savepoint { _ in } }
    try connection.beginImmediate()
    try insert(1)
    for error in [
      try sqliteError { try connection.execute(sql) }, try sqliteError { try connection.run(sql) },
    ] {
      #expect(error.code == .misuse)
      #expect(
        error.advice == "Begin and end transactions with the connection's methods, not with SQL.")
    }
    #expect(connection.isInTransaction)
    try connection.commit()
    #expect(try ids == [1])
  }

  @Test func workAfterAnAutomaticRollbackIsStopped() throws {
    try insert(1)
    let error = try sqliteError {
      try connection.transaction { _ in
        try insert(2)
        // ROLLBACK as a conflict clause ends the transaction, as a severe error may.
        try? connection.execute("INSERT OR ROLLBACK INTO numbers (id) VALUES (1)")
        #expect(!connection.isInTransaction)
        try insert(3)
      }
    }
    #expect(error.found == "an earlier error has rolled back the transaction")
    #expect(try ids == [1])
    try connection.transaction { _ in try insert(4) }
    #expect(try ids == [1, 4])
  }

  @Test func aStatementThatCausedAnAutomaticRollbackDoesNotGoOn() throws {
    try insert(1)
    let error = try sqliteError {
      try connection.transaction { connection in
        let sql = "INSERT OR ROLLBACK INTO numbers (id) VALUES (?1)"
        try connection.withStatement(sql) { statement in
          for id in [2, 1, 3] {
            try statement.bind(id, at: 1)
            do { try statement.run() } catch { guard id == 1 else { throw error } }
          }
        }
      }
    }
    #expect(error.found == "an earlier error has rolled back the transaction")
    #expect(try ids == [1])
  }

  @Test func aSwallowedAutomaticRollbackIsNotTakenForACommit() throws {
    try insert(1)
    let error = try sqliteError {
      try connection.transaction { _ in
        try insert(2)
        try? connection.execute("INSERT OR ROLLBACK INTO numbers (id) VALUES (1)")
      }
    }
    #expect(error.code == .misuse)
    #expect(try ids == [1])
  }

  @Test func aDeferredForeignKeyFailsTheCommit() throws {
    try connection.execute(
      """
      CREATE TABLE child (
        parent INTEGER REFERENCES numbers (id) DEFERRABLE INITIALLY DEFERRED)
      """)
    let error = try sqliteError {
      try connection.transaction { _ in
        try insert(1)
        try connection.run("INSERT INTO child VALUES (99)")
      }
    }
    #expect(error.code == .constraint)
    #expect(!connection.isInTransaction)
    #expect(try ids == [])
  }

  @Test func aSnapshotDoesNotChange() throws {
    let reader = try Connection(.file(folder.file()), mode: .readOnly, options: .forTests)
    try insert(1)
    try reader.snapshot { _ in
      #expect(try count(reader) == 1)
      try insert(2)
      #expect(try count(reader) == 1)
    }
    #expect(try count(reader) == 2)
  }

  @Test func anotherWriterMeansBusy() throws {
    let other = try Connection(.file(folder.file()), options: .forTests)
    try other.beginImmediate()
    #expect(try sqliteError { try connection.beginImmediate() }.code == .busy)
    #expect(try sqliteError { try insert(1) }.code == .busy)
    #expect(!connection.isInTransaction)
    try other.rollback()
    try insert(1)
    #expect(try ids == [1])
  }

  @Test func aFullDiskUndoesTheTransactionOnly() throws {
    try insert(1)
    let pages = try connection.integer("PRAGMA page_count")
    try connection.execute("PRAGMA max_page_count = \(pages + 4)")
    let error = try sqliteError {
      try connection.transaction { _ in
        for id in 2..<100 as Range<Int64> {
          let payload = [UInt8](repeating: 7, count: 4_096)
          try connection.run(
            "INSERT INTO numbers VALUES (?1, 0, ?2)", .integer(id), .bytes(payload))
        }
      }
    }
    #expect(error.code == .diskFull)
    #expect(try ids == [1])
    try insert(2)
    #expect(try ids == [1, 2])
    #expect(try connection.integrityCheck() == [])
  }
}
