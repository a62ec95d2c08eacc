import Foundation
import Testing

@testable import CardFeedOnlineLearning

/// Which of several normal numbers is the greatest, against a fine sum and against draws.
@Suite struct NormalMaximumTests {
  /// A world of numbers, some of them far sharper than others.
  private static func world(_ count: Int, ratio: Double, seed: UInt64) -> (
    means: [Double], deviations: [Double]
  ) {
    var draws = Draws(seed)
    return (
      (0..<count).map { _ in draws.normal() },
      (0..<count).map { _ in exp(log(ratio) * (draws.share() - 0.8)) }
    )
  }

  /// By Simpson's rule in cells that are as fine as the sharpest number near them asks for.
  private static func reference(means: [Double], deviations: [Double]) -> [Double] {
    var cuts: [Double] = []
    for (mean, deviation) in zip(means, deviations) {
      for step in -160...160 { cuts.append(mean + Double(step) / 20 * deviation) }
    }
    cuts.sort()
    var result = Array(repeating: 0.0, count: means.count)
    for (low, high) in zip(cuts, cuts.dropFirst()) where high > low {
      for (x, weight) in [(low, 1.0), ((low + high) / 2, 4), (high, 1)] {
        let below = zip(means, deviations).map { 0.5 * erfc(($0 - x) / $1 * 0.5.squareRoot()) }
        for index in means.indices {
          let z = (x - means[index]) / deviations[index]
          let density = exp(-z * z / 2) / (deviations[index] * (2 * .pi).squareRoot())
          guard density > 0 else { continue }
          var product = density * weight * (high - low) / 6
          for other in means.indices where other != index { product *= below[other] }
          result[index] += product
        }
      }
    }
    return result
  }

  @Test(arguments: [(2, 1), (2, 300), (3, 4), (12, 1), (12, 6), (12, 40), (12, 1000), (30, 3)])
  func theErrorIsBelowAMillionth(count: Int, ratio: Int) {
    for seed: UInt64 in 1...2 {
      let (means, deviations) = Self.world(count, ratio: Double(ratio), seed: seed)
      let computed = WinProbabilities.normal(means: means, deviations: deviations)
      let known = Self.reference(means: means, deviations: deviations)
      let total = known.reduce(0, +)
      #expect(abs(total - 1) < 1e-7, "the reference adds up to \(total)")
      #expect(abs(computed.reduce(0, +) - 1) < 1e-9)
      for index in means.indices { #expect(abs(computed[index] - known[index]) < 1e-6) }
    }
  }

  /// Where they stand in the list does not matter.
  @Test func orderDoesNotMatterAndEqualsAreEqual() {
    let (means, deviations) = Self.world(9, ratio: 30, seed: 5)
    let computed = WinProbabilities.normal(means: means, deviations: deviations)
    let turned = WinProbabilities.normal(
      means: means.reversed(), deviations: deviations.reversed())
    for (one, other) in zip(computed, turned.reversed()) { #expect(abs(one - other) < 1e-12) }
    for count in [2, 3, 20, 150] {
      let equal = WinProbabilities.normal(
        means: Array(repeating: 3, count: count), deviations: Array(repeating: 0.1, count: count))
      #expect(Set(equal).count == 1 && abs(equal[0] * Double(count) - 1) < 1e-9)
    }
  }

  /// What is drawn is drawn as often as its propensity says, and as a sample of all would be.
  @Test(arguments: [2.0, 25])
  func propensitiesAreFrequencies(ratio: Double) {
    let (means, deviations) = Self.world(8, ratio: ratio, seed: 11)
    let distribution = LinearBandit.distribution(
      means: means, variances: deviations.map { $0 * $0 }, policy: .thompson(), link: .linear)
    let expected = distribution.probabilities()
    var draws = Draws(3)
    let rounds = 40_000
    var (dealt, won) = (Array(repeating: 0, count: 8), Array(repeating: 0, count: 8))
    for _ in 0..<rounds {
      let hand = distribution.draw(1, using: &draws)
      #expect(hand.propensities == [expected[hand.arms[0]]])
      dealt[hand.arms[0]] += 1
      let sample = zip(means, deviations).map { $0 + $1 * draws.normal() }
      won[sample.indices.max { sample[$0] < sample[$1] } ?? 0] += 1
    }
    for arm in 0..<8 {
      let bound = 4.5 * (expected[arm] * (1 - expected[arm]) / Double(rounds)).squareRoot() + 1e-4
      #expect(abs(Double(dealt[arm]) / Double(rounds) - expected[arm]) < bound)
      #expect(abs(Double(won[arm]) / Double(rounds) - expected[arm]) < bound)
    }
  }

  @Test func theNormalDistributionIsThatOfTheLibrary() {
    for step in -4000...4000 {
      let z = Double(step) / 100
      let (density, distribution) = NormalMaximum.normal(SIMD2(z, -z))
      #expect(abs(distribution[0] - 0.5 * erfc(-z * 0.5.squareRoot())) < 5e-12)
      #expect(abs(density[0] - exp(-z * z / 2)) < 5e-12)
      #expect(distribution[0] > 0 && distribution[1] > 0)
      #expect(abs(distribution[0] + distribution[1] - 1) < 5e-12)
    }
  }
}
