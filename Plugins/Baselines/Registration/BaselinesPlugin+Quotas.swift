internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

extension BaselinesPlugin {
  static func registerQuotas<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(quota: dailyQuota(D.self)) { parameters, context in
      let column = parameters.optionalText("zoneColumn")
      if let column { try check(column, of: context.deck) }
      return DailyQuota(
        answers: parameters.texts("answers"), perDay: parameters.integer("perDay"),
        zone: try ZoneDatabase().rules(named: parameters.text("zone")), zoneColumn: column)
    }
  }

  private static func check<D: Deck>(_ column: String, of deck: D) throws {
    let categories = deck.columns.filter { $0.kind == .category }.map(\.name)
    guard !categories.contains(column) else { return }
    let allowed = categories.map { "\"\($0)\"" }.joined(separator: ", ")
    throw FeedError(
      .badInput,
      "the quota 'daily-quota' asks for the zone in the column \"\(column)\"; allowed: "
        + (allowed.isEmpty ? "none, the deck has no column of categories" : allowed),
      hint: nearestName(to: column, in: categories).map { "did you mean \"\($0)\"?" })
  }

  private static func dailyQuota<D: Deck>(_ deck: D.Type) -> StrategyDescription {
    StrategyDescription(
      "daily-quota", .quota, summary: "Limits how many answers a viewer gives in a day.",
      discussion: "A day runs from midnight to midnight in the viewer's zone: 23 or 25 hours when "
        + "the clock is changed. The feed's own clock counts, whatever time a client gives. A "
        + "rewind gives its answer back. Listed more than once, all limits hold.",
      parameters: [
        ParameterDescription(
          "answers", .choices(D.Answer.allCases.map(\.rawValue)),
          help: "The answers that count, together."),
        ParameterDescription(
          "perDay", .integer(0...1_000_000), unit: "answers", help: "How many of them a day."),
        ParameterDescription(
          "zone", .text, default: "UTC",
          help: "The time zone of the day: \"UTC\", an offset such as \"+02:00\", or a name such "
            + "as \"Europe/Berlin\"."),
        ParameterDescription(
          "zoneColumn", .text, default: .null,
          help: "The name of a column of categories of the deck in which viewers who are cards "
            + "have zones of their own; where there is none, or none that is known, `zone` counts."),
      ])
  }
}
