import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedConfiguration
@testable import CardFeedDating

@Suite struct SocialRelationsProbabilityTests {
  private static let comparisons = TraitComparisons(
    own: ["*"], other: ["*"], difference: ["age"], product: ["sports"])

  private func strategies() -> [SocialRelationsProbability] {
    [
      socialRelations("additive") {
        $0.averages = false
        $0.correlation = 0
      }, socialRelations("social-relations"),
      socialRelations("profile-logistic") {
        $0.hasPeople = false
        $0.averages = false
        $0.comparisons = Self.comparisons
      }, socialRelations("hybrid") { $0.comparisons = Self.comparisons },
      socialRelations("hybrid", knownAnswers: .use) { $0.comparisons = Self.comparisons },
    ]
  }

  @Test func theContractOfEstimatesHolds() async throws {
    let world = SocialWorld(share: 0.6, tasteFor: 0.5)
    for strategy in strategies() {
      let before = try await strategy.estimates(for: world.slate(0))
      #expect(before.unknownCount == before.count, "without a model nothing is known")
      try await strategy.trained(on: world)
      for viewer in [0, 15, 40] {
        let slate = world.slate(viewer)
        let violations = await StrategyConformance.violations(of: strategy, on: slate)
        #expect(violations.isEmpty, "\(strategy.settings.name): \(violations)")
        let estimates = try await strategy.estimates(for: slate)
        for index in 0..<estimates.count {
          let estimate = estimates[index]
          #expect(estimate.match != nil)
          #expect(estimate.standardError ?? 0 >= 0)
        }
      }
    }
  }

  @Test func theViewersNumbersInADealAreThoseOfTheTraining() async throws {
    let world = SocialWorld(tasteFor: 0.5)
    let strategy = socialRelations { $0.comparisons = Self.comparisons }
    let model = try await strategy.trained(on: world)
    for viewer in stride(from: 0, to: world.people.count, by: 7) {
      let slate = world.slate(viewer)
      let reader = SocialRelationsReader(model, table: slate.table, now: slate.context.now)
      let found = reader.viewer(slate.context).effects
      let fitted = try #require(model.effects(of: world.people[viewer].id))
      // Given everybody else the mode of two numbers is where the mode of all has them.
      #expect(abs(found.actor - fitted.actor) < 1e-4)
      #expect(abs(found.partner - fitted.partner) < 1e-4)
      for entry in 0..<3 {
        #expect(abs(found.covariance[entry] - fitted.covariance[entry]) < 1e-4)
      }
    }
  }

  @Test func bothSidesSeeOneMatch() async throws {
    let world = SocialWorld(tasteFor: 0.5)
    for strategy in strategies().dropLast() {
      try await strategy.trained(on: world)
      let one = try await strategy.estimates(for: world.slate(0, candidates: [12]))[0]
      let other = try await strategy.estimates(for: world.slate(12, candidates: [0]))[0]
      #expect(try abs(#require(one.match).value - #require(other.match).value) < 1e-4)
      #expect(try abs(#require(one.forward).value - #require(other.backward).value) < 1e-4)
      if !strategy.settings.averages {
        let product = try #require(one.forward).value * #require(one.backward).value
        #expect(try abs(#require(one.match).value - product) < 1e-12)
      }
    }
  }

  @Test func aNewcomersFirstSwipesCountAtOnceAndARewindTakesThemBack() async throws {
    var world = SocialWorld()
    let newcomer = 3
    world.answers = world.answers(without: newcomer)
    let strategy = socialRelations("social-relations")
    let model = try await strategy.trained(on: world)
    #expect(model.effects(of: world.people[newcomer].id) == nil)
    func forward() async throws -> Double {
      let estimates = try await strategy.estimates(for: world.slate(newcomer, candidates: [17]))
      return try #require(estimates[0].forward).value
    }
    let before = try await forward()
    for other in 10..<14 { world.answers.append(world.answer(newcomer, other, true)) }
    let after = try await forward()
    #expect(after > before + 0.1)
    world.answers.removeLast(4)
    #expect(try await forward() == before)
    // What others say moves the other side.
    func backward() async throws -> Double {
      let estimates = try await strategy.estimates(for: world.slate(newcomer, candidates: [17]))
      return try #require(estimates[0].backward).value
    }
    let popular = try await backward()
    for other in 10..<14 { world.answers.append(world.answer(other, newcomer, false)) }
    #expect(try await backward() < popular - 0.05)
  }

