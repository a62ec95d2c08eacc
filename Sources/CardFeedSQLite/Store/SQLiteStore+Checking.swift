public import CardFeed

extension SQLiteStore {
  /// Reads the whole store and returns what is wrong with it, nothing if all is well: damaged
  /// pages, references to missing rows, gaps in the log, images that cannot be read, and whatever
  /// is derived and differs from the log: seen cards and answers, matches, standings, counts.
  ///
  /// Looks at the store as it is at the beginning; reads and writes go on meanwhile, unless the
  /// store is in memory. The texts name tables and places of the log, never who did what.
  /// O(n log n) in the events, in constant memory.
  ///
  /// - Throws: ``SQLiteError`` if the store cannot be read at all.
  public func check() async throws -> [StoreProblem] {
    try requireOpen("check")
    if location.isInMemory {
      return try await writer.read { connection in try StoreCheck.problems(of: connection) }
    }
    return try await Self.blocking { [location, settings] in
      // For writing, although it never writes: SQLite reads the CHECK constraints of a table only
      // where it could write, and would not find the rows that break them.
      let connection = try Connection(location, options: settings)
      try connection.execute("PRAGMA query_only = ON")
      var problems: [StoreProblem] = []
      do {
        try connection.snapshot { problems = try StoreCheck.problems(of: $0) }
      } catch let error as SQLiteError where error.code == .corrupt && !problems.isEmpty {
        // SQLite cannot end a transaction in order that met a damaged page; that is no reason to
        // withhold what was found.
      }
      try connection.close()
      return problems
    }
  }
}
