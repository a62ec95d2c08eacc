import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

@Suite struct SocialRelationsFitTests {
  /// The gradient of the logarithm of the posterior at a model, worked out answer by answer.
  private func gradient(
    of model: SocialRelationsModel, in world: SocialWorld, comparisons: TraitComparisons
  ) throws -> (people: [Double], bases: [Double], weights: [Double]) {
    let traits = TraitTable(
      world.table, traits: model.comparer.traits, now: Timestamp(milliseconds: 0))
    var people: [CardID: [Double]] = [:]
    var bases: [String: Double] = [:]
    var weights = model.weights.map { -$0 / (model.spreads.feature * model.spreads.feature) }
    for (id, effects) in zip(model.ids, model.effects) {
      let (sa, sp, rho) = (
        model.spreads.actor, model.spreads.partner, model.spreads.correlation
      )
      // The inverse of the 2 × 2 covariance, by hand.
      let determinant = sa * sa * sp * sp * (1 - rho * rho)
      people[id] = [
        -(sp * sp * effects.actor - rho * sa * sp * effects.partner) / determinant,
        -(sa * sa * effects.partner - rho * sa * sp * effects.actor) / determinant,
      ]
    }
    let likes = Double(world.answers.count { $0.meaning == .positive })
    let mean = logOdds((likes + 0.5) / (Double(world.answers.count) + 1))
    for base in model.bases { bases[base.gender] = -(base.value - mean) / 4 }
    for answer in world.answers {
      let (a, b) = (
        world.people[Int(answer.viewer.rawValue) - 1], world.people[Int(answer.card.rawValue) - 1]
      )
      let features = try features(
        model.comparer, traits, world, Int(answer.viewer.rawValue) - 1,
        Int(answer.card.rawValue) - 1)
      var z = model.base(of: a.gender) + (model.effects(of: a.id)?.actor ?? 0)
      z += model.effects(of: b.id)?.partner ?? 0
      for (weight, feature) in zip(model.weights, features) { z += weight * feature }
      let rest = (answer.meaning == .positive ? 1 : 0) - 1 / (1 + exponential(-z))
      people[a.id]?[0] += rest
      people[b.id]?[1] += rest
      bases[a.gender ?? "", default: 0] += rest
      for index in weights.indices { weights[index] += rest * features[index] }
    }
    return (people.values.flatMap { $0 }, Array(bases.values), weights)
  }

  private func features(
    _ comparer: PairComparer, _ traits: TraitTable, _ world: SocialWorld, _ a: Int, _ b: Int
  ) throws -> [Double] {
    var features: [Double] = []
    comparer.compare(traits.values(of: Row(a)), traits.values(of: Row(b))) {
      features.append($1)
      #expect($0 == features.count - 1)
    }
    return features
  }

  private static let comparisons = TraitComparisons(
    own: ["*"], other: ["*"], difference: ["age"], product: ["sports"])

  @Test(arguments: [1.0, 0.3])
  func theFitIsTheModeOfThePosterior(share: Double) async throws {
    let world = SocialWorld(share: share, tasteFor: 0.5)
    let strategy = socialRelations { $0.comparisons = Self.comparisons }
    let model = try await strategy.trained(on: world)
    #expect(model.scored.count == 6)
    let found = try gradient(of: model, in: world, comparisons: Self.comparisons)
    for part in [found.people, found.bases, found.weights] {
      #expect(!part.isEmpty)
      for value in part { #expect(abs(value) < 1e-4) }
    }
  }

  @Test func theFitFindsWhatTheAnswersWereMadeOf() async throws {
    let world = SocialWorld(pools: 5, side: 12, tasteFor: 0.6)
    let model = try await socialRelations { $0.comparisons = Self.comparisons }
      .trained(on: world)
    func correlation(_ a: [Double], _ b: [Double]) -> Double {
      let n = Double(a.count)
      let (ma, mb) = (a.reduce(0, +) / n, b.reduce(0, +) / n)
      let pairs = zip(a, b).map { ($0 - ma, $1 - mb) }
      let products = pairs.reduce((0.0, 0.0, 0.0)) {
        ($0.0 + $1.0 * $1.1, $0.1 + $1.0 * $1.0, $0.2 + $1.1 * $1.1)
      }
      return products.0 / (products.1 * products.2).squareRoot()
    }
    let effects = world.people.compactMap { model.effects(of: $0.id) }
    try #require(effects.count == world.people.count)
    #expect(correlation(effects.map(\.actor), world.actors) > 0.85)
    #expect(correlation(effects.map(\.partner), world.partners) > 0.8)
    let place = try #require(model.scored.firstIndex(of: "product(sports, sports)"))
    #expect(model.weights[place] > 0.2)
  }

  @Test func equalHistoriesGiveEqualBytesWhateverTheNumbers() async throws {
    let world = SocialWorld(share: 0.5)
    let strategy = socialRelations { $0.comparisons = Self.comparisons }
    let model = try await strategy.fit(world.history, progress: TrainingProgress())
    #expect(
      try await strategy.fit(world.history, progress: TrainingProgress()).bytes == model.bytes)
    // The same people and answers in a store that counts the people the other way round, with
    // the answers in another order.
    let count = world.people.count
    let table = CardTable<DatingDeck>.make(
      world.people.enumerated().reversed().map {
        (card: $1, number: CardNumber(Int64(count - $0)))
      }, deck: DatingDeck())
    func renumbered(_ number: CardNumber) -> CardNumber {
      CardNumber(Int64(count) - number.rawValue + 1)
    }
    let other = TrainingHistory(
      answers: world.answers.reversed().map {
        TrainingAnswer(
          viewer: renumbered($0.viewer), card: renumbered($0.card), meaning: $0.meaning,
          time: $0.time, event: $0.event)
      }, table: table, deck: DatingDeck(), now: Timestamp(milliseconds: 0))
    #expect(try await strategy.fit(other, progress: TrainingProgress()).bytes == model.bytes)
  }

