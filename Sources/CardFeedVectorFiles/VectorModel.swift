internal import CardFeedConfiguration
internal import Glibc

/// What stands beside the files of a model: how they were made, and their checksums.
public struct VectorModelManifest: Hashable, Sendable {
  /// The format that this version reads.
  public static let format = "cardfeed-vectors/1"

  /// The deck whose cards the vectors belong to.
  public let deck: String
  /// The place of the log up to which answers were exported.
  public let position: Int64
  /// The SHA-256 of the exported answers.
  public let answers: String
  /// How many numbers each vector has.
  public let dimension: Int
  /// What trained it, as one line for people.
  public let trainer: String
  /// The SHA-256 of each file by its name.
  public let files: [String: String]

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text.
  ///   - path: What error texts call it.
  /// - Throws: ``VectorFileError``.
  public init(parsing bytes: [UInt8], path: String) throws(VectorFileError) {
    func refuse(_ reason: String, _ found: String, _ allowed: String) -> VectorFileError {
      VectorFileError(path, reason, found: found, allowed: allowed)
    }
    let root: JSONValue
    do { root = try JSONDocument(parsing: bytes).root } catch {
      throw refuse("the manifest is no JSON", error.found, error.allowed)
    }
    guard let format = root["format"]?.string, format == Self.format else {
      throw refuse(
        "the manifest has another format", root["format"]?.string.map { "\"\($0)\"" } ?? "none",
        "\"\(Self.format)\"")
    }
    guard let export = root["export"], let deck = export["deck"]?.string,
      let position = export["position"]?.int64, let answers = export["sha256"]?.string
    else {
      throw refuse(
        "the manifest does not say what it was trained on", "no whole \"export\"",
        "the object of export.json")
    }
    guard let dimension = root["dimension"]?.int64, (1...65_536).contains(dimension) else {
      throw refuse("the manifest has no dimension", "something else", "a whole number, 1 … 65536")
    }
    guard let members = root["files"]?.object?.members else {
      throw refuse("the manifest has no checksums", "no object \"files\"", "SHA-256 by file name")
    }
    var files: [String: String] = [:]
    for member in members { files[member.key] = member.value.string }
    for name in VectorModel.files where files[name]?.utf8.count != 64 {
      throw refuse("a checksum is missing", "none of \(name)", "64 hexadecimal digits")
    }
    self.deck = deck
    self.position = position
    self.answers = answers
    self.dimension = Int(dimension)
    trainer = root["trainer"]?.string ?? ""
    self.files = files
  }
}

/// Vectors of cards and of viewers that a batch job made; the inner product of two says how well they
/// suit each other.
///
/// A model is a folder with `ids.npy` and `vec.npy` (cards), `viewer_ids.npy` and `viewer_vec.npy`
/// (viewers) and `manifest.json`. Numbers are those of the store that the answers were exported from:
/// a model belongs to one store. Files are mapped, not read, so a model of any size opens at once.
public struct VectorModel: Sendable {
  /// The files with vectors, in the order in which they are checked.
  public static let files = ["ids.npy", "vec.npy", "viewer_ids.npy", "viewer_vec.npy"]
  /// The file with the checksums.
  public static let manifestFile = "manifest.json"

  /// How it was made.
  public let manifest: VectorModelManifest
  /// The vectors of cards.
  public let cards: VectorTable
  /// The vectors of viewers.
  public let viewers: VectorTable

  /// Maps the model in a folder. Does not look at checksums: that is done once, by the import.
  ///
  /// - Parameter folder: The folder.
  /// - Throws: ``VectorFileError``.
  /// - Complexity: O(1).
  public init(folder: String) throws(VectorFileError) {
    let path = folder + "/" + Self.manifestFile
    manifest = try VectorModelManifest(parsing: try SmallFile.read(path), path: path)
    cards = try VectorTable(ids: folder + "/ids.npy", vectors: folder + "/vec.npy")
    viewers = try VectorTable(
      ids: folder + "/viewer_ids.npy", vectors: folder + "/viewer_vec.npy")
    for (name, table) in [("vec.npy", cards), ("viewer_vec.npy", viewers)]
    where table.dimension != manifest.dimension {
      throw VectorFileError(
        folder + "/" + name, "the vectors have another dimension than the manifest says",
        found: "\(table.dimension)", allowed: "\(manifest.dimension)")
    }
  }

  /// Looks at every number and every vector.
  ///
  /// - Throws: ``VectorFileError``.
  /// - Complexity: O(vectors · dimension).
  public func check() throws(VectorFileError) {
    try cards.check("vec.npy")
    try viewers.check("viewer_vec.npy")
  }
}

/// Files of a few kilobytes.
enum SmallFile {
  static func read(_ path: String) throws(VectorFileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw VectorFileError(
        path, "the file cannot be opened", found: String(cString: strerror(errno)),
        allowed: "a readable file")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= 1 << 20 {
      let part = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      if part.isEmpty { return bytes }
      bytes += part
    }
    throw VectorFileError(
      path, "the file is too long", found: "more than a mebibyte", allowed: "a manifest")
  }
}
