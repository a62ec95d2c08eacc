#if Postgres
  /// A failure of the shared store: what was wrong, at which server and in which statement, what was
  /// found, and what to do about it.
  ///
  /// The text holds names of statements, tables and constraints and the server's code, never a bound
  /// value: the server's own message is quoted only for codes whose message cannot contain one.
  public struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it was. More kinds may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      enum Kind: String {
        case cannotConnect, untrustedServer, authentication, connectionLost, timeout, contention
        case tooManyConnections, diskFull, readOnly, constraint, corrupt, olderSchema
        case newerSchema, otherSchema, unexpectedAnswer, misuse, other
      }

      let kind: Kind

      /// No server answered, or it does not take connections now.
      public static var cannotConnect: Code { Code(kind: .cannotConnect) }
      /// The server has no certificate that is trusted, or none for its name; nothing was sent to it.
      public static var untrustedServer: Code { Code(kind: .untrustedServer) }
      /// The server refused the user, the password, the certificate or the database.
      public static var authentication: Code { Code(kind: .authentication) }
      /// The connection broke, or the server was stopped.
      public static var connectionLost: Code { Code(kind: .connectionLost) }
      /// A statement took longer than the statement timeout.
      public static var timeout: Code { Code(kind: .timeout) }
      /// Transactions waited for each other; one was undone.
      public static var contention: Code { Code(kind: .contention) }
      /// The server has no connection to spare.
      public static var tooManyConnections: Code { Code(kind: .tooManyConnections) }
      /// The server's disk is full.
      public static var diskFull: Code { Code(kind: .diskFull) }
      /// The server only reads: a standby, or a database that was made read-only; or of the servers
      /// that were named none takes writes now.
      public static var readOnly: Code { Code(kind: .readOnly) }
      /// A unique key or a check was violated.
      public static var constraint: Code { Code(kind: .constraint) }
      /// The server found damage in its files, or a row holds what this library cannot read.
      public static var corrupt: Code { Code(kind: .corrupt) }
      /// The tables were made by an older version of this program.
      public static var olderSchema: Code { Code(kind: .olderSchema) }
      /// The tables were made by a newer version of this program.
      public static var newerSchema: Code { Code(kind: .newerSchema) }
      /// The tables were made with another number of partitions.
      public static var otherSchema: Code { Code(kind: .otherSchema) }
      /// The server answered with another type or number of columns than was asked for.
      public static var unexpectedAnswer: Code { Code(kind: .unexpectedAnswer) }
      /// The interface was used in a way it does not allow.
      public static var misuse: Code { Code(kind: .misuse) }
      /// Anything else; ``PostgresError/sqlState`` says more.
      public static var other: Code { Code(kind: .other) }

      /// The name of the code, for example `diskFull`.
      public var description: String { kind.rawValue }
    }

    /// What kind of failure it was.
    public let code: Code
    /// The server, as `host:port/database`.
    public let server: String
    /// The name of the statement, or a phrase.
    public let operation: String
    /// What was found.
    public let found: String
    /// What to do.
    public let advice: String
    /// The server's five-letter code, or nil where the server said nothing.
    public let sqlState: String?

    /// Everything in one line.
    public var description: String {
      let state = sqlState.map { " (SQLSTATE \($0))" } ?? ""
      return "\(code.summary): \(found)\(state), at \(server), while doing: \(operation). \(advice)"
    }

    init(
      _ code: Code, server: String, operation: String, found: String, advice: String? = nil,
      sqlState: String? = nil
    ) {
      self.code = code
      self.server = server
      self.operation = operation
      self.found = found
      self.advice = advice ?? code.advice
      self.sqlState = sqlState
    }

    /// What the server reported for a statement.
    init(
      server: String, operation: String, sqlState: String, message: String, constraint: String?
    ) {
      let code = Code(sqlState: sqlState)
      let found: String =
        switch code.kind {
        case .constraint: constraint.map { "the rule \($0)" } ?? "a rule of the tables"
        case .other where sqlState.hasPrefix("42"): message
        default: Self.phrase(sqlState)
        }
      self.init(
        code, server: server, operation: operation, found: found, sqlState: sqlState)
    }

    private static func phrase(_ sqlState: String) -> String {
      switch sqlState {
      case "40P01": "a deadlock"
      case "40001": "a concurrent change"
      case "55P03": "a lock that could not be taken"
      case "57014": "the statement was cancelled"
      case "57P01": "the server was told to stop"
      case "57P02": "the server restarted after a crash"
      case "57P03": "the server does not take connections now"
      case "53100": "no space on the server's disk"
      case "53200": "no memory on the server"
      case "53300": "no free connection on the server"
      case "25006": "a read-only transaction"
      default: "an error of the server"
      }
    }

    /// Whether the same work may succeed when it is done again. Nothing of it was kept, or it was
    /// kept whole: commands carry identities, so doing them again is safe.
    var mayPass: Bool {
      switch code.kind {
      case .cannotConnect, .connectionLost, .contention, .tooManyConnections, .readOnly: true
      default: false
      }
    }

    /// The same failure, of work that was tried before and lost its connection then: what became of
    /// the work is not known, whatever became of this try.
    var behindALostTry: PostgresError {
      if code == .connectionLost { return self }
      return PostgresError(
        code, server: server, operation: operation, found: found,
        advice: "\(advice) An earlier try lost its connection and may have been kept. "
          + PostgresError.Code.connectionLost.advice,
        sqlState: sqlState)
    }
  }

  extension PostgresError.Code {
    init(sqlState: String) {
      let kind: Kind =
        switch (sqlState.prefix(2), sqlState) {
        case ("08", _), (_, "57P01"), (_, "57P02"): .connectionLost
        case (_, "57P03"): .cannotConnect
        case ("28", _), ("3D", _): .authentication
        case (_, "57014"): .timeout
        case ("40", _), (_, "55P03"): .contention
        case (_, "53300"): .tooManyConnections
        case (_, "53100"): .diskFull
        case (_, "25006"): .readOnly
        case ("23", _): .constraint
        case (_, "XX001"), (_, "XX002"): .corrupt
        default: .other
        }
      self.init(kind: kind)
    }

    fileprivate var summary: String {
      switch kind {
      case .cannotConnect: "cannot connect to PostgreSQL"
      case .untrustedServer: "PostgreSQL server is not trusted"
      case .authentication: "PostgreSQL refused the login"
      case .connectionLost: "connection to PostgreSQL lost"
      case .timeout: "statement took too long"
      case .contention: "transactions got into each other's way"
      case .tooManyConnections: "too many connections"
      case .diskFull: "no space left for the database"
      case .readOnly: "database is read-only"
      case .constraint: "constraint violated"
      case .corrupt: "database is damaged"
      case .olderSchema: "database is older than this program"
      case .newerSchema: "database is newer than this program"
      case .otherSchema: "database is laid out differently"
      case .unexpectedAnswer: "unexpected answer of the database"
      case .misuse: "wrong use of the database"
      case .other: "database error"
      }
    }

    fileprivate var advice: String {
      switch kind {
      case .cannotConnect: "Check that the server runs and that host and port are right."
      case .untrustedServer:
        "Set sslrootcert to the certificate that signed the server's, and host to a name in it."
      case .authentication: "Check user, database, password file and certificates."
      case .connectionLost: "Sending the same event again is safe: it is applied once."
      case .timeout: "This try changed nothing; find what blocks, or raise the statement timeout."
      case .contention: "This try changed nothing; try again."
      case .tooManyConnections: "Use fewer connections, or raise max_connections."
      case .diskFull: "Nothing of the transaction was kept; free space and try again."
      case .readOnly: "Connect to the primary, for example with target_session_attrs=read-write."
      case .constraint: "This try changed nothing; check what was to be stored."
      case .corrupt: "Check the server's log, and restore the last backup."
      case .olderSchema: "Stop the servers that use it and run 'cardfeed store migrate'."
      case .newerSchema: "Use the newer program, or restore a backup from before the upgrade."
      case .otherSchema: "Open it with the number of partitions it was made with."
      case .unexpectedAnswer: "Check that nothing else changed the tables of this schema."
      case .misuse: "Correct the calling code."
      case .other: "Look the code up in PostgreSQL's appendix of error codes."
      }
    }
  }
#endif
