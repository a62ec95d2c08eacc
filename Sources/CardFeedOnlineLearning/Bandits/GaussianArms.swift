/// A normal belief about the weights of each arm, updated one reward at a time.
///
/// Every arm has a mean and a covariance of its own over the context's numbers and a constant. With
/// `link` `linear` a step is exact (the Kalman filter; ridge regression where nothing drifts, as in
/// Li et al., "A Contextual-Bandit Approach to Personalized News Article Recommendation", WWW
/// 2010). With `logistic` the step goes to the normal belief that has the mean and the variance of
/// the sum after the reward (assumed-density filtering; Minka, "Expectation Propagation for
/// Approximate Bayesian Inference", UAI 2001; for clicks in Graepel et al., ICML 2010). Weights
/// that drift walk at random between two rounds (West and Harrison, "Bayesian Forecasting and
/// Dynamic Models", 2nd edition 1997): their variance grows by `drift` each round, so old rewards
/// count less and less, and arms that were not dealt for long become uncertain again.
public struct GaussianArms: Sendable, Equatable {
  /// How weights become a reward.
  public enum Link: String, Sendable, Hashable, CaseIterable {
    /// The sum is the expected reward.
    case linear
    /// The sum is the log-odds of a yes.
    case logistic
  }

  /// What does not change.
  public struct Settings: Sendable, Hashable {
    /// How weights become a reward.
    public var link: Link
    /// The prior variance of each weight, above 0.
    public var weightVariance: Double
    /// The prior mean of the constant.
    public var interceptMean: Double
    /// The prior variance of the constant, above 0.
    public var interceptVariance: Double
    /// The variance that a weight gains each round, 0 or more.
    public var weightDrift: Double
    /// The variance that the constant gains each round, 0 or more.
    public var interceptDrift: Double
    /// The variance of a reward about its expectation, above 0; of the link `linear` only.
    public var noise: Double

    /// Settings. As given, those of ridge regression with the penalty 1.
    public init(
      link: Link = .linear, weightVariance: Double = 1, interceptMean: Double = 0,
      interceptVariance: Double = 1, weightDrift: Double = 0, interceptDrift: Double = 0,
      noise: Double = 1
    ) {
      precondition(
        weightVariance > 0 && interceptVariance > 0 && noise > 0 && weightDrift >= 0
          && interceptDrift >= 0 && interceptMean.isFinite
          && (weightVariance + interceptVariance + noise + weightDrift + interceptDrift).isFinite,
        "Variances are finite and above 0, and a drift is 0 or more.")
      self.link = link
      self.weightVariance = weightVariance
      self.interceptMean = interceptMean
      self.interceptVariance = interceptVariance
      self.weightDrift = weightDrift
      self.interceptDrift = interceptDrift
      self.noise = noise
    }
  }

  typealias Lanes = SIMD4<Double>

  /// What does not change.
  public let settings: Settings
  /// How many arms there are.
  public let armCount: Int
  /// Numbers of a context, without the constant.
  public let contextCount: Int
  /// Rounds so far.
  public private(set) var round = 0

  /// Weights of an arm: the context's, then the constant.
  private let width: Int
  /// Vectors of lanes that hold the weights; what is beyond them is zero.
  private let chunks: Int
  private var means: [Lanes]
  /// Column after column of each arm.
  private var covariances: [Lanes]
  /// The round up to which an arm's drift is in its covariance.
  private var learnedAt: [Int]

  /// The prior of every arm.
  ///
  /// - Parameters:
  ///   - armCount: How many arms, above 0.
  ///   - contextCount: Numbers of a context, 0 or more.
  ///   - settings: What does not change.
  public init(armCount: Int, contextCount: Int, settings: Settings) {
    precondition(
      armCount > 0 && contextCount >= 0, "There is an arm at least, and no context below zero.")
    self.settings = settings
    self.armCount = armCount
    self.contextCount = contextCount
    width = contextCount + 1
    chunks = (width + 3) / 4
    means = Array(repeating: .zero, count: armCount * chunks)
    covariances = Array(repeating: .zero, count: armCount * width * chunks)
    learnedAt = Array(repeating: 0, count: armCount)
    for arm in 0..<armCount {
      means[arm * chunks + contextCount / 4][contextCount % 4] = settings.interceptMean
      for column in 0..<width {
        covariances[(arm * width + column) * chunks + column / 4][column % 4] =
          column == contextCount ? settings.interceptVariance : settings.weightVariance
      }
    }
  }

