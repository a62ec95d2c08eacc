import Testing

@testable import CardFeedSQLite

@Suite struct ConnectionMigrationTests {
  let folder: ScratchFolder
  let connection: Connection

  init() throws {
    folder = try ScratchFolder()
    connection = try Connection(.file(folder.file()), options: .forTests)
  }

  private let first = Migration(
    version: 1, name: "cards", script: "CREATE TABLE cards (id INTEGER PRIMARY KEY, a)")
  private let second = Migration(version: 2, name: "first card") { connection in
    try connection.run("INSERT INTO cards VALUES (?1, 'x')", 1)
  }

  @Test func stepsRunOnceAndInOrder() throws {
    let one = try Migrations([first]).apply(to: connection)
    #expect(one == Migrations.Report(from: 0, to: 1, applied: ["cards"]))
    let both = Migrations([first, second])
    #expect(try both.pending(on: connection).map(\.name) == ["first card"])
    #expect(try sqliteError { try both.requireUpToDate(connection) }.code == .olderSchema)
    let two = try both.apply(to: connection)
    #expect(two.description == "schema version 1 to 2: first card")
    #expect(try both.apply(to: connection).description == "schema version 2, nothing to do")
    try both.requireUpToDate(connection)
    #expect(try count(connection, "cards") == 1)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
  }

  @Test func aFailedStepLeavesTheLastCompleteVersion() throws {
    let broken = Migration(
      version: 3, name: "broken",
      script: "INSERT INTO cards VALUES (2, 'y'); ALTER TABLE missing ADD COLUMN b")
    let error = try sqliteError {
      try Migrations([first, second, broken]).apply(to: connection)
    }
    #expect(error.operation.hasPrefix("migration to version 3 (broken): INSERT INTO cards"))
    #expect(error.found == "no such table: missing")
    #expect(try Migrations.version(of: connection) == 2)
    #expect(try count(connection, "cards") == 1)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    let repaired = Migration(version: 3, name: "repaired", script: "ALTER TABLE cards ADD b")
    let report = try Migrations([first, second, repaired]).apply(to: connection)
    #expect(report == Migrations.Report(from: 2, to: 3, applied: ["repaired"]))
  }

  @Test func anErrorOfTheStepItselfComesThrough() throws {
    let throwing = Migration(version: 2, name: "throwing") { connection in
      try connection.execute("DROP TABLE cards")
      throw LogicalError(number: 2)
    }
    #expect(throws: LogicalError(number: 2)) {
      try Migrations([first, throwing]).apply(to: connection)
    }
    #expect(try count(connection, "cards") == 0)
    #expect(try Migrations.version(of: connection) == 1)
  }

  @Test func aNewerSchemaIsRefused() throws {
    try Migrations([first, second]).apply(to: connection)
    let old = Migrations([first])
    let error = try sqliteError { try old.apply(to: connection) }
    #expect(
      error.description == """
        database is newer than this program: version 2, this program knows up to 1, \
        in \(folder.file()), while doing: check the schema version. \
        Use the newer program, or restore a backup from before the upgrade.
        """)
    #expect(error.code == .newerSchema)
    #expect(try sqliteError { try old.requireUpToDate(connection) }.code == .newerSchema)
    #expect(try sqliteError { _ = try old.pending(on: connection) }.code == .newerSchema)
    #expect(try count(connection, "cards") == 1)
  }

  @Test func aStepMayRebuildAReferencedTable() throws {
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent INTEGER REFERENCES parent (id) ON DELETE CASCADE);
      INSERT INTO parent VALUES (1);
      INSERT INTO child VALUES (1);
      """)
    let rebuild = Migration(
      version: 1, name: "rebuild",
      script: """
        CREATE TABLE fresh (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO fresh SELECT id, NULL FROM parent;
        DROP TABLE parent;
        ALTER TABLE fresh RENAME TO parent;
        """)
    try Migrations([rebuild]).apply(to: connection)
    #expect(try count(connection, "child") == 1)
    let lossy = Migration(version: 2, name: "lossy", script: "DELETE FROM parent")
    let error = try sqliteError { try Migrations([rebuild, lossy]).apply(to: connection) }
    #expect(error.code == .constraint)
    #expect(error.found == "row 1 of child refers to a missing row of parent")
    #expect(try count(connection, "parent") == 1)
  }

  @Test func aStepCannotCommitByItself() throws {
    let committing = Migration(
      version: 1, name: "committing", script: "CREATE TABLE t (a); COMMIT; CREATE TABLE u (a)")
    #expect(try sqliteError { try Migrations([committing]).apply(to: connection) }.code == .misuse)
    #expect(try count(connection, "sqlite_master") == 0)
  }

  @Test func notInsideATransaction() throws {
    let error = try sqliteError {
      try connection.transaction { _ = try Migrations([first]).apply(to: $0) }
    }
    #expect(error.code == .misuse)
    #expect(try Migrations.version(of: connection) == 0)
  }
}
