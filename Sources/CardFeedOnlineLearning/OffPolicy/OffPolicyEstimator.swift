/// Estimates what another policy would have brought, from a log with propensities.
///
/// With w = target / propensity, r the reward, q̂ what a model expects of the choice made, and v̂
/// what it expects of the other policy:
///
/// | | mean of | source |
/// | --- | --- | --- |
/// | `inversePropensity` | w r | Horvitz and Thompson 1952 |
/// | `selfNormalised` | w r / mean w | Swaminathan and Joachims, NIPS 2015 |
/// | `directMethod` | v̂ | |
/// | `doublyRobust` | v̂ + w (r − q̂) | Dudík, Langford, Li, ICML 2011 |
/// | `clipped(most)` | v̂ + min(w, most) (r − q̂) | Su et al., ICML 2020 |
public enum OffPolicyEstimator: Sendable, Hashable {
  /// Unbiased where every choice of the other policy can occur; noisy where weights are large.
  case inversePropensity
  /// A ratio: slightly biased, far less noisy.
  case selfNormalised
  /// As good as the model.
  case directMethod
  /// Unbiased if either propensities or model are right.
  case doublyRobust
  /// With weights cut at `most`: biased towards the model, and less noisy.
  case clipped(most: Double)

  /// Its short name.
  public var name: String {
    switch self {
    case .inversePropensity: "ips"
    case .selfNormalised: "snips"
    case .directMethod: "dm"
    case .doublyRobust: "dr"
    case .clipped: "clipped-dr"
    }
  }

  /// Whether it needs predictions of a model.
  public var needsModel: Bool {
    switch self {
    case .inversePropensity, .selfNormalised: false
    case .directMethod, .doublyRobust, .clipped: true
    }
  }

  /// Below this effective sample size nothing is estimated unless asked for.
  public static let leastSampleSize = 50.0

  /// The estimate.
  ///
  /// - Parameters:
  ///   - log: What was dealt and what it brought.
  ///   - least: The effective sample size below which there is an error instead; 0 takes anything,
  ///     and the result warns. The direct method does not weigh, and is never refused.
  /// - Throws: ``OffPolicyError`` without a model that is needed, or below `least`.
  /// - Complexity: O(n).
  public func estimate(
    from log: OffPolicyLog, least: Double = OffPolicyEstimator.leastSampleSize
  ) throws(OffPolicyError) -> OffPolicyEstimate {
    guard !needsModel || !log.predictions.isEmpty else { throw .noModel(self) }
    let size = log.effectiveSampleSize
    guard self == .directMethod || size >= least else {
      throw .tooFew(effectiveSampleSize: size, least: least)
    }
    return OffPolicyEstimate(
      value: value(of: log, rows: 0..<log.count) ?? 0, effectiveSampleSize: size,
      greatestWeight: log.weights.reduce(0, max))
  }

  /// The estimate from some rows of a log, which may stand twice: for a bootstrap. Nil where
  /// nothing has a weight, or the log has no model that is needed. O(rows).
  public func value(of log: OffPolicyLog, rows: some Collection<Int>) -> Double? {
    guard !rows.isEmpty, !needsModel || !log.predictions.isEmpty else { return nil }
    var (sum, weights) = (0.0, 0.0)
    for row in rows {
      let weight = log.targets[row] / log.propensities[row]
      weights += weight
      switch self {
      case .inversePropensity, .selfNormalised: sum += weight * log.rewards[row]
      case .directMethod: sum += log.expectations[row]
      case .doublyRobust:
        sum += log.expectations[row] + weight * (log.rewards[row] - log.predictions[row])
      case .clipped(let most):
        sum +=
          log.expectations[row] + min(weight, most) * (log.rewards[row] - log.predictions[row])
      }
    }
    if self == .selfNormalised { return weights > 0 ? sum / weights : nil }
    return sum / Double(rows.count)
  }
}

/// What another policy would have brought, and how much the log knows of it.
public struct OffPolicyEstimate: Sendable, Hashable {
  /// The mean reward of a choice.
  public let value: Double
  /// How many choices of the other policy the log is worth.
  public let effectiveSampleSize: Double
  /// The greatest weight of a row.
  public let greatestWeight: Double

  /// Why the value should not be relied on; nil where nothing speaks against it.
  public var warning: String? {
    guard effectiveSampleSize < OffPolicyEstimator.leastSampleSize else { return nil }
    return OffPolicyError.tooFew(
      effectiveSampleSize: effectiveSampleSize, least: OffPolicyEstimator.leastSampleSize
    ).description
  }
}
