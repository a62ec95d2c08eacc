/// A CSV file whose first row names its columns, read row by row.
///
/// Rows with another number of fields than the header come back as problems.
public struct CSVTable {
  /// Names of the columns in file order.
  public var columns: [String] { header.columns }
  /// The file as it is named in problems.
  public var file: String { header.file }
  let header: CSVHeader
  private var reader: CSVReader

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - reader: a reader at the start of the file.
  ///   - required: columns that must be there; others may be.
  /// - Throws: ``DataProblem`` for an unreadable or missing header, a name that is empty or occurs
  ///   twice, or a required column that is missing.
  public init(_ reader: CSVReader, required: [String] = []) throws(DataProblem) {
    var reader = reader
    let file = reader.file
    func refuse(
      _ reason: String, _ found: String, _ allowed: String, line: Int = 1, column: Int? = nil
    ) -> DataProblem {
      DataProblem(
        file: file, line: line, columnNumber: column, reason: reason, found: found,
        allowed: allowed)
    }
    let names: CSVRow
    switch try reader.next() {
    case .row(let row): names = row
    case .problem(let problem): throw problem
    case nil: throw refuse("the header is missing", "an empty file", "a row of column names")
    }
    var indices: [String: Int] = [:]
    let columns = (0..<names.count).map { names[$0] }
    for (index, name) in columns.enumerated() {
      guard !name.isEmpty else {
        throw refuse("a column has no name", "an empty field", "a name", column: index + 1)
      }
      guard indices.updateValue(index, forKey: name) == nil else {
        throw refuse(
          "two columns have one name", "\"\(name)\" again", "different names", column: index + 1)
      }
    }
    let missing = required.filter { indices[$0] == nil }
    guard missing.isEmpty else {
      throw refuse(
        "columns are missing", columns.joined(separator: ", "),
        "a header that also has " + missing.joined(separator: ", "))
    }
    self.header = CSVHeader(file: file, columns: columns, indices: indices)
    self.reader = reader
  }

  /// Place of a column, counted from 0; `nil` when the file has none of that name.
  ///
  /// - Parameter name: name of the column, compared exactly.
  public func index(of name: String) -> Int? { header.indices[name] }

  /// The next row, or what is wrong with it; `nil` at the end of the file.
  ///
  /// - Throws: ``DataProblem`` when the file cannot be read on.
  public mutating func next() throws(DataProblem) -> CSVRecord? {
    guard let record = try reader.next() else { return nil }
    guard case .row(let row) = record, row.count != columns.count else { return record }
    return .problem(
      DataProblem(
        file: file, line: row.line, reason: "the row does not have the header's number of fields",
        found: "\(row.count) fields", allowed: "\(columns.count) fields"))
  }
}

/// The first row of a table.
struct CSVHeader {
  let file: String
  let columns: [String]
  let indices: [String: Int]
}
