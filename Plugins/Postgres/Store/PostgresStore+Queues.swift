#if Postgres
  public import CardFeed

  extension PostgresStore {
    /// For each card how many people like it and wait for what it says, counted up to `limit`. Two
    /// round trips, one index range for each card; two more where one of the cards has folded
    /// answers of its own.
    ///
    /// - Throws: ``PostgresError``.
    /// - Complexity: O(cards · log pairs + answers about the cards).
    public func unansweredLikes(of cards: [CardNumber], limit: Int) async throws -> [Int] {
      guard !cards.isEmpty else { return [] }
      return try await pool.run("read unanswered likes") { connection in
        var counts = try connection.rows(
          PostgresCommand(
            StoreSQL.unansweredLikes, .integers(cards.map(\.rawValue)),
            .integer(Int64(max(0, limit))))
        ).map { Int(try $0.integer(0)) }
        let liked = Array(Set(zip(cards, counts).filter { $1 > 0 }.map(\.0)))
        func folds(_ cards: [CardNumber]) throws -> [ViewerNumber: FoldedAnswers] {
          cards.isEmpty ? [:] : try Folds.byViewer(try connection.rows(Folds.find(cards)))
        }
        let folding = Array(try folds(liked).keys)
        guard !folding.isEmpty else { return counts }
        let waiting = try connection.rows(
          PostgresCommand(StoreSQL.unansweredLikers, .integers(folding.map(\.rawValue)))
        ).map { (card: try $0.number(0), liker: try $0.number(1)) }
        // Asked for behind the likers: what is folded meanwhile is in one of the two.
        let folded = try folds(folding)
        var unanswered: [CardNumber: Int] = [:]
        for (card, liker) in waiting where folded[card]?.answer(for: liker) == nil {
          unanswered[card, default: 0] += 1
        }
        for (place, card) in cards.enumerated() where folded[card] != nil {
          counts[place] = min(limit, unanswered[card] ?? 0)
        }
        return counts
      }
    }
  }
#endif
