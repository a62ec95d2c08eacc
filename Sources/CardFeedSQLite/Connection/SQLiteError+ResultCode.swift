import CSQLite
import Glibc

extension SQLiteError {
  /// What part of SQLite reported, which decides whether its message is free of bound values.
  enum Phase {
    /// Messages quote SQL text and names.
    case preparing
    /// Messages of functions and extensions may quote values, so only constraints are quoted.
    case stepping
  }

  /// The error for an SQLite result code.
  ///
  /// - Parameters:
  ///   - result: The result code, extended or not.
  ///   - database: The handle that reported it, nil if there is none.
  static func reported(
    _ result: Int32, by database: OpaquePointer?, phase: Phase, file: String, operation: String
  ) -> SQLiteError {
    // A full disk under the shared-memory file arrives as an I/O error; errno tells them apart.
    let system = database.map { sqlite3_system_errno($0) } ?? 0
    let code = Code(resultCode: result, systemError: system)
    let fixed = String(cString: sqlite3_errstr(result))
    let isQuotable = phase == .preparing || code == .constraint
    let message =
      if isQuotable, let database, let text = sqlite3_errmsg(database) {
        String(cString: text)
      } else {
        fixed
      }
    let isTransactionControl = result & 0xff == SQLITE_AUTH
    return SQLiteError(
      code, file: file, operation: operation, found: message,
      advice: isTransactionControl
        ? "Begin and end transactions with the connection's methods, not with SQL." : nil,
      resultCode: result)
  }
}

extension SQLiteError.Code {
  init(resultCode: Int32, systemError: Int32) {
    // The low byte is the primary code; the rest refines it.
    self =
      switch resultCode & 0xff {
      case SQLITE_BUSY: .busy
      case SQLITE_LOCKED: .locked
      case SQLITE_READONLY: .readOnly
      case SQLITE_FULL: .diskFull
      case SQLITE_IOERR: systemError == ENOSPC || systemError == EDQUOT ? .diskFull : .ioError
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_MISMATCH: .typeMismatch
      case SQLITE_MISUSE, SQLITE_RANGE, SQLITE_AUTH: .misuse
      default: .other
      }
  }
}
