import CSQLite

extension Connection {
  /// Counts the pages of the write-ahead log from now on, in place of SQLite's own checkpoints,
  /// which there are no more.
  ///
  /// - Returns: Where the count stands after each commit of this connection. It belongs to the
  ///   caller, who frees it after the connection was closed.
  func countLogPages() throws -> UnsafeMutablePointer<Int> {
    let database = try openHandle(for: "count pages")
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    sqlite3_wal_hook(database, noteLogPages, count)
    return count
  }
}

/// A named function because C calls it.
private func noteLogPages(
  _ context: UnsafeMutableRawPointer?, _: OpaquePointer?, _: UnsafePointer<CChar>?, _ pages: Int32
) -> Int32 {
  context?.assumingMemoryBound(to: Int.self).pointee = Int(pages)
  return SQLITE_OK
}
