internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration
internal import CardFeedSpacedRepetition

extension QuizDeckPlugin {
  /// The names of the memory models.
  static let memories = ["fsrs-7", "fsrs-6", "sm-2", "half-life"]

  /// Registers the memory models, each a match probability and the schedule that follows from it.
  static func registerMemories(
    in registry: inout StrategyRegistry<QuizDeck>, shelf: MemoryShelf
  ) {
    let fitted =
      " Parameters of each viewer's own are fitted by cardfeed train, or feed.train(), where "
      + "held-out answers say that they predict better than the defaults."
    registry.register(
      matchProbability: memory(
        "fsrs-7",
        "Predicts recall from two stabilities and a difficulty, in fractions of days.",
        "FSRS-7 in its final form: 34 parameters, same-day answers by the same formulas." + fitted,
        isFitted: true)
    ) { parameters, context in
      try fittedMemory(
        "fsrs-7", .fractions, FSRS7(), identity: "fsrs-7/1", parameters, context, shelf)
    }
    registry.register(
      matchProbability: memory(
        "fsrs-6", "Predicts recall from a stability and a difficulty, in whole days.",
        "FSRS-6: 21 parameters. Within a day it knows no forgetting: where cards come back the same "
          + "day and P(recall) is wanted then, use fsrs-7." + fitted, isFitted: true)
    ) { parameters, context in
      let schedule = try schedule(parameters)
      let identity = "fsrs-6/1 zone=\(schedule.days.zone.name) start=\(schedule.days.start)"
      return try fittedMemory(
        "fsrs-6", .wholeDays, FSRS6(), identity: identity, parameters, context, shelf)
    }
    registry.register(
      matchProbability: memory(
        "sm-2", "The intervals of SuperMemo 2; its P(recall) is a convention.",
        "Wozniak 1990. P(recall) is .9 to the power of days over interval: worse than a constant, "
          + "kept to compare with.", isFitted: false)
    ) { parameters, context in
      try plainMemory("sm-2", .wholeDays, SM2(), parameters, context, shelf)
    }
    registry.register(
      matchProbability: memory(
        "half-life", "Predicts recall from how often a card was right and wrong.",
        "Half-life regression (Settles and Meeder 2016) with weights that suit no learner in "
          + "particular: kept to compare with.", isFitted: false)
    ) { parameters, context in
      try plainMemory("half-life", .fractions, HalfLifeRegression(), parameters, context, shelf)
    }
  }

  private static func fittedMemory<M: FittableMemoryModel>(
    _ name: String, _ time: MemoryTime, _ model: M, identity: String, _ parameters: Parameters,
    _ context: BuildContext<QuizDeck>, _ shelf: MemoryShelf
  ) throws -> FittedMemoryProbability<M> {
    let schedule = try schedule(parameters)
    let path = parameters.optionalText("model")
    let slot = try context.slot(for: identity, path: path, of: MemoryParameters.self)
    return shelf.memory(for: key(name, schedule, context, path: path)) {
      FittedMemoryProbability(
        time: time, schedule: schedule, zones: context.deck.zones, defaults: model, slot: slot)
    }
  }

  private static func plainMemory<M: MemoryModel>(
    _ name: String, _ time: MemoryTime, _ model: M, _ parameters: Parameters,
    _ context: BuildContext<QuizDeck>, _ shelf: MemoryShelf
  ) throws -> MemoryProbability<M> {
    let schedule = try schedule(parameters)
    return shelf.memory(for: key(name, schedule, context, path: nil)) {
      MemoryProbability(time: time, schedule: schedule) { _ in (model, []) }
    }
  }

  private static func key(
    _ name: String, _ schedule: MemorySchedule, _ context: BuildContext<QuizDeck>, path: String?
  ) -> MemoryShelf.Key {
    MemoryShelf.Key(
      name: name, schedule: schedule, states: ObjectIdentifier(context.states), path: path)
  }

  private static func schedule(_ parameters: Parameters) throws -> MemorySchedule {
    MemorySchedule(
      study: StudySchedule(
        desiredRetention: parameters.number("retention"),
        learningSteps: LearningSteps(seconds: parameters.numbers("learningSteps").map { $0 * 60 }),
        relearningSteps: LearningSteps(
          seconds: parameters.numbers("relearningSteps").map { $0 * 60 }),
        maximumInterval: parameters.integer("maximumInterval"),
        allowsHours: parameters.bool("hours")),
      days: StudyDays(
        zone: try ZoneDatabase().rules(named: parameters.text("zone")),
        hour: parameters.integer("dayStart")),
      isFuzzed: parameters.bool("fuzz"), leechAfter: parameters.integer("leechAfter"),
      leechAction: LeechAction(rawValue: parameters.text("leech")) ?? .suspend)
  }

  private static func memory(
    _ name: String, _ summary: String, _ discussion: String, isFitted: Bool
  ) -> StrategyDescription {
    let model = ParameterDescription(
      "model", .text, default: .null, help: "The file of a trained model to begin with.")
    return StrategyDescription(
      name, .matchProbability, summary: summary,
      discussion: discussion + " Everything follows from the log of answers, so that a rewind, a "
        + "late answer and another model are exact. New cards have no estimate.",
      parameters: scheduleParameters + (isFitted ? [model] : []))
  }

  private static var scheduleParameters: [ParameterDescription] {
    [
      ParameterDescription(
        "retention", .number(0.7...0.99), unit: "probability", default: 0.9,
        help: "The P(recall) at which a card is due."),
      ParameterDescription(
        "learningSteps", .ascending(0.01...1440), unit: "minutes", default: [1, 10],
        help: "The steps of a new card before its interval counts in days."),
      ParameterDescription(
        "relearningSteps", .ascending(0.01...1440), unit: "minutes", default: [10],
        help: "The steps of a card that was forgotten."),
      ParameterDescription(
        "maximumInterval", .integer(1...36_500), unit: "days", default: 36_500,
        help: "The longest interval."),
      ParameterDescription(
        "hours", .bool, default: false,
        help: "Whether an interval may be shorter than a day where there are no steps."),
      ParameterDescription(
        "fuzz", .bool, default: true,
        help: "Whether intervals are spread, away from days on which much is due."),
      ParameterDescription(
        "leechAfter", .integer(0...1000), unit: "lapses", default: 8,
        help: "Lapses after which a card is a leech, and again after every half as many; 0 is "
          + "never."),
      ParameterDescription(
        "leech", .choice(LeechAction.allCases.map(\.rawValue)), default: "suspend",
        help: "Whether a leech is not asked any more until it is resumed, or only marked."),
      ParameterDescription(
        "zone", .text, default: "UTC",
        help: "The learner's time zone: \"UTC\", an offset such as \"+02:00\", or a name such as "
          + "\"Europe/Berlin\"."),
      ParameterDescription(
        "dayStart", .integer(0...23), unit: "hour", default: 4,
        help: "The hour at which the learner's day begins."),
    ]
  }
}
