internal import CardFeed

/// What parts the people of an audit into groups: a category of their cards, or a number by bounds.
///
/// A number is a column of numbers, or one of the named numbers of a card, such as a trait.
public struct AuditGrouping: Hashable, Sendable {
  /// The name of the column, or of a named number.
  public let name: String
  /// Where groups of numbers part: ascending, the lower end of a group inclusive. Empty for a
  /// category.
  public let bounds: [Double]

  /// A grouping.
  ///
  /// - Parameters:
  ///   - name: The name of the column, or of a named number.
  ///   - bounds: Where groups of numbers part, finite and ascending.
  public init(_ name: String, bounds: [Double] = []) {
    precondition(
      bounds.allSatisfy { $0.isFinite } && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 },
      "The bounds of groups are finite and ascend; got \(bounds).")
    self.name = name
    self.bounds = bounds
  }

  /// What people are called who lack the value.
  static let unknown = "unknown"

  /// The groups of a table's rows: names, and for each row the place of its group's name.
  ///
  /// - Throws: `FeedError.Code.badInput` if nothing of that name parts cards, if numbers have no
  ///   bounds, or a category has some.
  /// - Complexity: O(rows).
  func groups<D: Deck>(of table: CardTable<D>, deck: D) throws -> (names: [String], rows: [Int]) {
    switch table.column(name) {
    case .category(let codes, let names)?:
      guard bounds.isEmpty else {
        throw FeedError(
          .badInput, "the column \"\(name)\" holds names, which have no bounds",
          hint: "leave the bounds out")
      }
      return (
        names.names + [Self.unknown],
        codes.map { $0 < 0 ? names.names.count : Int($0) }
      )
    case .float(let values)?: return try buckets(values)
    case .integer(let values)?: return try buckets(values.map { $0 == .min ? .nan : Double($0) })
    case .none:
      for declaration in deck.columns where declaration.kind == .numbers {
        guard case .numbers(let rows, let names)? = table.column(declaration.name),
          let code = names.code(of: name)
        else { continue }
        return try buckets(
          rows.map { row in row.codes.firstIndex(of: code).map { row.values[$0] } ?? .nan })
      }
      throw unusable("there is no column and no named number \"\(name)\"", deck)
    default: throw unusable("the column \"\(name)\" parts cards into no groups", deck)
    }
  }

  private func unusable<D: Deck>(_ problem: String, _ deck: D) -> FeedError {
    let usable = deck.columns.filter { [.category, .float, .integer].contains($0.kind) }
    let names = usable.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let numbers = deck.columns.filter { $0.kind == .numbers }.map { "\"\($0.name)\"" }
    let rest = numbers.isEmpty ? "" : ", and what \(numbers.joined(separator: ", ")) names"
    return FeedError(.badInput, "\(problem); allowed: \(names)\(rest)")
  }

  private func buckets(_ values: [Double]) throws -> (names: [String], rows: [Int]) {
    guard let first = bounds.first, let last = bounds.last else {
      throw FeedError(
        .badInput, "\"\(name)\" holds numbers, which are parted by bounds",
        hint: "give bounds, such as 25,35,45")
    }
    var names = ["below \(Self.text(first))"]
    for (low, high) in zip(bounds, bounds.dropFirst()) {
      names.append("\(Self.text(low)) to below \(Self.text(high))")
    }
    names.append("\(Self.text(last)) and above")
    let rows = values.map { value in
      value.isNaN ? names.count : bounds.firstIndex { value < $0 } ?? bounds.count
    }
    return (names + [Self.unknown], rows)
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }
}
