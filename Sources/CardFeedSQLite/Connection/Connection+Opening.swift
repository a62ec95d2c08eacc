import CSQLite
import Glibc

extension Connection {
  static func open(
    _ location: Location, mode: Mode, options: Options
  ) throws -> OpaquePointer {
    let operation = "open \(mode == .readWriteCreate ? "for reading and writing" : "for reading")"
    let file = location.description
    guard let name = options.isImmutable ? location.immutableName : location.openName else {
      throw SQLiteError(
        .cannotOpen, file: file, operation: operation,
        found: "a path that is empty or contains a NUL", advice: "Give the path of a file.")
    }
    guard sqlite3_threadsafe() != 0 else {
      throw SQLiteError(
        .cannotOpen, file: file, operation: operation,
        found: "an SQLite library built without threads",
        advice: "Install an SQLite library built with SQLITE_THREADSAFE=1 or 2.")
    }
    var flags = SQLITE_OPEN_NOMUTEX
    if location.isInMemory {
      // A reader of a database in memory is held to reading by query_only instead.
      flags |= SQLITE_OPEN_URI | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    } else if options.isImmutable {
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    } else if mode == .readOnly {
      flags |= SQLITE_OPEN_READONLY
    } else if mode == .inspect {
      flags |= SQLITE_OPEN_READWRITE
    } else {
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(name, &opened, flags, options.fileSystem)
    guard result == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError.reported(
        result, by: opened, phase: .stepping, file: file, operation: operation)
    }
    sqlite3_extended_result_codes(opened, 1)
    return opened
  }

  /// The steps of opening that need a handle. The order matters: nothing is written before the file
  /// is known to be ours or empty.
  func prepareForUse() throws {
    let database = try openHandle(for: "open")
    sqlite3_busy_timeout(database, options.busyTimeoutMilliseconds)
    sqlite3_set_authorizer(database, authorizeTransactionControl, authorizerContext)
    // Views and triggers of a manipulated file must not call functions with side effects.
    try execute("PRAGMA trusted_schema = OFF")
    if mode == .readWriteCreate, sqlite3_db_readonly(database, "main") == 1 {
      // SQLite falls back to reading silently; a server should learn of it before the first swipe.
      throw SQLiteError(
        .readOnly, file: file, operation: "open for reading and writing",
        found: "a file that cannot be written")
    }
    try claimFile()
    try execute("PRAGMA cache_size = -\(options.cacheKibibytes)")
    try execute("PRAGMA foreign_keys = ON")
    switch mode {
    case .readOnly, .inspect:
      try execute("PRAGMA query_only = ON")
    case .readWriteCreate:
      if !location.isInMemory {
        try enterWriteAheadLogging()
        // A log that grew during a long read is cut back at the next reset; one of the usual size is
        // written over, because growing a file costs more than writing over it.
        try execute("PRAGMA journal_size_limit = 268435456")
      }
      try execute("PRAGMA synchronous = \(options.synchronous.rawValue)")
    }
  }

  /// Opens a file to look at it: nothing is made, claimed or migrated, and it may lie where nothing
  /// can be written.
  package static func inspecting(_ path: String, options: Options) throws -> Connection {
    do { return try Connection(.file(path), mode: .inspect, options: options) } catch let error
      as SQLiteError where error.code == .cannotOpen || error.code == .readOnly
    {
      // In a folder that cannot be written SQLite has no place for the index of a write-ahead log.
      // Without a log, nobody writes, and none is needed.
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      guard access(path, R_OK) == 0, access(folder, W_OK) != 0, access(path + "-wal", F_OK) != 0
      else { throw error }
      var immutable = options
      immutable.isImmutable = true
      return try Connection(.file(path), mode: .inspect, options: immutable)
    }
  }

  private enum Owner: Equatable {
    case us
    case nobody
    case other(applicationID: Int32, objects: Int64)
  }

  private func claimFile() throws {
    var owner = try snapshot { try $0.owner() }
    if owner == .nobody, mode == .readWriteCreate {
      owner = try transaction { connection in
        // Another process may have claimed it in between.
        let now = try connection.owner()
        guard now == .nobody else { return now }
        try connection.execute("PRAGMA application_id = \(options.applicationID)")
        return .us
      }
    }
    switch owner {
    case .us:
      return
    case .nobody:
      throw SQLiteError(
        .foreignFile, file: file, operation: "open for reading", found: "an empty database",
        advice: "Check the path, or open it for writing once, which creates the tables.")
    case .other(let applicationID, let objects):
      let id = String(UInt32(bitPattern: applicationID), radix: 16)
      let ours = String(UInt32(bitPattern: options.applicationID), radix: 16)
      throw SQLiteError(
        .foreignFile, file: file, operation: "open",
        found: "application id 0x\(id) instead of 0x\(ours), and \(objects) tables and indexes")
    }
  }

  private func owner() throws -> Owner {
    let applicationID = try integer("PRAGMA application_id")
    if applicationID == Int64(options.applicationID) { return .us }
    let objects = try integer("SELECT count(*) FROM sqlite_master")
    let version = try integer("PRAGMA user_version")
    if applicationID == 0, objects == 0, version == 0 { return .nobody }
    return .other(applicationID: Int32(truncatingIfNeeded: applicationID), objects: objects)
  }

  private func enterWriteAheadLogging() throws {
    let operation = "PRAGMA journal_mode = WAL"
    let pause: Int32 = 5
    var waited: Int32 = 0
    while true {
      do {
        let found = try firstRow(operation) { try $0.text(at: 0) } ?? "nothing"
        if found == "wal" { return }
        throw SQLiteError(
          .cannotOpen, file: file, operation: operation, found: "journal mode \(found)",
          advice: "Put the database on a local disk that supports shared memory.")
      } catch let error as SQLiteError where error.code == .busy {
        // Two processes that open a new file together both want the file alone; SQLite answers at
        // once instead of waiting, because waiting could be a deadlock.
        if waited >= options.busyTimeoutMilliseconds { throw error }
        waited += pause
        sqlite3_sleep(pause)
      }
    }
  }
}

/// Refuses transaction control in callers' SQL. A named function because C calls it.
private func authorizeTransactionControl(
  _ context: UnsafeMutableRawPointer?, _ action: Int32, _: UnsafePointer<CChar>?,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) -> Int32 {
  guard action == SQLITE_TRANSACTION || action == SQLITE_SAVEPOINT else { return SQLITE_OK }
  let isAllowed = context?.assumingMemoryBound(to: Bool.self).pointee ?? false
  return isAllowed ? SQLITE_OK : SQLITE_DENY
}
