#if Postgres
  internal import CLibPQ
  internal import Glibc

  /// One connection, always in pipeline mode: commands of a round trip are sent together, and their
  /// answers read together. Blocking, so it lives on a thread of its own (``ConnectionPool``).
  final class PostgresConnection {
    private let handle: OpaquePointer
    let server: String
    private var silenceMilliseconds: Int32
    private var prepared: Set<String> = []
    var breaks: PostgresBreak?

    /// Connects.
    ///
    /// - Throws: ``PostgresError`` `cannotConnect`, `untrustedServer`, `authentication` or
    ///   `tooManyConnections`.
    init(_ options: PostgresConnectionOptions) throws {
      let keywords = ["connect_timeout", "fallback_application_name", "dbname"]
      let values = ["10", "cardfeed", options.conninfo]
      let opened = withCStrings(keywords) { keys in
        withCStrings(values) { PQconnectdbParams(keys, $0, 1) }
      }
      guard let opened else {
        throw PostgresError(
          .cannotConnect, server: "?", operation: "connect", found: "no memory for a connection")
      }
      handle = opened
      server = Self.place(opened)
      let timeout = options.statementTimeoutMilliseconds
      silenceMilliseconds = timeout == 0 ? -1 : Int32(clamping: timeout + 5000)
      // From here on every property is set, so that a failure runs deinit, which frees the handle.
      guard PQstatus(opened) == CONNECTION_OK else {
        throw Self.refusal(String(cString: PQerrorMessage(opened)), server: server)
      }
      // The server's remarks may quote values, and nobody asked for them.
      PQsetNoticeProcessor(opened, { _, _ in }, nil)
      PQsetnonblocking(opened, 1)
      guard PQenterPipelineMode(opened) == 1 else {
        throw PostgresError(
          .cannotConnect, server: server, operation: "connect", found: "no pipeline mode")
      }
      // Names of schemas and numbers only; both come from the program, not from a client.
      var settings = [
        "SET search_path = \(options.quotedSchema)", "SET statement_timeout = \(timeout)",
        "SET idle_in_transaction_session_timeout = \(timeout * 4)",
      ]
      // Every statement of a store finds its rows by key. A plan made while the tables were empty
      // must not become a scan of full ones.
      settings += [
        "SET plan_cache_mode = force_generic_plan", "SET enable_seqscan = off",
        "SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET jit = off",
      ]
      try execute(settings)
    }

    deinit { PQfinish(handle) }

    private static func place(_ handle: OpaquePointer) -> String {
      func text(_ value: UnsafeMutablePointer<CChar>?) -> String {
        value.map { String(cString: $0) } ?? "?"
      }
      return "\(text(PQhost(handle))):\(text(PQport(handle)))/\(text(PQdb(handle)))"
    }

    /// libpq reports a failed login only as text. It names host, port, user and database.
    private static func refusal(_ message: String, server: String) -> PostgresError {
      let line = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if line.contains("session is read-only") || line.contains("server is in hot standby") {
        return PostgresError(
          .readOnly, server: server, operation: "connect", found: line,
          advice: "None of the servers takes writes now: promote a standby, or wait for it.")
      }
      let code: PostgresError.Code =
        if line.contains("too many clients") || line.contains("remaining connection slots") {
          .tooManyConnections
        } else if line.contains("certificate verify failed")
          || line.contains("does not match host name") || line.contains("root certificate file")
          || line.contains("does not support SSL")
        {
          .untrustedServer
        } else if line.contains("authentication failed") || line.contains("no password supplied")
          || line.contains("does not exist") || line.contains("certificate")
          || line.contains("pg_hba.conf") || line.contains("definition of service")
        {
          .authentication
        } else {
          .cannotConnect
        }
      return PostgresError(code, server: server, operation: "connect", found: line)
    }

    var isUsable: Bool { PQstatus(handle) == CONNECTION_OK }
    /// Whether the server has kept a connection open that was not used for a while. No round trip:
    /// what a server says without being asked is a farewell, or not worth keeping the connection.
    var isStillOpen: Bool {
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return isUsable && poll(&descriptor, 1, 0) == 0
    }

    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }
    var socket: Int32 { PQsocket(handle) }

    // MARK: Running

    /// Sends the commands in one go and returns their rows, one for each.
    ///
    /// - Throws: ``PostgresError`` of the first command that failed; those behind it were not run.
    @discardableResult
    func run(_ commands: [PostgresCommand]) throws -> [PostgresRows] {
      var expected: [(name: String, isAnswer: Bool)] = []
      for command in commands {
        let statement = command.statement
        if breaks?(.before(statement.name)) == true { throw lost(statement.name) }
        if prepared.insert(statement.name).inserted {
          try sent(PQsendPrepare(handle, statement.name, statement.sql, 0, nil), statement.name)
          expected.append((statement.name, false))
        }
        try sent(send(statement.name, command.parameters), statement.name)
        expected.append((statement.name, true))
      }
      do {
        try synchronise(expected.last?.name ?? "synchronise")
        if let last = commands.last?.statement.name, breaks?(.behind(last)) == true {
          finishUnheard()
          throw lost(last)
        }
        return try answers(to: expected)
      } catch {
        // Which of the new statements the server kept is not known after a failure.
        if isUsable { forgetStatements() }
        throw error
      }
    }

    @discardableResult
    func run(_ commands: PostgresCommand...) throws -> [PostgresRows] { try run(commands) }

    /// Runs one command and returns its rows.
    func rows(_ command: PostgresCommand) throws -> PostgresRows {
      guard let rows = try run([command]).first else {
        throw PostgresError(
          .unexpectedAnswer, server: server, operation: command.statement.name,
          found: "no answer at all")
      }
      return rows
    }

    /// Runs statements without values that are used once, in one go.
    @discardableResult
    func execute(_ texts: [String]) throws -> [PostgresRows] {
      for text in texts {
        try sent(PQsendQueryParams(handle, text, 0, nil, nil, nil, nil, 1), text)
      }
      try synchronise(texts.last ?? "synchronise")
      return try answers(to: texts.map { ($0, true) })
    }

    /// Runs a transaction of reads from one consistent state that may take as long as they take:
    /// whole tables are read, by whatever plan is best for that.
    func readPatiently<Value>(_ body: () throws -> Value) throws -> Value {
      try patiently {
        try execute([
          "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "SET LOCAL statement_timeout = 0",
          "SET LOCAL enable_seqscan = on", "SET LOCAL enable_hashjoin = on",
          "SET LOCAL enable_mergejoin = on",
        ])
        let value = try body()
        try execute(["COMMIT"])
        return value
      }
    }

    /// Waits for each of the server's answers for an hour at least while `body` runs.
    func patiently<Value>(_ body: () throws -> Value) throws -> Value {
      let usual = silenceMilliseconds
      if usual >= 0 { silenceMilliseconds = max(usual, 3_600_000) }
      defer { silenceMilliseconds = usual }
      return try body()
    }

    /// Undoes an open transaction. Does nothing where there is none.
    func rollBack() throws {
      if isUsable, isInTransaction { try run(PostgresCommand(.rollback)) }
    }

    /// Ends a transaction whose answer rests on what it found. It is committed, not undone: its row
    /// locks make the commit wait for a synchronous standby, as a write would. Otherwise a primary
    /// that was cut off and restarted would acknowledge what it alone holds.
    func confirm() throws { try run(PostgresCommand(.commit)) }

    private func forgetStatements() {
      prepared = []
      do { try execute(["ROLLBACK", "DEALLOCATE ALL"]) } catch { _ = lost("forget statements") }
    }

    private func sent(_ status: Int32, _ operation: String) throws {
      if status != 1 { throw lost(operation) }
    }

    private func send(_ name: String, _ parameters: [PostgresParameter]) -> Int32 {
      var bytes: [UInt8] = [0]
      bytes.reserveCapacity(parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
      var starts: [Int] = []
      for parameter in parameters {
        starts.append(bytes.count)
        bytes.append(contentsOf: parameter.bytes ?? [])
      }
      // A value may be empty, and an empty value needs an address inside the buffer too.
      bytes.append(0)
      let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
      let formats = parameters.map { _ in Int32(1) }
      return bytes.withUnsafeBytes { buffer in
        let values = zip(parameters, starts).map { parameter, start in
          parameter.bytes == nil
            ? nil : buffer.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
        }
        return PQsendQueryPrepared(
          handle, name, Int32(parameters.count), values, lengths, formats, 1)
      }
    }

    // MARK: Answers

    private func answers(
      to expected: [(name: String, isAnswer: Bool)]
    ) throws -> [PostgresRows] {
      let last = expected.last?.name ?? "synchronise"
      var rows: [PostgresRows] = []
      var failure: PostgresError?
      for (name, isAnswer) in expected {
        guard let result = try nextResult(name) else { throw lost(name) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
          let answer = PostgresRows(result, server: server, operation: name)
          if isAnswer { rows.append(answer) }
        case PGRES_PIPELINE_ABORTED:
          PQclear(result)
        default:
          if failure == nil { failure = error(of: result, name) }
          PQclear(result)
        }
        // Each command's results end with an empty one.
        while let extra = try nextResult(name) { PQclear(extra) }
      }
      guard let end = try nextResult(last) else { throw failure ?? lost(last) }
      defer { PQclear(end) }
      guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw failure ?? lost(last) }
      if let failure { throw failure }
      return rows
    }

    private func error(of result: OpaquePointer, _ operation: String) -> PostgresError {
      // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_CONSTRAINT_NAME
      func field(_ code: Character) -> String? {
        let raw = code.asciiValue.map { Int32($0) } ?? 0
        return PQresultErrorField(result, raw).map { String(cString: $0) }
      }
      guard let state = field("C") else { return lost(operation) }
      return PostgresError(
        server: server, operation: operation, sqlState: state, message: field("M") ?? "",
        constraint: field("n"))
    }

    private func synchronise(_ operation: String) throws {
      try sent(PQpipelineSync(handle), operation)
      try flush(operation)
    }

    private func flush(_ operation: String) throws {
      while true {
        switch PQflush(handle) {
        case 0: return
        case 1:
          let ready = try wait(Int16(POLLIN | POLLOUT), operation)
          // The server may wait for us to read before it reads on.
          if ready & Int16(POLLIN) != 0, PQconsumeInput(handle) != 1 { throw lost(operation) }
        default: throw lost(operation)
        }
      }
    }

    private func nextResult(_ operation: String) throws -> OpaquePointer? {
      while PQisBusy(handle) == 1 {
        _ = try wait(Int16(POLLIN), operation)
        if PQconsumeInput(handle) != 1 { throw lost(operation) }
      }
      return PQgetResult(handle)
    }

    private func wait(_ events: Int16, _ operation: String) throws -> Int16 {
      var descriptor = pollfd(fd: socket, events: events, revents: 0)
      while true {
        let ready = poll(&descriptor, 1, silenceMilliseconds)
        if ready > 0 { return descriptor.revents }
        if ready < 0, errno == EINTR { continue }
        // A server that does not even report its own timeout is out of reach.
        shutdown(socket, Int32(SHUT_RDWR))
        throw lost(operation)
      }
    }

    /// Lets the server finish what was sent, without hearing its answer.
    private func finishUnheard() {
      shutdown(socket, Int32(SHUT_WR))
      var buffer: [UInt8] = Array(repeating: 0, count: 4096)
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      while poll(&descriptor, 1, 10_000) > 0, recv(socket, &buffer, buffer.count, 0) > 0 {}
    }

    private func lost(_ operation: String) -> PostgresError {
      if PQstatus(handle) == CONNECTION_OK { shutdown(socket, Int32(SHUT_RDWR)) }
      return PostgresError(
        .connectionLost, server: server, operation: operation,
        found: "the server closed the connection or did not answer")
    }
  }

  private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }
#endif
