internal import CZlib

/// Reads gzip files whole.
enum GzipFile {
  /// The unpacked bytes.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: Most bytes that are unpacked, so that a small file cannot fill the memory.
  /// - Returns: The bytes; nil where there is no such file.
  /// - Throws: A ``DataProblem`` for a damaged or too large file.
  static func bytes(
    path: String, limit: Int = 1 << 30
  ) throws(DataProblem) -> [UInt8]? {
    guard let file = gzopen(path, "rb") else { return nil }
    defer { gzclose(file) }
    func refuse(_ found: String) -> DataProblem {
      DataProblem(
        file: path, reason: "the file cannot be unpacked", found: found,
        allowed: "a gzip file of at most \(limit) bytes")
    }
    var all: [UInt8] = []
    while true {
      var count: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, used in
        count = gzread(file, buffer.baseAddress, UInt32(buffer.count))
        used = Int(max(0, count))
      }
      guard count >= 0 else { throw refuse("damaged bytes") }
      all += piece
      guard all.count <= limit else { throw refuse("more") }
      // A file that ends too early is no error of reading, and one of the stream.
      var state: Int32 = 0
      _ = gzerror(file, &state)
      guard state == Z_OK || state == Z_STREAM_END else { throw refuse("a cut end") }
      // What is no gzip file is passed through as it is.
      guard gzdirect(file) == 0 || all.isEmpty else { throw refuse("no gzip file") }
      if piece.isEmpty { return all }
    }
  }
}
