internal import CardFeed
internal import CardFeedConfiguration

extension DatingDeckPlugin {
  /// Registers what compares people's answers to questions.
  func registerQuestions(in registry: inout StrategyRegistry<DatingDeck>) {
    registry.register(
      matchProbability: StrategyDescription(
        "question-percentage", .matchProbability,
        summary: "Orders by how well each side's answers are those the other hopes for.",
        discussion: "√(satisfaction · satisfaction) − 1 / common questions, at least 0, with 0, 1, "
          + "10, 50 or 250 points a question: OkCupid's published match percentage. It is no "
          + "probability, so P(match) stays unknown; \"calibrated\" makes one of it. Answers are "
          + "private.",
        parameters: [
          ParameterDescription(
            "least", .integer(1...1000), unit: "questions", default: 5,
            help: "How many questions both must have answered; with fewer there is no number.")
        ])
    ) { parameters, _ in QuestionPercentage(least: parameters.integer("least")) }
  }
}
