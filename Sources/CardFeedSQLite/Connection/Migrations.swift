/// One step from a schema version to the next.
package struct Migration: Sendable {
  /// The schema version after this step, 1 or more.
  package let version: Int
  /// What it does, for reports and errors.
  package let name: String
  let apply: @Sendable (Connection) throws -> Void

  /// A step in Swift. It runs in a transaction with foreign keys off, and the keys are checked at
  /// its end, so that tables may be rebuilt in any order.
  package init(
    version: Int, name: String, apply: @escaping @Sendable (Connection) throws -> Void
  ) {
    self.version = version
    self.name = name
    self.apply = apply
  }

  /// A step in SQL.
  package init(version: Int, name: String, script: String) {
    self.init(version: version, name: name) { try $0.execute(script) }
  }
}

/// The ordered steps to the current schema. The version reached is kept in the file
/// (`PRAGMA user_version`), and each step commits together with its version: a failed or killed
/// migration leaves the database at the last complete version.
package struct Migrations: Sendable {
  /// What was done to bring a database up to date.
  package struct Report: Sendable, Equatable, CustomStringConvertible {
    /// The version before.
    package let from: Int
    /// The version after.
    package let to: Int
    /// The names of the steps applied, in order.
    package let applied: [String]

    package var description: String {
      applied.isEmpty
        ? "schema version \(to), nothing to do"
        : "schema version \(from) to \(to): \(applied.joined(separator: ", "))"
    }
  }

  package let steps: [Migration]

  /// - Precondition: Versions start at 1 or more and ascend strictly.
  package init(_ steps: [Migration]) {
    var last = 0
    for step in steps {
      precondition(
        step.version > last && step.version <= Int(Int32.max),
        "Migration versions must ascend from 1; \(step.version) follows \(last). Order the list.")
      last = step.version
    }
    self.steps = steps
  }

  /// The version of a database that is up to date.
  package var latestVersion: Int { steps.last?.version ?? 0 }

  /// The version a database has now.
  package static func version(of connection: Connection) throws -> Int {
    Int(try connection.integer("PRAGMA user_version"))
  }

  /// The steps that `apply` would run.
  ///
  /// - Throws: ``SQLiteError`` `newerSchema`.
  package func pending(on connection: Connection) throws -> [Migration] {
    let version = try Self.version(of: connection)
    try requireNotNewer(version, connection)
    return steps.filter { $0.version > version }
  }

  /// Checks, without writing, that a database has exactly the current schema.
  ///
  /// - Throws: ``SQLiteError`` `newerSchema` or `olderSchema`.
  package func requireUpToDate(_ connection: Connection) throws {
    let version = try Self.version(of: connection)
    try requireNotNewer(version, connection)
    if version < latestVersion {
      throw SQLiteError(
        .olderSchema, file: connection.file, operation: "check the schema version",
        found: "version \(version), this program needs \(latestVersion)")
    }
  }

  /// Runs the missing steps. Several processes may do so at once: each step is run by one.
  ///
  /// - Throws: ``SQLiteError`` `newerSchema` before anything is changed; the error of a step, with
  ///   the name of the step; `constraint` if a step leaves a reference to a missing row.
  @discardableResult
  package func apply(to connection: Connection) throws -> Report {
    let from = try Self.version(of: connection)
    try requireNotNewer(from, connection)
    var applied: [String] = []
    if from < latestVersion {
      // The setting cannot be changed inside a transaction, where SQLite ignores it silently.
      guard !connection.expectsTransaction else {
        throw SQLiteError(
          .misuse, file: connection.file, operation: "migrate", found: "an open transaction",
          advice: "Migrate before the first transaction.")
      }
      try connection.execute("PRAGMA foreign_keys = OFF")
      do {
        for step in steps where step.version > from {
          if try run(step, on: connection) { applied.append(step.name) }
        }
      } catch {
        try? connection.execute("PRAGMA foreign_keys = ON")
        throw error
      }
      try connection.execute("PRAGMA foreign_keys = ON")
    }
    return Report(from: from, to: try Self.version(of: connection), applied: applied)
  }

  /// False if another process has run the step in between.
  private func run(_ step: Migration, on connection: Connection) throws -> Bool {
    let work = "migration to version \(step.version) (\(step.name))"
    do {
      return try connection.transaction { connection in
        let version = try Self.version(of: connection)
        try requireNotNewer(version, connection)
        if version >= step.version { return false }
        try step.apply(connection)
        let problems = try connection.foreignKeyProblems(limit: 3)
        if !problems.isEmpty {
          throw SQLiteError(
            .constraint, file: connection.file, operation: "check of the foreign keys",
            found: problems.joined(separator: "; "))
        }
        try connection.execute("PRAGMA user_version = \(step.version)")
        return true
      }
    } catch let error as SQLiteError {
      throw error.during(work)
    }
  }

  private func requireNotNewer(_ version: Int, _ connection: Connection) throws {
    if version > latestVersion {
      throw SQLiteError(
        .newerSchema, file: connection.file, operation: "check the schema version",
        found: "version \(version), this program knows up to \(latestVersion)")
    }
  }
}
