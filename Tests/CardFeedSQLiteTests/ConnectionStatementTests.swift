import Testing

@testable import CardFeedSQLite

@Suite struct ConnectionStatementTests {
  let connection: Connection
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    connection = try Connection(.file(folder.file()), options: .forTests)
    try connection.execute("CREATE TABLE t (a, b, c, d, e)")
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
  func integersComeBack(_ value: Int64) throws {
    #expect(try connection.integer("SELECT ?1", .integer(value)) == value)
  }

  @Test(arguments: [
    0.0, -0.0, 1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
  ])
  func doublesComeBack(_ value: Double) throws {
    #expect(try connection.firstRow("SELECT ?1", .real(value)) { try $0.real(at: 0) } == value)
  }

  @Test(arguments: [[], [0], [0, 0, 0], [1, 0, 2], Array(0...255)] as [[UInt8]])
  func bytesComeBack(_ value: [UInt8]) throws {
    let sql = "SELECT ?1, length(?1), typeof(?1)"
    let read = try connection.firstRow(sql, .bytes(value)) { row in
      #expect(try row.integer(at: 1) == Int64(value.count))
      #expect(try row.text(at: 2) == "blob")
      #expect(try row.withBytes(at: 0) { $0.byteCount } == value.count)
      return try row.bytes(at: 0)
    }
    #expect(read == value)
  }

  @Test(arguments: ["", "a", "a\0b", "\0", "ä€😀", "e\u{301}", "\u{e9}"])
  func textComesBack(_ value: String) throws {
    let read = try connection.firstRow("SELECT ?1, typeof(?1)", .text(value)) { row in
      #expect(try row.text(at: 1) == "text")
      return try row.text(at: 0)
    }
    #expect(read.map { Array($0.utf8) } == Array(value.utf8))
  }

  @Test func bytesAreStoredExactly() throws {
    try connection.run("INSERT INTO t (a) VALUES (?1)", .bytes([65, 0]))
    try connection.run("INSERT INTO t (a) VALUES (?1)", .bytes([97, 0]))
    try connection.run("INSERT INTO t (a) VALUES (?1)", .bytes([65]))
    let found = try connection.rows("SELECT a FROM t WHERE a = ?1", .bytes([65, 0])) {
      try $0.bytes(at: 0)
    }
    #expect(found == [[65, 0]])
  }

