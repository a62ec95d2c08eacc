internal import CardFeed

/// The three files of a data set, as bytes and on disk.
///
/// Written alike for the same data on every machine: columns and rows in a fixed order, line feeds,
/// numbers in the shortest form that reads back exactly ("21.0"), nothing for a missing value.
public enum SpeedDatingFiles {
  static let folder = "dating"
  static let persons = "persons.csv"
  static let decisions = "decisions.csv"
  static let pairs = "pairs.csv"

  static let personColumns = ["iid", "wave", "gender", "age"]
  static let decisionColumns = [
    "wave", "rater", "target", "dec", "pair_id", "rater_gender", "fold_decision", "order",
    "fold_pair", "fold_wave",
  ]
  static let pairColumns = [
    "pair_id", "wave", "f", "m", "dec_f", "dec_m", "match", "split_time", "fold_wave", "fold_pair",
  ]

  /// The content of the files: persons.csv, decisions.csv, pairs.csv.
  ///
  /// - Parameter data: the data set.
  /// - Complexity: O(n) in the number of values.
  public static func contents(_ data: SpeedDatingData) -> [(name: String, bytes: [UInt8])] {
    [
      (persons, personBytes(data)), (decisions, decisionBytes(data)), (pairs, pairBytes(data)),
    ]
  }

  /// Writes `DIRECTORY/dating/persons.csv`, `decisions.csv` and `pairs.csv`, replacing what is there;
  /// each file appears whole or not at all.
  ///
  /// - Parameters:
  ///   - data: the data set.
  ///   - directory: an existing folder; `dating` is made inside.
  /// - Throws: ``DataProblem`` when a folder or file cannot be written.
  public static func write(_ data: SpeedDatingData, directory: String) throws(DataProblem) {
    let folder = directory + "/" + folder
    try ByteFile.makeDirectory(folder)
    for file in contents(data) { try ByteFile.write(file.bytes, to: folder + "/" + file.name) }
  }

  private static func personBytes(_ data: SpeedDatingData) -> [UInt8] {
    let number = { (value: Double?) in value.map { "\($0)" } ?? "" }
    return table(
      personColumns + data.profileNames.map(quotedIfNeeded),
      data.persons.enumerated().map { row, person in
        ["\(person.id)", "\(person.wave)", "\(person.gender.rawValue)", number(person.age)]
          + data.profileColumns.map { number($0[row]) }
      })
  }

  private static func decisionBytes(_ data: SpeedDatingData) -> [UInt8] {
    table(
      decisionColumns,
      data.decisions.map { decision in
        numbers(
          decision.wave, decision.rater, decision.target, decision.decision ? 1 : 0,
          decision.pairID, decision.raterGender.rawValue, decision.foldDecision, decision.order,
          decision.foldPair, decision.foldWave)
      })
  }

  private static func pairBytes(_ data: SpeedDatingData) -> [UInt8] {
    table(
      pairColumns,
      data.pairs.map { pair in
        numbers(
          pair.id, pair.wave, pair.woman, pair.man, pair.womanDecision ? 1 : 0,
          pair.manDecision ? 1 : 0, pair.match ? 1 : 0)
          + [pair.timeSplit.rawValue] + numbers(pair.foldWave, pair.foldPair)
      })
  }

  private static func numbers(_ values: Int...) -> [String] { values.map { "\($0)" } }

  private static func table(_ header: [String], _ rows: [[String]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in [header] + rows {
      bytes.append(contentsOf: row.joined(separator: ",").utf8)
      bytes.append(10)
    }
    return bytes
  }

  private static func quotedIfNeeded(_ name: String) -> String {
    guard name.utf8.contains(where: { [10, 13, 34, 44].contains($0) }) else { return name }
    return "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

extension SpeedDatingData {
  /// One checksum of the whole data set: the SHA-256 of the lines `SHA256  NAME` of its three files
  /// as ``SpeedDatingFiles`` writes them. For files written by it, a shell computes the same with
  /// `sha256sum persons.csv decisions.csv pairs.csv | sha256sum`.
  ///
  /// - Complexity: O(n) in the number of values.
  public var checksum: String {
    var digest = SHA256()
    for file in SpeedDatingFiles.contents(self) {
      digest.update(Array("\(SHA256.hexadecimal(file.bytes))  \(file.name)\n".utf8))
    }
    return digest.hexadecimal
  }
}
