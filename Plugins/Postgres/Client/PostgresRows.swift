#if Postgres
  internal import CardFeed
  internal import CLibPQ

  /// The rows that a statement returned, in binary format. Reads are checked: another type, another
  /// length or an unexpected NULL is an error, never a trap.
  final class PostgresRows {
    private let result: OpaquePointer
    private let server: String
    let operation: String
    let count: Int

    /// Takes over the result, which is freed with this object.
    init(_ result: OpaquePointer, server: String, operation: String) {
      self.result = result
      self.server = server
      self.operation = operation
      count = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    /// `COMMIT`, `ROLLBACK`, `UPDATE 1`, …
    var tag: String { String(cString: PQcmdStatus(result)) }

    /// How many rows the command inserted, changed or deleted.
    var changed: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    func map<Value>(_ body: (PostgresRow) throws -> Value) throws -> [Value] {
      try (0..<count).map { try body(PostgresRow(rows: self, index: Int32($0))) }
    }

    func first<Value>(_ body: (PostgresRow) throws -> Value) throws -> Value? {
      count == 0 ? nil : try body(PostgresRow(rows: self, index: 0))
    }

    /// How many columns each row has.
    fileprivate var columns: Int32 { PQnfields(result) }

    fileprivate func field(_ row: Int32, _ column: Int32) throws -> UnsafeRawBufferPointer? {
      guard column < PQnfields(result) else {
        throw unexpected("column \(column) of \(PQnfields(result))")
      }
      guard PQgetisnull(result, row, column) == 0 else { return nil }
      return UnsafeRawBufferPointer(
        start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    func unexpected(_ found: String) -> PostgresError {
      PostgresError(.unexpectedAnswer, server: server, operation: operation, found: found)
    }
  }

  /// One row.
  struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let index: Int32

    var columns: Int32 { rows.columns }

    /// A whole number of two, four or eight bytes.
    func optionalInteger(_ column: Int32) throws -> Int64? {
      guard let field = try rows.field(index, column) else { return nil }
      switch field.count {
      case 8: return Int64(bigEndian: field.loadUnaligned(as: Int64.self))
      case 4: return Int64(Int32(bigEndian: field.loadUnaligned(as: Int32.self)))
      case 2: return Int64(Int16(bigEndian: field.loadUnaligned(as: Int16.self)))
      default: throw rows.unexpected("\(field.count) bytes for the number in column \(column)")
      }
    }

    func integer(_ column: Int32) throws -> Int64 {
      try present(optionalInteger(column), column)
    }

    func flag(_ column: Int32) throws -> Bool {
      let bytes = try bytes(column)
      guard bytes.count == 1 else {
        throw rows.unexpected("\(bytes.count) bytes for the flag in column \(column)")
      }
      return bytes[0] != 0
    }

    func optionalDouble(_ column: Int32) throws -> Double? {
      try optionalInteger(column).map { Double(bitPattern: UInt64(bitPattern: $0)) }
    }

    func optionalBytes(_ column: Int32) throws -> [UInt8]? {
      try rows.field(index, column).map { Array($0) }
    }

    func bytes(_ column: Int32) throws -> [UInt8] {
      try present(optionalBytes(column), column)
    }

    func optionalText(_ column: Int32) throws -> String? {
      try rows.field(index, column).map { String(decoding: $0, as: UTF8.self) }
    }

    func text(_ column: Int32) throws -> String { try present(optionalText(column), column) }

    func number(_ column: Int32) throws -> CardNumber { CardNumber(try integer(column)) }

    func optionalNumber(_ column: Int32) throws -> CardNumber? {
      try optionalInteger(column).map { CardNumber($0) }
    }

    func position(_ column: Int32) throws -> LogPosition { LogPosition(try integer(column)) }

    func optionalPosition(_ column: Int32) throws -> LogPosition? {
      try optionalInteger(column).map { LogPosition($0) }
    }

    func time(_ column: Int32) throws -> Timestamp { Timestamp(milliseconds: try integer(column)) }

    func optionalTime(_ column: Int32) throws -> Timestamp? {
      try optionalInteger(column).map { Timestamp(milliseconds: $0) }
    }

    func meaning(_ column: Int32) throws -> AnswerMeaning {
      try present(optionalMeaning(column), column)
    }

    func optionalMeaning(_ column: Int32) throws -> AnswerMeaning? {
      guard let raw = try optionalInteger(column) else { return nil }
      guard let meaning = UInt8(exactly: raw).flatMap(AnswerMeaning.init(rawValue:)) else {
        throw rows.unexpected("an unknown meaning of an answer in column \(column)")
      }
      return meaning
    }

    func optionalDwell(_ column: Int32) throws -> Dwell? {
      guard let milliseconds = try optionalInteger(column) else { return nil }
      do { return try Dwell(milliseconds: milliseconds) } catch {
        throw rows.unexpected("column \(column): \(error)")
      }
    }

    func kind(_ column: Int32) throws -> EventKind {
      guard let kind = EventKind(rawValue: try integer(column)) else {
        throw rows.unexpected("an unknown kind of event in column \(column)")
      }
      return kind
    }

    /// Reads an image that a `ByteReader` decodes.
    func image<Value>(
      _ column: Int32, _ decode: ([UInt8]) throws -> Value
    ) throws -> Value? {
      guard let bytes = try optionalBytes(column) else { return nil }
      do { return try decode(bytes) } catch {
        throw rows.unexpected("column \(column): \(error)")
      }
    }

    func present<Value>(_ value: Value?, _ column: Int32) throws -> Value {
      guard let value else { throw rows.unexpected("NULL in column \(column)") }
      return value
    }
  }
#endif
