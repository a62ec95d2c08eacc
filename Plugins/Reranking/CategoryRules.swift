public import CardFeed
public import CardFeedDiversity

/// Deals kinds of cards in turn: the best of each, then the second of each, and so on.
///
/// Of a card with several tags the first one counts. Cards without a kind come in the first turn.
public struct CategoryTurnsRule<D: Deck>: SlateRule {
  private let column: String

  /// Turns by a column of categories or tags.
  public init(column: String) { self.column = column }

  /// Penalties on those who wait for another turn. O(n log n).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    let count = ranked.scoredCount
    guard count > 1 else { return SlateAdjustment() }
    let keys = try ranked.slate.table.keys(column, askedBy: "interleave-categories")
    let order = CategoryTurns.order(
      categories: ranked.slate.rows.prefix(count).map { keys($0).first })
    return SlateAdjustment(
      penalties: OrderPenalties(order, scores: ranked.scores).penalties)
  }
}

/// Deals kinds of cards in the proportions in which the viewer likes them.
///
/// What the viewer likes are the cards with an answer that stands and is positive; who has liked
/// fewer than `least` cards gets the order as it is. Cards that lie in the hand count.
public struct CalibratedCategoriesRule<D: Deck>: SlateRule {
  private let column: String
  private let rule: CalibratedCategories
  private let pool: Int
  private let least: Int
  private let order: ChosenOrder

  /// A rule.
  ///
  /// - Parameters:
  ///   - column: A column of categories or tags.
  ///   - rule: How much proportions weigh.
  ///   - pool: Among how many of the best candidates, 1 or more.
  ///   - least: How many liked cards say something of a viewer, 1 or more.
  ///   - order: In which order the chosen cards come.
  public init(
    column: String, rule: CalibratedCategories, pool: Int, least: Int, order: ChosenOrder = .choice
  ) {
    precondition(pool > 0 && least > 0, "A pool and a number of liked cards are above 0.")
    self.column = column
    self.rule = rule
    self.pool = pool
    self.least = least
    self.order = order
  }

  /// Penalties on those who stand before a chosen card. O(places · pool · categories).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    let count = min(ranked.scoredCount, pool)
    guard count > 1 else { return SlateAdjustment() }
    let table = ranked.slate.table
    let keys = try table.keys(column, askedBy: "calibrated-categories")
    let liked = ranked.slate.context.seen
      .filter { $0.value.answer?.meaning == .positive }
      .map(\.key).sorted { $0.rawValue < $1.rawValue }
      .compactMap { table.row(of: $0) }.map(keys).filter { !$0.isEmpty }
    guard liked.count >= least else { return SlateAdjustment() }
    let chosen = rule.choose(
      min(ranked.places, count),
      relevance: MarginalRelevance.relevance(of: ranked.scores.prefix(count).map { $0 ?? 0 }),
      categories: ranked.slate.rows.prefix(count).map(keys),
      target: CalibratedCategories.shares(of: liked), held: ranked.heldRows.map(keys))
    return SlateAdjustment(
      penalties: OrderPenalties(
        order.arranged(chosen, wanted: ranked.wanted), scores: ranked.scores
      ).penalties)
  }
}
