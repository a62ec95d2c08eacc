/// Takes typed values out of one row of a table and notes what is wrong with them.
///
/// Values of profiles and answers never enter a problem's text, so fields are described by shape
/// unless the caller says that a column holds plain numbering.
struct CSVFields {
  let row: CSVRow
  let header: CSVHeader
  private(set) var problems: [DataProblem] = []

  init(_ row: CSVRow, _ header: CSVHeader) {
    self.row = row
    self.header = header
  }

  /// A whole number; 0 and a problem when the field is none within the range.
  mutating func integer(_ column: String, in range: ClosedRange<Int>, isPrivate: Bool = false)
    -> Int
  {
    let text = text(column)
    if let value = Int(text), range.contains(value) { return value }
    let allowed =
      range.upperBound == Int.max
      ? "whole numbers from \(range.lowerBound)"
      : "whole numbers \(range.lowerBound)…\(range.upperBound)"
    note(
      column, "the field is not an allowed whole number",
      isPrivate || text.utf8.count > 20 ? shape(text) : "\"\(text)\"", allowed)
    return range.lowerBound
  }

  /// A yes or no written as 1 or 0.
  mutating func flag(_ column: String) -> Bool {
    integer(column, in: 0...1, isPrivate: true) == 1
  }

  /// A side, written as 0 for a woman and 1 for a man.
  mutating func gender(_ column: String) -> SpeedDatingData.Gender {
    integer(column, in: 0...1) == 1 ? .man : .woman
  }

  /// A finite number, or nil for an empty field.
  ///
  /// - Parameter thousands: whether commas between digits are skipped ("69,487.00").
  mutating func number(_ column: String, thousands: Bool = false) -> Double? {
    let written = text(column)
    if written.isEmpty { return nil }
    let text = thousands ? String(written.filter { $0 != "," }) : written
    // The standard library would also read "nan", "inf" and hexadecimal numbers.
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    if isDecimal, let value = Double(text), value.isFinite { return value }
    note(column, "the field is not a number", shape(text), "decimal numbers, or nothing")
    return nil
  }

  /// One of a few words.
  mutating func word<Word: RawRepresentable & CaseIterable>(_ column: String, _ fallback: Word)
    -> Word where Word.RawValue == String
  {
    if let word = Word(rawValue: text(column)) { return word }
    note(
      column, "the field is not an allowed word", shape(text(column)),
      Word.allCases.map(\.rawValue).joined(separator: ", "))
    return fallback
  }

  /// Notes a fault of a column.
  mutating func note(_ column: String, _ reason: String, _ found: String, _ allowed: String) {
    problems.append(
      DataProblem(
        file: header.file, line: row.line, columnNumber: header.indices[column].map { $0 + 1 },
        columnName: column, reason: reason, found: found, allowed: allowed))
  }

  /// The text of a field without blanks at its ends; empty for a column that is not there.
  func text(_ column: String) -> String {
    guard let index = header.indices[column] else { return "" }
    let bytes = row.bytes(index)
    let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  private func shape(_ text: String) -> String {
    if text.isEmpty { return "nothing" }
    if Int(text) != nil { return "another whole number" }
    return Double(text) == nil ? "text of \(text.utf8.count) bytes" : "another number"
  }
}
