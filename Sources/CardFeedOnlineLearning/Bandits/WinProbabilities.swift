/// How likely each of several independent random numbers is to be the greatest.
///
/// P(k wins) = ∫ f_k(x) Π_{j≠k} F_j(x) dx. The line is cut into even cells, and at quantiles of
/// arms that are too sharp for those. Within a cell each arm's density counts as even, which makes
/// the integrand a polynomial, and three nodes of Gauss and Legendre integrate it. No draw is
/// involved: equal arms give equal numbers, to the bit.
///
/// Arms that would beat the one with the greatest mean with a probability below 10⁻⁷, were both
/// normal, have probability 0. What is left is scaled to the sum 1. Normal numbers have a sum of
/// their own (``NormalMaximum``), whose error is below 10⁻⁶.
struct WinProbabilities {
  /// Deviations from the mean beyond which nothing is expected.
  static let reach = 6.0

  /// Even cells.
  private static let cells = 48

  /// Cuts in deviations from the mean: the middles of ranges in which a density changes little.
  private static let cuts = [
    -6, -3.5, -2.5, -1.8, -1.2, -0.7, -0.25, 0.25, 0.7, 1.2, 1.8, 2.5, 3.5, 6,
  ]

  /// Nodes and weights of Gauss and Legendre on 0 … 1.
  private static let nodes = [0.11270166537925831, 0.5, 0.88729833462074169]
  private static let weights = [5.0 / 18, 8.0 / 18, 5.0 / 18]

  /// Of arms with means, deviations, and distribution functions.
  ///
  /// - Parameters:
  ///   - means: Of each arm, finite.
  ///   - deviations: Of each arm, 0 or more.
  ///   - range: Where the numbers can lie.
  ///   - distribution: P(the number of an arm ≤ x).
  /// - Complexity: O(c²), with c the arms that can win.
  static func of(
    means: [Double], deviations: [Double],
    within range: ClosedRange<Double> = -.infinity ... .infinity,
    distribution: (_ arm: Int, _ x: Double) -> Double
  ) -> [Double] {
    var result = Array(repeating: 0.0, count: means.count)
    var floor = -Double.infinity
    for arm in means.indices { floor = max(floor, means[arm] - reach * deviations[arm]) }
    let arms = contenders(means, deviations)
    guard arms.count > 1 else {
      for arm in arms { result[arm] = 1 }
      return result
    }
    let points = points(arms, means, deviations, floor: floor, within: range)
    // Certain numbers, or nothing but points: the highest share the place.
    guard points.count > 1 else { return shared(arms, means, result) }
    let count = arms.count
    var below = arms.map { distribution($0, points[0]) }
    var mass = below
    for place in 1..<points.count {
      for index in 0..<count {
        let above = distribution(arms[index], points[place])
        mass[index] = max(0, above - below[index])
      }
      for node in 0..<3 {
        var product = weights[node]
        for index in 0..<count { product *= below[index] + nodes[node] * mass[index] }
        guard product > 0 else { continue }
        for index in 0..<count where mass[index] > 0 {
          result[arms[index]] += product * mass[index] / (below[index] + nodes[node] * mass[index])
        }
      }
      for index in 0..<count { below[index] += mass[index] }
    }
    let total = result.reduce(0, +)
    guard total > 0, total.isFinite else { return shared(arms, means, result) }
    for arm in arms { result[arm] /= total }
    return result
  }

  /// The arms that may win.
  private static func contenders(_ means: [Double], _ deviations: [Double]) -> [Int] {
    var leader = 0
    for arm in means.indices where means[arm] > means[leader] { leader = arm }
    return means.indices.filter { arm in
      let behind = means[leader] - means[arm]
      let spread =
        deviations[leader] * deviations[leader] + deviations[arm] * deviations[arm]
      return behind * behind <= 27 * spread
    }
  }

  private static func points(
    _ arms: [Int], _ means: [Double], _ deviations: [Double], floor: Double,
    within range: ClosedRange<Double>
  ) -> [Double] {
    let lowest = max(floor, range.lowerBound)
    var highest = lowest
    for arm in arms { highest = max(highest, means[arm] + reach * deviations[arm]) }
    highest = min(highest, range.upperBound)
    let step = (highest - lowest) / Double(cells)
    var points = (0...cells).map { lowest + Double($0) * step }
    for arm in arms where deviations[arm] < 1.5 * step {
      for cut in cuts {
        points.append(min(max(means[arm] + cut * deviations[arm], lowest), range.upperBound))
      }
    }
    points.sort()
    var kept: [Double] = []
    kept.reserveCapacity(points.count)
    let least = (points[points.count - 1] - points[0]) * 1e-7
    for point in points where kept.isEmpty || point - kept[kept.count - 1] > least {
      kept.append(point)
    }
    return kept
  }

  private static func shared(
    _ arms: [Int], _ means: [Double], _ zeros: [Double]
  ) -> [Double] {
    var result = zeros
    let highest = arms.reduce(-Double.infinity) { max($0, means[$1]) }
    let winners = arms.filter { means[$0] == highest }
    for arm in winners { result[arm] = 1 / Double(winners.count) }
    return result
  }

  /// Of normal numbers; see ``NormalMaximum``.
  static func normal(means: [Double], deviations: [Double]) -> [Double] {
    var result = Array(repeating: 0.0, count: means.count)
    // What is certain beside what is not is nearly so.
    let least = deviations.reduce(0, max) * 1e-4
    let kept = deviations.map { max($0, least) }
    let arms = contenders(means, kept)
    guard arms.count > 1 else {
      for arm in arms { result[arm] = 1 }
      return result
    }
    guard least > 0 else { return shared(arms, means, result) }
    var maximum = NormalMaximum(means: means, deviations: kept, places: arms)
    var total = 0.0
    maximum.weigh { arm, weight in
      result[arm] = weight
      total += weight
    }
    guard total > 0, total.isFinite else { return shared(arms, means, result) }
    for arm in arms { result[arm] /= total }
    return result
  }

  /// Of numbers with beta distributions.
  static func beta(_ shapes: [(a: Double, b: Double)]) -> [Double] {
    let means = shapes.map { $0.a / ($0.a + $0.b) }
    let deviations = zip(means, shapes).map { mean, shape in
      (mean * (1 - mean) / (shape.a + shape.b + 1)).squareRoot()
    }
    return of(means: means, deviations: deviations, within: 0...1) { arm, x in
      BetaDistribution.distribution(x, a: shapes[arm].a, b: shapes[arm].b)
    }
  }
}

/// The beta distribution.
enum BetaDistribution {
  /// P(X ≤ x): the regularised incomplete beta function, by the continued fraction of DLMF 8.17.22,
  /// evaluated by the method of Lentz (1976).
  static func distribution(_ x: Double, a: Double, b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let front =
      ((a + b).logarithmOfGamma() - a.logarithmOfGamma() - b.logarithmOfGamma()
      + a * x.logarithm() + b * (1 - x).logarithm()).exponential()
    // The fraction converges fast on this side of the mean.
    if x < (a + 1) / (a + b + 2) { return front * fraction(x, a, b) / a }
    return 1 - front * fraction(1 - x, b, a) / b
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func kept(_ value: Double) -> Double { value.magnitude < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / kept(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...500 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / kept(1 + even * d)
      c = kept(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / kept(1 + odd * d)
      c = kept(1 + odd / c)
      let factor = d * c
      result *= factor
      if (factor - 1).magnitude < 1e-14 { break }
    }
    return result
  }
}
