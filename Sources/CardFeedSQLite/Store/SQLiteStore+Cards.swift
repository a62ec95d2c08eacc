public import CardFeed

extension SQLiteStore {
  /// The number of each identifier, in order; made where there is none yet. Known identifiers cost
  /// a read, only the others a write. O(n log entities).
  ///
  /// - Throws: ``SQLiteError``.
  public func numbers(for ids: [CardID]) async throws -> [CardNumber] {
    let known = try await readers.read(isOneStatement: ids.count == 1) { connection in
      try ids.map { id in try connection.number(of: id) }
    }
    let numbers = known.compactMap(\.self)
    if numbers.count == ids.count { return numbers }
    // A number never changes, so what was read stays right until the write.
    return try await writer.write { connection in
      try zip(ids, known).map { id, known in
        if let known { return known }
        return try connection.numberOrNew(of: id)
      }
    }
  }

  /// The identifier of each number, in order; nil where the store handed no such number out.
  /// O(n log entities).
  ///
  /// - Throws: ``SQLiteError``.
  public func ids(for numbers: [CardNumber]) async throws -> [CardID?] {
    try await readers.read { connection in
      try numbers.map { number in
        try connection.firstRow(StoreStatements.id, .number(number)) { row in
          try row.bytesIfPresent(at: 0).map { CardID(bytes: $0) }
        } ?? nil
      }
    }
  }

  /// Adds the cards, or replaces those with the same identity, in one transaction. Returns each as
  /// it is kept, in order. O(n log cards).
  ///
  /// - Throws: ``SQLiteError``.
  public func put(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard] {
    try await writer.write { connection in
      try cards.map { card in
        try connection.keep(
          card, as: try connection.numberOrNew(of: card.id), StoreStatements.putCard,
          .time(time), .integer(card.isWithdrawn ? 1 : 0))
      }
    }
  }

  /// Replaces what is kept of cards and leaves them withdrawn or not, in one transaction; new ones are
  /// added. A card whose number is no more that of its identity is passed over. O(n log cards).
  ///
  /// - Returns: Each card as it is kept; nil where it was passed over.
  /// - Throws: ``SQLiteError``.
  public func revise(_ cards: [StoredCard], at time: Timestamp) async throws -> [StoredCard?] {
    try await writer.write { connection in
      try cards.map { card in
        if let number = card.number, try connection.number(of: card.id) != number { return nil }
        return try connection.keep(
          card, as: try connection.numberOrNew(of: card.id), StoreStatements.reviseCard,
          .time(time))
      }
    }
  }

  /// Brings withdrawn cards back, in one transaction, as they are kept. Returns which of the numbers
  /// are cards. O(n log cards).
  ///
  /// - Throws: ``SQLiteError``.
  public func reinstate(_ cards: [CardNumber]) async throws -> [CardNumber] {
    try await writer.write { connection in
      try cards.filter { card in
        try connection.run(StoreStatements.reinstateCard, .number(card))
        return try connection.isWithdrawn(card) != nil
      }
    }
  }

  /// Takes cards out of the deck, in one transaction. Their history stays. O(n log cards).
  ///
  /// - Throws: ``SQLiteError``.
  public func withdraw(_ cards: [CardNumber]) async throws {
    try await writer.write { connection in
      for card in cards { try connection.run(StoreStatements.withdrawCard, .number(card)) }
    }
  }

  /// The next cards after `number` in the order of numbers, withdrawn ones included, `limit` at
  /// most. O(log cards + limit).
  ///
  /// - Throws: ``SQLiteError``.
  public func cards(after number: CardNumber?, limit: Int) async throws -> [StoredCard] {
    try await readers.read(isOneStatement: true) { connection in
      try connection.rows(
        StoreStatements.cards, .integer(number?.rawValue ?? .min), .limit(limit)
      ) { row in
        StoredCard(
          id: CardID(bytes: try row.bytes(at: 1)), number: try row.cardNumber(at: 0),
          payload: try row.bytes(at: 2), isWithdrawn: try row.integer(at: 3) == 1,
          changedAt: try row.timestamp(at: 4))
      }
    }
  }
}

extension Connection {
  func number(of id: CardID) throws -> CardNumber? {
    try firstRow(StoreStatements.number, .bytes(id.bytes)) { try $0.cardNumber(at: 0) }
  }

  /// Whether a card is withdrawn; nil if the number is no card.
  func isWithdrawn(_ card: CardNumber) throws -> Bool? {
    try firstRow(StoreStatements.isWithdrawn, .number(card)) { try $0.integer(at: 0) == 1 }
  }

  /// Writes a card by a statement that returns two columns, withdrawn and changed_at.
  func keep(
    _ card: StoredCard, as number: CardNumber, _ statement: String, _ values: Statement.Value...
  ) throws -> StoredCard {
    let kept = try withStatement(statement) { statement in
      try statement.bind([.number(number), .bytes(card.payload)] + values)
      return try statement.firstRow { row in
        StoredCard(
          id: card.id, number: number, payload: card.payload,
          isWithdrawn: try row.integer(at: 0) == 1, changedAt: try row.timestamp(at: 1))
      }
    }
    guard let kept else {
      throw SQLiteError(
        .corrupt, file: file, operation: statement, found: "no row for a card that was written",
        advice: "Check the store and restore the last backup.")
    }
    return kept
  }

  func numberOrNew(of id: CardID) throws -> CardNumber {
    if let known = try number(of: id) { return known }
    try run(StoreStatements.insertEntity, .bytes(id.bytes))
    return CardNumber(lastInsertRowid)
  }
}

extension Statement.Value {
  /// A negative limit would mean no limit to SQLite.
  static func limit(_ limit: Int) -> Self { .integer(Int64(max(0, limit))) }
}
