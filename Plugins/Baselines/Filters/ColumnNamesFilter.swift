public import CardFeed

/// Keeps cards by the names in a column of categories or tags, in any deck.
///
/// Names are compared byte by byte. A name that no card has is no error: cards come and go. A card
/// without names has none of any, and is removed where one is asked for.
public struct ColumnNamesFilter<D: Deck>: FilterStrategy {
  private let column: String
  private let any: [String]
  private let all: [String]
  private let none: [String]

  /// A filter by names.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - any: A card has one of them at least; empty asks for nothing.
  ///   - all: A card has all of them.
  ///   - none: A card has none of them.
  public init(column: String, any: [String] = [], all: [String] = [], none: [String] = []) {
    self.column = column
    self.any = any
    self.all = all
    self.none = none
  }

  /// Why it removes cards.
  public var reasons: [String] {
    ["\(column) has an unwanted name", "\(column) lacks a wanted name"]
  }

  /// Looks names up once and compares codes. O(n · names of a card). Throws
  /// `FeedError.Code.badInput` when the column holds no names.
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    guard slate.count > 0 else { return [] }
    switch slate.table.column(column) {
    case .category(let codes, let names)?:
      let wanted = Wanted(any, all, none, names)
      return slate.rows.map { row in
        let code = codes[row.index]
        return verdict(wanted, code < 0 ? [] : [code])
      }
    case .tags(let codes, let names)?:
      let wanted = Wanted(any, all, none, names)
      return slate.rows.map { verdict(wanted, codes[$0.index]) }
    default:
      throw FeedError(
        .badInput,
        "the filter 'column-names' found no column of categories or tags '\(column)' in the deck",
        hint: "name a column that holds names")
    }
  }

  private func verdict(_ wanted: Wanted, _ codes: [Int32]) -> FilterVerdict {
    if codes.contains(where: wanted.none.contains) { return .remove(reason: 0) }
    if wanted.asksForAny, !codes.contains(where: wanted.any.contains) { return .remove(reason: 1) }
    if !wanted.all.allSatisfy({ code in code.map { codes.contains($0) } ?? false }) {
      return .remove(reason: 1)
    }
    return .keep
  }

  /// The names as codes of one table; nil for a name that no card has.
  private struct Wanted {
    let asksForAny: Bool
    let any: Set<Int32>
    let all: [Int32?]
    let none: Set<Int32>

    init(_ any: [String], _ all: [String], _ none: [String], _ names: NameTable) {
      asksForAny = !any.isEmpty
      self.any = Set(any.compactMap { names.code(of: $0) })
      self.all = all.map { names.code(of: $0) }
      self.none = Set(none.compactMap { names.code(of: $0) })
    }
  }
}
