import CardFeedTesting
import CardFeedTwoSidedMarket
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// A number of its own in 0 ..< 1 for each ordered pair.
func taste(_ one: CardID, _ other: CardID) -> Double {
  var hash = StableHash()
  hash.combine(one.bytes)
  hash.combine([0])
  hash.combine(other.bytes)
  return hash.unitInterval
}

/// P(one likes the other) is their taste, and P(match) the product.
struct TasteProbability: MatchProbabilityStrategy {
  typealias D = DatingDeck

  func estimates(for slate: Slate<DatingDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    for (index, row) in slate.rows.enumerated() {
      let card = slate.table.id(at: row)
      let (forward, backward) = (
        taste(slate.context.viewer, card), taste(card, slate.context.viewer)
      )
      estimates[index] = MatchEstimate(
        match: Probability(forward * backward), forward: Probability(forward),
        backward: Probability(backward))
    }
    return estimates
  }
}

/// People of two sides, women with the smaller identifiers, who all may meet.
struct PlanWorld {
  let women: [Person]
  let men: [Person]

  init(_ women: Int, _ men: Int) {
    self.women = (0..<women).map {
      Person(id: "a\($0 + 10)", age: 30, gender: "woman", seeks: ["man"])
    }
    self.men = (0..<men).map {
      Person(id: "b\($0 + 10)", age: 30, gender: "man", seeks: ["woman"])
    }
  }

  var people: [Person] { women + men }

  /// The same probabilities as matrices.
  var market: TwoSidedMarket {
    func matrix(_ rows: [Person], _ columns: [Person]) -> DenseMatrix {
      DenseMatrix(
        rows: rows.count, columns: columns.count,
        values: rows.flatMap { row in columns.map { taste(row.id, $0.id) } })
    }
    return TwoSidedMarket(left: matrix(women, men), right: matrix(men, women))
  }
}

/// A feed in memory whose ranking is a plan over tastes.
struct PlanBench {
  let store: InMemoryStore
  let ranking: MarketPlanRanking
  let feed: FeedEngine<DatingDeck, InMemoryStore, ManualClock, SplitMix64>

  init(
    _ method: MarketPlanMethod, people: [Person], candidates: Int = 200, hand: Int = 40,
    then: any RankingStrategy<DatingDeck> = ByIdentifier()
  ) async throws {
    let states = LearnerStates()
    store = InMemoryStore()
    ranking = MarketPlanRanking(
      method, then: then, candidates: candidates,
      slot: states.slot(
        for: MarketPlanRanking.identity(method, candidates: candidates, eligibility: "test"),
        of: MarketPlan.self))
    var builder = PipelineBuilder<DatingDeck>(safety: StoreSafety(store))
    builder.hand = HandPolicy(size: hand, refillBelow: hand, rewind: 5, ties: .id)
    builder.filter("mutual-preferences", MutualPreferencesFilter())
    builder.filter("answered", AnsweredFilter())
    builder.matchProbability = TasteProbability()
    builder.ranking = ranking
    feed = try await FeedEngine.open(
      deck: DatingDeck(), store: store, pipelines: builder.buildSet(), states: states,
      clock: ManualClock())
    try await feed.put(people)
  }

  /// The plan's list of a person.
  func list(_ id: CardID) -> [CardID] {
    let table = feed.cards
    return table.row(of: id).flatMap { ranking.list(of: $0, in: table, at: ManualClock().now) }?
      .map(\.id) ?? []
  }
}

/// The smaller identifier first.
struct ByIdentifier: RankingStrategy {
  typealias D = DatingDeck

  func scores(for slate: Slate<DatingDeck>, estimates: MatchEstimates) async throws -> SlateScores {
    let sorted = slate.rows.sorted { slate.table.id(at: $0) < slate.table.id(at: $1) }
    let places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    let values = slate.rows.map { -Double(places[$0] ?? 0) }
    return SlateScores(values: values, terms: [.init(name: "order", values: values)])
  }
}

/// Removes what the viewer has answered.
private struct AnsweredFilter: FilterStrategy {
  typealias D = DatingDeck

  var reasons: [String] { ["answered"] }

  func verdicts(
    for slate: Slate<DatingDeck>, relaxation: Int
  ) async throws -> [FilterVerdict] {
    slate.numbers.map { slate.context.seen[$0]?.answer == nil ? .keep : .remove() }
  }
}
