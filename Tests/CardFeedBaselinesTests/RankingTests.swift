import CardFeedBaselines
import CardFeedTesting
import Testing

@testable import CardFeed

@Suite struct RankingTests {
  private let people = [
    ToyCard("a", group: "x", weight: 3), ToyCard("b", weight: -1), ToyCard("c", group: "y"),
    ToyCard("d", weight: 0.5), ToyCard("e", weight: 2),
  ]

  private func scores(
    _ ranking: some RankingStrategy<ToyDeck>, _ slate: Slate<ToyDeck>,
    _ probabilities: [Double?]? = nil
  ) async throws -> SlateScores {
    let known = probabilities.map(estimates) ?? MatchEstimates(count: slate.count)
    return try await ranking.scores(for: slate, estimates: known)
  }

  @Test func sourceOrderIsThePlaceInTheSlateAndNothingElse() async throws {
    let slate = toySlate(people, candidates: [3, 0, 4])
    #expect(try await scores(SourceOrderRanking(), slate).values == [0, -1, -2])
    let violations = await StrategyConformance.violations(
      of: SourceOrderRanking<ToyDeck>(), on: slate)
    #expect(violations.map(\.check) == ["permuting a slate permutes its answers"])
  }

  @Test func randomFollowsTheSeedAndTheCard() async throws {
    let cards = [ToyCard].numbered(2000)
    let slate = toySlate(cards, seed: 1)
    let ranking = RandomRanking<ToyDeck>()
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    let first = try await scores(ranking, slate).values
    let other = try await scores(ranking, toySlate(cards, seed: 2)).values
    #expect(Set(first).count == 2000)
    #expect(zip(first, other).allSatisfy { $0 != $1 })
    #expect(first.allSatisfy { (0..<1).contains($0) })
    // A mean of 2000 uniform numbers has a standard error of 0.0065.
    #expect(abs(first.reduce(0, +) / 2000 - 0.5) < 0.03)
  }

