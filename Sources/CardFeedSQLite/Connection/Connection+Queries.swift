/// One-line forms for a statement with all its values.
extension Connection {
  /// Runs a statement with the given values and returns the number of rows changed, which is that
  /// of the last INSERT, UPDATE or DELETE if this is none.
  @discardableResult
  package func run(_ sql: String, _ values: Statement.Value...) throws -> Int {
    try withStatement(sql) { statement in
      try statement.bind(values)
      try statement.run()
    }
    return changes
  }

  /// The first row as `read` sees it, nil if there is none.
  package func firstRow<R>(
    _ sql: String, _ values: Statement.Value..., read: (Row) throws -> R
  ) throws -> R? {
    try withStatement(sql) { statement in
      try statement.bind(values)
      return try statement.firstRow(read)
    }
  }

  /// All rows as `read` sees them.
  package func rows<R>(
    _ sql: String, _ values: Statement.Value..., read: (Row) throws -> R
  ) throws -> [R] {
    try withStatement(sql) { statement in
      try statement.bind(values)
      return try statement.rows(read)
    }
  }

  /// The integer in the only column of the only row, such as a count or a numeric PRAGMA.
  package func integer(_ sql: String, _ values: Statement.Value...) throws -> Int64 {
    let value = try withStatement(sql) { statement in
      try statement.bind(values)
      return try statement.firstRow { try $0.integer(at: 0) }
    }
    guard let value else {
      throw SQLiteError(
        .misuse, file: file, operation: sql, found: "no row",
        advice: "Use a query that always returns a row, or firstRow.")
    }
    return value
  }
}
