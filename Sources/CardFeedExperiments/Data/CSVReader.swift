/// How the bytes of a text file stand for characters.
public enum TextEncoding: String, CaseIterable, Equatable, Sendable {
  /// UTF-8; a byte order mark at the start is skipped, an invalid sequence is a problem.
  case utf8 = "utf-8"
  /// ISO 8859-1: every byte is the character of the same number, none is invalid.
  case latin1 = "latin-1"
}

/// One row of a CSV file: its fields with quotes resolved, still as bytes.
public struct CSVRow: Equatable, Sendable {
  /// Line where the row starts, counted from 1.
  public let line: Int
  /// How the bytes stand for characters.
  public let encoding: TextEncoding
  private let bytes: [UInt8]
  private let ends: [Int]

  init(line: Int, encoding: TextEncoding, bytes: [UInt8], ends: [Int]) {
    self.line = line
    self.encoding = encoding
    self.bytes = bytes
    self.ends = ends
  }

  /// Number of fields, at least 1.
  public var count: Int { ends.count }

  /// The bytes of a field.
  ///
  /// - Parameter index: field counted from 0.
  public func bytes(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// The text of a field.
  ///
  /// - Parameter index: field counted from 0.
  /// - Complexity: O(length).
  public subscript(index: Int) -> String {
    switch encoding {
    case .utf8: String(decoding: bytes(index), as: UTF8.self)
    case .latin1: String(String.UnicodeScalarView(bytes(index).map { Unicode.Scalar($0) }))
    }
  }
}

/// What reading one row gave.
public enum CSVRecord: Equatable, Sendable {
  /// A well-formed row.
  case row(CSVRow)
  /// A row that breaks the format; reading goes on after its line.
  case problem(DataProblem)
}

/// Reads comma-separated values row by row (RFC 4180): fields in double quotes may hold commas, line
/// breaks and doubled quotes; rows end with CRLF or LF; the last one may end with the file.
///
/// Holds one row and one piece of the file at a time. A malformed row comes back as a problem, so
/// that one bad line does not hide the next; only a failing file throws. Without use for other
/// separators: this is for the data sets of experiments.
public struct CSVReader {
  /// The file as it is named in problems.
  public let file: String
  private let encoding: TextEncoding
  private let maximumRowBytes: Int
  private let nextPiece: () throws(DataProblem) -> [UInt8]
  private var piece: [UInt8] = []
  private var position = 0
  private var line = 1
  private var atStart = true

  /// Reads pieces of a file as they are handed over.
  ///
  /// - Parameters:
  ///   - file: name for problems.
  ///   - encoding: how bytes stand for characters; a CSV file does not say it itself.
  ///   - maximumRowBytes: a longer row is a problem (usually a quote that never closes).
  ///   - pieces: returns the next bytes, and from the end on an empty array.
  public init(
    file: String, encoding: TextEncoding, maximumRowBytes: Int = 1 << 20,
    pieces: @escaping () throws(DataProblem) -> [UInt8]
  ) {
    self.file = file
    self.encoding = encoding
    self.maximumRowBytes = maximumRowBytes
    nextPiece = pieces
  }