  /// The mean of an arm's weights; the constant comes last. O(width).
  public func weights(of arm: Int) -> [Double] {
    (0..<width).map { means[arm * chunks + $0 / 4][$0 % 4] }
  }

  /// Two of an arm's weights: their covariance, without the drift since it last learned. O(1).
  public func covariance(of arm: Int, _ row: Int, _ column: Int) -> Double {
    covariances[(arm * width + column) * chunks + row / 4][row % 4]
  }

  /// The mean and the variance of each arm's sum in a context.
  ///
  /// - Complexity: O(arms · width²).
  public func sums(in context: [Double]) -> (means: [Double], variances: [Double]) {
    var (sums, variances) = (Array(repeating: 0.0, count: armCount), [Double]())
    variances = sums
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: chunks * 2) { scratch in
      let z = fill(scratch, context)
      let walked = drift(of: context)
      means.withUnsafeBufferPointer { means in
        covariances.withUnsafeBufferPointer { covariances in
          for arm in 0..<armCount {
            let columns = covariances.baseAddress.map { $0 + arm * width * chunks }
            guard let columns else { continue }
            Self.multiply(columns, z, scratch, chunks, width)
            var (sum, variance) = (Lanes.zero, Lanes.zero)
            for chunk in 0..<chunks {
              sum += means[arm * chunks + chunk] * z[chunk]
              variance += scratch[chunks + chunk] * z[chunk]
            }
            sums[arm] = sum.sum()
            variances[arm] = variance.sum() + Double(round - learnedAt[arm]) * walked
          }
        }
      }
    }
    return (sums, variances)
  }

  /// What a round of drift adds to the variance of a context's sum.
  private func drift(of context: [Double]) -> Double {
    settings.interceptDrift
      + (settings.weightDrift == 0
        ? 0 : settings.weightDrift * context.reduce(0) { $0 + $1 * $1 })
  }

  /// The context and the constant, into the first half of the scratch.
  private func fill(
    _ scratch: UnsafeMutableBufferPointer<Lanes>, _ context: [Double]
  ) -> UnsafeBufferPointer<Lanes> {
    precondition(
      context.count == contextCount,
      "A context has \(contextCount) numbers; got \(context.count).")
    scratch.initialize(repeating: .zero)
    for (index, number) in context.enumerated() { scratch[index / 4][index % 4] = number }
    scratch[contextCount / 4][contextCount % 4] = 1
    return UnsafeBufferPointer(rebasing: scratch[0..<chunks])
  }

  /// Covariance times z, into the second half of the scratch.
  @inline(__always)
  private static func multiply(
    _ columns: UnsafePointer<Lanes>, _ z: UnsafeBufferPointer<Lanes>,
    _ scratch: UnsafeMutableBufferPointer<Lanes>, _ chunks: Int, _ width: Int
  ) {
    for chunk in 0..<chunks { scratch[chunks + chunk] = .zero }
    for column in 0..<width {
      let factor = z[column / 4][column % 4]
      for chunk in 0..<chunks {
        scratch[chunks + chunk] += columns[column * chunks + chunk] * factor
      }
    }
  }

  /// How far along covariance · z the mean moves, and how much of its square the covariance loses.
  private static func step(
    sum: Double, variance: Double, reward: Double, _ settings: Settings
  ) -> (move: Double, shrink: Double) {
    switch settings.link {
    case .linear:
      let precision = 1 / (settings.noise + variance)
      return ((reward - sum) * precision, precision)
    case .logistic:
      return match(sum: sum, variance: variance, reward: reward)
    }
  }

  /// The step to the normal belief with the mean and the variance that the sum has after the
  /// reward, by the formula of Gauss and Hermite with twelve nodes.
  private static func match(
    sum: Double, variance: Double, reward: Double
  ) -> (move: Double, shrink: Double) {
    guard variance > 0 else { return (0, 0) }
    let deviation = variance.squareRoot()
    var (mass, first, second) = (0.0, 0.0, 0.0)
    for (node, weight) in zip(nodes, weights) {
      let share = logistic(sum + deviation * node)
      let likelihood =
        reward == 1
        ? share
        : reward == 0 ? 1 - share : share.raised(to: reward) * (1 - share).raised(to: 1 - reward)
      mass += weight * likelihood
      first += weight * likelihood * node
      second += weight * likelihood * node * node
    }
    guard mass > 0 else { return (0, 0) }
    let mean = first / mass
    let spread = second / mass - mean * mean
    return (mean / deviation, max(0, 1 - spread) / variance)
  }

  private static let nodes = [
    -5.500901704467748, -4.2718258479322815, -3.2237098287700974, -2.259464451000799,
    -1.3403751971516167, -0.44440300194413895, 0.44440300194413895, 1.3403751971516167,
    2.259464451000799, 3.2237098287700974, 4.2718258479322815, 5.500901704467748,
  ]
  private static let weights = [
    1.4999271676371623e-07, 4.837184922590644e-05, 0.0022033806875332, 0.029116687912364173,
    0.14696704804532995, 0.32166436151282995, 0.32166436151282995, 0.14696704804532995,
    0.029116687912364173, 0.0022033806875332, 4.837184922590644e-05, 1.4999271676371623e-07,
  ]

  /// Adds the drift since the arm last learned.
  private mutating func walk(_ arm: Int) {
    let rounds = Double(round - learnedAt[arm])
    learnedAt[arm] = round
    guard rounds > 0, settings.weightDrift + settings.interceptDrift > 0 else { return }
    for column in 0..<width {
      covariances[(arm * width + column) * chunks + column / 4][column % 4] +=
        rounds * (column == contextCount ? settings.interceptDrift : settings.weightDrift)
    }
  }

  /// Learns one reward, and ends the round.
  ///
  /// - Parameters:
  ///   - arm: The arm that was dealt.
  ///   - context: The context in which it was.
  ///   - reward: What it brought; of the link `logistic` 0 … 1.
  /// - Complexity: O(width²).
  public mutating func learn(arm: Int, context: [Double], reward: Double) {
    precondition((0..<armCount).contains(arm), "There is no arm \(arm) among \(armCount).")
    precondition(
      reward.isFinite && (settings.link == .linear || (0...1).contains(reward)),
      "A reward is finite, and of a logistic bandit within 0 … 1; got \(reward).")
    walk(arm)
    round += 1
    let (chunks, width, settings) = (chunks, width, settings)
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: chunks * 2) { scratch in
      let z = fill(scratch, context)
      covariances.withUnsafeMutableBufferPointer { covariances in
        guard let start = covariances.baseAddress else { return }
        let columns = start + arm * width * chunks
        Self.multiply(columns, z, scratch, chunks, width)
        var (sum, variance) = (Lanes.zero, Lanes.zero)
        for chunk in 0..<chunks {
          sum += means[arm * chunks + chunk] * z[chunk]
          variance += scratch[chunks + chunk] * z[chunk]
        }
        let step = Self.step(
          sum: sum.sum(), variance: max(variance.sum(), 0), reward: reward, settings)
        for chunk in 0..<chunks {
          means[arm * chunks + chunk] += scratch[chunks + chunk] * step.move
        }
        for column in 0..<width {
          let factor = scratch[chunks + column / 4][column % 4] * step.shrink
          for chunk in 0..<chunks {
            columns[column * chunks + chunk] -= scratch[chunks + chunk] * factor
          }
        }
      }
    }
  }
}
