import Foundation
import Testing

@testable import CardFeedOnlineLearning

@Suite struct HandDistributionTests {
  private static let distributions: [HandDistribution] = [
    .greedy(scores: [0.2, 0.9, 0.5, 0.9], epsilon: 0.3),
    .softmax(scores: [-1, -2.5, -0.3, -.infinity], temperature: 0.7),
    .proportional(weights: [0, 0.5, 0.2, 0], order: [1, 2, 3, 4]),
    .greedy(scores: [.nan, 1, 2, -3]),
  ]

  private func permutations(_ items: [Int]) -> [[Int]] {
    items.isEmpty
      ? [[]]
      : items.flatMap { first in permutations(items.filter { $0 != first }).map { [first] + $0 } }
  }

  @Test(arguments: distributions)
  func theHandsOfAllArmsAddUpToOne(distribution: HandDistribution) {
    let sum = permutations([0, 1, 2, 3]).reduce(0) { $0 + distribution.probability(of: $1) }
    #expect(abs(sum - 1) < 1e-12)
    #expect(abs(distribution.probabilities().reduce(0, +) - 1) < 1e-12)
  }

  @Test(arguments: distributions)
  func handsComeAsOftenAsTheirPropensitiesSay(distribution: HandDistribution) {
    var draws = Draws(5)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<20000 {
      let hand = distribution.draw(2, using: &draws)
      #expect(abs(hand.probability - distribution.probability(of: hand.arms)) < 1e-12)
      #expect(hand.probability > 0)
      counts[hand.arms, default: 0] += 1
    }
    for first in 0..<4 {
      for second in 0..<4 where second != first {
        let p = distribution.probability(of: [first, second])
        let share = Double(counts[[first, second], default: 0]) / 20000
        #expect(abs(share - p) < 5 * (p * (1 - p) / 20000).squareRoot() + 1e-9)
      }
    }
  }

  @Test func byHand() {
    let greedy = HandDistribution.greedy(scores: [0.2, 0.9, 0.9], epsilon: 0.3)
    #expect(zip(greedy.probabilities(), [0.1, 0.8, 0.1]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(abs(greedy.probability(of: [1, 2, 0]) - 0.8 * 0.85) < 1e-12)
    #expect(abs(greedy.probability(of: [0, 1]) - 0.1 * 0.85) < 1e-12)
    let luce = HandDistribution.softmax(scores: [log(1), log(2), log(5)], temperature: 1)
    #expect(abs(luce.probability(of: [2, 0, 1]) - 5.0 / 8 * 1 / 3) < 1e-12)
    let some = HandDistribution.proportional(weights: [0, 0.25, 0.75, 0], order: [1, 0, 0, 2])
    #expect(some.probability(of: [2, 1, 3, 0]) == 0.75)
    #expect(some.probability(of: [2, 1, 0]) == 0)
    #expect(some.probability(of: [2, 2]) == 0)
  }

  @Test func equalGeneratorsDealEqualHands() {
    for distribution in Self.distributions {
      var (one, other) = (Draws(9), Draws(9))
      for _ in 0..<50 {
        #expect(distribution.draw(3, using: &one) == distribution.draw(3, using: &other))
      }
    }
    var draws = Draws(1)
    #expect(Self.distributions[0].draw(9, using: &draws).arms.count == 4)
    #expect(Self.distributions[0].draw(0, using: &draws).arms.isEmpty)
  }
}

@Suite struct WinProbabilitiesTests {
  @Test(
    arguments: [
      [0, 1, 0, 1], [0, 1, 1, 1], [0.3, 0.01, 0.31, 0.02], [0, 5, 1, 0.01], [2, 1, 0, 3],
      [0, 1, 4, 0.5], [1e6, 2, 1e6 + 1, 1],
    ] as [[Double]])
  func twoNormalArms(numbers: [Double]) {
    let (first, second) = (numbers[0], numbers[2])
    let (firstDeviation, secondDeviation) = (numbers[1], numbers[3])
    let known =
      0.5
      * erfc(
        -(first - second) / hypot(firstDeviation, secondDeviation) / 2.0.squareRoot())
    let computed = WinProbabilities.normal(
      means: [first, second], deviations: [firstDeviation, secondDeviation])
    #expect(abs(computed[0] - known) < 1e-6)
    #expect(abs(computed[0] + computed[1] - 1) < 1e-12)
  }

