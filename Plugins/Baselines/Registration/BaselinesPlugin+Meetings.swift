internal import CardFeed
internal import CardFeedConfiguration

/// Strategies by what two people have had to do with each other.
extension BaselinesPlugin {
  static func registerMeetings<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      filter: StrategyDescription(
        "met-before", .filter,
        summary: "Removes pairs of which either has answered the other.",
        discussion: "Both directions, where already-swiped looks at the viewer's answers only. One "
          + "reason stands for both, and no time is told that follows from an answer of somebody "
          + "else.",
        parameters: [
          ParameterDescription(
            "forHours", .number(0...1_000_000), unit: "hours", default: .null,
            help: "How long the two stay apart; null is for ever."),
          ParameterDescription(
            "received", .choices(meanings.map(\.name)), default: ["negative"],
            help: "Which answers of others to the viewer count; the viewer's own always do."),
        ])
    ) { parameters, _ in
      let names = parameters.texts("received")
      return MetBeforeFilter(
        forMilliseconds: parameters.optionalNumber("forHours").map {
          Timestamp.milliseconds(hours: $0)
        }, received: Set(meanings.filter { names.contains($0.name) }.map(\.meaning)))
    }
  }

  private static var meanings: [(name: String, meaning: AnswerMeaning)] {
    [("negative", .negative), ("neutral", .neutral), ("positive", .positive)]
  }
}
