/// How many of the matches that exist were found within a budget of cards.
public struct MatchShare: Equatable, Sendable {
  /// Matches found, at most ``total``.
  public let found: Int
  /// Matches that exist.
  public let total: Int

  /// A share out of two counts.
  ///
  /// - Parameters:
  ///   - found: matches found, 0…`total`. Count each pair once.
  ///   - total: matches that exist, at least 0.
  public init(found: Int, total: Int) {
    precondition(
      found >= 0 && found <= total,
      "matches found lie in 0…total: count each pair once, and only pairs that exist")
    self.found = found
    self.total = total
  }

  /// Found over existing, in 0…1; `nil` when no match exists.
  public var share: Double? { total == 0 ? nil : Double(found) / Double(total) }

  /// The counts of several evenings together: their sum, so that an evening weighs by its matches.
  ///
  /// - Parameter parts: the counts of each evening.
  /// - Complexity: O(n).
  public static func pooled(_ parts: [MatchShare]) -> MatchShare {
    MatchShare(
      found: parts.reduce(0) { $0 + $1.found }, total: parts.reduce(0) { $0 + $1.total })
  }

  /// Mean share over several budgets, the area under the curve of matches by budget.
  ///
  /// - Parameter shares: the pooled counts at each budget.
  /// - Returns: the mean in 0…1; `nil` without budgets or when one has no match to find.
  /// - Complexity: O(n).
  public static func mean(_ shares: [MatchShare]) -> Double? {
    let values = shares.compactMap(\.share)
    return values.count == shares.count ? SampleStatistics.mean(values) : nil
  }

  /// Number of cards that a budget allows: the budget times the other side's size, rounded up. A
  /// product within half a billionth of a whole number is that number, so that 0.7 × 10 is 7.
  ///
  /// - Parameters:
  ///   - budget: share of the other side, 0…1.
  ///   - opposite: people on the other side, at least 0.
  public static func cards(budget: Double, opposite: Int) -> Int {
    precondition(budget >= 0 && budget <= 1, "a budget is a share in 0…1")
    precondition(opposite >= 0, "a side has at least 0 people")
    return Int(((budget * Double(opposite) * 1e9).rounded() / 1e9).rounded(.up))
  }

  /// Number of distinct people who occur in at least one match.
  ///
  /// - Parameter matches: the two people of each match.
  /// - Complexity: O(n).
  public static func people<Person: Hashable>(in matches: [(Person, Person)]) -> Int {
    Set(matches.flatMap { [$0.0, $0.1] }).count
  }
}
