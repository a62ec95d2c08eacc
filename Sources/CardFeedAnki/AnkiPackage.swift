internal import CardFeedConfiguration

/// What lies in a package of Anki: `.apkg` of decks, `.colpkg` of everything.
///
/// The file `meta` says since Anki 2.1.50 which of the collections counts; the others only tell
/// people to update. Before that the newer one counts.
struct AnkiPackage {
  /// The collection, an SQLite file.
  let collection: [UInt8]
  /// How many files of sounds and pictures there are.
  let mediaCount: Int

  /// How a package begins.
  static let beginning: [UInt8] = [0x50, 0x4b, 0x03, 0x04]

  /// The collections by the version that `meta` gives, from 1.
  private static let names = ["collection.anki2", "collection.anki21", "collection.anki21b"]

  /// The content of `meta` in the packages that are written: version 1.
  static let firstVersion: [UInt8] = [0x08, 0x01]

  /// Reads a package. O(size of the collection in it).
  init(reading path: String, within limit: UnpackingLimit) throws(AnkiError) {
    let archive = try PackageArchive(reading: path)
    let version = try Self.version(archive, path, limit)
    let name = Self.names[version - 1]
    guard let file = try archive.file(name, within: limit) else {
      throw AnkiError(
        file: path, "the file meta names \(name), which is missing; allowed: a package of Anki",
        hint: "export or download it again")
    }
    let isCompressed = version >= 3
    collection =
      isCompressed
      ? try Zstandard.unpacked(file, within: limit, file: path, place: name) : file
    mediaCount = try Self.mediaCount(archive, path, limit, isCompressed: isCompressed)
  }

  private static func version(
    _ archive: PackageArchive, _ path: String, _ limit: UnpackingLimit
  ) throws(AnkiError) -> Int {
    if let meta = try archive.file("meta", within: limit) {
      // Field 1 of the message is the version.
      guard let fields = ProtocolBufferFields(meta) else {
        throw AnkiError(
          file: path, place: "meta",
          "the version cannot be read; allowed: a Protocol Buffers message",
          hint: "export or download it again")
      }
      let version = fields.integers[1] ?? 0
      guard (1...UInt64(names.count)).contains(version) else {
        throw AnkiError(
          file: path, place: "meta", "found version \(version); allowed: 1 … \(names.count)",
          hint: "export the deck again with support for older versions of Anki")
      }
      return Int(version)
    }
    for version in [3, 2, 1] where try archive.has(names[version - 1]) { return version }
    throw AnkiError(
      file: path, "found a ZIP archive without a collection; allowed: a package of Anki")
  }

  private static func mediaCount(
    _ archive: PackageArchive, _ path: String, _ limit: UnpackingLimit, isCompressed: Bool
  ) throws(AnkiError) -> Int {
    guard let file = try archive.file("media", within: limit) else { return 0 }
    let problem = AnkiError(
      file: path, place: "media", "the list of media cannot be read",
      hint: "export or download it again")
    if isCompressed {
      let list = try Zstandard.unpacked(file, within: limit, file: path, place: "media")
      // Field 1 of the message stands once for each file.
      guard let fields = ProtocolBufferFields(list) else { throw problem }
      return fields.counts[1] ?? 0
    }
    guard let list = (try? JSONDocument(parsing: file))?.root.object else { throw problem }
    return list.members.count
  }
}
