internal import CardFeed

/// Chooses the spreads of a model by how well it predicts answers that it was not fitted to.
///
/// A quarter of the pairs (both directions together), drawn by a hash of their identities, is held
/// out, each quarter once; of a long log only one. One spread after the other is taken from a short
/// list, by the log loss of the held-out answers; the dyadic reciprocity last, by that of the
/// held-out matches. A model without people is to serve for people it has not met, so there a
/// quarter of the people is held out with all their answers.
struct SocialRelationsSearch {
  /// Held-out answers below which the defaults stand.
  private static let fewest = 100

  /// What stands without a search.
  static let defaults = Spreads(
    actor: 1.5, partner: 1.2, correlation: -0.2, feature: 0.05, dyad: 0.2)

  private static let people: [(actor: Double, partner: Double)] = [
    (1.0, 0.8), (1.5, 1.1), (1.8, 1.4), (2.2, 1.8),
  ]
  private static let correlations = [-0.6, -0.4, -0.2, 0, 0.3]
  private static let features = [0.015, 0.03, 0.05, 0.07, 0.1]
  private static let dyads = [0, 0.15, 0.3, 0.45]

  /// Answers above which one quarter is enough, and four would take too much memory.
  private static let longLog = 100_000

  let settings: SocialRelationsSettings
  private let holdouts: [Holdout]

  /// How many fits a search takes at most.
  static var steps: Int { 4 * (people.count + correlations.count + features.count + 1) }

  init(_ data: SocialRelationsData, settings: SocialRelationsSettings) {
    self.settings = settings
    let hashes = data.ids.map { id in
      var hash = StableHash()
      hash.combine(id.bytes)
      return hash.value
    }
    let quarters = data.count > Self.longLog ? 0..<1 : 0..<4
    holdouts = quarters.map { quarter in
      Holdout(data) { row in
        let pair = [hashes[Int(data.raters[row])], hashes[Int(data.targets[row])]]
        if settings.hasPeople {
          var hash = StableHash()
          hash.combine(pair[0] &+ pair[1])
          return Int(hash.value % 4) == quarter
        }
        let count = pair.count { Int($0 % 4) == quarter }
        return count == 1 ? nil : count == 2
      }
    }.filter { $0.held.count >= Self.fewest && $0.fitted.count >= Self.fewest }
  }

  private var given: Spreads {
    var spreads = Self.defaults
    spreads.actor = settings.hasPeople ? settings.actorSpread ?? spreads.actor : 0
    spreads.partner = settings.hasPeople ? settings.partnerSpread ?? spreads.partner : 0
    spreads.correlation = settings.averages ? settings.correlation ?? spreads.correlation : 0
    spreads.dyad = settings.averages ? settings.dyad ?? spreads.dyad : 0
    spreads.feature = settings.featureSpread ?? spreads.feature
    return spreads
  }

  /// The spreads to fit with.
  func spreads(progress: () async throws -> Void) async throws -> Spreads {
    var best = given
    guard !holdouts.isEmpty else { return best }
    // Where the last fit of each holdout ended; the next one is not far from there.
    var starts = holdouts.map { _ in SocialRelationsFit.Vector?.none }
    func choose(_ options: [Spreads]) async throws {
      var least = Double.infinity
      for option in options {
        var loss = 0.0
        for (index, holdout) in holdouts.enumerated() {
          let fit = holdout.fit(option)
          let mode = try await fit.mode(from: starts[index], pause: progress)
          starts[index] = mode
          loss += holdout.answerLoss(fit, mode, averages: settings.averages)
        }
        if loss < least { (least, best) = (loss, option) }
      }
    }
    func options<Value>(_ values: [Value], _ set: (inout Spreads, Value) -> Void) -> [Spreads] {
      values.map { value in
        var option = best
        set(&option, value)
        return option
      }
    }
    if settings.hasPeople, settings.actorSpread == nil || settings.partnerSpread == nil {
      try await choose(
        options(Self.people) {
          $0.actor = settings.actorSpread ?? $1.actor
          $0.partner = settings.partnerSpread ?? $1.partner
        })
    }
    if settings.hasPeople, settings.averages, settings.correlation == nil {
      try await choose(options(Self.correlations) { $0.correlation = $1 })
    }
    if settings.hasFeatures, settings.featureSpread == nil {
      try await choose(options(Self.features) { $0.feature = $1 })
    }
    if settings.averages, settings.dyad == nil {
      var losses = Self.dyads.map { _ in 0.0 }
      for (index, holdout) in holdouts.enumerated() {
        let fit = holdout.fit(best)
        let mode = try await fit.mode(from: starts[index], pause: progress)
        for (place, dyad) in Self.dyads.enumerated() {
          losses[place] += holdout.matchLoss(fit, mode, dyad: dyad)
        }
      }
      if let least = losses.indices.min(by: { losses[$0] < losses[$1] }) {
        best.dyad = Self.dyads[least]
      }
    }
    return best
  }
}

