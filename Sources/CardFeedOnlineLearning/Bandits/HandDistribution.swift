/// A hand that was drawn: arms in order, and how likely each was at its place.
public struct DealtHand: Sendable, Hashable {
  /// The arms, top first, each once.
  public let arms: [Int]
  /// P(the arm at this place, given those before it).
  public let propensities: [Double]

  /// The probability of the whole hand in this order: the product.
  public var probability: Double { propensities.reduce(1, *) }
}

/// How likely each arm is at each place of a hand, and hands drawn accordingly.
///
/// A hand is drawn place by place out of the arms that are left. Whatever a bandit computes ends in
/// one of two kinds of draw, whose probabilities are known numbers; so a propensity is never a
/// guess about a draw, but the very number that was drawn by. For Thompson sampling this means: the
/// probability that an arm would win a sample is computed (`WinProbabilities`), and the arm is
/// drawn from the computed probabilities, instead of sampling and guessing how likely the outcome
/// was. What the computation is off by moves the bandit a little, and the propensity not at all.
public struct HandDistribution: Sendable, Hashable {
  private enum Kind: Hashable {
    /// With ε any arm that is left, else the best one.
    case greedy(epsilon: Double)
    /// In proportion to the weights of those that are left; without weight the best one.
    case proportional
  }

  private let kind: Kind
  /// Scores of a greedy draw, weights of a proportional one.
  private let values: [Double]
  /// What arms without weight come in the order of.
  private let order: [Double]

  /// The best arm, or with probability ε any arm, at each place (ε-greedy; Sutton and Barto,
  /// "Reinforcement Learning", 2nd edition 2018, section 2.2). Of equal scores the earlier arm.
  ///
  /// - Parameters:
  ///   - scores: One for each arm; NaN comes last.
  ///   - epsilon: 0 … 1; with 0 the hand is certain.
  public static func greedy(scores: [Double], epsilon: Double = 0) -> HandDistribution {
    precondition((0...1).contains(epsilon), "Epsilon is within 0 … 1; got \(epsilon).")
    let kept = scores.map { $0.isNaN ? -.infinity : $0 }
    return HandDistribution(kind: .greedy(epsilon: epsilon), values: kept, order: kept)
  }

  /// Each place in proportion to exp(score / temperature) of the arms that are left: the model of
  /// Plackett (1975) and Luce (1959).
  ///
  /// - Parameters:
  ///   - scores: One for each arm, finite; NaN and −∞ have no weight and come last.
  ///   - temperature: In the unit of the scores, above 0.
  public static func softmax(scores: [Double], temperature: Double) -> HandDistribution {
    precondition(
      temperature > 0 && temperature.isFinite,
      "A temperature is finite and above 0; got \(temperature).")
    let kept = scores.map { $0.isNaN ? -.infinity : $0 }
    let highest = kept.max() ?? 0
    let weights = kept.map { score in
      score == -.infinity ? 0 : ((score - highest) / temperature).exponential()
    }
    return HandDistribution(kind: .proportional, values: weights, order: kept)
  }

  /// Each place in proportion to the weights of the arms that are left. Those of weight zero come
  /// last, in the order of `order`.
  ///
  /// - Parameters:
  ///   - weights: One for each arm, finite, 0 or more.
  ///   - order: What arms without weight are ordered by, greatest first.
  public static func proportional(weights: [Double], order: [Double]) -> HandDistribution {
    precondition(
      weights.count == order.count && weights.allSatisfy { $0 >= 0 && $0.isFinite },
      "Weights are finite and not negative, and there is an order of all arms.")
    return HandDistribution(kind: .proportional, values: weights, order: order)
  }

  /// How many arms there are.
  public var armCount: Int { values.count }

  /// P(first place) of each arm. They add up to 1. O(arms).
  public func probabilities() -> [Double] {
    probabilities(left: Array(values.indices))
  }

  /// P(next place) of each arm that is left, in the order of `left`.
  private func probabilities(left: [Int]) -> [Double] {
    guard !left.isEmpty else { return [] }
    switch kind {
    case .greedy(let epsilon):
      var result = Array(repeating: epsilon / Double(left.count), count: left.count)
      result[best(of: left)] += 1 - epsilon
      return result
    case .proportional:
      let total = left.reduce(0) { $0 + values[$1] }
      guard total > 0 else {
        var result = Array(repeating: 0.0, count: left.count)
        result[best(of: left)] = 1
        return result
      }
      return left.map { values[$0] / total }
    }
  }

  /// The place in `left` of the best arm.
  private func best(of left: [Int]) -> Int {
    var best = 0
    for place in left.indices where order[left[place]] > order[left[best]] { best = place }
    return best
  }

  /// Draws a hand.
  ///
  /// - Parameters:
  ///   - count: How many arms; fewer where there are not as many.
  ///   - generator: Gives one number for each place that is not certain.
  /// - Complexity: O(count · arms).
  public func draw<Generator: RandomNumberGenerator>(
    _ count: Int, using generator: inout Generator
  ) -> DealtHand {
    precondition(count >= 0, "A hand holds 0 arms or more; got \(count).")
    var left = Array(values.indices)
    var arms: [Int] = []
    var propensities: [Double] = []
    for _ in 0..<min(count, values.count) {
      let probabilities = probabilities(left: left)
      let place = Self.draw(from: probabilities, using: &generator)
      arms.append(left.remove(at: place))
      propensities.append(probabilities[place])
    }
    return DealtHand(arms: arms, propensities: propensities)
  }

  private static func draw<Generator: RandomNumberGenerator>(
    from probabilities: [Double], using generator: inout Generator
  ) -> Int {
    if let certain = probabilities.firstIndex(of: 1) { return certain }
    var rest = generator.fraction()
    var last = 0
    for (place, probability) in probabilities.enumerated() where probability > 0 {
      last = place
      rest -= probability
      if rest < 0 { return place }
    }
    // Rounding may leave a rest; it belongs to the last one that could be drawn.
    return last
  }

  /// P(exactly this hand): what `draw` would have stored with it.
  ///
  /// - Parameter arms: Arms in order, each once.
  /// - Returns: The product of the places' probabilities; 0 for a hand that cannot be drawn.
  /// - Complexity: O(count · arms).
  public func probability(of arms: [Int]) -> Double {
    var left = Array(values.indices)
    var product = 1.0
    for arm in arms {
      guard let place = left.firstIndex(of: arm) else { return 0 }
      product *= probabilities(left: left)[place]
      left.remove(at: place)
    }
    return product
  }
}