  @Test func strangersGetTheEstimateOfTheirGenderOrNone() async throws {
    var world = SocialWorld()
    world.answers = world.answers(without: 3)
    let states = LearnerStates()
    let prior = socialRelations("social-relations", states: states)
    try await prior.trained(on: world)
    let strict = socialRelations("social-relations", states: states, unknown: .unscored)
    let slate = world.slate(12, candidates: [2, 3])
    let estimates = try await prior.estimates(for: slate)
    #expect(estimates[1].match != nil)
    #expect(
      try #require(estimates[1].standardError) > #require(estimates[0].standardError) / 2)
    let strictly = try await strict.estimates(for: slate)
    #expect(strictly[0] == estimates[0])
    #expect(strictly[1] == MatchEstimate(match: nil))
    #expect(try await strict.estimates(for: world.slate(3)).unknownCount == world.people.count)
  }

  @Test func aKnownAnswerTakesThePlaceOfTheProbabilityOnlyWhereItIsAskedFor() async throws {
    let world = SocialWorld()
    let states = LearnerStates()
    let quiet = socialRelations(states: states)
    try await quiet.trained(on: world)
    let telling = socialRelations(states: states, knownAnswers: .use)
    let viewer = 0
    for answer in world.answers where answer.card == world.number(viewer) {
      let card = Int(answer.viewer.rawValue) - 1
      let slate = world.slate(viewer, candidates: [card])
      let base = try await quiet.estimates(for: slate)[0]
      let known = try await telling.estimates(for: slate)[0]
      #expect(!(try [0, 1].contains(#require(base.backward).value)))
      let liked = answer.meaning == .positive
      #expect(known.backward?.value == (liked ? 1 : 0))
      #expect(try #require(known.match).value == (liked ? #require(known.forward).value : 0))
      // A like that was not certain raises what the viewer is expected to say.
      let moved = try #require(known.forward).value - #require(base.forward).value
      #expect(liked ? moved > 0 : moved < 0)
    }
  }

  @Test func whoIsForgottenIsAStranger() async throws {
    let world = SocialWorld()
    let model = try await socialRelations("social-relations").trained(on: world)
    let less = model.forgetting(world.people[5].id)
    #expect(less.peopleCount == model.peopleCount - 1)
    #expect(less.effects(of: world.people[5].id) == nil)
    #expect(less.effects(of: world.people[6].id) == model.effects(of: world.people[6].id))
    #expect(less.forgetting("nobody").bytes == less.bytes)
  }

