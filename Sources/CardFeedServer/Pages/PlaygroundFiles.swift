internal import CardFeed

/// The files of the page for trying out, with their types and tags, as they are served.
struct PlaygroundFiles: Sendable {
  struct File: Sendable {
    let type: String
    let bytes: [UInt8]
    /// An entity tag: the first half of the content's SHA-256.
    let tag: String

    init(name: String, bytes: [UInt8]) {
      type = PlaygroundFiles.type(of: name)
      self.bytes = bytes
      tag = "\"" + TokenTable.hexadecimal(Array(SHA256.digest(of: bytes).prefix(16))) + "\""
    }
  }

  private let files: [String: File]

  /// The files that are part of the program.
  init() {
    files = Dictionary(
      uniqueKeysWithValues: PlaygroundContent.files.map { name, text in
        (name, File(name: name, bytes: Array(text.utf8)))
      })
  }

  /// The file of a name; nil if there is none.
  subscript(name: String) -> File? { files[name] }

  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }
}
