internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration

/// The filters that say who may be dealt to whom.
extension DatingDeckPlugin {
  static func registerFilters(in registry: inout StrategyRegistry<DatingDeck>) {
    registry.register(filter: mutualPreferences) { parameters, _ in
      MutualPreferencesFilter(
        MutualPreferences(zone: try parameters.zone(), leapDay: parameters.leapDay()),
        relaxes: parameters.text("whenExhausted") == "relax",
        standingLikes: StandingLikes(rawValue: parameters.text("standingLikes")) ?? .honour)
    }

    registry.register(filter: legalAge) { parameters, _ in
      LegalAgeFilter(
        years: parameters.integer("years"),
        unknownAge: LegalAgeFilter.UnknownAge(rawValue: parameters.text("unknown")) ?? .remove,
        zone: try parameters.zone(), leapDay: parameters.leapDay())
    }
  }

  private static var mutualPreferences: StrategyDescription {
    StrategyDescription(
      "mutual-preferences", .filter,
      summary: "Keeps pairs in which each is what the other looks for.",
      discussion: "By gender, age, distance, verified, and dealbreakers about attributes, each in "
        + "both directions; intents need one in common when both state any. Bounds are inclusive. "
        + "Who states no preference looks for everybody. What cannot be known, because something "
        + "is missing, keeps the card away from those who have a preference about it. One reason "
        + "stands for all of it, so that nobody can infer what the other one looks for.",
      parameters: [
        ParameterDescription(
          "whenExhausted", .choice(["stop", "relax"]), default: "stop",
          help: "Whether the viewer's own preferences are dropped when nobody else is left. The "
            + "other side's always hold."),
        ParameterDescription(
          "standingLikes", .choice(StandingLikes.allCases.map(\.rawValue)), default: "honour",
          help: "Whether somebody who likes the viewer stays when only their own preferences have "
            + "moved past the viewer, so that the viewer can like them back. Not after the viewer's "
            + "own card has changed."),
        zone, leapDay,
      ])
  }

  private static var legalAge: StrategyDescription {
    StrategyDescription(
      "legal-age", .filter, summary: "Keeps adults and minors apart, in both directions.",
      discussion:
        "A pair stays only if both are of age or both are not. Never relaxed, and no like "
        + "makes an exception.",
      parameters: [
        ParameterDescription(
          "years", .integer(1...120), unit: "years", default: 18,
          help: "The age from which somebody is an adult, in full years."),
        ParameterDescription(
          "unknown", .choice(LegalAgeFilter.UnknownAge.allCases.map(\.rawValue)),
          default: "remove",
          help:
            "Whether people whose age is not known meet nobody, or count as adults, which is for "
            + "hosts that have checked ages elsewhere."),
        zone, leapDay,
      ])
  }

  private static var zone: ParameterDescription {
    ParameterDescription(
      "zone", .text, default: "UTC",
      help: "The time zone in which the day begins on which somebody is a year older: \"UTC\", an "
        + "offset such as \"+02:00\", or a name such as \"Europe/Berlin\".")
  }

  private static var leapDay: ParameterDescription {
    ParameterDescription(
      "leapDay", .choice(LeapDayPolicy.allCases.map(\.rawValue)),
      default: JSONValue(LeapDayPolicy.march1.rawValue),
      help: "When somebody who was born on 29 February is a year older in a common year.")
  }
}

extension Parameters {
  /// The rules of the zone that is asked for. Throws a `ZoneError`.
  fileprivate func zone() throws -> ZoneRules { try ZoneDatabase().rules(named: text("zone")) }

  fileprivate func leapDay() -> LeapDayPolicy {
    LeapDayPolicy(rawValue: text("leapDay")) ?? .march1
  }
}
