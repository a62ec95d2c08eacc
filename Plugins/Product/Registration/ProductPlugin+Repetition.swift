internal import CardFeed
internal import CardFeedConfiguration

extension ProductDeckPlugin {
  /// Registers what decides when a product comes back.
  static func registerRepetition(in registry: inout StrategyRegistry<ProductDeck>) {
    registry.register(
      filter: StrategyDescription(
        "repeat-policy", .filter,
        summary: "Removes products by what the viewer last decided about them.",
        discussion:
          "Bought: what lasts does not come back, what is used up comes back by its rhythm. "
          + "Skipped and disliked are two things: the first comes back after a time, the second not, "
          + "unless told otherwise.",
        parameters: [
          days("skippedReturnsAfterDays", 7, "a product that was skipped"),
          days("openedReturnsAfterDays", 1, "a product that was opened and not decided about"),
          days("savedReturnsAfterDays", .null, "a product that was saved and not bought"),
          days("dislikedReturnsAfterDays", .null, "a product that was disliked"),
        ] + rhythmParameters)
    ) { parameters, _ in
      RepeatPolicyFilter(
        waits: RepeatPolicyFilter.Waits(
          skipped: parameters.optionalNumber("skippedReturnsAfterDays"),
          opened: parameters.optionalNumber("openedReturnsAfterDays"),
          saved: parameters.optionalNumber("savedReturnsAfterDays"),
          disliked: parameters.optionalNumber("dislikedReturnsAfterDays")),
        rhythm: rhythm(parameters))
    }

    registry.register(
      filter: StrategyDescription(
        "fatigue", .filter,
        summary: "Rests products that the viewer has left undecided again and again.",
        discussion:
          "Counted are skips and opens since the last save, purchase or dislike, and what "
          + "clients showed (feed.impression) without an answer after it.",
        parameters: [
          ParameterDescription(
            "most", .integer(1...1000), unit: "answers", default: 3,
            help: "How often a product is left undecided before it rests."),
          ParameterDescription(
            "impressions", .integer(1...1_000_000), unit: "impressions", default: .null,
            help: "How often a product is shown without an answer before it rests; null is any "
              + "number of times."),
          ParameterDescription(
            "minimumDwell", .integer(0...Dwell.longest), unit: "milliseconds", default: .null,
            help: "Impressions that clients say were shorter do not count; null counts all."),
          ParameterDescription(
            "restDays", .number(0.01...36_500), unit: "days", default: 30,
            help: "For how long it rests; as long again for each further time."),
        ])
    ) { parameters, _ in
      let impressions = parameters.optionalInteger("impressions")
      let minimum = parameters.optionalInteger("minimumDwell")
      guard impressions != nil || minimum == nil else {
        throw FeedError(
          .badInput, "the filter 'fatigue' has a \"minimumDwell\" and counts no impressions",
          hint: "give \"impressions\" as well, or leave \"minimumDwell\" out")
      }
      return FatigueFilter(
        most: parameters.integer("most"), impressions: impressions,
        minimumDwell: try minimum.map { try Dwell(milliseconds: Int64($0)) },
        days: parameters.number("restDays"))
    }
  }

  private static func days(
    _ name: String, _ value: JSONValue, _ what: String
  ) -> ParameterDescription {
    ParameterDescription(
      name, .number(0...36_500), unit: "days", default: value,
      help: "When \(what) comes back" + (value.isNull ? "; null is never." : "."))
  }
}