/// A log in two parts: one to fit, one to judge the fit by.
private struct Holdout {
  let fitted: SocialRelationsData
  let held: SocialRelationsData
  private let gram: [Double]
  /// For each held-out answer the one of the other side; −1 where there is none.
  private let mirrors: [Int]

  /// - Parameter isHeld: Where each answer goes; nil for neither part.
  init(_ data: SocialRelationsData, isHeld: (Int) -> Bool?) {
    let parts = (0..<data.count).map(isHeld)
    fitted = data.selecting(parts.indices.filter { parts[$0] == false })
    let held = data.selecting(parts.indices.filter { parts[$0] == true })
    self.held = held
    gram = fitted.gram()
    var places: [SIMD2<Int32>: Int] = [:]
    for row in 0..<held.count { places[SIMD2(held.raters[row], held.targets[row])] = row }
    mirrors = (0..<held.count).map { places[SIMD2(held.targets[$0], held.raters[$0])] ?? -1 }
  }

  func fit(_ spreads: Spreads) -> SocialRelationsFit {
    SocialRelationsFit(fitted, spreads: spreads, gram: gram)
  }

  /// Σ −log P(answer) over the held-out answers.
  func answerLoss(
    _ fit: SocialRelationsFit, _ mode: SocialRelationsFit.Vector, averages: Bool
  ) -> Double {
    let numbers = heldOut(fit, mode)
    var sum = 0.0
    for (row, answer) in held.answers.enumerated() {
      let p =
        averages
        ? MatchQuadrature.probability(numbers[row].mean, variance: numbers[row].variance)
        : logistic(numbers[row].mean)
      sum -= naturalLogarithm(max(1e-9, answer > 0 ? p : 1 - p))
    }
    return sum
  }

  /// Σ −log P(match or none) over the held-out pairs.
  func matchLoss(
    _ fit: SocialRelationsFit, _ mode: SocialRelationsFit.Vector, dyad: Double
  ) -> Double {
    let numbers = heldOut(fit, mode)
    var sum = 0.0
    let answers = held.answers
    for row in mirrors.indices where mirrors[row] > row {
      let (one, other) = (numbers[row], numbers[mirrors[row]])
      let p = MatchQuadrature.match(
        SIMD2(one.mean, other.mean), variances: SIMD2(one.variance, other.variance),
        covariance: one.shared + dyad
      ).probability
      let match = answers[row] > 0 && answers[mirrors[row]] > 0
      sum -= naturalLogarithm(max(1e-9, match ? p : 1 - p))
    }
    return sum
  }

  private struct HeldOut {
    /// Of the log-odds.
    let mean: Double
    let variance: Double
    /// The covariance with the other direction, without the dyad's.
    let shared: Double
  }

  private func heldOut(
    _ fit: SocialRelationsFit, _ mode: SocialRelationsFit.Vector
  ) -> [HeldOut] {
    let covariances = fit.covariances(at: mode)
    let means = SocialRelationsFit(held, spreads: fit.spreads, gram: []).logOddsOfAnswers(mode)
    return (0..<held.count).map { row in
      guard !covariances.isEmpty else { return HeldOut(mean: means[row], variance: 0, shared: 0) }
      let rater = covariances[Int(held.raters[row])]
      let target = covariances[Int(held.targets[row])]
      return HeldOut(
        mean: means[row], variance: rater.x + target.z, shared: rater.y + target.y)
    }
  }
}

extension SocialRelationsData {
  /// Σ over the answers of feature · feature, row after row of a square matrix. O(answers ·
  /// features²).
  func gram() -> [Double] {
    let size = width * 4
    var gram = Array(repeating: 0.0, count: size * size)
    guard size > 0 else { return gram }
    gram.withUnsafeMutableBufferPointer { gram in
      features.withUnsafeBufferPointer { features in
        for row in 0..<count {
          for i in 0..<size {
            let value = features[row * width + i / 4][i % 4]
            if value == 0 { continue }
            for j in 0...i / 4 {
              let products = value * features[row * width + j]
              for k in 0..<4 { gram[i * size + 4 * j + k] += products[k] }
            }
          }
        }
      }
      for i in 0..<size {
        for j in 0..<i { gram[j * size + i] = gram[i * size + j] }
      }
    }
    return gram
  }
}
