import CardFeedVectorFiles
import Foundation

/// A folder that is removed with its content.
final class ModelScratch {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cardfeed-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// A model with two numbers for each card and viewer, in a folder of its own.
  func writeModel(
    _ folder: String, cards: [(Int64, [Float])], viewers: [(Int64, [Float])], dimension: Int = 2
  ) throws {
    let sha = String(repeating: "0", count: 64)
    let files = VectorModel.files.map { "\"\($0)\": \"\(sha)\"" }.joined(separator: ", ")
    let manifest = """
      {"format": "\(VectorModelManifest.format)", "dimension": \(dimension), "trainer": "by hand",
       "export": {"deck": "toy", "position": 9, "answers": 3, "sha256": "\(sha)"},
       "files": {\(files)}}
      """
    try write(Array(manifest.utf8), to: folder + "/manifest.json")
    for (prefix, table) in [("", cards), ("viewer_", viewers)] {
      try write(NumPyFile.bytes(of: table.map(\.0)), to: "\(folder)/\(prefix)ids.npy")
      try write(
        NumPyFile.bytes(of: table.flatMap(\.1), columns: 2), to: "\(folder)/\(prefix)vec.npy")
    }
  }
}
