internal import CardFeed
internal import CardFeedConfiguration

extension QuizDeckPlugin {
  /// Registers what a test with known questions takes: P(a right answer), an order and an end.
  static func registerExamination(in registry: inout StrategyRegistry<QuizDeck>) {
    registry.register(
      matchProbability: StrategyDescription(
        "item-response", .matchProbability,
        summary: "Predicts right answers from the viewer's ability and the card's difficulty.",
        discussion: "The ability is the posterior mean, with a standard normal prior, from the "
          + "viewer's first answer to each card with a difficulty: finite also where all answers "
          + "are right, or all wrong. Cards without a difficulty have no estimate. It knows no "
          + "forgetting. The time it takes grows with the viewer's answers.",
        parameters: scale)
    ) { parameters, _ in ItemResponseProbability(examination: examination(parameters)) }
    registry.register(
      ranking: StrategyDescription(
        "maximum-information", .ranking,
        summary: "Orders cards by what an answer says of the viewer's ability.",
        discussion: "Fisher's information at the viewer's ability. In a test each question "
          + "follows from the answer to the last one where the hand holds one card. The draw of "
          + "\"randomesque\" follows from the deal's seed and leaves propensities at 1.",
        parameters: scale + [
          ParameterDescription(
            "exposure", .choice(["none", "randomesque"]), default: "none",
            help: "Whether the order of the most informative cards is drawn, so that not everybody "
              + "is asked the same few."),
          ParameterDescription(
            "among", .integer(2...1000), unit: "cards", default: 5,
            help: "How many cards are drawn among, with \"randomesque\"."),
        ])
    ) { parameters, _ in
      InformationRanking(
        examination: examination(parameters),
        candidates: parameters.text("exposure") == "randomesque" ? parameters.integer("among") : 1)
    }
    registry.register(
      filter: StrategyDescription(
        "test-length", .filter,
        summary: "Ends a test when the ability is known, or enough was asked; asks a card once.",
        discussion: "Counted are answers to cards with a difficulty; other cards are not asked. "
          + "Cards that lie in a hand when the test ends are still asked: let a hand hold one card.",
        parameters: scale + [
          ParameterDescription(
            "standardError", .number(0.01...1), default: 0.45,
            help: "The standard error of the ability with which the test is over."),
          ParameterDescription(
            "least", .integer(1...100_000), unit: "answers", default: 5,
            help: "Answers before which the test is not over because of the error."),
          ParameterDescription(
            "most", .integer(1...100_000), unit: "answers", default: 30,
            help: "Answers with which the test is over in any case."),
        ])
    ) { parameters, _ in
      let least = parameters.integer("least")
      let most = parameters.integer("most")
      guard most >= least else {
        throw FeedError(
          .badInput,
          "the filter 'test-length' has \"most\": \(most), which is below \"least\": \(least)",
          hint: "a test ends after at least \"least\" and at most \"most\" answers")
      }
      return TestLengthFilter(
        examination: examination(parameters), standardError: parameters.number("standardError"),
        least: least, most: most)
    }
  }

  private static var scale: [ParameterDescription] {
    [
      ParameterDescription(
        "model", .choice(["1pl", "2pl"]), default: "2pl",
        help: "Whether all cards discriminate alike, or each as its column says. Give all parts of "
          + "a pipeline the same."),
      ParameterDescription(
        "guess", .number(0...0.9), unit: "probability", default: 0,
        help: "P(a right answer) of somebody who knows nothing, as 0.25 with four choices."),
      ParameterDescription(
        "hours", .number(0.01...876_000), unit: "hours", default: .null,
        help: "How far back answers belong to the test; null for all of them. Longer than a test "
          + "takes, shorter than the wait for the next one."),
    ]
  }

  private static func examination(_ parameters: Parameters) -> Examination {
    Examination(
      usesDiscrimination: parameters.text("model") == "2pl", guess: parameters.number("guess"),
      span: parameters.optionalNumber("hours").map { Int64(($0 * 3_600_000).rounded()) })
  }
}
