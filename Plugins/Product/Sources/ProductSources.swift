internal import CardFeed

/// Proposes the consumables that the viewer has bought and needs again: the longest overdue first,
/// measured in rhythms. After all of them comes the one that is due next: the filter `repeat-policy`
/// holds it back, and an empty hand can say when there is more.
struct DueAgainSource: CandidateSource {
  typealias D = ProductDeck

  let rhythm: PurchaseRhythm

  var needs: ContextNeeds { .answersGiven }

  /// O(answers of the viewer · log answers).
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<ProductDeck>,
    context: DealContext<ProductDeck>
  ) async throws -> SourcePage {
    var due: [(overdue: Double, row: Row)] = []
    var next: (time: Timestamp, row: Row)?
    for (card, entry) in ProductHistory(context.answersGiven).products {
      guard let row = table.row(of: card), let time = rhythm.due(entry, row: row, in: table) else {
        continue
      }
      if time <= context.now {
        let days = rhythm.days(entry.purchases, table.card(at: row), in: table)
        due.append((context.now.days(since: time) / days, row))
      } else if next.map({ time < $0.time }) ?? true {
        next = (time, row)
      }
    }
    due.sort { $0.overdue != $1.overdue ? $0.overdue > $1.overdue : $0.row < $1.row }
    return SourcePage(due.map(\.row) + (next.map { [$0.row] } ?? []), from: cursor, limit: limit)
  }
}

/// Proposes products by the day since which they can be bought, the latest first; those of one day in
/// the order in which they came. Days to come and products without a day are left out.
struct NewArrivalsSource: CandidateSource {
  typealias D = ProductDeck

  /// For how many days a product is new; nil is for ever.
  let days: Int?

  /// O(cards), and a few times sorting the cards up to the end of the page.
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<ProductDeck>,
    context: DealContext<ProductDeck>
  ) async throws -> SourcePage {
    guard case .integer(let added)? = table.column(ProductDeck.Column.added) else {
      return SourcePage(rows: [], next: nil)
    }
    let today = Int64(context.now.days(since: Timestamp(milliseconds: 0)).rounded(.down))
    let first = days.map { today - Int64($0) } ?? .min
    var latest = TopRows(count: max(0, cursor.rawValue) + limit)
    for (row, day) in added.enumerated() where day != .min && day <= today && day >= first {
      latest.take(row, day)
    }
    return SourcePage(latest.descending(), from: cursor, limit: limit)
  }
}

/// Proposes all products, those that were saved or bought most often first; the others in the order in
/// which they came.
///
/// A fallback for viewers of whom nothing is known: the same for everybody, and the same whatever the
/// products are called.
struct PopularSource: CandidateSource {
  typealias D = ProductDeck

  let answers: ProductAnswers

  var learners: [any Learner<ProductDeck>] { [answers] }

  /// O(cards), and a few times sorting the cards up to the end of the page.
  func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<ProductDeck>,
    context: DealContext<ProductDeck>
  ) async throws -> SourcePage {
    let matches = answers.matches(of: table)
    var best = TopRows(count: max(0, cursor.rawValue) + limit)
    for (row, count) in matches.enumerated() { best.take(row, count) }
    return SourcePage(best.descending(), from: cursor, limit: limit)
  }
}
