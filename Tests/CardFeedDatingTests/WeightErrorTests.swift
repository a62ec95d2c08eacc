import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// What `profile-logistic` says of how well its weights are known.
@Suite struct WeightErrorTests {
  /// Answers that follow from the profiles alone.
  private func world(share: Double, seed: UInt64) -> SocialWorld {
    var world = SocialWorld(pools: 1, side: 12, share: share, seed: 1)
    var random = SplitMix64(seed: seed)
    func sports(_ index: Int) -> Double { world.people[index].traits["sports"] ?? 0 }
    var answers: [TrainingAnswer] = []
    for woman in 0..<12 {
      for man in 12..<24 {
        for (rater, target) in [(woman, man), (man, woman)] where random.unitInterval() < share {
          let z = -0.2 + 0.6 * sports(rater) + 0.8 * sports(target)
          answers.append(world.answer(rater, target, random.unitInterval() < logistic(z)))
        }
      }
    }
    world.answers = answers
    return world
  }

  private func trained(
    _ world: SocialWorld
  ) async throws -> (strategy: SocialRelationsProbability, model: SocialRelationsModel) {
    let strategy = socialRelations("profile-logistic") {
      $0.hasPeople = false
      $0.averages = false
      $0.featureSpread = 3
      $0.comparisons = TraitComparisons(
        own: ["sports"], other: ["sports"], difference: [], product: [], same: [], alike: [])
    }
    return (strategy, try await strategy.trained(on: world))
  }

  @Test func theErrorIsTheSpreadOfFits() async throws {
    let rounds = 80
    var values: [[Double]] = Array(repeating: [], count: 24)
    var said = Array(repeating: 0.0, count: 24)
    for seed in 0..<UInt64(rounds) {
      let world = world(share: 0.8, seed: seed + 100)
      let (strategy, _) = try await trained(world)
      let estimates = try await strategy.estimates(for: world.slate(0))
      for index in 12..<24 {
        values[index].append(try #require(estimates[index].match).value)
        said[index] += try #require(estimates[index].standardError) / Double(rounds)
      }
    }
    for index in 12..<24 {
      let mean = values[index].reduce(0, +) / Double(rounds)
      let variance =
        values[index].reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rounds - 1)
      // A standard deviation of eighty has a standard error of 8 %.
      #expect(abs(said[index] / variance.squareRoot() - 1) < 0.35, "person \(index)")
    }
  }

  @Test func moreAnswersAreLessError() async throws {
    let (few, many) = (world(share: 0.2, seed: 7), world(share: 1, seed: 7))
    let (fewer, more) = (try await trained(few), try await trained(many))
    let before = try await fewer.strategy.estimates(for: few.slate(0))
    let after = try await more.strategy.estimates(for: many.slate(0))
    for index in 12..<24 {
      #expect(
        try #require(after[index].standardError) < #require(before[index].standardError))
    }
  }

  @Test func theErrorsAreReadBack() async throws {
    let (_, model) = try await trained(world(share: 1, seed: 3))
    let read = try SocialRelationsModel(bytes: model.bytes)
    #expect(read.globals == model.globals && read.globals?.size == 2 + model.bases.count)
    #expect(read.bytes == model.bytes)
    #expect(read.forgetting("p0-1").globals == model.globals)
    #expect(throws: FeedError.self) {
      try SocialRelationsModel(bytes: Array(model.bytes.dropLast(8)))
    }
    var old = model
    old.globals = nil
    let earlier = try SocialRelationsModel(bytes: old.bytes)
    #expect(earlier.globals == nil && earlier.weights == model.weights)
  }

  @Test func aFactorGivesTheProductsOfTheInverse() throws {
    // The inverse of (4, 2; 2, 3) is (3, −2; −2, 4) / 8.
    let factor = try CholeskyFactor([4, 2, 2, 3], size: 2)
    let (v, w) = (factor.whitened([1, 2]), factor.whitened([3, -1]))
    let product = zip(v, w).reduce(0) { $0 + $1.0 * $1.1 }
    #expect(abs(product - (1.0 * (3 * 3 - 2 * -1) + 2 * (-2 * 3 + 4 * -1)) / 8) < 1e-12)
    #expect(CholeskyFactor(triangle: factor.triangle, size: 2) == factor)
    #expect(CholeskyFactor(triangle: [0, 1, 1], size: 2) == nil)
    #expect(CholeskyFactor(triangle: [1], size: 2) == nil)
  }
}