  @Test func matchProbabilityIsTheScoreAndNilIsUnscored() async throws {
    let slate = toySlate(people)
    let ranking = MatchProbabilityRanking<ToyDeck>()
    let probabilities = [0.2, nil, 0, 1, 0.7]
    #expect(
      await StrategyConformance.violations(
        of: ranking, on: slate, estimates: estimates(probabilities)
      ).isEmpty)
    let values = try await scores(ranking, slate, probabilities).values
    #expect(values.map { $0.isNaN ? nil : $0 } == probabilities)
  }

  @Test func anUncalibratedNumberOrdersAndIsNoTermForViewers() async throws {
    let slate = toySlate(people, candidates: [0, 1])
    var estimates = MatchEstimates(count: 2)
    estimates[1] = MatchEstimate(match: nil, uncalibrated: 0.75)
    let plain = try await MatchProbabilityRanking<ToyDeck>().scores(
      for: slate, estimates: estimates)
    #expect(plain.values[0].isNaN && plain.values[1] == 0.75)
    let weighted = try WeightedRanking(terms: [("match-probability", 2)], deck: ToyDeck())
    let result = try await weighted.scores(for: slate, estimates: estimates)
    #expect(result.values[0].isNaN && result.values[1] == 1.5)
    #expect(result.terms.map(\.isPrivate) == [true])
    estimates[1] = MatchEstimate(match: Probability(0.75))
    #expect(estimates[1].order == 0.75)
  }

  @Test func reciprocalIsLowWhereEitherSideIs() async throws {
    let slate = toySlate(people)
    var estimates = MatchEstimates(count: slate.count)
    func set(_ index: Int, _ forward: Double?, _ backward: Double?) {
      estimates[index] = MatchEstimate(
        match: Probability(0.3), forward: forward.flatMap(Probability.init),
        backward: backward.flatMap(Probability.init))
    }
    set(0, 0.2, 0.8)
    set(1, 0.45, 0.35)
    set(2, 0, 0)
    set(3, 0.9, nil)
    set(4, 1, 0.25)
    let expected: [ReciprocalRanking<ToyDeck>.Fusion: [Double?]] = [
      .harmonicMean: [2 * 0.2 * 0.8, 2 * 0.45 * 0.35 / (0.45 + 0.35), 0, nil, 0.4],
      .minimum: [0.2, 0.35, 0, nil, 0.25],
      .geometricMean: [(0.2 * 0.8).squareRoot(), (0.45 * 0.35).squareRoot(), 0, nil, 0.5],
    ]
    for fusion in ReciprocalRanking<ToyDeck>.Fusion.allCases {
      let ranking = ReciprocalRanking<ToyDeck>(fusion: fusion)
      let result = try await ranking.scores(for: slate, estimates: estimates)
      #expect(result.values.map { $0.isNaN ? nil : $0 } == expected[fusion])
      // What tells the other side's mind is in no term.
      #expect(result.terms.isEmpty)
      #expect(
        await StrategyConformance.violations(of: ranking, on: slate, estimates: estimates).isEmpty)
    }
  }

  @Test func reciprocalMeansLieBetweenTheSidesAndDoNotDependOnTheirOrder() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let p = generator.unitInterval()
      let q = generator.unitInterval()
      guard let one = Probability(p), let other = Probability(q) else { continue }
      let scores = ReciprocalRanking<ToyDeck>.Fusion.allCases.map { fusion in
        #expect(fusion.score(one, other) == fusion.score(other, one))
        return fusion.score(one, other)
      }
      // The minimum is the least mean, the geometric one the greatest of these.
      #expect(scores[1] <= scores[0] + 1e-15 && scores[0] <= scores[2] + 1e-15)
      #expect(scores[2] <= max(p, q) + 1e-15)
    }
  }

  @Test func popularityIsTheSmoothedShare() async throws {
    let slate = toySlate(people)
    let ranking = PopularityRanking<ToyDeck>(
      prior: try #require(Probability(0.42)), states: LearnerStates())
    var yes: [CardNumber: Int] = [:]
    var seen: [CardNumber: Int] = [:]
    var generator = SplitMix64(seed: 3)
    var undo: [[Increment]] = []
    for _ in 0..<200 {
      let card = slate.numbers[generator.index(below: 4)]
      let meaning = AnswerMeaning.allCases[generator.index(below: 3)]
      if meaning != .neutral { seen[card, default: 0] += 1 }
      if meaning == .positive { yes[card, default: 0] += 1 }
      let increments = ranking.increments(
        for: LearningEvent(
          viewer: CardNumber(99), card: card, viewerRow: nil, cardRow: nil, table: slate.table,
          meaning: meaning, time: noon))
      ranking.numbers.apply(increments)
      undo.append(increments)
    }
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    let values = try await scores(ranking, slate).values
    for (value, number) in zip(values, slate.numbers) {
      let expected =
        (Double(yes[number, default: 0]) + 0.84) / (Double(seen[number, default: 0]) + 2)
      #expect(abs(value - expected) < 1e-15)
    }
    #expect(values.last == 0.42)
    for increments in undo { ranking.numbers.apply(increments, sign: -1) }
    #expect(ranking.numbers.nonzero().isEmpty)
    #expect(ranking.identity == "popularity/2")
  }

  @Test func weightedSumsItsTerms() async throws {
    let slate = toySlate(people)
    let ranking = try WeightedRanking(
      terms: [("weight", 0.5), ("match-probability", -2)], deck: ToyDeck())
    let probabilities = [0.5, 0.25, nil, nil, 1]
    #expect(
      await StrategyConformance.violations(
        of: ranking, on: slate, estimates: estimates(probabilities)
      ).isEmpty)
    let result = try await scores(ranking, slate, probabilities)
    #expect(result.values.map { $0.isNaN ? nil : $0 } == [0.5, -1, nil, 0.25, -1])
    #expect(result.terms.map(\.name) == ["weight", "match-probability"])
    #expect(result.terms[1].values.map { $0.isNaN ? nil : $0 } == [-1, -0.5, nil, nil, -2])
  }

  @Test func weightedKeepsWhatFollowsFromAnswersPrivate() async throws {
    let slate = toySlate(people, candidates: [0])
    let ranking = try WeightedRanking(
      terms: [("backward", 1), ("forward", 10), ("random", 100)], deck: ToyDeck())
    var known = MatchEstimates(count: 1)
    known[0] = MatchEstimate(
      match: nil, forward: Probability(0.5), backward: Probability(0.25))
    let result = try await ranking.scores(for: slate, estimates: known)
    let random = try await scores(RandomRanking(), slate).values[0]
    #expect(abs(result.values[0] - (0.25 + 5 + 100 * random)) < 1e-12)
    #expect(result.terms.map(\.isPrivate) == [true, true, false])
  }

  @Test func weightedRefusesUnknownTermsAndColumnsWithoutNumbers() async throws {
    let error = #expect(throws: FeedError.self) {
      try WeightedRanking(terms: [("wieght", 1)], deck: ToyDeck())
    }
    #expect(
      error?.description
        == "the ranking 'weighted' has an unknown term \"wieght\"; allowed: "
        + "\"match-probability\", \"forward\", \"backward\", \"random\", \"group\", \"weight\", "
        + "\"tags\"; did you mean \"weight\"?")
    let tags = try WeightedRanking(terms: [("tags", 1)], deck: ToyDeck())
    await #expect(throws: FeedError.self) { try await scores(tags, toySlate(people)) }
  }
}

