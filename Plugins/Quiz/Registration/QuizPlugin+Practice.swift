internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedPsychometrics

extension QuizDeckPlugin {
  /// Registers what practice without a schedule takes: ratings, and cards of different skills in turn.
  static func registerPractice(in registry: inout StrategyRegistry<QuizDeck>) {
    registry.register(matchProbability: knowledgeElo) { parameters, context in
      KnowledgeEloProbability(
        model: KnowledgeElo(
          abilityStep: parameters.number("abilityStep"),
          skillStep: parameters.number("skillStep"),
          learnerDecay: parameters.number("learnerDecay"),
          difficultyStep: parameters.number("difficultyStep"),
          questionDecay: parameters.number("questionDecay")),
        buckets: parameters.integer("skills"), states: context.states)
    }
    registry.register(slateRule: interleave) { parameters, context in
      let column = parameters.text("column")
      let columns = context.deck.columns.filter { $0.kind == .tags }.map(\.name)
      guard columns.contains(column) else {
        let allowed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        throw FeedError(
          .badInput,
          "the slate rule 'interleave' asks for the column \"\(column)\"; allowed: \(allowed)",
          hint: nearestName(to: column, in: columns).map { "did you mean \"\($0)\"?" })
      }
      return InterleaveRule(
        column: column, window: parameters.integer("window"),
        penalty: parameters.text("clash") == "withhold" ? nil : parameters.number("penalty"))
    }
  }

  private static var knowledgeElo: StrategyDescription {
    StrategyDescription(
      "knowledge-elo", .matchProbability,
      summary: "Learns from every answer how able viewers are and how hard cards; no training.",
      discussion:
        "Ratings as of chess players: an ability in everything and one in each skill, and "
        + "a difficulty, moved by every answer. Of a card with several skills the one in which the "
        + "viewer is weakest counts. It knows no forgetting. An owner has three numbers for each "
        + "bucket of skills.",
      parameters: [
        step("abilityStep", 0.4, "The greatest step of a viewer's ability."),
        step("skillStep", 0.5, "The greatest step of a viewer's ability in a skill."),
        ParameterDescription(
          "learnerDecay", .number(0...10), default: 0.1,
          help: "How fast the steps of a viewer become smaller with answers."),
        step("difficultyStep", 0.6, "The greatest step of a card's difficulty."),
        ParameterDescription(
          "questionDecay", .number(0...10), default: 0.05,
          help: "How fast the steps of a card become smaller with answers."),
        ParameterDescription(
          "skills", .integer(1...84), unit: "buckets", default: 32,
          help: "Into how many buckets skills fall by their names; those in one share a rating."),
      ])
  }

  private static func step(
    _ name: String, _ value: Double, _ help: String
  ) -> ParameterDescription {
    ParameterDescription(
      name, .number(0...10), unit: "log-odds", default: JSONValue(orNull: value), help: help)
  }

  private static var interleave: StrategyDescription {
    StrategyDescription(
      "interleave", .slateRule, summary: "Keeps cards of one skill from following each other.",
      discussion: "Counts what the viewer has just answered and what lies in the hand. Where there "
        + "is no card of another skill, one of the same has its penalty or is withheld; what would "
        + "leave the hand empty is not. Needs an order by score: an unscored card keeps its place.",
      parameters: [
        ParameterDescription(
          "column", .text, default: "skills", help: "The name of a column of tags of the deck."),
        ParameterDescription(
          "window", .integer(1...50), unit: "cards", default: 1,
          help: "How many cards before a card must have other skills."),
        ParameterDescription(
          "clash", .choice(["penalty", "withhold"]), default: "penalty",
          help: "What happens to a card where there is none of another skill."),
        ParameterDescription(
          "penalty", .number(0...1_000_000), unit: "score", default: 1,
          help: "How much better than a card of another skill one of the same must be, with "
            + "\"penalty\"."),
      ])
  }
}
