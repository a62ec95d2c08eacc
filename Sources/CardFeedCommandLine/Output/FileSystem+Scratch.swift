internal import Glibc

extension FileSystem {
  /// Makes an empty folder, gives it to `body`, and removes it with the files in it.
  ///
  /// - Parameters:
  ///   - parent: Where it is made.
  ///   - body: Works in the folder. Folders that it makes in there are left behind.
  /// - Throws: `FileError` when the folder cannot be made; what `body` throws.
  static func withScratchDirectory<Result>(
    in parent: String, _ body: (String) async throws -> Result
  ) async throws -> Result {
    var template = Array("\(parent)/cardfeed-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FileError(.write, path: parent, code: errno)
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { removeDirectory(path) }
    return try await body(path)
  }

  private static func removeDirectory(_ path: String) {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { unlink("\(path)/\(name)") }
      }
      closedir(directory)
    }
    rmdir(path)
  }
}
