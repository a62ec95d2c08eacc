internal import CardFeed
internal import CardFeedConfiguration

extension BaselinesPlugin {
  static func registerMatchProbabilities<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      matchProbability: StrategyDescription(
        "constant", .matchProbability, summary: "The same P(match) for everybody.",
        parameters: [
          ParameterDescription(
            "value", .number(.share), unit: "probability", default: 0.5, help: "P(match).")
        ])
    ) { parameters, _ in ConstantMatchProbability(parameters.probability("value")) }
  }

  static func registerRankings<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      ranking: StrategyDescription(
        "source-order", .ranking, summary: "Keeps the order in which the sources proposed cards.")
    ) { _, _ in SourceOrderRanking() }

    registry.register(
      ranking: StrategyDescription(
        "random", .ranking, summary: "Orders cards at random, by the seed of the deal.")
    ) { _, _ in RandomRanking() }

    registry.register(
      ranking: StrategyDescription(
        "match-probability", .ranking, summary: "Orders cards by P(match).",
        discussion: "A card without an estimate is unscored.")
    ) { _, _ in MatchProbabilityRanking() }

    registry.register(ranking: popularity) { parameters, context in
      PopularityRanking(
        prior: parameters.probability("prior"), weight: parameters.number("weight"),
        states: context.states)
    }

    registry.register(ranking: weighted) { parameters, context in
      try WeightedRanking(terms: parameters.weights("terms"), deck: context.deck)
    }

    registry.register(ranking: likersFirst) { parameters, context in
      LikersFirstRanking(
        then: try context.registry.ranking(parameters.strategy("then"), context))
    }
  }

  private static var popularity: StrategyDescription {
    StrategyDescription(
      "popularity", .ranking,
      summary: "Orders cards by the share of positive answers that each has received.",
      discussion: "(positive + prior · weight) / (answers + weight), the mean of a Beta "
        + "distribution. Neutral answers do not count. It gives nearly all exposures to few cards.",
      parameters: [
        ParameterDescription(
          "prior", .number(.share), unit: "share", default: 0.42,
          help: "The share that is assumed of a card without answers."),
        ParameterDescription(
          "weight", .number(.positive), unit: "answers", default: 2,
          help: "How many answers the prior counts as."),
      ])
  }

  private static var weighted: StrategyDescription {
    StrategyDescription(
      "weighted", .ranking, summary: "Orders cards by a weighted sum of terms.",
      discussion: "A term is match-probability, forward, backward, random, or a column of the "
        + "deck that holds numbers. A term that a card lacks adds nothing; a card that lacks all "
        + "of them is unscored.",
      parameters: [
        ParameterDescription(
          "terms", .weights(nil), help: "The weight of each term, by the term's name.")
      ])
  }

  private static var likersFirst: StrategyDescription {
    StrategyDescription(
      "likers-first", .ranking,
      summary: "Puts people who like the viewer first, and people who do not last.",
      discussion: "Another ranking orders the people of each of the three groups. The answers of "
        + "others are kept from viewers.",
      parameters: [
        ParameterDescription(
          "then", .strategy(.ranking), default: ["use": "match-probability"],
          help: "Orders the people of one group.")
      ])
  }
}
