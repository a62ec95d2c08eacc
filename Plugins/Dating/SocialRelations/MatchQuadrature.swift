internal import CardFeed

/// P(yes) and P(match) averaged over what is not known of the log-odds.
///
/// The log-odds of the two sides are bivariate normal given the data (Laplace's approximation).
/// The averages are computed by Gauss–Hermite quadrature with nine nodes for the normal density
/// (Abramowitz & Stegun 1964, 25.4.46 and table 25.10, in the probabilists' scaling).
enum MatchQuadrature {
  private static let half: [(node: Double, weight: Double)] = [
    (1.0232556637891326, 0.24409750289493953), (2.07684797867783, 0.04991640676521782),
    (3.20542900285647, 0.0027891413212317692), (4.512745863399783, 2.2345844007746607e-05),
  ]

  /// Nodes and weights; the weights add up to 1.
  static let nodes: [(node: Double, weight: Double)] =
    half.reversed().map { (-$0.node, $0.weight) } + [(0, 0.40634920634920635)] + half

  /// E σ(z) for z ~ N(mean, variance).
  static func probability(_ mean: Double, variance: Double) -> Double {
    let deviation = max(0, variance).squareRoot()
    return nodes.reduce(0) { $0 + $1.weight * logistic(mean + deviation * $1.node) }
  }

  /// E σ(z₁)σ(z₂) and its standard deviation, for bivariate normal log-odds.
  ///
  /// - Parameters:
  ///   - means: The means of the two sides.
  ///   - variances: Their variances.
  ///   - covariance: Their covariance; limited to a correlation of ±0.95.
  static func match(
    _ means: SIMD2<Double>, variances: SIMD2<Double>, covariance: Double
  ) -> (probability: Double, deviation: Double) {
    let first = max(variances.x, 0).squareRoot()
    let second = max(variances.y, 0).squareRoot()
    let limit = 0.95 * second
    let slope = first > 0 ? min(max(covariance / first, -limit), limit) : 0
    let rest = max(0, variances.y - slope * slope).squareRoot()
    var mean = 0.0
    var square = 0.0
    for outer in nodes {
      let one = logistic(means.x + first * outer.node)
      let center = means.y + slope * outer.node
      var inner = 0.0
      var innerSquare = 0.0
      for node in nodes {
        let other = logistic(center + rest * node.node)
        inner += node.weight * other
        innerSquare += node.weight * other * other
      }
      mean += outer.weight * one * inner
      square += outer.weight * one * one * innerSquare
    }
    return (mean, max(0, square - mean * mean).squareRoot())
  }
}
