import CSQLite
import Foundation
import Testing

@testable import CardFeedSQLite

@Suite struct ConnectionOpeningTests {
  @Test func newFileGetsOurIdAndTheSettings() throws {
    let folder = try ScratchFolder()
    let connection = try Connection(.file(folder.file()))
    #expect(try connection.integer("PRAGMA application_id") == 0x4346_4544)
    #expect(try connection.firstRow("PRAGMA journal_mode") { try $0.text(at: 0) } == "wal")
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    #expect(try connection.integer("PRAGMA busy_timeout") == 5_000)
    #expect(try connection.integer("PRAGMA cache_size") == -16_384)
    try connection.close()
    let normal = try Connection(.file(folder.file()), options: .forTests)
    #expect(try normal.integer("PRAGMA synchronous") == 1)
  }

  @Test func fileOfAnotherApplicationIsRefusedAndLeftAlone() throws {
    let folder = try ScratchFolder()
    var foreign: OpaquePointer?
    #expect(sqlite3_open(folder.file(), &foreign) == SQLITE_OK)
    #expect(
      sqlite3_exec(foreign, "CREATE TABLE a (b); PRAGMA application_id = 7", nil, nil, nil)
        == SQLITE_OK)
    sqlite3_close(foreign)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
    let error = try sqliteError { _ = try Connection(.file(folder.file())) }
    #expect(
      error.description == """
        not a CardFeed database: application id 0x7 instead of 0x43464544, and 1 tables and \
        indexes, in \(folder.file()), while doing: open. \
        Check the path; nothing was written to this file.
        """)
    #expect(error.code == .foreignFile)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    #expect(try folder.names == ["cards.db"])
  }

  @Test func fileOfAnotherApplicationWithoutIdIsRefused() throws {
    let folder = try ScratchFolder()
    var foreign: OpaquePointer?
    #expect(sqlite3_open(folder.file(), &foreign) == SQLITE_OK)
    #expect(sqlite3_exec(foreign, "PRAGMA user_version = 3", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(foreign)
    #expect(try sqliteError { _ = try Connection(.file(folder.file())) }.code == .foreignFile)
  }

  @Test func textFileIsNotADatabase() throws {
    let folder = try ScratchFolder()
    let text = String(repeating: "this is no database\n", count: 100)
    try text.write(toFile: folder.file(), atomically: true, encoding: .utf8)
    for mode in [Connection.Mode.readWriteCreate, .readOnly] {
      let error = try sqliteError { _ = try Connection(.file(folder.file()), mode: mode) }
      #expect(error.code == .notADatabase)
      #expect(error.file == folder.file())
    }
    #expect(try String(contentsOfFile: folder.file(), encoding: .utf8) == text)
  }

  @Test func pathsThatCannotBeOpened() throws {
    let folder = try ScratchFolder()
    for path in ["", "a\0b", "\(folder.path)/missing/cards.db", folder.path] {
      let error = try sqliteError { _ = try Connection(.file(path)) }
      #expect(error.code == .cannotOpen, "\(path)")
    }
    let error = try sqliteError { _ = try Connection(.file(folder.file()), mode: .readOnly) }
    #expect(error.code == .cannotOpen)
    #expect(try folder.names == [])
  }

  @Test func readOnlyConnectionRefusesToWriteWithATypedError() throws {
    let folder = try ScratchFolder()
    let writer = try openNumbers(folder.file())
    try writer.run("INSERT INTO numbers (id) VALUES (1)")
    let reader = try Connection(.file(folder.file()), mode: .readOnly)
    let error = try sqliteError { try reader.run("INSERT INTO numbers (id) VALUES (2)") }
    #expect(error.code == .readOnly)
    #expect(try count(reader) == 1)
  }

  @Test func emptyFileOpenedForReadingIsRefused() throws {
    let folder = try ScratchFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file()))
    let error = try sqliteError { _ = try Connection(.file(folder.file()), mode: .readOnly) }
    #expect(error.code == .foreignFile)
    #expect(error.found == "an empty database")
  }

  @Test func connectionsToTheSameNameInMemoryShareIt() throws {
    let name = "share ?&#%/\(UUID().uuidString)"
    let first = try Connection(.memory(name))
    try first.execute("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
    let second = try Connection(.memory(name), mode: .readOnly)
    #expect(try second.integer("SELECT a FROM t") == 5)
    #expect(try sqliteError { try second.run("DELETE FROM t") }.code == .readOnly)
    let other = try Connection(.memory(name + "x"))
    #expect(try other.integer("SELECT count(*) FROM sqlite_master") == 0)
    #expect(second.file == "memory:\(name)")
  }

  @Test func manyMayOpenANewFileAtOnce() throws {
    let folder = try ScratchFolder()
    var options = Connection.Options()
    options.busyTimeoutMilliseconds = 20_000
    let migrations = Migrations([
      Migration(version: 1, name: "table", script: "CREATE TABLE t (a)"),
      Migration(version: 2, name: "row", script: "INSERT INTO t VALUES (1)"),
    ])
    let failures = Collected<String>()
    let applied = Collected<String>()
    DispatchQueue.concurrentPerform(iterations: 8) { [options] _ in
      do {
        let connection = try Connection(.file(folder.file()), options: options)
        for name in try migrations.apply(to: connection).applied { applied.append(name) }
        try connection.close()
      } catch {
        failures.append("\(error)")
      }
    }
    #expect(failures.all == [])
    #expect(applied.all.sorted() == ["row", "table"])
    #expect(try count(Connection(.file(folder.file())), "t") == 1)
  }

  @Test func aClosedConnectionSaysSo() throws {
    let folder = try ScratchFolder()
    let connection = try openNumbers(folder.file())
    try connection.run("INSERT INTO numbers (id) VALUES (1)")
    let inUse = try sqliteError {
      try connection.withStatement("SELECT 1") { _ in try connection.close() }
    }
    #expect(inUse.code == .misuse)
    #expect(!connection.isClosed)
    try connection.close()
    try connection.close()
    #expect(connection.isClosed)
    #expect(connection.cachedStatementCount == 0)
    #expect(try folder.names == ["cards.db"])
    let error = try sqliteError { try connection.run("DELETE FROM numbers") }
    #expect(error.code == .misuse)
    #expect(error.found == "the connection is closed")
    #expect(try sqliteError { try connection.execute("SELECT 1") }.code == .misuse)
    #expect(try sqliteError { try connection.beginImmediate() }.code == .misuse)
  }
}