  @Test func bytesReadBackAndDamagedOnesAreRefused() async throws {
    let world = SocialWorld(pools: 1, side: 3, tasteFor: 0.5)
    let strategy = socialRelations { $0.comparisons = Self.comparisons }
    let model = try await strategy.trained(on: world)
    let bytes = model.bytes
    let read = try SocialRelationsModel(bytes: bytes)
    #expect(read.bytes == bytes)
    let before = try await strategy.estimates(for: world.slate(0))
    strategy.slot.replace(with: read)
    let after = try await strategy.estimates(for: world.slate(0))
    #expect((0..<before.count).allSatisfy { before[$0] == after[$0] })
    for length in 0..<bytes.count {
      #expect(throws: FeedError.self, "\(length) bytes") {
        try SocialRelationsModel(bytes: Array(bytes[..<length]))
      }
    }
    #expect(throws: FeedError.self) { try SocialRelationsModel(bytes: bytes + [0]) }
    var generator = SplitMix64(seed: 4)
    for _ in 0..<2000 {
      var damaged = bytes
      damaged[generator.index(below: bytes.count)] = UInt8(generator.index(below: 256))
      // A number may change its value; nothing may trap.
      _ = try? SocialRelationsModel(bytes: damaged)
    }
  }

  @Test func aFeedTrainsAndDealsByIt() async throws {
    let world = SocialWorld(pools: 1, side: 10, tasteFor: 0.5)
    let feed = try await datingFeed(
      world.people,
      [
        "matchProbability": ["use": "hybrid", "actorSpread": 1.5, "partnerSpread": 1.2],
        "filters": [], "ranking": ["use": "match-probability"],
      ])
    for answer in world.answers {
      try await feed.answer(
        world.people[Int(answer.viewer.rawValue) - 1].id,
        answer.meaning == .positive ? .like : .pass,
        world.people[Int(answer.card.rawValue) - 1].id)
    }
    let report = try await feed.train()
    #expect(report.answers == world.answers.count)
    #expect(
      report.scored == [
        [
          "own(age)", "own(sports)", "other(age)", "other(sports)", "difference(age)",
          "difference(sports)",
        ]
      ], "what says that it is sensitive is left out")
    let estimates = try await feed.estimates(
      for: world.people[0].id, cards: world.people[10..<20].map(\.id))
    #expect(estimates.allSatisfy { $0.match != nil })
  }
}

@Suite struct MatchQuadratureTests {
  @Test(arguments: [(0.0, 0.0), (-1.5, 0.4), (2.0, 3.0), (-0.7, 1.0)])
  func oneSideAgreesWithAFineSum(mean: Double, variance: Double) {
    var sum = 0.0
    var weight = 0.0
    for step in -4000...4000 {
      let x = Double(step) / 500
      let density = exponential(-x * x / 2)
      sum += density * logistic(mean + variance.squareRoot() * x)
      weight += density
    }
    #expect(abs(MatchQuadrature.probability(mean, variance: variance) - sum / weight) < 2e-4)
  }

  @Test(arguments: [
    (-1.0, 0.3, 0.8, 0.5, 0.2), (0.5, 0.5, 1.2, 1.2, -0.7), (-2.0, -0.5, 0.0, 0.0, 0.0),
    (-1.0, -1.0, 0.0, 1.0, 0.3),
  ])
  func bothSidesAgreeWithAFineSum(
    _ m1: Double, _ m2: Double, _ v1: Double, _ v2: Double, _ covariance: Double
  ) {
    let first = v1.squareRoot()
    let slope = first > 0 ? covariance / first : 0
    let rest = max(0, v2 - slope * slope).squareRoot()
    var sums = (match: 0.0, square: 0.0, weight: 0.0)
    for i in -160...160 {
      for j in -160...160 {
        let (x, y) = (Double(i) / 25, Double(j) / 25)
        let density = exponential(-(x * x + y * y) / 2)
        let p = logistic(m1 + first * x) * logistic(m2 + slope * x + rest * y)
        sums.match += density * p
        sums.square += density * p * p
        sums.weight += density
      }
    }
    let mean = sums.match / sums.weight
    let deviation = max(0, sums.square / sums.weight - mean * mean).squareRoot()
    let found = MatchQuadrature.match(
      SIMD2(m1, m2), variances: SIMD2(v1, v2), covariance: covariance)
    #expect(abs(found.probability - mean) < 2e-4)
    #expect(abs(found.deviation - deviation) < 1e-3)
  }

  @Test func theWeightsAreADistributionWithTheMomentsOfTheNormal() {
    func moment(_ power: Int) -> Double {
      MatchQuadrature.nodes.reduce(0) { sum, node in
        sum + node.weight * (0..<power).reduce(1.0) { value, _ in value * node.node }
      }
    }
    for (power, value) in [(0, 1.0), (1, 0), (2, 1), (3, 0), (4, 3), (6, 15), (8, 105)] {
      #expect(abs(moment(power) - value) < 1e-9 * max(1, value))
    }
  }
}
