import Foundation

/// The package's own files, as text.
struct PackageTree: Sendable {
  /// The checkout these tests were compiled from.
  static let checkout = PackageTree(
    root: URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent())

  /// A place in the package, relative to its root, with "/" between its parts.
  typealias Path = String

  let root: URL

  /// The text of a file.
  func text(_ path: Path) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Whether there is a file or a folder at the path.
  func contains(_ path: Path) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false))
  }

  /// The folders directly inside a folder, sorted; empty if the folder does not exist.
  func folders(in path: Path) -> [Path] {
    entries(of: path).filter(isFolder)
  }

  /// Every file below a folder whose name ends in one of the extensions, sorted.
  func files(below path: Path, endingIn extensions: Set<String>) -> [Path] {
    entries(of: path).flatMap { entry in
      if isFolder(entry) { return files(below: entry, endingIn: extensions) }
      return extensions.contains(URL(filePath: entry).pathExtension) ? [entry] : []
    }
  }

  private func entries(of path: Path) -> [Path] {
    let folder = root.appending(path: path).path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { path.isEmpty ? $0 : "\(path)/\($0)" }
  }

  private func isFolder(_ path: Path) -> Bool {
    var isDirectory: ObjCBool = false
    let place = root.appending(path: path).path(percentEncoded: false)
    return FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }
}
