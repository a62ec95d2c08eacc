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

  /// Adds the cards, or replaces those with the same identity, in one transaction. Returns their
  /// numbers, in order. O(n log cards).
  ///
  /// - Throws: ``SQLiteError``.
  public func put(_ cards: [StoredCard]) async throws -> [CardNumber] {
    try await writer.write { connection in
      try cards.map { card in
        let number = try connection.numberOrNew(of: card.id)
        try connection.run(
          StoreStatements.putCard, .number(number), .bytes(card.payload),
          .integer(card.isWithdrawn ? 1 : 0))
        return number
      }
    }
  }

  /// Replaces what is kept of cards and leaves them withdrawn or not, in one transaction; new ones are
  /// added. A card whose number is no more that of its identity is passed over. O(n log cards).
  ///
  /// - Returns: Each card as it is kept; nil where it was passed over.
  /// - Throws: ``SQLiteError``.
  public func revise(_ cards: [StoredCard]) async throws -> [StoredCard?] {
    try await writer.write { connection in
      try cards.map { card in
        if let number = card.number, try connection.number(of: card.id) != number { return nil }
        let number = try connection.numberOrNew(of: card.id)
        try connection.run(StoreStatements.reviseCard, .number(number), .bytes(card.payload))
        return StoredCard(
          id: card.id, number: number, payload: card.payload,
          isWithdrawn: try connection.isWithdrawn(number) ?? false)
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
          payload: try row.bytes(at: 2), isWithdrawn: try row.integer(at: 3) == 1)
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
