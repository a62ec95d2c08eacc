/// Reads interactions from any CSV file with a header line.
///
/// Users and items may be called anything; names are compared byte by byte and numbered in the order in
/// which they first appear.
public struct InteractionTableImporter: Sendable {
  /// The names of the columns.
  public struct Columns: Sendable {
    /// Who.
    public var user = "user"
    /// What.
    public var item = "item"
    /// How much, a whole number; nil where every interaction counts as 1.
    public var rating: String?
    /// When: a number or ISO 8601; nil where the order of the rows is the time.
    public var timestamp: String?

    /// `user` and `item`, and nothing else.
    public init() {}
  }

  /// How the interactions are divided.
  public enum Division: String, CaseIterable, Sendable {
    /// The last one of each user for the test, the one before it for validation.
    case lastOut = "last-out"
    /// The last fifth of each user's for the test, the last tenth of the rest for validation.
    case time
    /// A drawn fifth of each user's for the test, a tenth for validation.
    case random
  }

  /// The interactions of a file, and what users and items are called.
  public struct Reading: Sendable {
    /// In the order of the file.
    public var interactions: [Interaction] = []
    /// The name of each user, by number.
    public var users: [String] = []
    /// The name of each item, by number.
    public var items: [String] = []
    /// What is wrong with rows that were left out.
    public var problems = DataProblems()
    /// How many rows were left out.
    public var refusedRows = 0
  }

  private let columns: Columns

  /// An importer for files with these columns.
  public init(columns: Columns = Columns()) { self.columns = columns }

  /// Reads a file.
  ///
  /// Times are whole numbers of any unit, kept as they are; moments after ISO 8601, as seconds since
  /// 1970; or either of them with decimals, and then all are counted in millionths.
  ///
  /// - Parameter path: The file, in UTF-8.
  /// - Throws: ``DataProblem`` when the file cannot be read, lacks a column, or has no row that can be
  ///   used. What is wrong with single rows is in the result.
  /// - Complexity: O(bytes).
  public func read(path: String) throws(DataProblem) -> Reading {
    var reading = Reading()
    var (users, items) = (Numbering(), Numbering())
    var times = TableTimes()
    var problems = DataProblems()
    var faultsInRows = 0
    let required = [columns.user, columns.item, columns.rating, columns.timestamp]
      .compactMap(\.self)
    _ = try SpeedDatingLoader.eachRow(path, required, &problems) { fields in
      let user = fields.exactText(columns.user)
      let item = fields.exactText(columns.item)
      let rating = columns.rating.map { fields.integer($0, in: Int.min...Int.max) } ?? 1
      if let column = columns.timestamp { times.take(column, of: &fields) }
      guard fields.problems.isEmpty else {
        reading.refusedRows += 1
        faultsInRows += fields.problems.count
        return
      }
      reading.interactions.append(
        Interaction(
          user: users.number(of: user), item: items.number(of: item), rating: rating,
          timestamp: Int64(reading.interactions.count)))
    }
    // What is no row of the header's form is one fault each.
    reading.refusedRows += problems.total - faultsInRows
    guard !reading.interactions.isEmpty else {
      throw Self.nothing(in: path, refused: reading.refusedRows, problems)
    }
    if let column = columns.timestamp {
      for (row, time) in try times.values(file: path, column: column).enumerated() {
        reading.interactions[row].timestamp = time
      }
    }
    reading.users = users.names
    reading.items = items.names
    reading.problems = problems
    return reading
  }

  /// That no row of a file can be used, and why the first cannot.
  private static func nothing(
    in path: String, refused: Int, _ problems: DataProblems
  ) -> DataProblem {
    guard let first = problems.listed.first else {
      return DataProblem(
        file: path, reason: "the table has no rows", found: "a header line alone",
        allowed: "a row for each interaction")
    }
    return DataProblem(
      file: first.file, line: first.line, columnNumber: first.columnNumber,
      columnName: first.columnName,
      reason: "no row can be used (\(refused) refused), this one first: \(first.reason)",
      found: first.found, allowed: first.allowed)
  }
}

extension InteractionTableImporter.Reading {
  /// The division of the interactions.
  ///
  /// - Parameters:
  ///   - division: How they are divided.
  ///   - name: What the division is called.
  ///   - least: For a random division, the rating from which on an interaction counts.
  ///   - seed: The seed of a random division.
  /// - Complexity: O(n · log n).
  public func folds(
    _ division: InteractionTableImporter.Division, name: String, ratedAtLeast least: Int = .min,
    seed: UInt64 = 42
  ) -> InteractionFolds {
    let (users, items) = (users.count, items.count)
    return switch division {
    case .lastOut: .leavingOneOut(name, of: interactions, users: users, items: items)
    case .time: .byTime(name, of: interactions, users: users, items: items)
    case .random:
      .atRandom(
        name, of: interactions, ratedAtLeast: least, seed: seed, users: users, items: items)
    }
  }

  /// Writes `FOLDER/NAME/users.csv` and `items.csv`: the columns `number` and `id`.
  ///
  /// - Throws: ``DataProblem`` when a file cannot be written; the folder must exist.
  public func writeNames(folder: String) throws(DataProblem) {
    for (file, names) in [("users", users), ("items", items)] {
      var text: [UInt8] = Array("number,id\n".utf8)
      for (number, name) in names.enumerated() {
        text += Array("\(number),".utf8) + CSVText.field(name) + [0x0a]
      }
      try ByteFile.write(text, to: "\(folder)/\(file).csv")
    }
  }
}

/// Numbers names in the order in which they come, compared byte by byte.
struct Numbering {
  private(set) var names: [String] = []
  private var numbers: [[UInt8]: Int] = [:]

  mutating func number(of name: String) -> Int {
    let bytes = Array(name.utf8)
    if let number = numbers[bytes] { return number }
    numbers[bytes] = names.count
    names.append(name)
    return names.count - 1
  }
}

/// Writes fields of CSV (RFC 4180).
enum CSVText {
  /// The field, in quotes where it needs them.
  static func field(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { [10, 13, 34, 44].contains($0) }) else { return bytes }
    return [34] + bytes.flatMap { $0 == 34 ? [34, 34] : [$0] } + [34]
  }
}

extension CSVFields {
  /// The text of a field as it stands, blanks included.
  func exactText(_ column: String) -> String {
    guard let index = header.indices[column] else { return "" }
    return String(decoding: row.bytes(index), as: UTF8.self)
  }
}
