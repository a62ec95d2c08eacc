#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// The number of each identifier, in order; made where there is none yet. Numbers are dense:
    /// they are handed out one transaction after the other. One round trip when all are known.
    ///
    /// - Throws: ``PostgresError``.
    public func numbers(for ids: [CardID]) async throws -> [CardNumber] {
      guard !ids.isEmpty else { return [] }
      return try await pool.run("number identifiers") { connection in
        try Self.numbers(for: ids, connection)
      }
    }

    static func numbers(
      for ids: [CardID], _ connection: PostgresConnection
    ) throws -> [CardNumber] {
      guard !ids.isEmpty else { return [] }
      var known = try find(Set(ids), connection)
      let missing = Set(ids.filter { known[$0] == nil })
      if !missing.isEmpty {
        // In the order in which they were asked for, each once.
        var rest = missing
        let ordered = ids.filter { rest.remove($0) != nil }
        known.merge(try add(ordered, connection)) { _, new in new }
      }
      return try ids.map { id in
        guard let number = known[id] else {
          throw PostgresError(
            .unexpectedAnswer, server: connection.server, operation: "number identifiers",
            found: "an identifier without a number")
        }
        return number
      }
    }

    static func find(
      _ ids: some Collection<CardID>, _ connection: PostgresConnection
    ) throws -> [CardID: CardNumber] {
      let rows = try connection.rows(
        PostgresCommand(StoreSQL.findNumbers, .byteStrings(ids.map(\.bytes))))
      let pairs = try rows.map { (CardID(bytes: try $0.bytes(0)), try $0.number(1)) }
      return Dictionary(pairs) { _, last in last }
    }

    private static func add(
      _ ids: [CardID], _ connection: PostgresConnection
    ) throws -> [CardID: CardNumber] {
      let counter = PostgresParameter.text("numbers")
      let last = try connection.run(
        PostgresCommand(.begin), PostgresCommand(StoreSQL.lockCounter, counter)
      ).last?.first { try $0.integer(0) }
      let end = try required(last, "numbers", StoreSQL.lockCounter, connection)
      // Somebody else may have numbered them before the counter was ours.
      var known = try find(ids, connection)
      let missing = ids.filter { known[$0] == nil }
      let numbers = missing.indices.map { CardNumber(end + 1 + Int64($0)) }
      let bytes = PostgresParameter.byteStrings(missing.map(\.bytes))
      let raw = PostgresParameter.integers(numbers.map(\.rawValue))
      try connection.run(
        PostgresCommand(StoreSQL.addIdentifiers, bytes, raw),
        PostgresCommand(StoreSQL.addNumbers, bytes, raw),
        PostgresCommand(StoreSQL.moveCounter, counter, .integer(end + Int64(missing.count))),
        PostgresCommand(.commit))
      for (id, number) in zip(missing, numbers) { known[id] = number }
      return known
    }

    /// The identifier of each number, in order; nil where the store handed no such number out. One
    /// round trip.
    ///
    /// - Throws: ``PostgresError``.
    public func ids(for numbers: [CardNumber]) async throws -> [CardID?] {
      guard !numbers.isEmpty else { return [] }
      return try await pool.run("read identifiers") { connection in
        let rows = try connection.rows(
          PostgresCommand(StoreSQL.findIdentifiers, .integers(Set(numbers).map(\.rawValue))))
        let pairs = try rows.map { (try $0.number(0), CardID(bytes: try $0.bytes(1))) }
        let known = Dictionary(pairs) { _, last in last }
        return numbers.map { known[$0] }
      }
    }
  }
#endif
