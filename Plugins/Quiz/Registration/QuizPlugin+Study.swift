internal import CardFeed
internal import CardFeedConfiguration

extension QuizDeckPlugin {
  /// Registers what asks a memory model: sources, a filter, a rule and orders.
  static func registerStudy(in registry: inout StrategyRegistry<QuizDeck>) {
    registry.register(
      source: StrategyDescription(
        "due", .source, summary: "Proposes the cards that are due today.",
        parameters: [
          memory,
          ParameterDescription(
            "order", .choice(DueOrder.allCases.map(\.rawValue)), default: "due",
            help: "The longest overdue first, the least likely to be known, or the likeliest."),
        ])
    ) { parameters, context in
      DueSource(
        memory: try memory(parameters, context, "the source 'due'"),
        order: DueOrder(rawValue: parameters.text("order")) ?? .due)
    }
    registry.register(
      source: StrategyDescription(
        "relearning", .source,
        summary: "Proposes the cards in short steps, new or forgotten, that are due.",
        discussion:
          "Of cards that are asked ahead, the one that was answered last waits for another.",
        parameters: [
          memory, ahead,
          ParameterDescription(
            "next", .bool, default: true,
            help:
              "Whether the card that is due next is proposed after all others, so that an empty "
              + "hand can say when there is more; false where a source that looks further ahead "
              + "follows."),
        ])
    ) { parameters, context in
      RelearningSource(
        memory: try memory(parameters, context, "the source 'relearning'"),
        ahead: milliseconds(parameters), proposesNext: parameters.bool("next"))
    }
    registry.register(
      source: StrategyDescription(
        "new", .source, summary: "Proposes the cards that were never answered, by their order.",
        parameters: [memory])
    ) { parameters, context in
      NewSource(memory: try memory(parameters, context, "the source 'new'"))
    }
    registry.register(
      filter: StrategyDescription(
        "study-schedule", .filter,
        summary: "Keeps new cards and those that are due; no suspended or buried one.",
        discussion: "A card in short steps may be asked some minutes early, so that an evening "
          + "does not end with a wait.",
        parameters: [memory, ahead])
    ) { parameters, context in
      StudyScheduleFilter(
        memory: try memory(parameters, context, "the filter 'study-schedule'"),
        ahead: milliseconds(parameters))
    }
    registry.register(
      slateRule: StrategyDescription(
        "study-limits", .slateRule,
        summary: "Limits new cards and reviews of a day, and asks one card of a note a day.",
        parameters: [
          memory,
          ParameterDescription(
            "newPerDay", .integer(0...1_000_000), unit: "cards", default: 20,
            help: "Cards answered for the first time on one day of the learner."),
          ParameterDescription(
            "reviewsPerDay", .integer(0...1_000_000), unit: "answers", default: 200,
            help: "Answers on one day to cards that were due."),
          ParameterDescription(
            "siblings", .choice(["bury", "ask"]), default: "bury",
            help: "Whether the other cards of a note wait until the next day."),
        ])
    ) { parameters, context in
      StudyLimitsRule(
        memory: try memory(parameters, context, "the slate rule 'study-limits'"),
        newPerDay: parameters.integer("newPerDay"),
        reviewsPerDay: parameters.integer("reviewsPerDay"),
        buriesSiblings: parameters.text("siblings") == "bury")
    }
    registerRankings(in: &registry)
  }

  private static func registerRankings(in registry: inout StrategyRegistry<QuizDeck>) {
    registry.register(
      ranking: StrategyDescription(
        "retrievability", .ranking,
        summary: "Orders cards by how far P(recall) has fallen below the desired one.",
        parameters: [memory])
    ) { parameters, context in
      RetrievabilityRanking(memory: try memory(parameters, context, "the ranking 'retrievability'"))
    }
    registry.register(
      ranking: StrategyDescription(
        "target-difficulty", .ranking,
        summary: "Orders cards by how near P(a right answer) is to a wanted one.",
        parameters: [
          ParameterDescription(
            "target", .number(0...1), unit: "probability", default: 0.8,
            help: "The P(a right answer) that is wanted.")
        ])
    ) { parameters, _ in TargetDifficultyRanking(target: parameters.number("target")) }
    registry.register(
      ranking: StrategyDescription(
        "study-gain", .ranking,
        summary: "Orders cards by the recall that a minute of study gains.",
        discussion: "What asking now adds to P(recall) at the horizon, over the seconds that an "
          + "answer takes.",
        parameters: [
          memory,
          ParameterDescription(
            "horizon", .number(0.01...3650), unit: "days", default: 30,
            help: "When the gain is looked at."),
          ParameterDescription(
            "secondsWhenRight", .number(0.1...3600), unit: "seconds", default: 8,
            help: "What a right answer takes."),
          ParameterDescription(
            "secondsWhenWrong", .number(0.1...3600), unit: "seconds", default: 15,
            help: "What a wrong answer takes."),
          ParameterDescription(
            "newGain", .number(0...1), unit: "probability", default: 0.3,
            help: "What a new card gains."),
        ])
    ) { parameters, context in
      StudyGainRanking(
        memory: try memory(parameters, context, "the ranking 'study-gain'"),
        horizon: parameters.number("horizon"),
        secondsWhenRight: parameters.number("secondsWhenRight"),
        secondsWhenWrong: parameters.number("secondsWhenWrong"),
        newGain: parameters.number("newGain"))
    }
  }

  private static var memory: ParameterDescription {
    ParameterDescription(
      "memory", .strategy(.matchProbability), default: ["use": "fsrs-7"],
      help: "The memory model whose schedule counts; give all parts of a pipeline the same one.")
  }

  private static var ahead: ParameterDescription {
    ParameterDescription(
      "aheadMinutes", .number(0...1440), unit: "minutes", default: 0,
      help: "How long before it is due a card in short steps may be asked.")
  }

  private static func milliseconds(_ parameters: Parameters) -> Int64 {
    Int64((parameters.number("aheadMinutes") * 60_000).rounded())
  }

  private static func memory(
    _ parameters: Parameters, _ context: BuildContext<QuizDeck>, _ asker: String
  ) throws -> any StudyMemory {
    let specification = parameters.strategy("memory")
    let strategy = try context.registry.matchProbability(specification, context)
    guard let memory = strategy as? any StudyMemory else {
      throw FeedError(
        .badInput,
        "\(asker) asks the match probability '\(specification.use)', which has no schedule; "
          + "allowed: \(memories.map { "'\($0)'" }.joined(separator: ", "))",
        hint: "name a memory model in \"memory\"")
    }
    return memory
  }
}
