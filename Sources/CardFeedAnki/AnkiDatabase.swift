internal import CSQLite

/// A connection to one SQLite file, for the time of one reading or writing.
final class AnkiDatabase {
  private let handle: OpaquePointer
  private let file: String

  /// Opens a file that nobody writes, without touching it or the folder around it.
  init(reading path: String, called file: String) throws(AnkiError) {
    // A read-only connection to a database in WAL mode would make files beside it.
    let uri = "file:\(Self.escaped(path))?immutable=1"
    (handle, self.file) = (
      try Self.open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, called: file), file
    )
    try run("PRAGMA trusted_schema = OFF")
  }

  /// Opens a database that lies in memory.
  init(image: [UInt8], called file: String) throws(AnkiError) {
    handle = try Self.open(":memory:", SQLITE_OPEN_READWRITE, called: file)
    self.file = file
    guard image.count >= 100, let copy = sqlite3_malloc64(UInt64(image.count)) else {
      throw Self.failure(image.count < 100 ? SQLITE_NOTADB : SQLITE_NOMEM, file)
    }
    copy.copyMemory(from: image, byteCount: image.count)
    // Bytes 18 and 19 say that there is a write-ahead log, which a database in memory cannot have.
    for place in 18...19 where copy.load(fromByteOffset: place, as: UInt8.self) == 2 {
      copy.storeBytes(of: 1, toByteOffset: place, as: UInt8.self)
    }
    let code = sqlite3_deserialize(
      handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count),
      Int64(image.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE) | UInt32(SQLITE_DESERIALIZE_READONLY))
    guard code == SQLITE_OK else { throw Self.failure(code, file) }
    try run("PRAGMA trusted_schema = OFF")
  }

  /// Makes a file.
  init(creating path: String, called file: String) throws(AnkiError) {
    (handle, self.file) = (
      try Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, called: file), file
    )
  }

  deinit { sqlite3_close_v2(handle) }

  private static func open(
    _ name: String, _ flags: Int32, called file: String
  ) throws(AnkiError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw failure(code, file)
    }
    // Anki's names compare by a collation of its own. Nothing here sorts or searches by one.
    sqlite3_create_collation_v2(opened, "unicase", SQLITE_UTF8, nil, compareBytes, nil)
    return opened
  }

  private static func escaped(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-".utf8)
    return path.utf8.map { byte in
      if plain.contains(byte) { return String(Unicode.Scalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  private static func failure(_ code: Int32, _ file: String) -> AnkiError {
    // The text of the code, since messages may quote what stands in the file.
    let reason = sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
    let hint: String? =
      switch code & 0xff {
      case SQLITE_NOTADB: "name a collection.anki2 of Anki"
      case SQLITE_CORRUPT: "restore a backup, or let Anki check its database"
      case SQLITE_CANTOPEN: "check the path and its permissions"
      case SQLITE_FULL: "make room on the disk"
      default: nil
      }
    return AnkiError(file: file, "SQLite says: \(reason) (code \(code))", hint: hint)
  }

  /// Runs a statement without rows.
  func run(_ sql: String) throws(AnkiError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Self.failure(code, file) }
  }

  /// Runs a statement with values, once for each row of them.
  func insert(_ sql: String, _ rows: some Sequence<[AnkiValue]>) throws(AnkiError) {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    for row in rows {
      for (index, value) in row.enumerated() {
        let place = Int32(index + 1)
        let code =
          switch value {
          case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
          case .text(let text): bind(text, at: place, of: statement)
          }
        guard code == SQLITE_OK else { throw Self.failure(code, file) }
      }
      let code = sqlite3_step(statement)
      guard code == SQLITE_DONE else { throw Self.failure(code, file) }
      sqlite3_reset(statement)
    }
  }

  /// SQLite copies the bytes, which its header asks for by a destructor of -1.
  private func bind(_ text: String, at place: Int32, of statement: OpaquePointer) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      guard let start = bytes.baseAddress else {
        return sqlite3_bind_text(statement, place, "", 0, copied)
      }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text(statement, place, $0, Int32(bytes.count), copied)
      }
    }
  }

  /// The rows of a query.
  func rows<Value>(
    _ sql: String, of table: String, _ read: (AnkiRow) throws(AnkiError) -> Value
  ) throws(AnkiError) -> [Value] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var values: [Value] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return values }
      guard code == SQLITE_ROW else { throw Self.failure(code, file) }
      values.append(
        try read(
          AnkiRow(statement: statement, file: file, table: table, number: values.count + 1)))
    }
  }

  private func prepare(_ sql: String) throws(AnkiError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw Self.failure(code, file) }
    return statement
  }
}

/// A value to be written.
enum AnkiValue {
  case integer(Int64)
  case text(String)
}

/// A row, readable until the next one is asked for.
struct AnkiRow {
  fileprivate let statement: OpaquePointer
  let file: String
  let table: String
  /// Counted from 1.
  let number: Int

  func integer(_ column: Int32) throws(AnkiError) -> Int64 {
    guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
      throw wrongType(column, "a whole number")
    }
    return sqlite3_column_int64(statement, column)
  }

  /// A text without NUL, which no field of Anki's has and which many programs end a text at.
  func text(_ column: Int32) throws(AnkiError) -> String {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT else {
      throw wrongType(column, "a text")
    }
    let bytes = bytes(column)
    guard !bytes.contains(0) else {
      throw problem(column, "the text has a NUL in it; allowed: a text without")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem(column, "the text is not UTF-8; allowed: a text in UTF-8")
    }
    return text
  }

  func blob(_ column: Int32) throws(AnkiError) -> [UInt8] {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else {
      throw wrongType(column, "bytes")
    }
    return bytes(column)
  }

  private func bytes(_ column: Int32) -> [UInt8] {
    // The order matters: asking for the bytes fixes their encoding, then their number is right.
    let start: UnsafeRawPointer? =
      if sqlite3_column_type(statement, column) == SQLITE_TEXT {
        sqlite3_column_text(statement, column).map { UnsafeRawPointer($0) }
      } else {
        sqlite3_column_blob(statement, column)
      }
    let count = Int(sqlite3_column_bytes(statement, column))
    guard let start, count > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func problem(_ column: Int32, _ message: String) -> AnkiError {
    let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)"
    return AnkiError(file: file, place: "row \(number) of \(table), column \(name)", message)
  }

  private func wrongType(_ column: Int32, _ allowed: String) -> AnkiError {
    let found =
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: "a whole number"
      case SQLITE_FLOAT: "a number with a fraction"
      case SQLITE_TEXT: "a text"
      case SQLITE_BLOB: "bytes"
      default: "nothing"
      }
    return problem(column, "found \(found); allowed: \(allowed)")
  }
}

/// Compares by bytes; ASCII letters without their case.
private func compareBytes(
  _: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?,
  _ rightCount: Int32, _ right: UnsafeRawPointer?
) -> Int32 {
  func folded(_ start: UnsafeRawPointer?, _ count: Int32) -> [UInt8] {
    UnsafeRawBufferPointer(start: start, count: Int(count)).map { byte in
      (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
  }
  let (left, right) = (folded(left, leftCount), folded(right, rightCount))
  if left == right { return 0 }
  return left.lexicographicallyPrecedes(right) ? -1 : 1
}
