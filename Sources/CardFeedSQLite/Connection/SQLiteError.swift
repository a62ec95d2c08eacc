/// A failure of the embedded store: what was wrong, in which file and operation, what SQLite
/// reported, and what to do about it.
///
/// The text holds SQL with its placeholders and names of tables and columns, never a bound value:
/// SQLite's own message is quoted only where it cannot contain one (preparing a statement,
/// a violated constraint); everywhere else its fixed text for the result code stands instead.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it was. More kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String {
      case busy, locked, readOnly, diskFull, ioError, corrupt, notADatabase, foreignFile
      case cannotOpen, constraint, newerSchema, olderSchema, typeMismatch, misuse, other
    }

    let kind: Kind

    /// Another connection held a lock for longer than the busy timeout.
    public static var busy: Code { Code(kind: .busy) }
    /// Another statement of this process holds the table (shared cache, in-memory databases).
    public static var locked: Code { Code(kind: .locked) }
    /// A write was tried on a connection or file that can only be read.
    public static var readOnly: Code { Code(kind: .readOnly) }
    /// The disk, the quota or the page limit is exhausted. Nothing of the transaction was kept.
    public static var diskFull: Code { Code(kind: .diskFull) }
    /// The operating system reported an error while reading, writing or syncing.
    public static var ioError: Code { Code(kind: .ioError) }
    /// The file is damaged.
    public static var corrupt: Code { Code(kind: .corrupt) }
    /// The file is not an SQLite database.
    public static var notADatabase: Code { Code(kind: .notADatabase) }
    /// The file is an SQLite database of another application, or an empty one opened for reading.
    public static var foreignFile: Code { Code(kind: .foreignFile) }
    /// The file or its folder is missing or not accessible.
    public static var cannotOpen: Code { Code(kind: .cannotOpen) }
    /// A UNIQUE, CHECK, NOT NULL or FOREIGN KEY constraint was violated.
    public static var constraint: Code { Code(kind: .constraint) }
    /// The schema was written by a newer version of this program.
    public static var newerSchema: Code { Code(kind: .newerSchema) }
    /// The schema is older than this program and has not been migrated.
    public static var olderSchema: Code { Code(kind: .olderSchema) }
    /// A column holds another type than the one it was read as, NULL included.
    public static var typeMismatch: Code { Code(kind: .typeMismatch) }
    /// The interface was used in a way it does not allow.
    public static var misuse: Code { Code(kind: .misuse) }
    /// Anything else; ``SQLiteError/resultCode`` says more.
    public static var other: Code { Code(kind: .other) }

    /// The name of the code, for example `diskFull`.
    public var description: String { kind.rawValue }
  }

  /// What kind of failure it was.
  public let code: Code
  /// The path of the database file, or `memory:NAME` for a database in memory.
  public let file: String
  /// What was being done: SQL text with placeholders, or a phrase.
  public let operation: String
  /// What was found.
  public let found: String
  /// What to do.
  public let advice: String
  /// SQLite's extended result code, or nil where this library noticed the failure itself.
  public let resultCode: Int32?

  /// Everything in one line.
  public var description: String {
    let number = resultCode.map { " (SQLite result code \($0))" } ?? ""
    return "\(code.summary): \(found)\(number), in \(file), while doing: \(operation). \(advice)"
  }

  init(
    _ code: Code, file: String, operation: String, found: String, advice: String? = nil,
    resultCode: Int32? = nil
  ) {
    self.code = code
    self.file = file
    self.operation = SQLiteError.shortened(operation)
    self.found = found
    self.advice = advice ?? code.advice
    self.resultCode = resultCode
  }

  /// The same error with the surrounding work put in front of its operation.
  func during(_ work: String) -> SQLiteError {
    SQLiteError(
      code, file: file, operation: "\(work): \(operation)", found: found, advice: advice,
      resultCode: resultCode)
  }

  static func closed(file: String, operation: String) -> SQLiteError {
    SQLiteError(
      .misuse, file: file, operation: operation, found: "the connection is closed",
      advice: "Close a store only after the last use of it.")
  }

  /// One line of at most 160 characters, so that a long script does not flood a log.
  private static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count <= 160 ? line : line.prefix(157) + "..."
  }
}

extension SQLiteError.Code {
  fileprivate var summary: String {
    switch kind {
    case .busy: "database busy"
    case .locked: "table locked"
    case .readOnly: "database is read-only"
    case .diskFull: "no space left for the database"
    case .ioError: "reading or writing the database failed"
    case .corrupt: "database is damaged"
    case .notADatabase: "not a database"
    case .foreignFile: "not a CardFeed database"
    case .cannotOpen: "cannot open database"
    case .constraint: "constraint violated"
    case .newerSchema: "database is newer than this program"
    case .olderSchema: "database is older than this program"
    case .typeMismatch: "unexpected type in a column"
    case .misuse: "wrong use of the database"
    case .other: "database error"
    }
  }

  fileprivate var advice: String {
    switch kind {
    case .busy:
      "Nothing was changed; try again, end the other writer, or raise the busy timeout."
    case .locked: "Nothing was changed; try again when the other statement has ended."
    case .readOnly:
      "Open the database for writing and check the permissions of file and folder."
    case .diskFull: "Nothing of the transaction was kept; free space and try again."
    case .ioError: "Nothing of the transaction was kept; check the disk and try again."
    case .corrupt: "Check it with an integrity check and restore the last backup."
    case .notADatabase: "Check the path; it must name a CardFeed database or a new file."
    case .foreignFile: "Check the path; nothing was written to this file."
    case .cannotOpen: "Check that path and folder exist and are accessible."
    case .constraint: "Nothing was changed; check what was to be stored."
    case .newerSchema: "Use the newer program, or restore a backup from before the upgrade."
    case .olderSchema:
      "Nothing was changed; run 'cardfeed store migrate', which keeps a copy, or migrate the file."
    case .typeMismatch: "Read the column as the type it holds; ask isNull before reading NULL."
    case .misuse: "Correct the calling code."
    case .other: "Look up the result code at sqlite.org/rescode.html."
    }
  }
}
