public import CardFeedTwoSidedMarket

/// Invented two-sided markets: uniform tastes mixed with a popularity that falls in a straight line.
///
/// P(left i likes right j) = (1 − λ) · u + λ · (1 − j / (m − 1)) with u uniform in [0, 1), and the
/// same the other way round; the first person of each side is the most popular. The numbers come
/// from MT19937, the left side's first, so that the markets are those of the published code.
///
/// Source: Tomita & Yokoyama, "Fair Reciprocal Recommendation in Matching Markets", RecSys 2024, and
/// its code (CyberAgentAILab/FairReciprocalRecommendation).
public struct SyntheticMarket: Hashable, Sendable {
  /// People of the left side.
  public let left: Int
  /// People of the right side.
  public let right: Int
  /// How much popularity weighs, λ in 0…1.
  public let lambda: Double

  /// Names a kind of market; sides have one person or more.
  public init(left: Int, right: Int, lambda: Double = 0.5) {
    precondition(left >= 1 && right >= 1, "Each side of a market has at least one person.")
    precondition((0...1).contains(lambda), "λ lies in 0…1; got \(lambda).")
    self.left = left
    self.right = right
    self.lambda = lambda
  }

  /// The market of a seed. O(left · right).
  public func market(seed: UInt32) -> TwoSidedMarket {
    var generator = MersenneTwister(seed: seed)
    let tastes = uniform(left, right, &generator)
    let tastesBack = uniform(right, left, &generator)
    return TwoSidedMarket(left: mixed(tastes), right: mixed(tastesBack))
  }

  private func uniform(
    _ rows: Int, _ columns: Int, _ generator: inout MersenneTwister
  ) -> DenseMatrix {
    DenseMatrix(
      rows: rows, columns: columns,
      values: (0..<rows * columns).map { _ in generator.unitInterval() })
  }

  private func mixed(_ tastes: DenseMatrix) -> DenseMatrix {
    let columns = tastes.columns
    // In this order of operations, which is that of the published code to the last bit.
    let step = columns > 1 ? -1 / Double(columns - 1) : 0
    let popularity = (0..<columns).map { column in
      lambda * (column > 0 && column == columns - 1 ? 0 : Double(column) * step + 1)
    }
    return DenseMatrix(
      rows: tastes.rows, columns: columns,
      values: tastes.values.indices.map { index in
        (1 - lambda) * tastes.values[index] + popularity[index % columns]
      })
  }
}
