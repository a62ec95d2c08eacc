import CardFeedConfiguration
import CardFeedOnlineLearning
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedBandits

@Suite struct BanditsTests {
  private let deck = ToyDeck(isMutual: false)

  private func slate(_ count: Int, groups: [String] = ["a", "b"]) -> Slate<ToyDeck> {
    let cards = (0..<count).map { index in
      ToyCard(
        CardID("c\(index)"), group: groups[index % groups.count],
        weight: index == 3 ? nil : Double(index % 5))
    }
    return StrategyConformance.slate(of: cards, deck: deck, viewer: "v")
  }

  private func event(
    _ slate: Slate<ToyDeck>, _ place: Int, _ meaning: AnswerMeaning, viewer: ViewerNumber? = nil
  ) -> LearningEvent<ToyDeck> {
    LearningEvent(
      viewer: viewer ?? slate.context.number, card: slate.numbers[place], viewerRow: nil,
      cardRow: slate.rows[place], table: slate.table, meaning: meaning,
      time: Timestamp(milliseconds: 7))
  }

  /// Learns events, and takes some of them back in between: what is left must be as if those had
  /// never been added.
  private func learn(
    _ learner: some Learner<ToyDeck>, _ slate: Slate<ToyDeck>,
    _ answers: [(place: Int, meaning: AnswerMeaning)]
  ) {
    for answer in answers {
      learner.numbers.apply(learner.increments(for: event(slate, answer.place, answer.meaning)))
    }
  }

  private func wins(_ scores: [Double]) -> [Double] {
    let weights = scores.map { exponential($0) }
    return weights.map { $0 / weights.reduce(0, +) }
  }

