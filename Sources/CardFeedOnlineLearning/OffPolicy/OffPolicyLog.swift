/// What one policy dealt, what it brought, and how likely another policy would have dealt it.
///
/// Columns of equal length, one entry for each dealt arm that was answered. For slates take one
/// entry for each place, with the propensities of that place.
public struct OffPolicyLog: Sendable, Equatable {
  /// What each choice brought.
  public let rewards: [Double]
  /// The propensity that was stored with it, above 0.
  public let propensities: [Double]
  /// How likely the other policy would have made the same choice.
  public let targets: [Double]
  /// What a model expects of the choice that was made; empty without a model.
  public let predictions: [Double]
  /// What the model expects of the other policy at that moment: Σ π(a) q(a); empty without a model.
  public let expectations: [Double]

  /// A log.
  ///
  /// - Parameters:
  ///   - rewards: Finite.
  ///   - propensities: Above 0 and at most 1.
  ///   - targets: 0 … 1.
  ///   - predictions: Of a model that has not seen the row (cross-fitted), or none.
  ///   - expectations: Of the same model, or none.
  /// - Throws: ``OffPolicyError`` for columns of other lengths, or numbers out of their range.
  public init(
    rewards: [Double], propensities: [Double], targets: [Double], predictions: [Double] = [],
    expectations: [Double] = []
  ) throws(OffPolicyError) {
    let count = rewards.count
    guard count > 0, propensities.count == count, targets.count == count,
      [0, count].contains(predictions.count), expectations.count == predictions.count
    else { throw .columns }
    if let row = propensities.firstIndex(where: { !($0 > 0 && $0 <= 1) }) {
      throw .propensity(row: row)
    }
    if let row = targets.firstIndex(where: { !(0...1).contains($0) }) { throw .target(row: row) }
    for column in [rewards, predictions, expectations] {
      if let row = column.firstIndex(where: { !$0.isFinite }) { throw .number(row: row) }
    }
    self.rewards = rewards
    self.propensities = propensities
    self.targets = targets
    self.predictions = predictions
    self.expectations = expectations
  }

  /// How many choices there are.
  public var count: Int { rewards.count }

  /// target / propensity of each choice. O(n).
  public var weights: [Double] { zip(targets, propensities).map { $0 / $1 } }

  /// How many choices of the other policy the log is worth: (Σ w)² / Σ w² (Kish 1965); 0 where the
  /// other policy makes none of them. O(n).
  public var effectiveSampleSize: Double {
    let weights = weights
    let squares = weights.reduce(0) { $0 + $1 * $1 }
    let sum = weights.reduce(0, +)
    return squares > 0 ? sum * sum / squares : 0
  }
}

/// Why there is no estimate.
public enum OffPolicyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Columns of different lengths, or none.
  case columns
  /// A propensity that is not above 0 and at most 1.
  case propensity(row: Int)
  /// A target probability outside 0 … 1.
  case target(row: Int)
  /// A number that is not finite.
  case number(row: Int)
  /// The estimator needs a model.
  case noModel(OffPolicyEstimator)
  /// The log is worth too few choices of the other policy.
  case tooFew(effectiveSampleSize: Double, least: Double)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .columns:
      "the columns of a log must have one length, above 0; a model's may both be left out"
    case .propensity(let row):
      "the propensity of row \(row) is not above 0 and at most 1; without the probability by which "
        + "the card was dealt nothing can be estimated"
    case .target(let row): "the target probability of row \(row) is not within 0 … 1"
    case .number(let row): "a number of row \(row) is not finite"
    case .noModel(let estimator):
      "\(estimator.name) needs what a model expects; give predictions and expectations, or take "
        + "ips or snips"
    case .tooFew(let size, let least):
      "the log is worth \(Int(size.rounded())) choices of the other policy, and \(Int(least)) are "
        + "needed: any figure would rest on a handful of rows. Collect more with exploration, or "
        + "compare a policy that is closer to the one that dealt"
    }
  }
}
