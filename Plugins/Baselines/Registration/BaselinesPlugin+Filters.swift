internal import CardFeed
internal import CardFeedConfiguration

extension BaselinesPlugin {
  static func registerFilters<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(filter: alreadySwiped(D.self)) { parameters, context in
      var policy = context.deck.policy
      if let days = parameters.optionalNumber("negativeReturnsAfterDays") {
        policy.negativeReturnsAfter = Timestamp.milliseconds(days: days)
      }
      if let days = parameters.optionalNumber("neutralReturnsAfterDays") {
        policy.neutralReturnsAfter = Timestamp.milliseconds(days: days)
      }
      let names = parameters.texts("answers")
      return AlreadySwipedFilter(
        answers: D.Answer.allCases.filter { names.contains($0.rawValue) }, policy: policy)
    }

    registry.register(
      filter: StrategyDescription(
        "already-dealt", .filter,
        summary: "Removes cards that were dealt to the viewer and not answered.",
        parameters: [
          ParameterDescription(
            "forHours", .number(0...1_000_000), unit: "hours", default: .null,
            help: "How long they stay away; null is for ever.")
        ])
    ) { parameters, _ in
      AlreadyDealtFilter(
        forMilliseconds: parameters.optionalNumber("forHours").map {
          Timestamp.milliseconds(hours: $0)
        })
    }

    registry.register(
      filter: StrategyDescription(
        "unavailable", .filter, summary: "Removes cards that were taken out of the deck.",
        discussion: builtIn)
    ) { _, _ in AvailabilityFilter() }

    registry.register(
      filter: StrategyDescription(
        "self", .filter, summary: "Removes the viewer's own card.", discussion: builtIn)
    ) { _, _ in SelfFilter() }

    registry.register(
      filter: StrategyDescription(
        "blocked", .filter,
        summary: "Removes pairs of which one has blocked or reported the other.",
        discussion: builtIn)
    ) { _, context in SafetyFilter(lookup: context.safety) }
  }

  private static var builtIn: String {
    "Every pipeline has this filter, and in front unless it is listed elsewhere."
  }

  private static func alreadySwiped<D: Deck>(_ deck: D.Type) -> StrategyDescription {
    let answers = D.Answer.allCases.map(\.rawValue)
    return StrategyDescription(
      "already-swiped", .filter, summary: "Removes cards that the viewer has answered.",
      discussion: "A card with a positive answer never returns.",
      parameters: [
        ParameterDescription(
          "answers", .choices(answers), default: JSONValue(answers.map { JSONValue($0) }),
          help: "The answers that count; cards with other answers stay."),
        ParameterDescription(
          "negativeReturnsAfterDays", .number(0...36_500), unit: "days", default: .null,
          help: "When a card with a negative answer returns; null is what the deck says."),
        ParameterDescription(
          "neutralReturnsAfterDays", .number(0...36_500), unit: "days", default: .null,
          help: "When a card with a neutral answer returns; null is what the deck says."),
      ])
  }
}
