import CSQLite

/// The current row of a running statement. Columns count from 0.
///
/// Each reader takes exactly the type the column holds: SQLite would turn NULL and text into 0
/// silently, and nothing is not zero. Integers may be read as `Double`, exactly up to 2⁵³.
package struct Row {
  let statement: Statement

  private var handle: OpaquePointer? { statement.handle }

  package func isNull(at column: Int) throws -> Bool {
    try type(at: column) == SQLITE_NULL
  }

  package func integer(at column: Int) throws -> Int64 {
    try require(SQLITE_INTEGER, at: column)
    return sqlite3_column_int64(handle, Int32(column))
  }

  package func real(at column: Int) throws -> Double {
    if try type(at: column) != SQLITE_INTEGER {
      try require(SQLITE_FLOAT, at: column)
    }
    return sqlite3_column_double(handle, Int32(column))
  }

  /// Text; ill-formed UTF-8 is repaired, so identities belong in byte columns.
  package func text(at column: Int) throws -> String {
    try require(SQLITE_TEXT, at: column)
    // The pointer comes first: asking for it may convert, and the length is that of the result.
    let start = sqlite3_column_text(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func bytes(at column: Int) throws -> [UInt8] {
    try withBytes(at: column) { bytes in bytes.withUnsafeBytes { Array($0) } }
  }

  /// Lends the bytes without copying them. `body` must not use the row's statement.
  package func withBytes<R>(at column: Int, _ body: (RawSpan) throws -> R) throws -> R {
    try require(SQLITE_BLOB, at: column)
    // SQLite gives a null pointer for no bytes.
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    // The row keeps the memory alive and unchanged until the next step or reset.
    return try body(UnsafeRawBufferPointer(start: start, count: count).bytes)
  }

  package func integerIfPresent(at column: Int) throws -> Int64? {
    try isNull(at: column) ? nil : integer(at: column)
  }

  package func realIfPresent(at column: Int) throws -> Double? {
    try isNull(at: column) ? nil : real(at: column)
  }

  package func textIfPresent(at column: Int) throws -> String? {
    try isNull(at: column) ? nil : text(at: column)
  }

  package func bytesIfPresent(at column: Int) throws -> [UInt8]? {
    try isNull(at: column) ? nil : bytes(at: column)
  }

  private func type(at column: Int) throws -> Int32 {
    // data_count is 0 where the statement has no current row.
    guard column >= 0, column < Int(sqlite3_data_count(handle)) else {
      throw SQLiteError(
        .misuse, file: statement.file, operation: statement.sql,
        found: "column \(column) of a row with \(sqlite3_data_count(handle))",
        advice: "Read columns from 0 to one less than their number.")
    }
    return sqlite3_column_type(handle, Int32(column))
  }

  private func require(_ wanted: Int32, at column: Int) throws {
    let held = try type(at: column)
    if held != wanted {
      throw SQLiteError(
        .typeMismatch, file: statement.file, operation: statement.sql,
        found: "\(Row.name(held)) in column \(column), read as \(Row.name(wanted))")
    }
  }

  private static func name(_ type: Int32) -> String {
    switch type {
    case SQLITE_INTEGER: "INTEGER"
    case SQLITE_FLOAT: "REAL"
    case SQLITE_TEXT: "TEXT"
    case SQLITE_BLOB: "BLOB"
    default: "NULL"
    }
  }
}
