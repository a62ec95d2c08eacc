public import CardFeed

extension SQLiteStore {
  /// For each card how many people like it and wait for what it says, counted up to `limit`: one
  /// statement, and one more for each card whose own old answers were folded.
  /// O(cards · log pairs + answers about the cards).
  ///
  /// - Throws: ``SQLiteError``.
  public func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int] {
    guard !cards.isEmpty else { return [] }
    let list = "[\(cards.map { "\($0.rawValue)" }.joined(separator: ","))]"
    return try await readers.read { connection in
      let rows = try connection.rows(
        StoreStatements.unansweredLikes, .text(list), .limit(limit)
      ) { row in
        (
          count: Int(try row.integer(at: 0)), hasFolds: try row.integer(at: 1) == 1,
          card: try row.cardNumber(at: 2)
        )
      }
      var counts: [CardNumber: Int] = [:]
      for row in rows where counts[row.card] == nil {
        counts[row.card] = row.count
        guard row.count > 0, row.hasFolds, let folded = try connection.folded(of: row.card) else {
          continue
        }
        let waiting = try connection.rows(StoreStatements.unansweredLikers, .number(row.card)) {
          try $0.cardNumber(at: 0)
        }
        counts[row.card] = min(limit, waiting.count { folded.answer(for: $0) == nil })
      }
      return cards.map { counts[$0] ?? 0 }
    }
  }
}
