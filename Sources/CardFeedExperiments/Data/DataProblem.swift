/// One fault of a data file: where, what was wrong, what was found, what is allowed.
///
/// Whoever reads the text learns nothing private: answers, profile values and decisions are
/// described ("a number above 100"), never quoted.
public struct DataProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as it was named to the reader.
  public let file: String
  /// Line in the file, counted from 1; of a row with line breaks the first. `nil`: the whole file.
  public let line: Int?
  /// Column counted from 1; `nil`: the whole row.
  public let columnNumber: Int?
  /// Name of the column in the header; `nil` when it has none or the whole row is meant.
  public let columnName: String?
  /// What is wrong.
  public let reason: String
  /// What was found instead.
  public let found: String
  /// What is allowed there.
  public let allowed: String

  /// Describes a fault.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - line: line counted from 1, `nil` for the whole file.
  ///   - columnNumber: column counted from 1, `nil` for the whole row.
  ///   - columnName: name of that column.
  ///   - reason: what is wrong.
  ///   - found: what was found; never a private value.
  ///   - allowed: what is allowed, or what to do.
  public init(
    file: String, line: Int? = nil, columnNumber: Int? = nil, columnName: String? = nil,
    reason: String, found: String, allowed: String
  ) {
    self.file = file
    self.line = line
    self.columnNumber = columnNumber
    self.columnName = columnName
    self.reason = reason
    self.found = found
    self.allowed = allowed
  }

  /// `FILE:LINE, column N "NAME": REASON; found FOUND; allowed: ALLOWED`.
  public var description: String {
    var place = file
    if let line { place += ":\(line)" }
    if let columnNumber { place += ", column \(columnNumber)" }
    if let columnName {
      place += (columnNumber == nil ? ", column " : " ") + "\"\(columnName)\""
    }
    return "\(place): \(reason); found \(found); allowed: \(allowed)"
  }
}

/// The faults that made a data set unusable, or that a lenient reading left out.
public struct DataProblems: Error, Equatable, Sendable, CustomStringConvertible {
  /// The most faults that are kept with their text.
  public static let limit = 1000
  /// The faults in the order they were met, at most ``limit`` of them.
  public private(set) var listed: [DataProblem] = []
  /// How many faults there were, the unlisted ones included.
  public private(set) var total = 0

  /// No fault yet.
  public init() {}

  /// Whether no fault was met.
  public var isEmpty: Bool { total == 0 }

  /// One fault per line, then how many more there were.
  public var description: String {
    var lines = listed.map(\.description)
    if total > listed.count { lines.append("and \(total - listed.count) more problems") }
    return lines.joined(separator: "\n")
  }

  mutating func add(_ problem: DataProblem) {
    total += 1
    if listed.count < Self.limit { listed.append(problem) }
  }
}