@Suite struct LikersFirstTests {
  private let received: [(from: CardID, meaning: AnswerMeaning, time: Timestamp)] = [
    ("2", .positive, noon), ("5", .negative, noon), ("7", .positive, noon),
    ("8", .neutral, noon), ("9", .negative, noon),
  ]

  @Test func agreesWithTiersOfTen() async throws {
    let slate = toySlate(.numbered(10), received: received)
    let ranking = LikersFirstRanking<ToyDeck>(then: RandomRanking())
    #expect(ranking.needs == .answersReceived)
    #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
    let random = try await RandomRanking<ToyDeck>().scores(
      for: slate, estimates: MatchEstimates(count: 10))
    var expected = random
    for place in [1, 6] { expected.values[place] += 10 }
    for place in [4, 8] { expected.values[place] -= 10 }
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 10))
    #expect(order(scores) == order(expected))
    #expect(Set(order(scores).prefix(2)) == [1, 6])
    #expect(Set(order(scores).suffix(2)) == [4, 8])
  }

  /// Whatever the other ranking says: negative, huge or hardly different scores, or none.
  @Test(arguments: [
    [1, 2, 3, 4], [-1e9, 1e9, 0, 5], [0, 1e-12, 2e-12, 3e-12],
    [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e305, 0],
    [.nan, 3, .nan, -Double.infinity],
  ])
  func noScoreReachesAnotherTier(inner: [Double]) async throws {
    let values = inner + inner + inner
    let cards = (0..<values.count).map { ToyCard(CardID("\($0)")) }
    let slate = toySlate(
      cards,
      received: (0..<4).map { (CardID("\($0)"), .negative, noon) }
        + (8..<12).map { (CardID("\($0)"), .positive, noon) })
    let ranking = LikersFirstRanking<ToyDeck>(
      then: ClosureRanking { _, _ in SlateScores(values: values) })
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 12))
    let known = scores.values.filter { !$0.isNaN }
    #expect(known.allSatisfy { $0.isFinite })
    let tiers = [scores.values[8..<12], scores.values[4..<8], scores.values[0..<4]]
      .map { $0.filter { !$0.isNaN } }
    #expect(try #require(tiers[0].min()) > #require(tiers[1].max()))
    #expect(try #require(tiers[1].min()) > #require(tiers[2].max()))
    // Only who has neither an answer nor a score is unscored.
    for place in 0..<4 {
      #expect(scores.values[4 + place].isNaN == !inner[place].isFinite)
      #expect(!scores.values[place].isNaN)
      #expect(!scores.values[8 + place].isNaN)
    }
    // The order within a tier is the other ranking's.
    let byInner = order(SlateScores(values: inner))
    #expect(order(SlateScores(values: Array(scores.values[8..<12]))) == byInner)
    #expect(order(SlateScores(values: Array(scores.values[0..<4]))) == byInner)
  }

  @Test func theAnswersOfOthersStayPrivate() async throws {
    let slate = toySlate(.numbered(10), received: received)
    let ranking = LikersFirstRanking<ToyDeck>(
      then: try WeightedRanking(terms: [("weight", 1)], deck: ToyDeck()))
    let scores = try await ranking.scores(for: slate, estimates: MatchEstimates(count: 10))
    #expect(scores.terms.map(\.name) == ["weight", "answer-received"])
    #expect(scores.terms.map(\.isPrivate) == [false, true])
    for (index, value) in scores.terms[1].values.enumerated() {
      #expect(value.isNaN == ![1, 4, 6, 8].contains(index))
    }
  }

  @Test func learnersInsideLearn() throws {
    let inner = PopularityRanking<ToyDeck>(
      prior: try #require(Probability(0.5)), states: LearnerStates())
    #expect(LikersFirstRanking(then: inner).learners.map(\.identity) == ["popularity/2"])
  }

  @Test func aBrokenRankingInsideIsNamed() async throws {
    let ranking = LikersFirstRanking<ToyDeck>(
      then: ClosureRanking { _, _ in SlateScores(values: [1]) })
    let error = await #expect(throws: FeedError.self) {
      try await ranking.scores(for: toySlate(.numbered(2)), estimates: MatchEstimates(count: 2))
    }
    #expect(error?.code == .strategyFault)
  }
}
