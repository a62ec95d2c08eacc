/// Deals categories in turn: the best card of each, then the second of each, and so on.
///
/// The category whose best card is best begins. Cards without a category are categories of their
/// own, and so come in the first turn.
public enum CategoryTurns {
  /// Candidates in turn.
  ///
  /// - Parameter categories: Of each candidate, best first; nil is none.
  /// - Returns: All candidates, in their new order.
  /// - Complexity: O(n log n).
  public static func order(categories: [Int32?]) -> [Int] {
    var turns: [Int] = []
    var counts: [Int32: Int] = [:]
    for category in categories {
      guard let category else {
        turns.append(0)
        continue
      }
      turns.append(counts[category, default: 0])
      counts[category, default: 0] += 1
    }
    return categories.indices.sorted { turns[$0] == turns[$1] ? $0 < $1 : turns[$0] < turns[$1] }
  }
}
