import CSQLite
import CardFeed

/// How many statements connections have begun, as SQLite reports it (`sqlite3_trace_v2`).
final class StatementCounter: Sendable {
  private let statements = Lock(0)

  var count: Int { statements.withLock { $0 } }

  fileprivate func add() { statements.withLock { $0 += 1 } }
}

extension Connection {
  /// Reports every statement that begins from now on.
  ///
  /// - Parameter counter: What counts them. The caller keeps it until the connection is closed.
  func count(with counter: StatementCounter) throws {
    let database = try openHandle(for: "count statements")
    try check(
      sqlite3_trace_v2(
        database, UInt32(SQLITE_TRACE_STMT), noteStatement,
        Unmanaged.passUnretained(counter).toOpaque()), operation: "count statements")
  }
}

/// A named function because C calls it.
private func noteStatement(
  _: UInt32, _ context: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?,
  _: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return SQLITE_OK }
  Unmanaged<StatementCounter>.fromOpaque(context).takeUnretainedValue().add()
  return SQLITE_OK
}
