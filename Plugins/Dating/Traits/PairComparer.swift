internal import CardFeed

/// Turns the traits of two people into standardised features.
///
/// A feature that cannot be computed, because a trait is missing, counts as the median of the
/// training; then mean and standard deviation of the training make it dimensionless.
struct PairComparer: Sendable {
  /// Traits that both people must have for a correlation to mean anything.
  static let leastAlike = 4

  /// What is computed.
  let features: [PairFeature]
  /// Every trait that a feature needs, each once, in the order of `TraitTable.values`.
  let traits: [String]
  /// For each trait the mean of the training's people. Products are of deviations from it; a
  /// product of the traits themselves would mostly repeat the two.
  private(set) var centers: [Double]
  /// For each feature what stands for a missing value.
  private(set) var medians: [Double]
  /// For each feature what is subtracted.
  private(set) var means: [Double]
  /// For each feature what is multiplied by: 1 / standard deviation, 0 for a constant.
  private(set) var scales: [Double]

  private let plans: [Plan]

  /// A feature with its traits by place.
  private struct Plan: Sendable {
    let comparison: PairFeature.Comparison
    let places: [Int]
  }

  /// With the numbers of an earlier training; `centers` in the order of the traits' names.
  init(
    _ features: [PairFeature], centers: [Double], medians: [Double], means: [Double],
    scales: [Double]
  ) {
    self.centers = centers
    self.features = features
    let traits = Self.traits(of: features)
    self.traits = traits
    let places = Dictionary(uniqueKeysWithValues: zip(traits, traits.indices))
    plans = features.map { feature in
      Plan(comparison: feature.comparison, places: feature.traits.compactMap { places[$0] })
    }
    self.medians = medians
    self.means = means
    self.scales = scales
  }

  /// The traits that features need, in the order of their names.
  static func traits(of features: [PairFeature]) -> [String] {
    Set(features.flatMap(\.traits)).sorted()
  }

  /// Learns medians, means and deviations from the pairs of a training.
  ///
  /// - Parameters:
  ///   - features: What is computed.
  ///   - people: Everybody's traits, in the order of `traits`.
  ///   - pairs: Who decides about whom, as indices of `people`.
  init(
    _ features: [PairFeature], people: (_ traits: [String]) -> [[Double]],
    pairs: [(own: Int, other: Int)]
  ) {
    let none = Array(repeating: 0.0, count: features.count)
    let traits = Self.traits(of: features)
    self.init(
      features, centers: traits.map { _ in 0 }, medians: none, means: none, scales: none)
    guard !features.isEmpty, !pairs.isEmpty else { return }
    let values = people(traits)
    for place in traits.indices {
      let known = values.map { $0[place] }.filter { !$0.isNaN }
      if !known.isEmpty { centers[place] = known.reduce(0, +) / Double(known.count) }
    }
    for (index, plan) in plans.enumerated() {
      var column = pairs.map { raw(plan, values[$0.own], values[$0.other]) }
      let known = column.filter { !$0.isNaN }.sorted()
      guard !known.isEmpty else { continue }
      medians[index] =
        (known[(known.count - 1) / 2] + known[known.count / 2]) / 2
      for row in column.indices where column[row].isNaN { column[row] = medians[index] }
      let count = Double(column.count)
      let mean = column.reduce(0, +) / count
      let variance = column.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
      means[index] = mean
      // A feature that (nearly) never changes tells nothing.
      scales[index] = variance > 1e-12 * (1 + mean * mean) ? 1 / variance.squareRoot() : 0
    }
  }

  /// Computes every feature of one person about another.
  ///
  /// - Parameters:
  ///   - own: The traits of the one who decides.
  ///   - other: The traits of the other.
  ///   - set: Takes the value of each feature, in order.
  @inline(__always)
  func compare(_ own: [Double], _ other: [Double], _ set: (Int, Double) -> Void) {
    for (index, plan) in plans.enumerated() {
      let raw = raw(plan, own, other)
      set(index, ((raw.isNaN ? medians[index] : raw) - means[index]) * scales[index])
    }
  }

  /// Σ weight · feature. O(features).
  func sum(_ weights: [Double], _ own: [Double], _ other: [Double]) -> Double {
    var sum = 0.0
    compare(own, other) { sum += weights[$0] * $1 }
    return sum
  }

  /// NaN where a trait is missing.
  private func raw(_ plan: Plan, _ own: [Double], _ other: [Double]) -> Double {
    switch plan.comparison {
    case .own: return own[plan.places[0]]
    case .other: return other[plan.places[0]]
    case .difference: return abs(own[plan.places[0]] - other[plan.places[0]])
    case .product:
      let (a, b) = (plan.places[0], plan.places[1])
      return (own[a] - centers[a]) * (other[b] - centers[b])
    case .same:
      let (a, b) = (own[plan.places[0]], other[plan.places[0]])
      return a.isNaN || b.isNaN ? .nan : a == b ? 1 : 0
    case .alike: return Self.correlation(plan.places, own, other)
    }
  }

  private static func correlation(
    _ places: [Int], _ own: [Double], _ other: [Double]
  ) -> Double {
    var count = 0.0
    var sums = SIMD2<Double>.zero
    for place in places where !own[place].isNaN && !other[place].isNaN {
      count += 1
      sums += SIMD2(own[place], other[place])
    }
    guard count >= Double(leastAlike) else { return .nan }
    let means = sums / count
    var products = SIMD3<Double>.zero
    for place in places where !own[place].isNaN && !other[place].isNaN {
      let a = own[place] - means.x
      let b = other[place] - means.y
      products += SIMD3(a * a, a * b, b * b)
    }
    let scale = (products.x * products.z).squareRoot()
    return scale > 0 ? products.y / scale : .nan
  }
}
