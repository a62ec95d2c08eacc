import CardFeedBaselines
import CardFeedTesting
import Testing

@testable import CardFeed

@Suite struct SlateRuleTests {
  private func ranked(_ cards: [ToyCard]) -> RankedSlate<ToyDeck> {
    RankedSlate(slate: toySlate(cards), scores: cards.map { _ in 1 }, wanted: 3)
  }

  @Test func explorationIsAskedFor() async throws {
    let slate = ranked(.numbered(3))
    let epsilon = EpsilonRule<ToyDeck>(epsilon: try #require(Probability(0.25)))
    #expect(try await epsilon.adjustment(for: slate).exploration == .epsilon(0.25))
    let softmax = SoftmaxRule<ToyDeck>(temperature: 0.5)
    #expect(try await softmax.adjustment(for: slate).exploration == .softmax(temperature: 0.5))
  }

  @Test func theBestOfEachGroupStay() async throws {
    let groups = ["x", "y", "x", nil, "x", "y", nil, "y"]
    let cards = groups.enumerated().map { ToyCard(CardID("\($0)"), group: $1) }
    let rule = GroupCapRule<ToyDeck>(column: "group", most: 2)
    let adjustment = try await rule.adjustment(for: ranked(cards))
    #expect(
      adjustment.withheld == [
        4: "2 of the same group in the deal", 7: "2 of the same group in the deal",
      ])
    #expect(adjustment.penalties.isEmpty)
    #expect(adjustment.exploration == nil)
  }

  @Test func aColumnWithoutCategoriesIsRefused() async throws {
    let rule = GroupCapRule<ToyDeck>(column: "weight", most: 1)
    await #expect(throws: FeedError.self) { try await rule.adjustment(for: ranked(.numbered(2))) }
    #expect(try await rule.adjustment(for: ranked([])).withheld.isEmpty)
  }
}

@Suite struct MatchRuleTests {
  @Test func aMutualLikeTakesBoth() {
    for meaning in AnswerMeaning.allCases {
      for reverse in AnswerMeaning.allCases + [nil] {
        let circumstances = MatchCircumstances(
          meaning: meaning, reverse: reverse, compatibility: 1)
        #expect(
          MutualLikeRule().isMatch(circumstances)
            == (meaning == .positive && reverse == .positive))
      }
    }
  }

  @Test(
    arguments: [
      (AnswerMeaning.positive, 0.5, true), (.positive, 0.49, false), (.positive, 1, true),
      (.positive, nil, false), (.negative, 1, false), (.neutral, 1, false),
    ] as [(AnswerMeaning, Double?, Bool)])
  func aThresholdTakesALikeAndAKnownProbability(
    meaning: AnswerMeaning, compatibility: Double?, expected: Bool
  ) throws {
    let rule = ThresholdRule(least: try #require(Probability(0.5)))
    let circumstances = MatchCircumstances(
      meaning: meaning, reverse: .negative, compatibility: compatibility)
    #expect(rule.isMatch(circumstances) == expected)
  }
}

@Suite struct ConstantMatchProbabilityTests {
  @Test func everybodyGetsTheSame() async throws {
    let strategy = ConstantMatchProbability<ToyDeck>(try #require(Probability(0.3)))
    let slate = toySlate(.numbered(4))
    #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
    let estimates = try await strategy.estimates(for: slate)
    #expect((0..<4).allSatisfy { estimates[$0] == MatchEstimate(match: Probability(0.3)) })
  }
}
