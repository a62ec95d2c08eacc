/// Chooses among arms and learns what they bring.
///
/// A bandit is asked for the distribution of the next hand, deals from it
/// (`HandDistribution.draw`), which gives the propensities, and is told the reward of each arm that
/// was looked at.
public protocol Bandit: Sendable {
  /// How many arms there are; they are numbered from 0.
  var armCount: Int { get }

  /// How likely each arm is to be dealt in a context.
  ///
  /// - Parameter context: What is known of the moment, of a length that the bandit says; may be
  ///   empty for one that looks at counts only.
  func distribution(for context: [Double]) -> HandDistribution

  /// Learns what an arm brought.
  ///
  /// - Parameters:
  ///   - arm: The arm.
  ///   - context: The context in which it was dealt.
  ///   - reward: What it brought, 0 … 1.
  mutating func learn(arm: Int, context: [Double], reward: Double)
}

/// How a bandit departs from the arm that looks best.
public enum BanditPolicy: Sendable, Hashable {
  /// The best mean, or with probability ε any arm.
  case epsilonGreedy(Double)
  /// The best upper bound: mean + width · deviation. Certain, so that nothing can be estimated
  /// from its log about arms that were not dealt; with `epsilon` above 0 it can.
  case upperBound(width: Double, epsilon: Double = 0)
  /// As likely as an arm is to win a sample of all arms' beliefs, with deviations multiplied by
  /// `width` (Thompson 1933).
  case thompson(width: Double = 1)
  /// In proportion to exp(mean / temperature).
  case softmax(temperature: Double)
}
