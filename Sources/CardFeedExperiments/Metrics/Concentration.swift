/// How unevenly something, for example exposure, is spread over people.
public enum Concentration {
  /// Gini coefficient Σ (2i − n − 1) xᵢ / (n Σ xᵢ) over ascending x (Gini 1912): 0 when all have the
  /// same, (n − 1)/n when one has everything; 0 when there is nothing to spread.
  ///
  /// - Parameter amounts: what each person has, finite and not negative.
  /// - Returns: the coefficient in 0…1; `nil` for no people or an amount that is not allowed.
  /// - Complexity: O(n log n).
  public static func gini(_ amounts: [Double]) -> Double? {
    guard !amounts.isEmpty, amounts.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    let ascending = amounts.sorted()
    // Shares of the largest instead of amounts: their sum cannot overflow.
    guard let largest = ascending.last, largest > 0 else { return 0 }
    let count = Double(ascending.count)
    var weighted = 0.0
    var total = 0.0
    for (index, amount) in ascending.enumerated() {
      weighted += (2 * Double(index + 1) - count - 1) * (amount / largest)
      total += amount / largest
    }
    return min(1, max(0, weighted / (count * total)))
  }

  /// Gini coefficient of counts, for example of impressions.
  ///
  /// - Parameter counts: what each person has, not negative.
  /// - Returns: as for amounts.
  /// - Complexity: O(n log n).
  public static func gini(_ counts: [Int]) -> Double? { gini(counts.map(Double.init)) }

  /// Gini coefficient inside groups, averaged with the group sizes as weights: people are compared
  /// with their competitors only (one side of one evening).
  ///
  /// - Parameter groups: the counts of each group, not negative; groups without people are ignored.
  /// - Returns: the mean coefficient in 0…1; `nil` without people or with a negative count.
  /// - Complexity: O(n log n).
  public static func gini(withinGroups groups: [[Int]]) -> Double? {
    var weighted = 0.0
    var people = 0
    for group in groups where !group.isEmpty {
      guard let coefficient = gini(group) else { return nil }
      weighted += coefficient * Double(group.count)
      people += group.count
    }
    return people == 0 ? nil : weighted / Double(people)
  }
}
