import CSQLite

/// A prepared statement, lent by ``Connection/withStatement(_:_:)`` for the time of its closure.
///
/// Positions of parameters count from 1, as `?1` does in SQL; columns count from 0. After `run`,
/// `forEachRow`, `firstRow` and `rows`, whether they return or throw, the statement is reset and
/// its bindings are cleared: bind again before the next run.
///
/// A class and not a non-copyable struct, which the optimiser of Swift 6.3.1 cannot specialise for
/// generic closures. A statement or row kept longer than its closure therefore compiles; using it
/// is a thrown `misuse`, never a use of freed memory.
package final class Statement {
  /// Nil once finalised; SQLite takes a null statement for one without rows and parameters.
  private(set) var handle: OpaquePointer?
  /// Alive while the statement is taken, and not touched otherwise.
  private unowned let connection: Connection
  let file: String
  package let sql: String
  /// True while it is lent.
  private(set) var isTaken = false
  /// When it was last lent, in uses of its cache.
  var lastUse = 0

  init(handle: OpaquePointer, connection: Connection, sql: String) {
    self.handle = handle
    self.connection = connection
    file = connection.file
    self.sql = sql
  }

  func take() {
    isTaken = true
  }

  func giveBack() {
    reset()
    isTaken = false
  }

  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
    isTaken = false
  }

  /// The number of parameters in the SQL.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The number of columns of a row, 0 for a statement that returns none.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// A value of one of SQLite's five types.
  package enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
  }

  // MARK: Binding

  package func bind(_ value: Int64, at position: Int) throws {
    try check(sqlite3_bind_int64(handle, Int32(clamping: position), value))
  }

  package func bind(_ value: Int, at position: Int) throws {
    try bind(Int64(value), at: position)
  }

  /// - Throws: ``SQLiteError`` `misuse` for NaN, which SQLite would store as NULL.
  package func bind(_ value: Double, at position: Int) throws {
    guard !value.isNaN else {
      throw misuse(
        found: "NaN for parameter \(position)", advice: "Bind NULL where there is no number.")
    }
    try check(sqlite3_bind_double(handle, Int32(clamping: position), value))
  }

  /// Binds text; NULs inside are kept.
  package func bind(_ value: String, at position: Int) throws {
    try requireTaken()
    var value = value
    let result = value.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else {
        // A null pointer would bind NULL instead of an empty text.
        return sqlite3_bind_text(handle, Int32(clamping: position), "", 0, Statement.copied)
      }
      return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) { text in
        sqlite3_bind_text64(
          handle, Int32(clamping: position), text, UInt64(utf8.count), Statement.copied,
          UInt8(SQLITE_UTF8))
      }
    }
    try check(result)
  }

  package func bind(_ value: [UInt8], at position: Int) throws {
    try bind(value.span.bytes, at: position)
  }

  package func bind(_ value: RawSpan, at position: Int) throws {
    try requireTaken()
    let result = value.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        // A null pointer would bind NULL instead of no bytes.
        return sqlite3_bind_zeroblob(handle, Int32(clamping: position), 0)
      }
      return sqlite3_bind_blob64(
        handle, Int32(clamping: position), start, UInt64(bytes.count), Statement.copied)
    }
    try check(result)
  }

  package func bindNull(at position: Int) throws {
    try check(sqlite3_bind_null(handle, Int32(clamping: position)))
  }

  /// Binds all parameters, the first value at position 1.
  ///
  /// - Throws: ``SQLiteError`` `misuse` unless there is exactly one value per parameter.
  package func bind(_ values: [Value]) throws {
    guard values.count == parameterCount else {
      throw misuse(
        found: "\(values.count) values for \(parameterCount) parameters",
        advice: "Give one value per parameter.")
    }
    for (index, value) in values.enumerated() {
      try bindAny(value, at: index + 1)
    }
  }

  // MARK: Running

  /// Runs to the end; rows are dropped.
  package func run() throws {
    defer { reset() }
    while try step() {}
  }

  /// Calls `body` for each row, in order. `body` must not use this statement itself; the same SQL
  /// may be used through the connection.
  package func forEachRow(_ body: (Row) throws -> Void) throws {
    defer { reset() }
    let row = Row(statement: self)
    while try step() {
      try body(row)
    }
  }

  /// The first row as `read` sees it, nil if there is none.
  ///
  /// A writing statement with RETURNING has done all its work when its first row arrives.
  package func firstRow<R>(_ read: (Row) throws -> R) throws -> R? {
    defer { reset() }
    guard try step() else { return nil }
    return try read(Row(statement: self))
  }

  /// All rows as `read` sees them.
  package func rows<R>(_ read: (Row) throws -> R) throws -> [R] {
    var result: [R] = []
    try forEachRow { result.append(try read($0)) }
    return result
  }

  // MARK: Private

  /// SQLite copies the value before the call returns. The C macro is a cast that is not imported.
  private static var copied: sqlite3_destructor_type? {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func bindAny(_ value: Value, at position: Int) throws {
    switch value {
    case .null: try bindNull(at: position)
    case .integer(let number): try bind(number, at: position)
    case .real(let number): try bind(number, at: position)
    case .text(let text): try bind(text, at: position)
    case .bytes(let bytes): try bind(bytes, at: position)
    }
  }

  /// True if there is a row.
  private func step() throws -> Bool {
    try requireTaken()
    if sqlite3_stmt_busy(handle) == 0 {
      try connection.requireIntactTransaction(for: sql)
    }
    let result = sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw SQLiteError.reported(
        result, by: connection.handle, phase: .stepping, file: file, operation: sql)
    }
  }

  private func reset() {
    // Clearing the bindings of a null statement would crash.
    guard let handle else { return }
    // Its result repeats the failure of the last step, which has been thrown.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func requireTaken() throws {
    if !isTaken {
      throw misuse(
        found: "a statement used after it was given back",
        advice: "Use a statement only inside the closure it was lent to.")
    }
  }

  /// Calls `bind` only while the statement is taken, lest a value wait here for the next user.
  private func check(_ bind: @autoclosure () -> Int32) throws {
    try requireTaken()
    let result = bind()
    if result != SQLITE_OK {
      throw SQLiteError.reported(
        result, by: connection.handle, phase: .stepping, file: file, operation: sql)
    }
  }

  private func misuse(found: String, advice: String) -> SQLiteError {
    SQLiteError(.misuse, file: file, operation: sql, found: found, advice: advice)
  }
}

extension Statement.Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }
}