  @Test func nullIsNeitherZeroNorEmpty() throws {
    try connection.run("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)", nil, 0, 0.0, "", .bytes([]))
    try connection.withStatement("SELECT a, b, c, d, e FROM t") { statement in
      try statement.forEachRow { row in
        var nulls: [Bool] = []
        for column in 0..<5 { nulls.append(try row.isNull(at: column)) }
        #expect(nulls == [true, false, false, false, false])
        #expect(try row.integerIfPresent(at: 0) == nil)
        #expect(try row.realIfPresent(at: 0) == nil)
        #expect(try row.textIfPresent(at: 0) == nil)
        #expect(try row.bytesIfPresent(at: 0) == nil)
        #expect(try row.integerIfPresent(at: 1) == 0)
        #expect(try row.realIfPresent(at: 2) == 0)
        #expect(try row.textIfPresent(at: 3) == "")
        #expect(try row.bytesIfPresent(at: 4) == [])
      }
    }
    let error = try sqliteError { _ = try connection.integer("SELECT a FROM t") }
    #expect(error.code == .typeMismatch)
    #expect(
      error.description == """
        unexpected type in a column: NULL in column 0, read as INTEGER, in \(folder.file()), \
        while doing: SELECT a FROM t. \
        Read the column as the type it holds; ask isNull before reading NULL.
        """)
  }

  @Test func notANumberIsRefused() throws {
    let error = try sqliteError { try connection.run("INSERT INTO t (a) VALUES (?1)", .real(.nan)) }
    #expect(error.code == .misuse)
    #expect(try count(connection, "t") == 0)
  }

  @Test func theNumberOfValuesMustBeThatOfTheParameters() throws {
    let error = try sqliteError { try connection.run("INSERT INTO t (a, b) VALUES (?1, ?2)", 1) }
    #expect(error.code == .misuse)
    #expect(error.found == "1 values for 2 parameters")
    #expect(try sqliteError { try connection.run("DELETE FROM t", 1) }.code == .misuse)
  }

  @Test func aPositionOrColumnThatDoesNotExistIsMisuse() throws {
    try connection.withStatement("SELECT ?1") { statement in
      #expect(statement.parameterCount == 1)
      #expect(statement.columnCount == 1)
      for position in [-1, 0, 2, Int.max] {
        do {
          try statement.bind(7, at: position)
          Issue.record("position \(position) was accepted")
        } catch let error as SQLiteError {
          #expect(error.code == .misuse)
        }
      }
    }
    for column in [-1, 1, Int.max] {
      let error = try sqliteError {
        _ = try connection.firstRow("SELECT 1") { try $0.integer(at: column) }
      }
      #expect(error.code == .misuse)
    }
  }

  @Test func aStatementWorksAgainAfterAnError() throws {
    try connection.execute("CREATE UNIQUE INDEX u ON t (a)")
    let insert = "INSERT INTO t (a, b) VALUES (?1, ?2)"
    try connection.run(insert, 1, 1)
    for _ in 0..<3 {
      let error = try sqliteError { try connection.run(insert, 1, 2) }
      #expect(error.code == .constraint)
      #expect(error.found == "UNIQUE constraint failed: t.a")
    }
    try connection.run(insert, 2, 2)
    #expect(connection.changes == 1)
    #expect(connection.lastInsertRowid == 2)
    #expect(try count(connection, "t") == 2)
  }

  @Test func aThrowingBodyLeavesTheStatementResetAndUnbound() throws {
    let sql = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3) WHERE ?1 IS NULL"
    let kept = connection.cachedStatementCount
    #expect(throws: LogicalError(number: 1)) {
      _ = try connection.rows(sql, nil) { row -> Int64 in
        throw LogicalError(number: Int(try row.integer(at: 0)))
      }
    }
    #expect(connection.cachedStatementCount == kept + 1)
    #expect(throws: LogicalError(number: 9)) {
      try connection.withStatement(sql) { statement in
        try statement.bind(5, at: 1)
        throw LogicalError(number: 9)
      }
    }
    // The 5 of before would select nothing.
    let values = try connection.withStatement(sql) { try $0.rows { try $0.integer(at: 0) } }
    #expect(values == [1, 2, 3])
    #expect(connection.cachedStatementCount == kept + 1)
  }

  @Test func aStatementOrRowKeptTooLongIsMisuse() throws {
    let sql = "SELECT ?1"
    var rows: [Row] = []
    let statement = try connection.withStatement(sql) { statement in
      try statement.bind(1, at: 1)
      try statement.forEachRow { rows.append($0) }
      return statement
    }
    for _ in 0..<2 {
      #expect(try sqliteError { try statement.bind(2, at: 1) }.code == .misuse)
      #expect(try sqliteError { try statement.run() }.code == .misuse)
      #expect(try sqliteError { _ = try rows[0].integer(at: 0) }.code == .misuse)
      // The second round is after the statement has been finalised.
      try connection.close()
    }
  }

  @Test func theSameStatementInsideItsOwnLoop() throws {
    let sql = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3)"
    var pairs: [[Int64]] = []
    try connection.withStatement(sql) { outer in
      try outer.forEachRow { first in
        let one = try first.integer(at: 0)
        for two in try connection.rows(sql, read: { try $0.integer(at: 0) }) {
          pairs.append([one, two])
        }
      }
    }
    #expect(
      pairs == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 1], [3, 2], [3, 3]])
  }

  @Test func theCacheIsBoundedAndKeepsWhatIsUsed() throws {
    var options = Connection.Options.forTests
    options.statementCacheCapacity = 3
    let small = try Connection(.file(folder.file()), options: options)
    for number in 0..<20 {
      #expect(try small.integer("SELECT \(number)") == Int64(number))
      #expect(try small.integer("SELECT -1") == -1)
      #expect(small.cachedStatementCount <= 3)
    }
    #expect(small.cachedStatementCount == 3)
  }

  @Test func aStatementSurvivesAChangeOfTheSchema() throws {
    let sql = "SELECT * FROM t"
    #expect(try connection.rows(sql) { try $0.integer(at: 0) } == [])
    try connection.execute("DROP TABLE t; CREATE TABLE t (z); INSERT INTO t VALUES (4)")
    #expect(try connection.rows(sql) { try $0.integer(at: 0) } == [4])
  }

  @Test func exactlyOneStatementPerCall() throws {
    for sql in ["", "  ", "-- nothing", "SELECT 1; SELECT 2"] {
      #expect(try sqliteError { try connection.run(sql) }.code == .misuse, "\(sql)")
    }
    try connection.run("DELETE FROM t;\n ")
    #expect(try sqliteError { _ = try connection.integer("SELECT a FROM t") }.found == "no row")
    #expect(try connection.firstRow("SELECT a FROM t") { try $0.integer(at: 0) } == nil)
  }

  @Test func aScriptStopsAtItsFirstError() throws {
    let error = try sqliteError {
      try connection.execute(
        """
        -- a comment
        INSERT INTO t (a) VALUES (1);
        INSERT INTO missing VALUES (2);
        INSERT INTO t (a) VALUES (3);
        """)
    }
    #expect(error.found == "no such table: missing")
    #expect(try count(connection, "t") == 1)
  }

  @Test func errorsNeverShowBoundValues() throws {
    try connection.execute(
      "CREATE TABLE strict (a INTEGER CHECK (a > 0), b TEXT UNIQUE, c INTEGER) STRICT")
    let secret = "secret-person-17"
    let insert = "INSERT INTO strict VALUES (?1, ?2, ?3)"
    try connection.run(insert, 1, .text(secret), 1)
    let attempts: [(String, [Statement.Value])] = [
      (insert, [2, .text(secret), 1]),
      (insert, [2, "other", .text(secret)]),
      (insert, [-17, .text(secret), 1]),
      ("SELECT json_extract('{}', ?1)", [.text(secret)]),
      ("SELECT json(?1)", [.text(secret)]),
      ("SELECT a FROM strict WHERE b LIKE ?1 ESCAPE ?1", [.text(secret)]),
    ]
    for (sql, values) in attempts {
      let error = try sqliteError {
        try connection.withStatement(sql) { statement in
          try statement.bind(values)
          try statement.run()
        }
      }
      // Without the path, whose random part may hold any digits.
      let text = "\(error.found) \(error.operation) \(error.advice)"
      #expect(!text.contains("secret-person"), "\(text)")
      #expect(!text.contains("17"), "\(text)")
    }
  }
}
