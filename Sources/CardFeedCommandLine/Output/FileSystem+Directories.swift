internal import Glibc

extension FileSystem {
  /// Makes a folder and the folders above it, unless they exist.
  ///
  /// - Parameter path: The folder.
  /// - Throws: `FileError` when one of them cannot be made.
  public static func makeDirectory(_ path: String) throws(FileError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += prefix.isEmpty || prefix.hasSuffix("/") ? String(part) : "/" + part
      guard mkdir(prefix, 0o755) == 0 || errno == EEXIST else {
        throw FileError(.write, path: prefix, code: errno)
      }
    }
  }

  /// How many bytes a file holds; nil if there is none.
  static func size(of path: String) -> Int? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : nil
  }

  /// The names of what lies in a folder, in no order.
  ///
  /// - Parameter path: The folder.
  /// - Throws: `FileError` when it cannot be read.
  public static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw FileError(.read, path: path, code: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
