internal import CardFeed
internal import CardFeedConfiguration

/// Filters by what stands in a column that the deck declares.
extension BaselinesPlugin {
  static func registerColumns<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      filter: StrategyDescription(
        "column-range", .filter,
        summary: "Keeps cards whose number in a column is neither too small nor too great.",
        discussion: "For any column of numbers or of whole numbers. Bounds are inclusive.",
        parameters: [
          column(help: "The name of a column of numbers."),
          ParameterDescription(
            "least", .number(.anyNumber), default: .null, help: "The least number that is kept."),
          ParameterDescription(
            "most", .number(.anyNumber), default: .null, help: "The greatest number that is kept."),
          ParameterDescription(
            "unknown", .choice(["keep", "remove"]), default: "remove",
            help: "What becomes of cards whose number is not known."),
        ])
    ) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(column, in: [.float, .integer], askedBy: "the filter 'column-range'")
      return ColumnRangeFilter(
        column: column, range: try range(parameters),
        keepsUnknown: parameters.text("unknown") == "keep")
    }

    registry.register(
      filter: StrategyDescription(
        "column-names", .filter, summary: "Keeps cards by the names in a column.",
        discussion: "For any column of categories or tags. Names are compared byte by byte.",
        parameters: [
          column(help: "The name of a column of categories or tags."),
          names("any", help: "A card has one of them at least."),
          names("all", help: "A card has all of them."),
          names("none", help: "A card has none of them."),
        ])
    ) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(column, in: [.category, .tags], askedBy: "the filter 'column-names'")
      let (any, all) = (parameters.texts("any"), parameters.texts("all"))
      let none = parameters.texts("none")
      guard !(any + all + none).isEmpty else {
        throw FeedError(
          .badInput,
          "the filter 'column-names' asks for no name; allowed: names in \"any\", "
            + "\"all\" or \"none\"", hint: "give one of the three, or leave the filter out")
      }
      // As bytes, since Unicode twins are two names.
      let wanted = Set((any + all).map { Array($0.utf8) })
      if let name = none.first(where: { wanted.contains(Array($0.utf8)) }) {
        throw FeedError(
          .badInput, "the filter 'column-names' both asks for \"\(name)\" and refuses it",
          hint: "leave it out of one of the lists")
      }
      return ColumnNamesFilter(column: column, any: any, all: all, none: none)
    }
  }

  private static func column(help: String) -> ParameterDescription {
    ParameterDescription("column", .text, help: help)
  }

  private static func names(_ name: String, help: String) -> ParameterDescription {
    ParameterDescription(name, .names, default: [], help: help)
  }

  private static func range(_ parameters: Parameters) throws -> ClosedRange<Double> {
    let (least, most) = (parameters.optionalNumber("least"), parameters.optionalNumber("most"))
    guard least != nil || most != nil else {
      throw FeedError(
        .badInput, "the filter 'column-range' has no bound; allowed: \"least\", \"most\" or both",
        hint: "give one of the two, or leave the filter out")
    }
    let (low, high) = (least ?? -.infinity, most ?? .infinity)
    guard low <= high else {
      throw FeedError(
        .badInput,
        "the filter 'column-range' keeps nothing; allowed: least at most as great as most",
        hint: "exchange the two")
    }
    return low...high
  }
}

extension Deck {
  /// Refuses, while a strategy is built, what could only fail in every deal.
  fileprivate func check(
    _ column: String, in kinds: Set<ColumnDeclaration<Card>.Kind>, askedBy strategy: String
  ) throws {
    let columns = columns.filter { kinds.contains($0.kind) }.map(\.name)
    guard columns.contains(column) else {
      let allowed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      throw FeedError(
        .badInput,
        "\(strategy) asks for the column \"\(column)\", which it cannot read; allowed: "
          + (columns.isEmpty ? "none, because the deck has no such columns" : allowed),
        hint: nearestName(to: column, in: columns).map { "did you mean \"\($0)\"?" })
    }
  }
}