  /// Reads bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - file: name for problems.
  ///   - encoding: how bytes stand for characters.
  ///   - maximumRowBytes: a longer row is a problem.
  public init(
    bytes: [UInt8], file: String, encoding: TextEncoding, maximumRowBytes: Int = 1 << 20
  ) {
    self.init(file: file, encoding: encoding, maximumRowBytes: maximumRowBytes, pieces: { [] })
    piece = bytes
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - encoding: how bytes stand for characters.
  ///   - maximumRowBytes: a longer row is a problem.
  /// - Throws: ``DataProblem`` when the file cannot be opened.
  public init(
    path: String, encoding: TextEncoding, maximumRowBytes: Int = 1 << 20
  ) throws(DataProblem) {
    let opened = try ByteFile(path: path)
    self.init(
      file: path, encoding: encoding, maximumRowBytes: maximumRowBytes,
      pieces: { () throws(DataProblem) in try opened.next() })
  }

  /// The next row, or what is wrong with it; `nil` at the end of the file.
  ///
  /// - Throws: ``DataProblem`` when the file cannot be read on.
  /// - Complexity: O(length of the row).
  public mutating func next() throws(DataProblem) -> CSVRecord? {
    if atStart { try skipByteOrderMark() }
    let start = line
    var row = RowInProgress()
    while let byte = try nextByte() {
      switch row.take(byte) {
      case .more: break
      case .end: return finished(row, start)
      case .carriageReturn:
        let following = try peekByte()
        guard following == nil || following == 10 else {
          return try skipLine(row, start, "a carriage return stands without a line feed")
        }
        _ = try nextByte()
        return finished(row, start)
      case .fault(let reason): return try skipLine(row, start, reason, justRead: byte)
      }
      if row.bytes.count > maximumRowBytes {
        return try skipLine(
          row, start, "the row is longer than \(maximumRowBytes) bytes (does a quote never close?)",
          justRead: byte)
      }
    }
    if row.isUntouched { return nil }
    if row.isInsideQuotes {
      return .problem(problem(row, start, "a quote is not closed before the end of the file"))
    }
    return finished(row, start)
  }

  private func finished(_ unfinished: RowInProgress, _ start: Int) -> CSVRecord {
    var row = unfinished
    row.endField()
    let result = CSVRow(line: start, encoding: encoding, bytes: row.bytes, ends: row.ends)
    if encoding == .utf8, row.bytes.contains(where: { $0 >= 0x80 }) {
      for index in 0..<result.count
      where String(validating: result.bytes(index), as: UTF8.self) == nil {
        return .problem(
          DataProblem(
            file: file, line: start, columnNumber: index + 1, reason: "the field is not UTF-8",
            found: "an invalid byte sequence", allowed: "UTF-8, or reading the file as latin-1"))
      }
    }
    return .row(result)
  }

  private func problem(_ row: RowInProgress, _ start: Int, _ reason: String) -> DataProblem {
    DataProblem(
      file: file, line: start, columnNumber: row.ends.count + 1, reason: reason,
      found: "a row that breaks the format",
      allowed: "fields without quotes, or in quotes with inner quotes doubled (RFC 4180)")
  }

  private mutating func skipLine(
    _ row: RowInProgress, _ start: Int, _ reason: String, justRead: UInt8 = 0
  ) throws(DataProblem) -> CSVRecord {
    var byte: UInt8? = justRead
    while let current = byte, current != 10 { byte = try nextByte() }
    return .problem(problem(row, start, reason))
  }

  private mutating func skipByteOrderMark() throws(DataProblem) {
    atStart = false
    guard encoding == .utf8, try peekByte() == 0xEF else { return }
    // A mark that is cut by the border of two pieces needs them joined.
    while piece.count - position < 3 {
      let more = try nextPiece()
      if more.isEmpty { return }
      piece = Array(piece[position...]) + more
      position = 0
    }
    if piece[position..<position + 3].elementsEqual([0xEF, 0xBB, 0xBF]) { position += 3 }
  }

  private mutating func peekByte() throws(DataProblem) -> UInt8? {
    if position == piece.count {
      piece = try nextPiece()
      position = 0
    }
    return piece.isEmpty ? nil : piece[position]
  }

  private mutating func nextByte() throws(DataProblem) -> UInt8? {
    guard let byte = try peekByte() else { return nil }
    position += 1
    if byte == 10 { line += 1 }
    return byte
  }
}

/// The state machine of one row.
private struct RowInProgress {
  enum Step {
    case more
    case end
    case carriageReturn
    case fault(String)
  }

  private enum State {
    case fieldStart
    case plain
    case quoted
    case quoteInQuoted
  }

  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []
  private var state = State.fieldStart

  var isUntouched: Bool { state == .fieldStart && ends.isEmpty }
  var isInsideQuotes: Bool { state == .quoted }

  mutating func endField() { ends.append(bytes.count) }

  mutating func take(_ byte: UInt8) -> Step {
    if state == .quoted {
      if byte == UInt8(ascii: "\"") { state = .quoteInQuoted } else { bytes.append(byte) }
      return .more
    }
    switch byte {
    case UInt8(ascii: ","):
      endField()
      state = .fieldStart
    case 10: return .end
    case 13: return .carriageReturn
    case UInt8(ascii: "\""):
      if state == .plain { return .fault("a quote stands inside a field without quotes") }
      if state == .quoteInQuoted { bytes.append(byte) }
      state = .quoted
    default:
      if state == .quoteInQuoted { return .fault("text follows a closing quote") }
      bytes.append(byte)
      state = .plain
    }
    return .more
  }
}
