/// Reads the 100,000 ratings of MovieLens and divides them in three ways.
///
/// The file is `u.data` of GroupLens, or the same rows below a header line as other projects carry it
/// (`ml-100k.inter`): user, item, stars and seconds since 1970 with tabs between them. Users and items
/// have numbers from 1.
///
/// The data are for research, not for commercial use, and must not be handed on without permission;
/// cite Harper and Konstan, "The MovieLens Datasets: History and Context", ACM TiiS 5 (4), 2015.
public enum MovieLensImporter {
  /// Reads a file.
  ///
  /// - Parameter path: The file.
  /// - Returns: `ml100k_loo` (the last one out), `ml100k_t80` (the last fifth in time), `ml100k_r80pos`
  ///   (a drawn fifth of what has four stars or more).
  /// - Throws: ``DataProblem`` for the first row that is none.
  /// - Complexity: O(n · log n).
  public static func folds(path: String) throws(DataProblem) -> [InteractionFolds] {
    let file = try ByteFile(path: path)
    var bytes: [UInt8] = []
    while true {
      let piece = try file.next()
      if piece.isEmpty { break }
      bytes += piece
    }
    return folds(of: try interactions(parsing: bytes, file: path))
  }

  static func folds(of all: [Interaction]) -> [InteractionFolds] {
    let users = (all.map(\.user).max() ?? -1) + 1
    let items = (all.map(\.item).max() ?? -1) + 1
    return [
      .leavingOneOut("ml100k_loo", of: all, users: users, items: items),
      .byTime("ml100k_t80", of: all, users: users, items: items),
      .atRandom(
        "ml100k_r80pos", of: all, ratedAtLeast: 4, seed: 42, users: users, items: items),
    ]
  }

  /// The rows of a file, numbered from 0.
  static func interactions(
    parsing bytes: [UInt8], file: String
  ) throws(DataProblem) -> [Interaction] {
    var rows: [Interaction] = []
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let trimmed = line.last == 13 ? line.dropLast() : line
      if trimmed.isEmpty { continue }
      let fields = trimmed.split(separator: 9, omittingEmptySubsequences: false)
      let numbers = fields.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
      if index == 0, numbers.isEmpty, fields.count == 4 { continue }
      guard numbers.count == 4, fields.count == 4, (1...10_000_000).contains(numbers[0]),
        (1...10_000_000).contains(numbers[1]), (1...5).contains(numbers[2]), numbers[3] >= 0
      else {
        throw DataProblem(
          file: file, line: index + 1, reason: "the row is no rating",
          found: "\(fields.count) fields, \(numbers.count) of them whole numbers",
          allowed: "user and item from 1, stars 1…5, seconds since 1970, with tabs between them")
      }
      rows.append(
        Interaction(
          user: Int(numbers[0]) - 1, item: Int(numbers[1]) - 1, rating: Int(numbers[2]),
          timestamp: numbers[3]))
    }
    return rows
  }
}
