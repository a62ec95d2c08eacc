internal import CardFeed
internal import CardFeedConfiguration

extension ProductDeckPlugin {
  /// Registers what orders products.
  static func registerRanking(in registry: inout StrategyRegistry<ProductDeck>) {
    registry.register(ranking: dwell) { parameters, context in
      let column = parameters.text("of") == "card" ? nil : parameters.text("of")
      if let column {
        let names = context.deck.columns.filter { $0.kind == .category }.map(\.name)
        guard names.contains(column) else {
          let allowed = (["card"] + names).map { "\"\($0)\"" }.joined(separator: ", ")
          throw FeedError(
            .badInput,
            "the ranking 'dwell' asks for the column \"\(column)\"; allowed: \(allowed)",
            hint: nearestName(to: column, in: ["card"] + names).map { "did you mean \"\($0)\"?" })
        }
      }
      return DwellRanking(
        inner: try context.registry.ranking(parameters.strategy("then"), context),
        column: column,
        statistic: parameters.text("take") == "mean" ? .mean : .longest,
        weight: parameters.number("weight"), halfSeconds: parameters.number("halfSeconds"))
    }
  }

  private static var dwell: StrategyDescription {
    StrategyDescription(
      "dwell", .ranking,
      summary: "Raises products that the viewer has looked at for long, or others like them.",
      discussion: "Clients say for how long (feed.impression). A duration of s seconds adds "
        + "weight · s / (s + halfSeconds) to another ranking's score; where none is known nothing "
        + "is added.",
      parameters: [
        ParameterDescription(
          "then", .strategy(.ranking), default: ["use": "match-probability"],
          help: "Makes the scores that are raised."),
        ParameterDescription(
          "of", .text, default: "card",
          help: "The word card, or a column of categories, whose durations count for all its cards."
        ),
        ParameterDescription(
          "take", .choice(DwellRanking.Statistic.allCases.map(\.rawValue)), default: "longest",
          help: "Which of several durations counts."),
        ParameterDescription(
          "weight", .number(-1000...1000), default: 0.1, help: "What an endless look adds."),
        ParameterDescription(
          "halfSeconds", .number(0.001...86_400), unit: "seconds", default: 10,
          help: "The look that adds half of it."),
      ])
  }
}
