internal import CardFeed
internal import CardFeedConfiguration

/// Strategies by the distance of two places.
extension BaselinesPlugin {
  static func registerPlaces<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      source: StrategyDescription(
        "nearest", .source,
        summary: "Proposes every card, the nearest to the viewer first.",
        discussion:
          "So that the nearest cards are in the first page, however many there are. Cards "
          + "whose place is not known come last. Reads the whole column of places for each page.",
        parameters: [column])
    ) { parameters, context in
      let column = parameters.text("column")
      try context.deck.checkPlaces(column, askedBy: "the source 'nearest'")
      return NearestSource(column: column)
    }

    registry.register(filter: withinDistance) { parameters, context in
      let column = parameters.text("column")
      try context.deck.checkPlaces(column, askedBy: "the filter 'within-distance'")
      let limits = try limits(parameters)
      return WithinDistanceFilter(
        limits[0], relaxed: Array(limits.dropFirst()), column: column,
        keepsUnknown: parameters.text("unknown") == "keep")
    }

    registry.register(
      ranking: StrategyDescription(
        "nearest", .ranking, summary: "Orders cards by their distance from the viewer.",
        discussion:
          "The great circle on a sphere of the earth's mean radius. A card whose place is "
          + "not known is unscored. The distance is kept from viewers, because three exact ones "
          + "tell where somebody is.",
        parameters: [column])
    ) { parameters, context in
      let column = parameters.text("column")
      try context.deck.checkPlaces(column, askedBy: "the ranking 'nearest'")
      return NearestRanking(column: column)
    }
  }

  private static var column: ParameterDescription {
    ParameterDescription(
      "column", .text, default: "place", help: "The name of a column of places of the deck.")
  }

  /// Far enough for the whole earth, half of whose circumference is 20,015 km.
  private static var lengths: ClosedRange<Double> { Double.leastNonzeroMagnitude...40_000 }

  private static var withinDistance: StrategyDescription {
    StrategyDescription(
      "within-distance", .filter, summary: "Keeps cards that are near enough to the viewer.",
      discussion: "Exactly one of kilometres and miles is given. The limit is inclusive. With "
        + "further limits the filter is soft, and they are taken one after the other when cards run "
        + "out. A place that is not known is at no distance, neither near nor far.",
      parameters: [
        ParameterDescription(
          "kilometres", .number(lengths), unit: "kilometres", default: .null,
          help: "How far away a card may be."),
        ParameterDescription(
          "miles", .number(lengths), unit: "miles", default: .null,
          help: "The same in miles of 1.609344 kilometres."),
        ParameterDescription(
          "relax", .ascending(lengths), default: [],
          help: "Greater limits in the same unit, ascending; with none the filter is hard."),
        column,
        ParameterDescription(
          "unknown", .choice(["keep", "remove"]), default: "remove",
          help: "What happens to cards whose distance is not known, relaxed or not."),
      ])
  }

  /// The limits in their order. Throws when it is not clear what they are.
  private static func limits(_ parameters: Parameters) throws -> [Distance] {
    let kilometres = parameters.optionalNumber("kilometres")
    let miles = parameters.optionalNumber("miles")
    let relaxed = parameters.numbers("relax")
    guard let limit = kilometres ?? miles, kilometres == nil || miles == nil else {
      throw FeedError(
        .badInput,
        "the filter 'within-distance' has \(kilometres == nil ? "neither" : "both") of the keys "
          + "\"kilometres\" and \"miles\"; allowed: exactly one of them",
        hint:
          "write the limit in one unit, as in {\"use\": \"within-distance\", \"kilometres\": 50}")
    }
    if let first = relaxed.first, first <= limit {
      throw FeedError(
        .badInput,
        "the first limit in \"relax\" of the filter 'within-distance' is not above the limit "
          + "itself; found \(first) after \(limit), allowed: greater numbers, ascending",
        hint: "list only the limits that follow when cards run out")
    }
    let all = [limit] + relaxed
    return miles == nil ? all.map(Distance.kilometres) : all.map(Distance.miles)
  }
}
