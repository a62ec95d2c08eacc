internal import CardFeed
internal import CardFeedConfiguration

extension CardTable {
  /// The names of each card in a column of categories or of tags; what a card does not have is an
  /// empty list. Throws `FeedError.Code.badInput` when there is no such column.
  func keys(_ column: String, askedBy rule: String) throws -> (Row) -> [Int32] {
    switch self.column(column) {
    case .category(let codes, _):
      return { row in codes[row.index] >= 0 ? [codes[row.index]] : [] }
    case .tags(let codes, _): return { row in codes[row.index] }
    default:
      throw FeedError(
        .badInput, "the slate rule '\(rule)' found no column of names '\(column)' in the deck",
        hint: "name a column that holds a category or tags")
    }
  }
}

extension RankedSlate {
  /// The scored candidates, which come first; among the others there is no order to be changed.
  var scoredCount: Int { scores.prefix { $0 != nil }.count }

  /// The rows of the cards that the hand holds besides, in the order of their numbers.
  var heldRows: [Row] {
    held.sorted { $0.rawValue < $1.rawValue }.compactMap { slate.table.row(of: $0) }
  }

  /// How many places an order is made for: what a late filter takes out is made up for from behind.
  var places: Int { wanted + 20 }
}

extension Deck {
  /// Refuses, while a rule is built, a column of another kind.
  func check(
    _ column: String, isOneOf kinds: [ColumnDeclaration<Card>.Kind], askedBy rule: String
  ) throws {
    let fitting = columns.filter { kinds.contains($0.kind) }.map(\.name)
    guard fitting.contains(column) else {
      let allowed = fitting.map { "\"\($0)\"" }.joined(separator: ", ")
      throw FeedError(
        .badInput,
        "the slate rule '\(rule)' asks for the column \"\(column)\"; allowed: "
          + (fitting.isEmpty ? "none, because the deck has no such column" : allowed),
        hint: nearestName(to: column, in: fitting).map { "did you mean \"\($0)\"?" })
    }
  }
}
