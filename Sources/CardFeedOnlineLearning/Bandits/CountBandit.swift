/// A bandit that knows the rate of each arm and nothing of the context, for rewards of 0 … 1.
///
/// The belief about an arm is a beta distribution: a + what it brought, b + what it did not. With
/// `keep` below 1 every round makes all of it count a little less (the discounted variants of
/// Garivier and Moulines, ALT 2011, and of Raj and Kalyani 2017), so that the bandit follows rates
/// that move.
public struct CountBandit: Bandit, Equatable {
  /// What does not change.
  public struct Settings: Sendable, Hashable {
    /// How it explores.
    public var policy: BanditPolicy
    /// The prior's yes, above 0.
    public var a: Double
    /// The prior's no, above 0.
    public var b: Double
    /// What one round leaves of the earlier ones, above 0 and at most 1.
    public var keep: Double

    /// Settings.
    public init(policy: BanditPolicy, a: Double = 1, b: Double = 1, keep: Double = 1) {
      precondition(
        a > 0 && b > 0 && (a + b).isFinite && keep > 0 && keep <= 1,
        "A prior is above 0, and a round keeps more than 0 and at most 1 of those before.")
      self.policy = policy
      self.a = a
      self.b = b
      self.keep = keep
    }
  }

  /// What does not change.
  public let settings: Settings
  /// Rounds of each arm.
  public private(set) var rounds: [Double]
  /// What each arm brought.
  public private(set) var rewards: [Double]

  /// Nothing is known of any arm.
  public init(armCount: Int, settings: Settings) {
    precondition(armCount > 0, "A bandit has an arm at least.")
    self.settings = settings
    rounds = Array(repeating: 0, count: armCount)
    rewards = rounds
  }

  /// Counts that were kept elsewhere.
  ///
  /// - Parameters:
  ///   - rounds: Of each arm, 0 or more.
  ///   - rewards: What each brought, 0 … its rounds.
  ///   - settings: How arms are chosen.
  public init(rounds: [Double], rewards: [Double], settings: Settings) {
    precondition(
      !rounds.isEmpty && rounds.count == rewards.count
        && zip(rounds, rewards).allSatisfy { $0 >= 0 && $1 >= 0 && $1 <= $0 && $0.isFinite },
      "The reward of each arm is 0 … the number of its rounds.")
    self.settings = settings
    self.rounds = rounds
    self.rewards = rewards
  }

  /// How many arms there are.
  public var armCount: Int { rounds.count }

  /// How likely each arm is; the context does not matter.
  ///
  /// - Complexity: O(arms), for Thompson sampling O(arms²).
  public func distribution(for context: [Double] = []) -> HandDistribution {
    switch settings.policy {
    case .epsilonGreedy(let epsilon): return .greedy(scores: means, epsilon: epsilon)
    case .upperBound(let width, let epsilon):
      return .greedy(scores: upperBounds(width: width), epsilon: epsilon)
    case .softmax(let temperature): return .softmax(scores: means, temperature: temperature)
    case .thompson(let width):
      // A wider belief has the same mean and fewer observations.
      let less = 1 / (width * width)
      let shapes = zip(rounds, rewards).map { rounds, reward in
        (a: (settings.a + reward) * less, b: (settings.b + rounds - reward) * less)
      }
      return .proportional(weights: WinProbabilities.beta(shapes), order: means)
    }
  }

  /// (a + reward) / (a + b + rounds) of each arm.
  private var means: [Double] {
    zip(rounds, rewards).map { ($1 + settings.a) / ($0 + settings.a + settings.b) }
  }

  /// UCB1 (Auer, Cesa-Bianchi, Fischer 2002): mean + width · √(ln t / n), without a prior; arms
  /// that were never dealt come first.
  private func upperBounds(width: Double) -> [Double] {
    let total = max(rounds.reduce(0, +), 1).logarithm()
    return zip(rounds, rewards).map { rounds, reward in
      rounds > 0 ? reward / rounds + width * (total / rounds).squareRoot() : .infinity
    }
  }

  /// Counts a reward. O(1), or O(arms) where rounds are forgotten.
  public mutating func learn(arm: Int, context: [Double] = [], reward: Double) {
    precondition((0...1).contains(reward), "A reward is within 0 … 1; got \(reward).")
    if settings.keep < 1 {
      for index in rounds.indices {
        rounds[index] *= settings.keep
        rewards[index] *= settings.keep
      }
    }
    rounds[arm] += 1
    rewards[arm] += reward
  }
}
