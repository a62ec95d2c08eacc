import CSQLite
import Glibc

extension Connection {
  /// Copies the database, as it is now, into a new file. Writers are not disturbed and what they
  /// commit meanwhile is not in the copy. The file appears under its name only when it is complete
  /// and on the disk; until then it is called `PATH.partial`.
  ///
  /// - Parameters:
  ///   - path: The file to create. It must not exist.
  ///   - pagesPerStep: How many pages are copied between two calls of `progress`.
  ///   - progress: Gets the copied and the total number of pages; it may throw to give up.
  /// - Throws: ``SQLiteError``: `cannotOpen` (the file exists or its folder does not), `diskFull`,
  ///   `ioError`, `misuse` inside a write transaction. The partial file is removed.
  package func backup(
    to path: String, pagesPerStep: Int32 = 256,
    progress: (_ copied: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws {
    let operation = "backup of \(file)"
    let source = try openHandle(for: operation)
    guard sqlite3_txn_state(source, "main") != SQLITE_TXN_WRITE else {
      throw SQLiteError(
        .misuse, file: path, operation: operation, found: "an open write transaction",
        advice: "Back up outside of transactions, from a reader or between the batches of a queue.")
    }
    guard access(path, F_OK) != 0 else {
      throw SQLiteError(
        .cannotOpen, file: path, operation: operation, found: "an existing file",
        advice: "Give the name of a new file; a backup never replaces one.")
    }
    let partial = path + ".partial"
    // Left behind by a backup that was killed.
    unlink(partial)
    do {
      try snapshot { connection in
        // The snapshot is taken by its first read; it keeps the copy from starting over whenever
        // somebody writes.
        _ = try connection.integer("SELECT count(*) FROM sqlite_master")
        try copyPages(
          from: source, to: partial, operation: operation, pagesPerStep: pagesPerStep,
          progress: progress)
      }
      try publish(partial, as: path, operation: operation)
    } catch {
      unlink(partial)
      unlink(partial + "-journal")
      throw error
    }
  }

  private func copyPages(
    from source: OpaquePointer, to path: String, operation: String, pagesPerStep: Int32,
    progress: (Int, Int) throws -> Void
  ) throws {
    func failure(_ result: Int32, _ database: OpaquePointer?) -> SQLiteError {
      .reported(result, by: database, phase: .stepping, file: path, operation: operation)
    }
    guard let name = Location.file(path).openName else {
      throw SQLiteError(
        .cannotOpen, file: path, operation: operation,
        found: "a path that is empty or contains a NUL")
    }
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(name, &opened, flags, nil)
    defer { sqlite3_close_v2(opened) }
    guard result == SQLITE_OK, let target = opened else { throw failure(result, opened) }
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw failure(sqlite3_extended_errcode(target), target)
    }
    var isFinished = false
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    let pause: Int32 = 5
    var waited: Int32 = 0
    copying: while true {
      let step = sqlite3_backup_step(backup, max(1, pagesPerStep))
      let total = Int(sqlite3_backup_pagecount(backup))
      switch step & 0xff {
      case SQLITE_OK, SQLITE_DONE:
        waited = 0
        try progress(total - Int(sqlite3_backup_remaining(backup)), total)
        if step == SQLITE_DONE { break copying }
      case SQLITE_BUSY, SQLITE_LOCKED:
        if waited >= options.busyTimeoutMilliseconds { throw failure(step, target) }
        waited += pause
        sqlite3_sleep(pause)
      default:
        throw failure(step, target)
      }
    }
    isFinished = true
    let end = sqlite3_backup_finish(backup)
    if end != SQLITE_OK { throw failure(end, target) }
  }

  private func publish(_ partial: String, as path: String, operation: String) throws {
    guard rename(partial, path) == 0 else {
      throw SQLiteError(
        .ioError, file: path, operation: operation,
        found: "renaming \(partial) failed with errno \(errno)")
    }
    // A name is on the disk only once its folder is.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY)
    if descriptor >= 0 {
      fsync(descriptor)
      Glibc.close(descriptor)
    }
  }
}
