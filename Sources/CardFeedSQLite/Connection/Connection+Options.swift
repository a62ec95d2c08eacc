extension Connection {
  /// Where a database lives.
  package enum Location: Sendable, Hashable, CustomStringConvertible {
    /// A file on a local disk. Write-ahead logging does not work on network file systems.
    case file(String)
    /// A database in memory, shared by all connections of this process that give the same name,
    /// and gone when the last of them closes.
    ///
    /// It uses SQLite's shared cache: a reader and a writer of the same table exclude each other
    /// with ``SQLiteError/Code/locked``, and the busy timeout does not apply. ``ReaderPool``
    /// therefore reads such a database through its writer.
    case memory(String)

    /// The path, or `memory:NAME`.
    package var description: String {
      switch self {
      case .file(let path): path
      case .memory(let name): "memory:\(name)"
      }
    }

    package var isInMemory: Bool {
      if case .memory = self { true } else { false }
    }
  }

  /// What a connection may do.
  package enum Mode: Sendable, Hashable {
    /// Reads and writes; creates the file if there is none.
    case readWriteCreate
    /// Reads only. The file must exist and be a CardFeed database.
    case readOnly
    /// Reads only, too, but opens for writing where that is allowed, so that SQLite looks at
    /// everything and clears its helper files away afterwards.
    case inspect
  }

  /// When a commit counts as done.
  package enum Synchronous: String, Sendable, Hashable, CaseIterable {
    /// The commit is on the disk: it survives a power failure.
    case full = "FULL"
    /// The commit is with the operating system: it survives a crash or kill of the process, and a
    /// power failure leaves the database whole but may take the last commits.
    case normal = "NORMAL"
  }

  /// Settings of a connection.
  package struct Options: Sendable, Hashable {
    /// When a commit counts as done.
    package var synchronous: Synchronous = .full
    /// How long a lock held by another connection is waited for, in milliseconds.
    package var busyTimeoutMilliseconds: Int32 = 5_000
    /// The page cache of this connection, in KiB.
    package var cacheKibibytes: Int32 = 16_384
    /// The number in the file's header by which our files are told from others.
    package var applicationID: Int32 = Connection.applicationID
    /// How many prepared statements are kept.
    package var statementCacheCapacity: Int = 128
    /// The name of a registered layer below SQLite; nil for the machine's own. For tests.
    package var fileSystem: String?
    /// Promises that nobody can write the file, in a folder where SQLite cannot put its helper
    /// files either. For reading only.
    package var isImmutable = false

    package init() {}
  }

  /// "CFED" in ASCII, in the header of each CardFeed database (`PRAGMA application_id`).
  package static var applicationID: Int32 { 0x4346_4544 }
}

extension Connection.Location {
  /// The name SQLite opens a file by that nobody can write.
  var immutableName: String? {
    guard case .file(let path) = self, openName != nil else { return nil }
    let pieces = path.split(separator: "/", omittingEmptySubsequences: false)
    return
      "file:\(pieces.map { Self.percentEncoded(String($0)) }.joined(separator: "/"))?immutable=1"
  }

  /// The name SQLite opens, or nil if the path cannot name a file.
  var openName: String? {
    switch self {
    case .file(let path):
      // An empty path would be a temporary database, a NUL would cut the path short, and ":memory:"
      // is a file here.
      if path.isEmpty || path.utf8.contains(0) { return nil }
      return path.utf8.first == UInt8(ascii: ":") ? "./\(path)" : path
    case .memory(let name):
      return "file:\(Self.percentEncoded(name))?mode=memory&cache=shared"
    }
  }

  private static func percentEncoded(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        result.append(byte)
      default:
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