  private func chosenSpreads(_ world: SocialWorld) async throws -> Spreads {
    let strategy = socialRelations("social-relations") { settings in
      settings.actorSpread = nil
      settings.partnerSpread = nil
    }
    let model = try await strategy.fit(world.history, progress: TrainingProgress())
    return model.spreads
  }

  @Test func spreadsAreChosenByHeldOutAnswers() async throws {
    // Answers that depend on nothing: people do not differ, and the least spreads win.
    var world = SocialWorld(pools: 3, side: 10)
    let answers = world.answers
    var generator = SplitMix64(seed: 3)
    world.answers = answers.map {
      TrainingAnswer(
        viewer: $0.viewer, card: $0.card,
        meaning: generator.unitInterval() < 0.4 ? .positive : .negative, time: $0.time,
        event: $0.event)
    }
    let noise = try await chosenSpreads(world)
    #expect((noise.actor, noise.partner) == (1.0, 0.8))
    world.answers = answers
    let real = try await chosenSpreads(world)
    #expect(real.actor > 1)
    // What is given is not chosen.
    let given = socialRelations("social-relations") { $0.actorSpread = 0.7 }
    let fitted = try await given.fit(world.history, progress: TrainingProgress())
    #expect(fitted.spreads.actor == 0.7)
  }

  @Test func onlyThePeopleAreFittedUnderTheRestOfAModel() async throws {
    let world = SocialWorld(tasteFor: 0.5, seed: 1)
    let states = LearnerStates()
    let first = try await socialRelations(states: states) { $0.comparisons = Self.comparisons }
      .trained(on: world)
    let refit = socialRelations(states: states) {
      $0.comparisons = Self.comparisons
      $0.refitsPeopleOnly = true
    }
    // The same answers: the people come out where they were.
    let same = try await refit.fit(world.history, progress: TrainingProgress())
    #expect(same.ids == first.ids)
    for (one, other) in zip(same.effects, first.effects) {
      #expect(abs(one.actor - other.actor) < 1e-4)
      #expect(abs(one.partner - other.partner) < 1e-4)
    }
    // Other answers: other people's numbers, but the rest stays to the bit.
    let other = SocialWorld(tasteFor: -0.5, seed: 2)
    let moved = try await refit.fit(other.history, progress: TrainingProgress())
    #expect(moved.weights == first.weights)
    #expect(moved.bases.map(\.value) == first.bases.map(\.value))
    #expect(moved.spreads == first.spreads)
    #expect(moved.effects != first.effects)

    let empty = socialRelations { $0.refitsPeopleOnly = true }
    let history = world.history
    await #expect(throws: FeedError.self) {
      try await empty.fit(history, progress: TrainingProgress())
    }
  }

  @Test func anEmptyHistoryHasAModelThatKnowsNobody() async throws {
    var world = SocialWorld()
    world.answers = []
    for strategy in [socialRelations { $0.comparisons = Self.comparisons }, socialRelations()] {
      let model = try await strategy.trained(on: world)
      #expect(model.peopleCount == 0)
      let estimate = try await strategy.estimates(for: world.slate(0))[12]
      #expect(try abs(#require(estimate.forward).value - 0.5) < 0.01)
    }
  }

  @Test func aCancelledFitEnds() async {
    let world = SocialWorld()
    let steps = Lock(0)
    let task = Task {
      try await socialRelations().fit(
        world.history,
        progress: TrainingProgress { _ in
          steps.withLock { $0 += 1 }
          // In the middle of the fit; without looking at it the fit would run to its end.
          withUnsafeCurrentTask { $0?.cancel() }
        })
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(steps.withLock { $0 } == 1)
  }
}
