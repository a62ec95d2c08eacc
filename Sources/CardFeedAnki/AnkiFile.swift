internal import Glibc

/// Whole files, for packages.
enum AnkiFile {
  /// The first bytes of a file, or all of them.
  static func read(_ path: String, atMost count: Int? = nil) throws(AnkiError) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw failure(path, "read", hint: "check the path") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: count ?? 1 << 20)
    while true {
      let read = fread(&chunk, 1, chunk.count, file)
      bytes += chunk[..<read]
      if read < chunk.count || count != nil { break }
    }
    guard ferror(file) == 0 else { throw failure(path, "read", hint: "name a file") }
    return bytes
  }

  /// Forces a file that was written to the disk.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - name: How errors call it.
  static func synchronize(_ path: String, called name: String) throws(AnkiError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(name, "written", hint: nil) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw failure(name, "written", hint: "make room on the disk")
    }
  }

  /// Gives a complete file its name, and forces the name to the disk.
  static func rename(_ temporary: String, to path: String) throws(AnkiError) {
    guard Glibc.rename(temporary, path) == 0 else { throw failure(path, "written", hint: nil) }
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // Without this the new name could be lost in a power failure. The file is whole either way.
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func failure(_ path: String, _ what: String, hint: String?) -> AnkiError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "unknown error"
    return AnkiError(file: path, "cannot be \(what): \(reason)", hint: hint)
  }
}