  @Test func thompsonScoresAreWinningProbabilities() async throws {
    let states = LearnerStates()
    let slate = slate(5)
    let ranking = CountRanking<ToyDeck>(
      method: .thompson(pool: 10), a: 1, b: 1, states: states)
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    let counts = CardCounts<ToyDeck>(states: states)
    learn(
      counts, slate,
      [(0, .positive), (0, .positive), (0, .negative), (1, .negative), (2, .neutral)])
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 5)).values
    // Softmax with temperature 1 draws what the bandit would.
    let bandit = CountBandit(
      rounds: [3, 1, 0, 0, 0], rewards: [2, 0, 0, 0, 0], settings: .init(policy: .thompson()))
    let expected = bandit.distribution().probabilities()
    for (own, other) in zip(wins(scores), expected) { #expect(abs(own - other) < 1e-9) }
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    // Behind the pool come the others, by their means.
    let few = CountRanking<ToyDeck>(method: .thompson(pool: 2), a: 1, b: 1, states: states)
    let short = try await few.scores(for: slate, estimates: MatchEstimates(count: 5)).values
    #expect(short.count { $0 > -200 } == 2)
    // Two new cards are alike, and compared; all others have a score of their own.
    #expect(Set(short).count == 4 && short.allSatisfy { $0.isFinite })
    #expect(short.min() == short[1])
    #expect(await StrategyConformance.violations(of: few, on: slate).isEmpty)
  }

  @Test func aBoundMakesRoomForNewCards() async throws {
    let states = LearnerStates()
    let slate = slate(3)
    let ranking = CountRanking<ToyDeck>(
      method: .upperBound(width: 0.5), a: 1, b: 1, states: states)
    learn(
      CardCounts<ToyDeck>(states: states), slate,
      Array(repeating: (0, .positive), count: 6) + Array(repeating: (1, .negative), count: 6))
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 3)).values
    #expect(scores[2] > scores[0] && scores[0] > scores[1])
    let narrow = CountRanking<ToyDeck>(method: .upperBound(width: 0), a: 1, b: 1, states: states)
    let means = try await narrow.scores(for: slate, estimates: MatchEstimates(count: 3)).values
    #expect(means == [7.0 / 8, 1.0 / 8, 0.5])
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
  }

  @Test(arguments: [true, false])
  func aLinearModelIsRidgeRegression(isOfViewer: Bool) async throws {
    let states = LearnerStates()
    let slate = slate(10)
    let ranking = LinearBanditRanking<ToyDeck>(
      columns: [(name: "weight", scale: 2)], isOfViewer: isOfViewer,
      method: .upperBound(width: 1), ridge: 1, states: states)
    let learner = try #require(ranking.learners.first)
    func add(_ place: Int, _ meaning: AnswerMeaning, _ sign: Int64 = 1) {
      learner.numbers.apply(
        learner.increments(for: event(slate, place, meaning)), sign: sign)
    }
    add(1, .positive)
    add(4, .negative)
    add(2, .positive)
    add(4, .negative, -1)
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 10))
    // Rows (0.5, 1) and (1, 1), both liked; without the one that was taken back.
    let belief = try #require(
      RidgeBelief(triangle: [1.25, 1.5, 2], products: [1.5, 2], ridge: 1))
    for place in [0, 1, 2, 4] {
      let moments = belief.moments(of: [Double(place % 5) / 2, 1])
      #expect(abs(scores.values[place] - moments.mean - moments.variance.squareRoot()) < 1e-6)
    }
    // No number, no score.
    #expect(scores.values[3].isNaN)
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    // Somebody else's answers are of everybody only.
    learner.numbers.apply(
      learner.increments(for: event(slate, 4, .positive, viewer: CardNumber(900))))
    let after = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 10)).values
    #expect((after[4] == scores.values[4]) == isOfViewer)
    let thompson = LinearBanditRanking<ToyDeck>(
      columns: [(name: "weight", scale: 2)], isOfViewer: isOfViewer,
      method: .thompson(width: 0.5, pool: 4), ridge: 1, states: states)
    #expect(await StrategyConformance.violations(of: thompson, on: slate).isEmpty)
  }

  @Test func onlineWeightsFollowAnswers() async throws {
    let states = LearnerStates()
    let slate = slate(12)
    let recipe = try FeatureRecipe(
      columns: ["group", "weight: 1 3"], features: ["group", "group * weight"], bits: 6)
    let strategy = OnlineProbability<ToyDeck>(
      recipe: recipe, settings: .init(alpha: 0.5, lambda1: 0), states: states)
    #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
    let before = try await strategy.estimates(for: slate)
    #expect((0..<12).allSatisfy { before[$0].match?.value == 0.5 })
    let learner = try #require(strategy.learners.first)
    for round in 0..<200 {
      let place = (round * 7) % 12
      learner.numbers.apply(
        learner.increments(for: event(slate, place, place % 2 == 0 ? .positive : .negative)))
    }
    let after = try await strategy.estimates(for: slate)
    #expect((0..<12).allSatisfy { (after[$0].match?.value ?? 0.5 > 0.5) == ($0 % 2 == 0) })
    #expect(after[0].match?.value ?? 0 > 0.8)
    #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
    // Another viewer gets what holds for everybody.
    let other = StrategyConformance.slate(
      of: (0..<2).map { ToyCard(CardID("n\($0)"), group: ["a", "b"][$0], weight: 2) }, deck: deck,
      viewer: "w")
    let newcomer = try await strategy.estimates(for: other)
    #expect(newcomer[0].match?.value ?? 0 > newcomer[1].match?.value ?? 1)
    #expect(strategy.scored == ["group", "weight"])
  }

  @Test func aRewindTakesExactlyItsOwnBack() throws {
    let states = LearnerStates()
    let slate = slate(12)
    let recipe = try FeatureRecipe(columns: ["group"], features: ["group"], bits: 6)
    let learner = OnlineWeights<ToyDeck>(recipe: recipe, settings: .init(), states: states)
    learner.numbers.apply(learner.increments(for: event(slate, 0, .positive)))
    let state = learner.numbers.nonzero()
    let first = learner.increments(for: event(slate, 1, .negative))
    learner.numbers.apply(first)
    let second = learner.increments(for: event(slate, 2, .negative))
    #expect(!second.isEmpty && learner.increments(for: event(slate, 2, .neutral)).isEmpty)
    learner.numbers.apply(second)
    learner.numbers.apply(first, sign: -1)
    learner.numbers.apply(second, sign: -1)
    #expect(learner.numbers.nonzero() == state)
  }

  @Test func namesMeanTheSameInEveryTable() throws {
    let recipe = try FeatureRecipe(columns: ["group"], features: ["group"], bits: 6)
    let learner = OnlineWeights<ToyDeck>(
      recipe: recipe, settings: .init(), states: LearnerStates())
    let one = slate(2, groups: ["x", "y"])
    let other = slate(2, groups: ["y", "x"])
    let (read, readOther) = (try learner.reader(one.table), try learner.reader(other.table))
    #expect(read(one.rows[0]) == readOther(other.rows[1]))
    #expect(read(one.rows[0]) != read(one.rows[1]))
  }

  @Test func columnsAreCheckedWhileAStrategyIsBuilt() {
    for (column, kinds) in [
      ("weigth", [ColumnDeclaration<ToyCard>.Kind.float, .integer]), ("tags", [.category]),
    ] {
      #expect(throws: FeedError.self) {
        try deck.check(column, isOneOf: kinds, askedBy: "the ranking 'linear-bandit'")
      }
    }
    var registry = StrategyRegistry<ToyDeck>()
    BanditsPlugin().register(in: &registry)
    let names = registry.descriptions.map(\.use)
    #expect(names == ["thompson", "upper-bound", "linear-bandit", "ftrl"])
  }
}
