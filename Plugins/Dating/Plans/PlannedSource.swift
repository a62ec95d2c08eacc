public import CardFeed

/// Proposes whom a plan has for the viewer, best first.
///
/// A ranking orders what sources bring, and a source like `all` brings the population page by page:
/// in a large one most of a viewer's list would not be on the first pages. This source brings the
/// list. It belongs before the others.
public struct PlannedSource: CandidateSource {
  /// The deck of people.
  public typealias D = DatingDeck

  private let plan: MarketPlanRanking

  init(_ plan: MarketPlanRanking) { self.plan = plan }

  /// The plan; the same as the ranking's, if both have the same parameters.
  public var trainables: [any TrainableStrategy<DatingDeck>] { [plan] }

  /// Those of the list whom the viewer has not answered. O(candidates).
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<DatingDeck>,
    context: DealContext<DatingDeck>
  ) async throws -> SourcePage {
    guard let viewer = context.row, let list = plan.list(of: viewer, in: table, at: context.now)
    else { return SourcePage(rows: [], next: nil) }
    var rows: [Row] = []
    var place = cursor.rawValue
    while place < list.count, rows.count < limit {
      if let row = table.row(of: list[place].id),
        context.seen[table.number(at: row)]?.answer == nil
      {
        rows.append(row)
      }
      place += 1
    }
    return SourcePage(rows: rows, next: place < list.count ? SourceCursor(place) : nil)
  }
}
