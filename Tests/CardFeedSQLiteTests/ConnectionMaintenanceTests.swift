import Foundation
import Testing

@testable import CardFeedSQLite

@Suite struct ConnectionMaintenanceTests {
  let folder: ScratchFolder
  let connection: Connection

  init() throws {
    folder = try ScratchFolder()
    connection = try openNumbers(folder.file())
    try connection.transaction { connection in
      for id in 1...500 as ClosedRange<Int64> {
        try connection.run(
          "INSERT INTO numbers VALUES (?1, 0, ?2)", .integer(id),
          .bytes([UInt8](repeating: UInt8(id % 251), count: 1_000)))
      }
    }
  }

  @Test func integrityProblemsAreListed() throws {
    #expect(try connection.integrityCheck() == [])
    try connection.execute(
      """
      CREATE TABLE child (parent INTEGER REFERENCES numbers (id));
      PRAGMA foreign_keys = OFF;
      INSERT INTO child VALUES (1), (9999);
      PRAGMA foreign_keys = ON;
      """)
    #expect(
      try connection.integrityCheck() == ["row 2 of child refers to a missing row of numbers"])
  }

  @Test func damageIsFound() throws {
    try connection.execute("CREATE INDEX payloads ON numbers (payload)")
    try connection.close()
    let url = URL(fileURLWithPath: folder.file())
    var content = try Data(contentsOf: url)
    let middle = content.count / 2 / 4_096 * 4_096
    content.replaceSubrange(middle..<middle + 4_096, with: [UInt8](repeating: 0xa5, count: 4_096))
    try content.write(to: url)
    let damaged = try Connection(.file(folder.file()), options: .forTests)
    #expect(try damaged.integrityCheck() != [])
  }

  @Test func checkpointEmptiesTheLog() throws {
    let log = URL(fileURLWithPath: folder.file() + "-wal")
    #expect(try Data(contentsOf: log).count > 0)
    let done = try connection.checkpoint(.truncate)
    #expect(done == Connection.Checkpoint(logged: 0, moved: 0))
    #expect(try Data(contentsOf: log).count == 0)
    let reader = try Connection(.file(folder.file()), mode: .readOnly, options: .forTests)
    try reader.snapshot { _ in
      #expect(try count(reader) == 500)
      try connection.run("DELETE FROM numbers WHERE id = 1")
      #expect(try sqliteError { try connection.checkpoint(.truncate) }.code == .busy)
      #expect(try connection.checkpoint(.passive).logged > 0)
    }
  }

  @Test func vacuumShrinksTheFile() throws {
    let before = try connection.integer("PRAGMA page_count")
    try connection.run("DELETE FROM numbers WHERE id > 10")
    try connection.vacuum()
    #expect(try connection.integer("PRAGMA page_count") < before / 2)
    #expect(try count(connection) == 10)
    #expect(try sqliteError { try connection.execute("COMMIT") }.code == .misuse)
  }

  @Test func aBackupIsTheStateAtItsBeginning() throws {
    let reader = try Connection(.file(folder.file()), mode: .readOnly, options: .forTests)
    var steps: [Int] = []
    try reader.backup(to: folder.file("copy.db"), pagesPerStep: 10) { copied, total in
      #expect(copied <= total)
      steps.append(copied)
      // A writer goes on; without the snapshot each write would start the copy over.
      try connection.run("INSERT INTO numbers (task) VALUES (1)")
    }
    #expect(steps == steps.sorted())
    #expect(steps.count > 5)
    #expect(try count(connection) == 500 + Int64(steps.count))
    let copy = try Connection(.file(folder.file("copy.db")), options: .forTests)
    #expect(try count(copy) == 500)
    #expect(try copy.integrityCheck() == [])
    try copy.run("DELETE FROM numbers")
    #expect(try count(connection) == 500 + Int64(steps.count))
    let names = try folder.names.filter { $0.contains("partial") }
    #expect(names == [])
  }

  @Test func aBackupNeverReplacesAFile() throws {
    try "mine".write(toFile: folder.file("copy.db"), atomically: true, encoding: .utf8)
    let error = try sqliteError { try connection.backup(to: folder.file("copy.db")) }
    #expect(error.code == .cannotOpen)
    #expect(error.found == "an existing file")
    #expect(try String(contentsOfFile: folder.file("copy.db"), encoding: .utf8) == "mine")
  }

  @Test func anInterruptedBackupLeavesNothing() throws {
    #expect(throws: LogicalError(number: 3)) {
      var calls = 0
      try connection.backup(to: folder.file("copy.db"), pagesPerStep: 5) { _, _ in
        calls += 1
        if calls == 3 { throw LogicalError(number: 3) }
      }
    }
    #expect(try folder.names.allSatisfy { !$0.hasPrefix("copy") })
    let missing = try sqliteError { try connection.backup(to: folder.path + "/no/copy.db") }
    #expect(missing.code == .cannotOpen)
    let open = try sqliteError {
      try connection.transaction { connection in
        try connection.run("DELETE FROM numbers")
        try connection.backup(to: folder.file("copy.db"))
      }
    }
    #expect(open.code == .misuse)
  }

  @Test func aDatabaseInMemoryIsBackedUpIntoAFile() throws {
    let memory = try Connection(.memory("backup-\(UUID().uuidString)"))
    try memory.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    try memory.backup(to: folder.file("copy.db"))
    #expect(try count(Connection(.file(folder.file("copy.db")), mode: .readOnly), "t") == 2)
  }
}
