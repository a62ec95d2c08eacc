/// Rows that belong together: the unit that a cluster bootstrap draws (an evening, a user).
///
/// Rows of one cluster are not independent of each other; drawing single rows would make intervals
/// far too narrow.
public struct Clusters<Key: Hashable & Comparable & Sendable>: Equatable, Sendable {
  /// The key of each cluster, ascending.
  public let keys: [Key]
  /// The rows of each cluster, in row order.
  public let rows: [[Int]]

  /// Collects rows by key.
  ///
  /// - Parameter groups: the key of each row.
  /// - Complexity: O(n + k log k) for n rows in k clusters.
  public init(_ groups: [Key]) {
    let collected = Dictionary(grouping: groups.indices, by: { groups[$0] })
      .sorted { $0.key < $1.key }
    keys = collected.map(\.key)
    rows = collected.map(\.value)
  }

  /// Number of clusters.
  public var count: Int { keys.count }

  /// The rows of drawn clusters, one cluster after the other, a cluster drawn twice with its rows
  /// twice.
  ///
  /// - Parameter drawn: indices of clusters.
  /// - Complexity: O(rows returned).
  public func rows(of drawn: [Int]) -> [Int] { drawn.flatMap { rows[$0] } }

  /// The sum over each cluster of a per-row column.
  ///
  /// - Parameter column: one value per row.
  /// - Complexity: O(n).
  public func sums(of column: [Double]) -> [Double] {
    rows.map { own in own.reduce(0) { $0 + column[$1] } }
  }
}

/// A numerator and a denominator per cluster, for statistics that are a ratio of two sums (a mean, a
/// share, a within-group AUC): one resample then costs one addition per cluster.
public struct ClusterRatio: Equatable, Sendable {
  /// What is summed above, per cluster.
  public let numerators: [Double]
  /// What is summed below, per cluster.
  public let denominators: [Double]

  /// Two columns of equal length, one value per cluster.
  ///
  /// - Parameters:
  ///   - numerators: what is summed above.
  ///   - denominators: what is summed below.
  public init(numerators: [Double], denominators: [Double]) {
    precondition(
      numerators.count == denominators.count, "one numerator and one denominator per cluster")
    self.numerators = numerators
    self.denominators = denominators
  }

  /// The mean of a per-row column, prepared for resampling by cluster.
  ///
  /// - Parameters:
  ///   - column: one value per row.
  ///   - clusters: the rows' clusters.
  /// - Complexity: O(n).
  public init<Key>(meanOf column: [Double], in clusters: Clusters<Key>) {
    self.init(
      numerators: clusters.sums(of: column), denominators: clusters.rows.map { Double($0.count) })
  }

  /// The ratio over drawn clusters; `nil` when the denominator is 0.
  ///
  /// - Parameter drawn: indices of clusters, with repeats.
  /// - Complexity: O(clusters drawn).
  public func value(over drawn: [Int]) -> Double? {
    var numerator = 0.0
    var denominator = 0.0
    for cluster in drawn {
      numerator += numerators[cluster]
      denominator += denominators[cluster]
    }
    return denominator == 0 ? nil : numerator / denominator
  }
}
