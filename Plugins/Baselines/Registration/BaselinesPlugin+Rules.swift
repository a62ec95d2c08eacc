internal import CardFeed
internal import CardFeedConfiguration

extension BaselinesPlugin {
  static func registerSlateRules<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      slateRule: StrategyDescription(
        "epsilon", .slateRule,
        summary: "Deals a random candidate instead of the best one now and then.",
        discussion: "Sutton and Barto, Reinforcement Learning, 2018, section 2.2.",
        parameters: [
          ParameterDescription(
            "epsilon", .number(.share), unit: "probability",
            help: "How often, for each place of the hand.")
        ])
    ) { parameters, _ in EpsilonRule(epsilon: parameters.probability("epsilon")) }

    registry.register(
      slateRule: StrategyDescription(
        "softmax", .slateRule,
        summary: "Draws cards with probability proportional to exp(score / temperature).",
        discussion: "The Plackett–Luce model (Luce 1959, Plackett 1975).",
        parameters: [
          ParameterDescription(
            "temperature", .number(.positive), unit: "score",
            help: "Near 0 the best card nearly always wins; far above the scores all are alike.")
        ])
    ) { parameters, _ in SoftmaxRule(temperature: parameters.number("temperature")) }

    registry.register(slateRule: groupCap) { parameters, context in
      let column = parameters.text("column")
      let columns = context.deck.columns.map(\.name)
      guard columns.contains(column) else {
        let allowed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        throw FeedError(
          .badInput,
          "the slate rule 'group-cap' asks for an unknown column \"\(column)\"; allowed: \(allowed)",
          hint: nearestName(to: column, in: columns).map { "did you mean \"\($0)\"?" })
      }
      return GroupCapRule(column: column, most: parameters.integer("most"))
    }
  }

  private static var groupCap: StrategyDescription {
    StrategyDescription(
      "group-cap", .slateRule,
      summary: "Deals at most so many cards with the same value in a category column.",
      discussion: "Counts within one deal. Cards without a value are not counted.",
      parameters: [
        ParameterDescription("column", .text, help: "The name of a category column of the deck."),
        ParameterDescription(
          "most", .integer(1...1000), unit: "cards", help: "Cards of one value at most."),
      ])
  }

  static func registerMatchRules<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      matchRule: StrategyDescription(
        "mutual-like", .matchRule, summary: "A match is made when both want each other.")
    ) { _, _ in MutualLikeRule() }

    registry.register(
      matchRule: StrategyDescription(
        "threshold", .matchRule,
        summary: "A match is made when the viewer wants a card whose P(match) is high enough.",
        discussion: "P(match) is the one that was stored when the card was dealt; a card dealt "
          + "without one makes no match.",
        parameters: [
          ParameterDescription(
            "least", .number(.share), unit: "probability", help: "The least P(match).")
        ])
    ) { parameters, _ in ThresholdRule(least: parameters.probability("least")) }
  }
}
