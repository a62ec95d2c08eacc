/// The normal belief of ridge regression, out of sums that were kept elsewhere.
///
/// With the precision A = ridge · I + Σ zzᵀ the weights have the mean A⁻¹ Σ yz and the covariance
/// A⁻¹; the noise of an outcome counts as 1.
public struct RidgeBelief: Sendable {
  private let factor: SymmetricMatrix
  /// The mean of the weights.
  public let weights: [Double]

  /// A belief; nil where the sums are those of no data.
  ///
  /// - Parameters:
  ///   - triangle: The lower triangle of Σ zzᵀ, row after row.
  ///   - products: Σ yz.
  ///   - ridge: The precision of the prior, above 0.
  /// - Complexity: O(width³).
  public init?(triangle: [Double], products: [Double], ridge: Double) {
    guard triangle.count == products.count * (products.count + 1) / 2, ridge > 0 else {
      return nil
    }
    var matrix = SymmetricMatrix(size: products.count, triangle: triangle)
    for index in products.indices { matrix[index, index] += ridge }
    guard let factor = matrix.factor() else { return nil }
    self.factor = factor
    weights = factor.backward(factor.forward(products))
  }

  /// The mean and the variance of a row's expectation. O(width²).
  public func moments(of row: [Double]) -> (mean: Double, variance: Double) {
    precondition(
      row.count == weights.count, "A row has \(weights.count) numbers; got \(row.count).")
    let solved = factor.forward(row)
    return (
      zip(row, weights).reduce(0) { $0 + $1.0 * $1.1 }, solved.reduce(0) { $0 + $1 * $1 }
    )
  }
}
