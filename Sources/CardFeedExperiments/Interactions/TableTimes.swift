/// Reads a column of times: numbers, whole or with decimals, or moments after ISO 8601, not both.
///
/// Whole numbers stay what they are, and moments become seconds since 1970. Where any time of the table
/// has a fraction, every one of it is counted in millionths, so that their order stays.
struct TableTimes {
  private enum Kind: String {
    case numbers, dates
  }

  static let allowed =
    "a number, whole or with decimals, or ISO 8601 such as 2024-01-31, 2024-01-31T10:00:00Z or "
    + "2024-01-31T10:00:00+02:00"
  /// The greatest number that can be counted in millionths.
  private static let greatest: Int64 = 9_000_000_000_000

  private var kind: Kind?
  private var whole: [Int64] = []
  private var millionths: [Int64] = []

  /// Takes the time of a row out of a column; a fault is noted in the fields, and the row is none.
  mutating func take(_ column: String, of fields: inout CSVFields) {
    let text = fields.text(column)
    guard let time = Self.time(text) else {
      // When somebody did something is private.
      let found = text.isEmpty ? "nothing" : "text of \(text.utf8.count) bytes"
      return fields.note(column, "the field is no time", found, Self.allowed)
    }
    guard fields.problems.isEmpty else { return }
    if let kind, kind != time.kind {
      return fields.note(
        column, "times of two forms stand in one column", time.kind.rawValue,
        "\(kind.rawValue), as in the rows before")
    }
    kind = time.kind
    whole.append(time.whole)
    millionths.append(time.millionths)
  }

  /// The times of the rows that were taken.
  ///
  /// - Throws: ``DataProblem`` where fractions stand beside numbers too large to have any.
  func values(file: String, column: String) throws(DataProblem) -> [Int64] {
    guard millionths.contains(where: { $0 != 0 }) else { return whole }
    guard whole.allSatisfy({ $0.magnitude <= Self.greatest }) else {
      throw DataProblem(
        file: file, columnName: column,
        reason: "times with decimals stand beside numbers too large to have any",
        found: "a number beyond \(Self.greatest)", allowed: "smaller or only whole numbers")
    }
    return zip(whole, millionths).map { $0 * 1_000_000 + $1 }
  }

  private static func time(_ text: String) -> (kind: Kind, whole: Int64, millionths: Int64)? {
    if let whole = Int64(text) { return (.numbers, whole, 0) }
    if let moment = CalendarTime(text) { return (.dates, moment.seconds, moment.microseconds) }
    // The standard library would also read "nan", "inf" and hexadecimal numbers.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text),
      number.magnitude <= Double(greatest)
    else { return nil }
    let whole = number.rounded(.down)
    let millionths = ((number - whole) * 1e6).rounded()
    return millionths < 1e6
      ? (.numbers, Int64(whole), Int64(millionths)) : (.numbers, Int64(whole) + 1, 0)
  }
}
