public import CardFeed
public import CardFeedDiversity

/// In which order a rule deals the cards that it has chosen.
public enum ChosenOrder: String, Sendable, Hashable, CaseIterable {
  /// As they were chosen: a hand that is cut short is still the best one of its length.
  case choice
  /// The highest score first: the whole hand is the same, and the likeliest card stands on top.
  case score

  /// Chosen places of a slate in this order. Those behind the hand, which fill up what a late filter
  /// takes out, stay as they were chosen.
  ///
  /// - Parameter wanted: How many of them are the hand.
  func arranged(_ chosen: [Int], wanted: Int) -> [Int] {
    switch self {
    case .choice: chosen
    // A slate's order is that of the scores.
    case .score: chosen.prefix(wanted).sorted() + chosen.dropFirst(wanted)
    }
  }
}

/// Deals cards that differ from each other and from those that lie in the hand.
///
/// Cards are alike by the tags or the category they share, or by the angle of their vectors.
/// Candidates are chosen as the method says, of the best of the order; whoever would stand before a
/// chosen one gets a penalty. An exploration that another rule declares draws from the penalised
/// scores, so that propensities stay exact.
public struct LikenessRule<D: Deck>: SlateRule {
  /// How cards are chosen.
  public enum Method: Sendable, Hashable {
    /// For their worth and for being unlike those before.
    case marginal(MarginalRelevance)
    /// For the volume that they span.
    case determinantal(DeterminantalProcess)
  }

  private let name: String
  private let column: String
  private let method: Method
  private let pool: Int
  private let order: ChosenOrder

  /// A rule.
  ///
  /// - Parameters:
  ///   - name: What error texts call it.
  ///   - column: A column of tags, categories or vectors.
  ///   - method: How cards are chosen.
  ///   - pool: Among how many of the best candidates, 1 or more.
  ///   - order: In which order the chosen cards come.
  public init(
    name: String, column: String, method: Method, pool: Int, order: ChosenOrder = .choice
  ) {
    precondition(pool > 0, "A pool holds a candidate at least.")
    self.name = name
    self.column = column
    self.method = method
    self.pool = pool
    self.order = order
  }

  /// Penalties on those who stand before a chosen card. O(places · pool).
  public func adjustment(for ranked: RankedSlate<D>) async throws -> SlateAdjustment {
    let count = min(ranked.scoredCount, pool)
    guard count > 1 else { return SlateAdjustment() }
    let rows = Array(ranked.slate.rows.prefix(count)) + ranked.heldRows
    let relevance = MarginalRelevance.relevance(
      of: ranked.scores.prefix(count).map { $0 ?? 0 })
    let wanted = min(ranked.places, count)
    let chosen: [Int]
    if case .vector(let dimension, let values)? = ranked.slate.table.column(column) {
      let vectors = rows.map { row -> [Float]? in
        let own = values[row.index * dimension..<(row.index + 1) * dimension]
        return own.contains { $0.isNaN } ? nil : Array(own)
      }
      chosen = choose(wanted, relevance, VectorSimilarity(vectors: vectors))
    } else {
      let keys = try ranked.slate.table.keys(column, askedBy: name)
      chosen = choose(wanted, relevance, TagSimilarity(tags: rows.map { keys($0).map(Int.init) }))
    }
    return SlateAdjustment(
      penalties: OrderPenalties(
        order.arranged(chosen, wanted: ranked.wanted), scores: ranked.scores
      ).penalties)
  }

  private func choose(
    _ count: Int, _ relevance: [Double], _ similarity: some CardSimilarity
  ) -> [Int] {
    switch method {
    case .marginal(let rule):
      rule.choose(count, relevance: relevance, similarity: similarity)
    case .determinantal(let rule):
      rule.choose(count, relevance: relevance, similarity: similarity)
    }
  }
}
