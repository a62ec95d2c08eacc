#if Postgres
  public import CardFeed

  extension PostgresStore: CardChangeFeed {
    /// Adds the cards, or replaces those with the same identity. Returns each as it is kept, in order.
    /// Changes of cards are made one transaction after the other, so that ``cardChanges(after:limit:)``
    /// misses none.
    ///
    /// - Throws: ``PostgresError``.
    public func put(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard] {
      guard !cards.isEmpty else { return [] }
      return try await pool.run("put cards") { connection in
        let numbers = try Self.numbers(for: cards.map(\.id), connection)
        // Of a card that comes twice the last one counts.
        var last: [CardNumber: StoredCard] = [:]
        for (card, number) in zip(cards, numbers) { last[number] = card }
        let kept = try Self.change(last.keys.sorted(), connection) { numbers, changes in
          let cards = numbers.compactMap { last[$0] }
          return PostgresCommand(
            StoreSQL.putCards, .integers(numbers.map(\.rawValue)),
            .byteStrings(cards.map(\.id.bytes)), .byteStrings(cards.map(\.payload)),
            .integers(changes), .time(time), .flags(cards.map(\.isWithdrawn)))
        }
        return zip(cards, numbers).map { card, number in
          StoredCard(
            id: card.id, number: number, payload: card.payload, isWithdrawn: card.isWithdrawn,
            changedAt: kept[number]?.changedAt)
        }
      }
    }

    /// Replaces what is kept of cards and leaves them withdrawn or not; new ones are added. A card
    /// whose number is no more that of its identity is passed over.
    ///
    /// - Returns: Each card as it is kept; nil where it was passed over.
    /// - Throws: ``PostgresError``.
    public func revise(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard?] {
      guard !cards.isEmpty else { return [] }
      return try await pool.run("revise cards") { connection in
        let given = cards.filter { $0.number != nil }
        let known = given.isEmpty ? [:] : try Self.find(Set(given.map(\.id)), connection)
        let isRight = cards.map { $0.number == nil || $0.number == known[$0.id] }
        let right = zip(cards, isRight).filter(\.1).map(\.0)
        // A number that is given is never made anew: an erasure may be between the two statements.
        let new = right.filter { $0.number == nil }
        var made = try Self.numbers(for: new.map(\.id), connection).makeIterator()
        let numbers = right.compactMap { $0.number ?? made.next() }
        // Of a card that comes twice the last one counts.
        var last: [CardNumber: StoredCard] = [:]
        for (card, number) in zip(right, numbers) { last[number] = card }
        let kept = try Self.change(last.keys.sorted(), connection) { numbers, changes in
          let cards = numbers.compactMap { last[$0] }
          return PostgresCommand(
            StoreSQL.reviseCards, .integers(numbers.map(\.rawValue)),
            .byteStrings(cards.map(\.id.bytes)), .byteStrings(cards.map(\.payload)),
            .integers(changes), .time(time))
        }
        var next = numbers.makeIterator()
        return zip(cards, isRight).map { card, isRight in
          guard isRight, let number = next.next(), let kept = kept[number] else { return nil }
          return StoredCard(
            id: card.id, number: number, payload: card.payload, isWithdrawn: kept.isWithdrawn,
            changedAt: kept.changedAt)
        }
      }
    }

    /// Brings withdrawn cards back, as they are kept. Returns which of the numbers are cards.
    ///
    /// - Throws: ``PostgresError``.
    public func reinstate(_ cards: [CardNumber]) async throws -> [CardNumber] {
      let sorted = Set(cards).sorted()
      guard !sorted.isEmpty else { return [] }
      return try await pool.run("reinstate cards") { connection in
        let found = try Self.change(sorted, connection) { numbers, changes in
          PostgresCommand(
            StoreSQL.reinstateCards, .integers(numbers.map(\.rawValue)), .integers(changes))
        }
        return cards.filter { found[$0] != nil }
      }
    }

    /// Takes cards out of the deck. Their history stays; numbers that are no cards are passed over.
    ///
    /// - Throws: ``PostgresError``.
    public func withdraw(_ cards: [CardNumber]) async throws {
      let sorted = Set(cards).sorted()
      guard !sorted.isEmpty else { return }
      try await pool.run("withdraw cards") { connection in
        _ = try Self.change(sorted, connection) { numbers, changes in
          PostgresCommand(
            StoreSQL.withdrawCards, .integers(numbers.map(\.rawValue)), .integers(changes))
        }
      }
    }

    /// Changes cards, but for those of people who were erased meanwhile: as if they had been changed
    /// before. Returns of the numbers that are cards then what each is.
    private static func change(
      _ numbers: [CardNumber], _ connection: PostgresConnection,
      _ make: ([CardNumber], _ changes: [Int64]) -> PostgresCommand
    ) throws -> [CardNumber: (isWithdrawn: Bool, changedAt: Timestamp)] {
      let counter = PostgresParameter.text("cards")
      let rows = try connection.run(
        PostgresCommand(.begin), PostgresCommand(StoreSQL.lockCounter, counter),
        Erased.find(numbers))
      let last = try required(
        rows[1].first { try $0.integer(0) }, "changes", StoreSQL.lockCounter, connection)
      let erased = try Erased.numbers(rows[2])
      let rest = numbers.filter { !erased.contains($0) }
      let end = last + Int64(rest.count)
      let changed = try connection.run(
        make(rest, Array((last + 1)..<(end + 1))),
        PostgresCommand(StoreSQL.findCards, .integers(rest.map(\.rawValue))),
        PostgresCommand(StoreSQL.moveCounter, counter, .integer(end)),
        PostgresCommand(.commit))
      let found = try changed[1].map { row in
        (try row.number(0), (isWithdrawn: try row.flag(1), changedAt: try row.time(2)))
      }
      return Dictionary(found) { _, last in last }
    }

    /// The last value of a counter, which must be there.
    static func required(
      _ last: Int64?, _ counter: String, _ statement: PostgresStatement,
      _ connection: PostgresConnection
    ) throws -> Int64 {
      guard let last else {
        throw PostgresError(
          .corrupt, server: connection.server, operation: statement.name,
          found: "the counter of \(counter) is missing")
      }
      return last
    }

    /// The next cards after `number` in the order of numbers, `limit` at most. One round trip, which
    /// asks every shard.
    ///
    /// - Throws: ``PostgresError``.
    public func cards(after number: CardNumber?, limit: Int) async throws -> [StoredCard] {
      try await pool.run("read cards") { connection in
        try connection.rows(
          PostgresCommand(
            StoreSQL.cardsInOrder, .integer(number?.rawValue ?? 0),
            .integer(Int64(max(0, limit))))
        ).map { try $0.card() }
      }
    }

    /// The changes of cards behind a sequence number, in order, `limit` at most: each card once, as
    /// it is now. A process that follows them has what the others put, withdrew and erased. One
    /// round trip, which asks every shard.
    ///
    /// - Parameters:
    ///   - sequence: The sequence of the last change that is known; 0 for all.
    ///   - limit: The most changes.
    /// - Throws: ``PostgresError``.
    public func cardChanges(after sequence: Int64, limit: Int) async throws -> [CardChange] {
      try await pool.run("read changes of cards") { connection in
        try connection.rows(
          PostgresCommand(
            StoreSQL.cardChanges, .integer(sequence), .integer(Int64(max(0, limit))))
        ).map { row in
          CardChange(
            sequence: try row.integer(5), card: try row.card(), isErased: try row.flag(6))
        }
      }
    }
  }

  extension PostgresRow {
    /// Number, identity, payload, whether it was withdrawn, when it last changed.
    func card() throws -> StoredCard {
      StoredCard(
        id: CardID(bytes: try bytes(1)), number: try number(0), payload: try bytes(2),
        isWithdrawn: try flag(3), changedAt: try time(4))
    }
  }
#endif
