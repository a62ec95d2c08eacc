internal import CardFeed

/// Rows with numbers, and whether what they are about was bought: parts to learn from and to
/// forecast.
public struct PurchaseRows: Sendable, Equatable {
  /// A part, column by column.
  public struct Part: Sendable, Equatable {
    /// The numbers of each column, by its name.
    public let columns: [String: [Double]]
    /// Whether it was bought, for each row.
    public let outcomes: [Bool]
    /// The household of each row; rows of one household are drawn together.
    public let households: [Int]

    /// A part.
    public init(columns: [String: [Double]], outcomes: [Bool], households: [Int]) {
      precondition(
        columns.values.allSatisfy { $0.count == outcomes.count }
          && households.count == outcomes.count, "Every column has a number for each row.")
      self.columns = columns
      self.outcomes = outcomes
      self.households = households
    }
  }

  /// What is learned from.
  public let training: Part
  /// What is forecast.
  public let test: Part
  /// SHA-256 of both.
  public let checksum: String

  /// Parts that are at hand.
  public init(training: Part, test: Part, checksum: String = "") {
    self.training = training
    self.test = test
    self.checksum = checksum
  }

  /// Reads `train.csv` and `test.csv`: a column `y` of 0 and 1, a column `h` with
  /// the household, and numbers in all others.
  ///
  /// - Parameter folder: The folder, with a slash at its end.
  /// - Throws: ``DataProblems`` with every fault.
  /// - Complexity: O(bytes).
  public init(folder: String) throws(DataProblems) {
    var problems = DataProblems()
    var digests: [String] = []
    do throws(DataProblem) {
      let training = try Self.part(folder + "train.csv", &problems, &digests)
      let test = try Self.part(folder + "test.csv", &problems, &digests)
      guard Set(training.columns.keys) == Set(test.columns.keys) else {
        throw DataProblem(
          file: folder + "test.csv", reason: "the parts do not have the same columns",
          found: test.columns.keys.sorted().joined(separator: ", "),
          allowed: training.columns.keys.sorted().joined(separator: ", "))
      }
      self.init(
        training: training, test: test,
        checksum: SHA256.hexadecimal(Array(digests.joined().utf8)))
    } catch {
      problems.add(error)
      throw problems
    }
    guard problems.isEmpty else { throw problems }
  }

  private static func part(
    _ path: String, _ problems: inout DataProblems, _ digests: inout [String]
  ) throws(DataProblem) -> Part {
    if (try? ByteFile(path: path)) == nil, (try? ByteFile(path: path + ".gz")) != nil {
      throw DataProblem(
        file: path + ".gz", reason: "the file is packed", found: "a gzip file",
        allowed: "the file unpacked beside it, as gzip -dk does")
    }
    let file = try ByteFile(path: path)
    var table = try CSVTable(
      CSVReader(
        file: path, encoding: .utf8, pieces: { () throws(DataProblem) in try file.next() }),
      required: ["y", "h"])
    let names = table.columns
    var columns = names.map { _ in [Double]() }
    while let record = try table.next() {
      switch record {
      case .problem(let problem): problems.add(problem)
      case .row(let row):
        for index in names.indices {
          let text = String(decoding: row.bytes(index), as: UTF8.self)
          let value = Double(text)
          if value?.isFinite != true || (names[index] == "y" && value != 0 && value != 1) {
            problems.add(
              DataProblem(
                file: table.file, line: row.line, columnNumber: index + 1,
                columnName: names[index], reason: "the field is not an allowed number",
                found: "something else",
                allowed: names[index] == "y" ? "0 or 1" : "decimal numbers"))
          }
          columns[index].append(value ?? 0)
        }
      }
    }
    digests.append(file.digest.hexadecimal)
    let byName = Dictionary(uniqueKeysWithValues: zip(names, columns))
    return Part(
      columns: byName.filter { $0.key != "y" }, outcomes: (byName["y"] ?? []).map { $0 == 1 },
      households: (byName["h"] ?? []).map { Int($0) })
  }
}
