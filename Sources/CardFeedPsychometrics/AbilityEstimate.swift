/// What a test says of somebody's ability.
public struct AbilityEstimate: Hashable, Sendable {
  /// On the scale on which the population is normal with mean 0 and deviation 1.
  public var ability: Double
  /// The standard error.
  public var error: Double
}

/// Ways to estimate an ability from right and wrong answers.
public enum AbilityEstimator: String, Hashable, Sendable, CaseIterable {
  /// The posterior mean, with a standard normal prior: finite for every pattern of answers.
  case expected = "eap"
  /// The posterior mode.
  case mode = "map"
  /// The most likely ability, within −4 … 4; at a bound where all answers are alike.
  case likelihood = "ml"
  /// The same with Warm's weight against its bias (Warm 1989).
  case weighted = "wl"

  static let range = -4.0...4.0

  /// Estimates an ability.
  ///
  /// - Parameters:
  ///   - answers: Questions and whether each was answered right.
  ///   - points: How many points between −4 and 4 the posterior mean is taken over.
  /// - Complexity: O(answers · points), or O(answers · 60) for a mode.
  public func estimate(
    _ answers: [(item: ItemParameters, isRight: Bool)], points: Int = 33
  ) -> AbilityEstimate {
    switch self {
    case .expected: return Self.posteriorMean(answers, points: points)
    case .mode, .likelihood, .weighted:
      let ability = root(answers)
      let information = answers.reduce(0.0) { $0 + $1.item.information(at: ability) }
      let precision = self == .mode ? information + 1 : information
      return AbilityEstimate(ability: ability, error: 1 / precision.squareRoot())
    }
  }

  private static func posteriorMean(
    _ answers: [(item: ItemParameters, isRight: Bool)], points: Int
  ) -> AbilityEstimate {
    var sums = (weight: 0.0, first: 0.0, second: 0.0)
    let step = (range.upperBound - range.lowerBound) / Double(points - 1)
    var weights: [Double] = []
    for point in 0..<points {
      let ability = range.lowerBound + step * Double(point)
      var log = -ability * ability / 2
      for answer in answers {
        let right = answer.item.probability(at: ability)
        log += (answer.isRight ? right : 1 - right).logarithm()
      }
      weights.append(log)
    }
    let greatest = weights.max() ?? 0
    for point in 0..<points {
      let ability = range.lowerBound + step * Double(point)
      // The trapezoidal rule.
      let isEnd = point == 0 || point == points - 1
      let weight = (weights[point] - greatest).exponential() * (isEnd ? 0.5 : 1)
      sums.weight += weight
      sums.first += weight * ability
      sums.second += weight * ability * ability
    }
    let mean = sums.first / sums.weight
    let variance = max(0, sums.second / sums.weight - mean * mean)
    return AbilityEstimate(ability: mean, error: variance.squareRoot())
  }

  /// Where the slope of the objective crosses 0, by bisection; a bound where it does not.
  private func root(_ answers: [(item: ItemParameters, isRight: Bool)]) -> Double {
    var low = Self.range.lowerBound
    var high = Self.range.upperBound
    if slope(answers, at: low) <= 0 { return low }
    if slope(answers, at: high) >= 0 { return high }
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if slope(answers, at: middle) > 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private func slope(
    _ answers: [(item: ItemParameters, isRight: Bool)], at ability: Double
  ) -> Double {
    var sum = self == .mode ? -ability : 0
    var information = 0.0
    var bias = 0.0
    for answer in answers {
      let item = answer.item
      let right = item.probability(at: ability)
      let slope = item.slope(right)
      let spread = right * (1 - right)
      guard spread > 0 else { continue }
      sum += ((answer.isRight ? 1 : 0) - right) * slope / spread
      information += slope * slope / spread
      let range = 1 - item.slip - item.guess
      let curvature =
        item.discrimination * slope * (1 - item.slip + item.guess - 2 * right) / max(range, 1e-12)
      bias += slope * curvature / spread
    }
    if self == .weighted && information > 0 { sum += bias / (2 * information) }
    return sum
  }
}
