internal import CardFeed
public import CardFeedConfiguration

/// The files of divided interactions: `train.csv`, `valid.csv` and `test.csv` with the columns `user`,
/// `item`, `rating`, `timestamp`, and `meta.json` with their checksums.
///
/// Written alike for the same data on every machine.
public enum InteractionFiles {
  /// The parts, in the order in which they are listed.
  static let parts = ["train", "valid", "test"]

  /// The content of one table.
  ///
  /// - Complexity: O(n).
  public static func bytes(of interactions: [Interaction]) -> [UInt8] {
    var text: [UInt8] = Array("user,item,rating,timestamp\n".utf8)
    text.reserveCapacity(text.count + interactions.count * 24)
    for row in interactions {
      text.append(
        contentsOf: "\(row.user),\(row.item),\(row.rating),\(row.timestamp)\n".utf8)
    }
    return text
  }

  /// What a division is, with the SHA-256 of each of its tables.
  public static func description(
    of folds: InteractionFolds, checksums: [String]
  ) -> JSONValue {
    [
      "name": JSONValue(folds.name), "n_users": JSONValue(folds.users),
      "n_items": JSONValue(folds.items), "n_train": JSONValue(folds.train.count),
      "n_valid": JSONValue(folds.valid.count), "n_test": JSONValue(folds.test.count),
      "note": JSONValue(folds.note),
      "sha256": JSONValue(
        JSONObject(zip(parts, checksums).map { ($0, JSONValue($1)) })),
    ]
  }

  /// Writes `FOLDER/NAME/train.csv`, `valid.csv`, `test.csv` and `meta.json`, replacing what is there;
  /// each file appears whole or not at all.
  ///
  /// - Parameters:
  ///   - folds: The division.
  ///   - folder: An existing folder; the one of the division is made inside.
  /// - Returns: The SHA-256 of the three tables, in their order.
  /// - Throws: ``DataProblem`` when a folder or file cannot be written.
  @discardableResult
  public static func write(
    _ folds: InteractionFolds, folder: String
  ) throws(DataProblem) -> [String] {
    let folder = folder + "/" + folds.name
    try ByteFile.makeDirectory(folder)
    var checksums: [String] = []
    for (part, rows) in zip(parts, [folds.train, folds.valid, folds.test]) {
      let bytes = bytes(of: rows)
      checksums.append(SHA256.hexadecimal(bytes))
      try ByteFile.write(bytes, to: "\(folder)/\(part).csv")
    }
    try ByteFile.write(
      description(of: folds, checksums: checksums).bytes(.pretty) + [0x0a],
      to: folder + "/meta.json")
    return checksums
  }
}
