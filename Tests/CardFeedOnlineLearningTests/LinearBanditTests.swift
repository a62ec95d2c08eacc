import Foundation
import Testing

@testable import CardFeedOnlineLearning

@Suite struct LinearBanditTests {
  @Test func linearArmsAreRidgeRegression() throws {
    var draws = Draws(8)
    var arms = GaussianArms(armCount: 2, contextCount: 5, settings: .init())
    var matrix = SymmetricMatrix(diagonal: Array(repeating: 1, count: 6))
    var right = Array(repeating: 0.0, count: 6)
    for round in 0..<300 {
      let context = (0..<5).map { _ in draws.normal() }
      let reward = context[0] - 0.5 * context[3] + 0.2 + draws.normal()
      arms.learn(arm: round % 3 == 0 ? 1 : 0, context: context, reward: reward)
      guard round % 3 != 0 else { continue }
      let row = context + [1]
      matrix.add(row, scaledBy: 1)
      for index in row.indices { right[index] += reward * row[index] }
    }
    let ridge = try #require(matrix.solution(of: right))
    #expect(zip(arms.weights(of: 0), ridge).allSatisfy { abs($0 - $1) < 1e-9 })
    // LinUCB's xᵀ A⁻¹ x.
    let context = [0.3, -1, 0.5, 2, 0]
    let row = context + [1]
    let solved = try #require(matrix.solution(of: row))
    let sums = arms.sums(in: context)
    #expect(abs(sums.variances[0] - zip(row, solved).reduce(0) { $0 + $1.0 * $1.1 }) < 1e-9)
    #expect(abs(sums.means[0] - zip(row, ridge).reduce(0) { $0 + $1.0 * $1.1 }) < 1e-9)
  }

  @Test func theUpperBoundPicksTheArm() {
    var bandit = LinearBandit(
      armCount: 3, contextCount: 1, policy: .upperBound(width: 0.5), settings: .init())
    #expect(bandit.distribution(for: [1]).probabilities() == [1, 0, 0])
    bandit.learn(arm: 0, context: [1], reward: 0)
    #expect(bandit.distribution(for: [1]).probabilities() == [0, 1, 0])
    for _ in 0..<5 { bandit.learn(arm: 2, context: [1], reward: 1) }
    #expect(bandit.distribution(for: [1]).probabilities() == [0, 0, 1])
  }

  @Test func aLogisticStepHasTheMomentsOfTheTruth() throws {
    for (prior, reward) in [(0.5, 1.0), (4, 0), (9, 1), (9, 0), (2, 0.25)] {
      var arms = GaussianArms(
        armCount: 1, contextCount: 1,
        settings: .init(
          link: .logistic, weightVariance: prior, interceptMean: -2, interceptVariance: prior))
      arms.learn(arm: 0, context: [1.5], reward: reward)
      // The sum has the prior N(−2, 3.25 · prior); its moments after the reward by the trapezium
      // rule.
      let variance = 3.25 * prior
      var (mass, first, second) = (0.0, 0.0, 0.0)
      for step in -4000...4000 {
        let x = Double(step) / 500
        let sum = -2 + x * variance.squareRoot()
        let share = 1 / (1 + exp(-sum))
        let weight = exp(-x * x / 2) * pow(share, reward) * pow(1 - share, 1 - reward)
        mass += weight
        first += weight * sum
        second += weight * sum * sum
      }
      let mean = first / mass
      let sums = arms.sums(in: [1.5])
      // Twelve nodes do for a prior that is narrower than the curve; a wide one costs some
      // accuracy.
      #expect(abs(sums.means[0] - mean) < 0.05 * variance.squareRoot())
      #expect(abs(sums.variances[0] - (second / mass - mean * mean)) < 0.03 * variance)
      // What the sum says nothing of keeps its prior.
      let apart = arms.sums(in: [-1 / 1.5])
      #expect(abs(apart.variances[0] - prior * (1 + 1 / 2.25)) < 1e-9 * prior)
    }
  }

  @Test func driftMakesUncertain() {
    var arms = GaussianArms(
      armCount: 2, contextCount: 1, settings: .init(weightDrift: 0.01, interceptDrift: 0.02))
    arms.learn(arm: 0, context: [0], reward: 1)
    let before = arms.sums(in: [2]).variances
    #expect(abs(before[1] - (4 + 1 + 0.04 + 0.02)) < 1e-12)
    for _ in 0..<10 { arms.learn(arm: 1, context: [0], reward: 0) }
    let after = arms.sums(in: [2]).variances
    #expect(abs(after[0] - before[0] - 10 * (0.04 + 0.02)) < 1e-12)
    // Asking with the drift and learning with it come to the same.
    arms.learn(arm: 0, context: [0], reward: 1)
    #expect(arms.covariance(of: 0, 0, 0) - 1 - 0.11 < 1e-12)
  }

  @Test func driftFollowsARateThatMoves() {
    func late(_ drift: Double) -> Double {
      var draws = Draws(6)
      var arms = GaussianArms(
        armCount: 1, contextCount: 0,
        settings: .init(link: .logistic, interceptDrift: drift))
      for round in 0..<2000 {
        let rate = round < 1500 ? 0.1 : 0.7
        arms.learn(arm: 0, context: [], reward: draws.share() < rate ? 1 : 0)
      }
      return 1 / (1 + exp(-arms.weights(of: 0)[0]))
    }
    #expect(late(0.01) > 0.55)
    #expect(late(0) < 0.35)
  }

  @Test(arguments: [
    BanditPolicy.upperBound(width: 0.5), .thompson(width: 0.5), .epsilonGreedy(0.05),
    .softmax(temperature: 0.05),
  ])
  func learnsWhichContextWantsWhichArm(policy: BanditPolicy) {
    for link in GaussianArms.Link.allCases {
      var bandit = LinearBandit(
        armCount: 2, contextCount: 1, policy: policy, settings: .init(link: link))
      var draws = Draws(3)
      var right = 0
      for round in 0..<1500 {
        let context = draws.share() < 0.5 ? 1.0 : -1
        let hand = bandit.distribution(for: [context]).draw(1, using: &draws)
        let isRight = (hand.arms[0] == 1) == (context > 0)
        if round >= 500, isRight { right += 1 }
        let reward = draws.share() < (isRight ? 0.7 : 0.2) ? 1.0 : 0
        bandit.learn(arm: hand.arms[0], context: [context], reward: reward)
      }
      #expect(right > 870)
    }
  }
}
