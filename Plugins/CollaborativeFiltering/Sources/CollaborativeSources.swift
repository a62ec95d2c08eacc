public import CardFeed

/// Proposes what a collaborative ranking puts first among all cards it knows; nothing for a viewer
/// without a history, so that another source stands beside it. Without a model it proposes nothing
/// either, and the deal says that it failed.
public struct RecommendedSource<D: Deck>: CandidateSource {
  private let ranking: CollaborativeRanking<D>
  private let most: Int

  init(_ ranking: CollaborativeRanking<D>, most: Int) {
    self.ranking = ranking
    self.most = most
  }

  /// The viewer's history.
  public var needs: ContextNeeds { ranking.needs }

  /// The ranking, which it shares its model with.
  public var trainables: [any TrainableStrategy<D>] { ranking.trainables }

  /// A page of the best cards. O(cards of the model).
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let rows = ranking.best(most, table: table, context: context) ?? []
    return SourcePage(rows, from: cursor, limit: limit, hasModel: ranking.hasModel)
  }
}

/// More like this: proposes cards that were liked together with those the viewer liked last.
public struct SimilarCardsSource<D: Deck>: CandidateSource {
  private let ranking: CollaborativeRanking<D>
  private let likes: Int
  private let most: Int

  init(_ ranking: CollaborativeRanking<D>, likes: Int, most: Int) {
    self.ranking = ranking
    self.likes = likes
    self.most = most
  }

  /// The viewer's history.
  public var needs: ContextNeeds { ranking.needs }

  /// The ranking, which it shares its model with.
  public var trainables: [any TrainableStrategy<D>] { ranking.trainables }

  /// A page of similar cards, taken in turn from the lists of the last likes. O(neighbours).
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let rows = ranking.similar(most, toLast: likes, table: table, context: context) ?? []
    return SourcePage(rows, from: cursor, limit: limit, hasModel: ranking.hasModel)
  }
}

extension SourcePage {
  /// A page out of a list that is made anew each time.
  fileprivate init(_ rows: [Row], from cursor: SourceCursor, limit: Int, hasModel: Bool) {
    let start = min(max(cursor.rawValue, 0), rows.count)
    let end = min(rows.count, start + limit)
    self.init(
      rows: Array(rows[start..<end]), next: end < rows.count ? SourceCursor(end) : nil,
      failure: hasModel ? nil : .failed)
  }
}
