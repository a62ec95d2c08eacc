/// Reads a log of the Open Bandit Dataset and keeps what off-policy evaluation needs.
///
/// A log has a row for each product that was shown: its time, item, place on the page (1…3), whether it
/// was clicked, the probability with which the policy chose it, and four hashed features of the user.
/// Affinities of users and items are left out.
///
/// Cite Saito, Aihara, Matsutani, Narita, "Open Bandit Dataset and Pipeline: Towards Realistic and
/// Reproducible Off-Policy Evaluation", NeurIPS Datasets and Benchmarks 2021; CC BY 4.0. The small
/// release has 10,000 rows a log and a few dozen clicks: enough to compare implementations with, too few
/// to rank estimators.
public enum OpenBanditImporter {
  private static let columns =
    ["timestamp", "item_id", "position", "click", "propensity_score"]
    + (0..<4).map { "user_feature_\($0)" }

  /// The rounds of a log as a table with the columns `timestamp`, `item`, `position`, `click`,
  /// `propensity` and `feature_0` … `feature_3`.
  ///
  /// - Parameter path: The log.
  /// - Returns: The table, and how many rounds and clicks it has.
  /// - Throws: ``DataProblem`` for the first row that is none.
  /// - Complexity: O(bytes).
  public static func rounds(
    path: String
  ) throws(DataProblem) -> (table: [UInt8], rounds: Int, clicks: Int) {
    var reader = try CSVReader(path: path, encoding: .utf8)
    let places = try places(&reader)
    var table = Array("timestamp,item,position,click,propensity".utf8)
    for feature in 0..<4 { table += Array(",feature_\(feature)".utf8) }
    table.append(0x0a)
    var (rounds, clicks) = (0, 0)
    while let record = try reader.next() {
      let row: CSVRow
      switch record {
      case .row(let read): row = read
      case .problem(let problem): throw problem
      }
      let values = places.compactMap { $0 < row.count ? row[$0] : nil }
      guard values.count == places.count, Int(values[1]).map({ $0 >= 0 }) ?? false,
        Int(values[2]).map({ (1...3).contains($0) }) ?? false, ["0", "1"].contains(values[3]),
        Double(values[4]).map({ $0 > 0 && $0 <= 1 }) ?? false
      else {
        throw DataProblem(
          file: reader.file, line: row.line, reason: "the row is no round",
          found: "\(row.count) fields",
          allowed: "an item from 0, a position 1…3, a click 0 or 1, a propensity above 0, at most 1"
        )
      }
      rounds += 1
      if values[3] == "1" { clicks += 1 }
      for (index, value) in values.enumerated() {
        if index > 0 { table.append(0x2c) }
        table += CSVText.field(value)
      }
      table.append(0x0a)
    }
    return (table, rounds, clicks)
  }

  /// Where the columns stand. The first column of these files has no name, which `CSVTable` refuses.
  private static func places(_ reader: inout CSVReader) throws(DataProblem) -> [Int] {
    guard case .row(let header)? = try reader.next() else {
      throw DataProblem(
        file: reader.file, line: 1, reason: "the header is missing", found: "no row",
        allowed: "a row of column names")
    }
    let names = (0..<header.count).map { header[$0] }
    let places = columns.map { names.firstIndex(of: $0) }
    guard !places.contains(nil) else {
      throw DataProblem(
        file: reader.file, line: 1, reason: "columns are missing",
        found: "a header of \(names.count) names",
        allowed: "a header with " + columns.joined(separator: ", "))
    }
    return places.compactMap(\.self)
  }
}
