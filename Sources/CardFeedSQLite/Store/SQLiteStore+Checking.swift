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
      try Self.check(Connection.inspecting(location.description, options: settings)).problems
    }
  }

  /// Checks the store in a file without opening it as one: nothing is made, migrated or written.
  ///
  /// - Parameters:
  ///   - path: The file; it must exist. It may lie where nothing can be written; constraints on
  ///     single rows are then left out.
  ///   - options: How patient, and how much memory.
  /// - Returns: The place of the last event, and what is wrong.
  /// - Throws: ``SQLiteError``: `cannotOpen`, `notADatabase`, `foreignFile`, `olderSchema`,
  ///   `newerSchema`.
  public static func check(
    path: String, options: Options = Options()
  ) async throws -> (last: LogPosition, problems: [StoreProblem]) {
    try await blocking {
      let connection = try Connection.inspecting(path, options: options.connection)
      try StoreSchema.migrations.requireUpToDate(connection)
      return try check(connection)
    }
  }

  private static func check(
    _ connection: Connection
  ) throws -> (last: LogPosition, problems: [StoreProblem]) {
    var problems: [StoreProblem] = []
    var last = LogPosition.start
    do {
      try connection.snapshot { connection in
        problems = try StoreCheck.problems(of: connection)
        last = LogPosition(try connection.integer(StoreStatements.lastPosition))
      }
    } catch let error as SQLiteError where error.code == .corrupt && !problems.isEmpty {
      // SQLite cannot end a transaction in order that met a damaged page; that is no reason to
      // withhold what was found.
    }
    try connection.close()
    return (last, problems)
  }
}