  @Test func manyArmsAgainstSamples() {
    var draws = Draws(2)
    let means = (0..<12).map { _ in draws.normal() }
    let deviations = (0..<12).map { _ in draws.share() + 0.05 }
    let computed = WinProbabilities.normal(means: means, deviations: deviations)
    var wins = Array(repeating: 0, count: 12)
    for _ in 0..<40000 {
      let sample = zip(means, deviations).map { $0 + $1 * draws.normal() }
      wins[sample.indices.max { sample[$0] < sample[$1] } ?? 0] += 1
    }
    for arm in 0..<12 { #expect(abs(Double(wins[arm]) / 40000 - computed[arm]) < 0.012) }
  }

  @Test func equalArmsAndCertainArms() {
    let equal = WinProbabilities.normal(means: [1, 1, 1, 1], deviations: [2, 2, 2, 2])
    #expect(Set(equal).count == 1 && abs(equal[0] - 0.25) < 1e-12)
    #expect(WinProbabilities.normal(means: [1, 3, 2], deviations: [0, 0, 0]) == [0, 1, 0])
    #expect(WinProbabilities.normal(means: [3, 3, 2], deviations: [0, 0, 0]) == [0.5, 0.5, 0])
    #expect(WinProbabilities.normal(means: [7], deviations: [1]) == [1])
    #expect(WinProbabilities.normal(means: [], deviations: []).isEmpty)
    let mixed = WinProbabilities.normal(means: [0, 0.5], deviations: [1, 0])
    #expect(abs(mixed[0] - 0.3085375) < 1e-6)
  }

  @Test func betaArms() {
    // P(X > Y) of Beta(2, 1) and Beta(1, 1) is 2/3; of Beta(1, 20) and Beta(1, 10) it is 10/30.
    #expect(abs(WinProbabilities.beta([(2, 1), (1, 1)])[0] - 2.0 / 3) < 0.01)
    #expect(abs(WinProbabilities.beta([(1, 20), (1, 10)])[0] - 1.0 / 3) < 0.01)
    let many = WinProbabilities.beta([(500, 500), (300, 700), (10, 10)])
    #expect(many[1] == 0 || many[1] < 1e-9)
    #expect(abs(many.reduce(0, +) - 1) < 1e-12)
  }

  @Test func betaDistribution() {
    #expect(abs(BetaDistribution.distribution(0.5, a: 2, b: 3) - 0.6875) < 1e-12)
    for x in [0.01, 0.2, 0.7, 0.99] {
      #expect(abs(BetaDistribution.distribution(x, a: 1, b: 4) - (1 - pow(1 - x, 4))) < 1e-12)
      #expect(abs(BetaDistribution.distribution(x, a: 5, b: 1) - pow(x, 5)) < 1e-12)
      let half = BetaDistribution.distribution(x, a: 40.5, b: 3.25)
      #expect(abs(half + BetaDistribution.distribution(1 - x, a: 3.25, b: 40.5) - 1) < 1e-12)
    }
    #expect(BetaDistribution.distribution(0, a: 2, b: 2) == 0)
    #expect(BetaDistribution.distribution(1, a: 2, b: 2) == 1)
  }
}

@Suite struct CountBanditTests {
  private func best(_ policy: BanditPolicy, rounds: [Double], rewards: [Double]) -> [Double] {
    CountBandit(rounds: rounds, rewards: rewards, settings: .init(policy: policy))
      .distribution().probabilities()
  }

  @Test func upperBoundsByHand() {
    // 10/20 + √(ln 30 / 20) = 0.912, 6/10 + √(ln 30 / 10) = 1.183.
    #expect(best(.upperBound(width: 1), rounds: [20, 10], rewards: [10, 6]) == [0, 1])
    // 10/20 + 0.1 · 0.412 = 0.541, 5/10 − … 4/10 + 0.1 · 0.583 = 0.458.
    #expect(best(.upperBound(width: 0.1), rounds: [20, 10], rewards: [10, 4]) == [1, 0])
    #expect(best(.upperBound(width: 1), rounds: [20, 0], rewards: [20, 0]) == [0, 1])
    #expect(
      best(.upperBound(width: 1, epsilon: 0.2), rounds: [20, 0], rewards: [20, 0]) == [0.1, 0.9])
  }

  @Test func softmaxIsOverMeans() {
    let shares = best(.softmax(temperature: 0.1), rounds: [8, 8], rewards: [2, 6])
    #expect(abs(shares[0] / shares[1] - exp((0.3 - 0.7) / 0.1)) < 1e-9)
  }

  @Test func roundsFade() {
    var bandit = CountBandit(armCount: 2, settings: .init(policy: .thompson(), keep: 0.5))
    bandit.learn(arm: 0, reward: 1)
    bandit.learn(arm: 0, reward: 1)
    bandit.learn(arm: 1, reward: 0)
    #expect(bandit.rounds == [0.75, 1])
    #expect(bandit.rewards == [0.75, 0])
  }

  @Test(arguments: [
    BanditPolicy.epsilonGreedy(0.1), .upperBound(width: 0.5), .thompson(),
    .softmax(temperature: 0.1),
  ])
  func findsTheBestArm(policy: BanditPolicy) {
    let rates = [0.2, 0.8, 0.4]
    var bandit = CountBandit(armCount: 3, settings: .init(policy: policy))
    var draws = Draws(4)
    var dealt = Array(repeating: 0, count: 3)
    for _ in 0..<2000 {
      let arm = bandit.distribution().draw(1, using: &draws).arms[0]
      dealt[arm] += 1
      bandit.learn(arm: arm, reward: draws.share() < rates[arm] ? 1 : 0)
    }
    #expect(dealt[1] > 1600)
  }
}
