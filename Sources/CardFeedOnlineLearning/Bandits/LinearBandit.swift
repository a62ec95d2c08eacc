/// A bandit over contexts: each arm's reward is linear, or logistic, in the context's numbers.
///
/// With the policy `upperBound` and the link `linear` it is LinUCB with arms of their own (Li et
/// al., WWW 2010, algorithm 1); with `thompson` linear Thompson sampling (Agrawal and Goyal, ICML
/// 2013). The beliefs about two arms are independent, so that their sums in a context are
/// independent normal numbers, and the probability that an arm's sample is the greatest is a single
/// integral. `GaussianArms` says what logistic rewards and drifting weights mean.
public struct LinearBandit: Bandit, Equatable {
  /// How it explores.
  public let policy: BanditPolicy
  /// What it believes.
  public private(set) var arms: GaussianArms

  /// A bandit that has learned nothing.
  ///
  /// - Parameters:
  ///   - armCount: How many arms, above 0.
  ///   - contextCount: Numbers of a context.
  ///   - policy: How it explores.
  ///   - settings: Of the beliefs.
  public init(
    armCount: Int, contextCount: Int, policy: BanditPolicy, settings: GaussianArms.Settings
  ) {
    self.policy = policy
    arms = GaussianArms(armCount: armCount, contextCount: contextCount, settings: settings)
  }

  /// How many arms there are.
  public var armCount: Int { arms.armCount }

  /// How likely each arm is to be dealt in a context.
  ///
  /// - Complexity: O(arms · width²), for Thompson sampling and O(c²) with c the arms that can win.
  public func distribution(for context: [Double]) -> HandDistribution {
    let sums = arms.sums(in: context)
    return Self.distribution(
      means: sums.means, variances: sums.variances, policy: policy, link: arms.settings.link)
  }

  /// How likely each of some arms is, whose sums are independent normal numbers.
  ///
  /// - Parameters:
  ///   - means: Of each sum.
  ///   - variances: Of each sum; below 0 counts as 0.
  ///   - policy: How to explore.
  ///   - link: What a sum means; a softmax is over expected rewards.
  /// - Complexity: O(arms), for Thompson sampling O(c²).
  public static func distribution(
    means: [Double], variances: [Double], policy: BanditPolicy, link: GaussianArms.Link
  ) -> HandDistribution {
    switch policy {
    case .epsilonGreedy(let epsilon): return .greedy(scores: means, epsilon: epsilon)
    case .upperBound(let width, let epsilon):
      let scores = zip(means, variances).map { $0 + width * max($1, 0).squareRoot() }
      return .greedy(scores: scores, epsilon: epsilon)
    case .thompson(let width):
      let deviations = variances.map { width * max($0, 0).squareRoot() }
      let weights = WinProbabilities.normal(means: means, deviations: deviations)
      return .proportional(weights: weights, order: means)
    case .softmax(let temperature):
      let scores = link == .linear ? means : means.map(logistic)
      return .softmax(scores: scores, temperature: temperature)
    }
  }

  /// Learns one reward. O(width²).
  public mutating func learn(arm: Int, context: [Double], reward: Double) {
    arms.learn(arm: arm, context: context, reward: reward)
  }
}
