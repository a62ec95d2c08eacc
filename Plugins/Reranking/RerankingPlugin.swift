public import CardFeed
public import CardFeedConfiguration
internal import CardFeedDiversity

/// Brings slate rules that look at a hand as a whole to every deck.
public struct RerankingPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `reranking`.
  public var name: String { "reranking" }

  /// Registers every rule of this module.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(slateRule: Self.mmr) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(column, isOneOf: [.tags, .category, .vector], askedBy: "mmr")
      let method = MarginalRelevance(
        lambda: parameters.number("lambda"),
        likeness: .init(rawValue: parameters.text("likeness")) ?? .greatest)
      return LikenessRule(
        name: "mmr", column: column, method: .marginal(method), pool: parameters.integer("pool"),
        order: order(parameters))
    }
    registry.register(slateRule: Self.dpp) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(column, isOneOf: [.tags, .category, .vector], askedBy: "dpp")
      return LikenessRule(
        name: "dpp", column: column,
        method: .determinantal(DeterminantalProcess(theta: parameters.number("theta"))),
        pool: parameters.integer("pool"), order: order(parameters))
    }
    registry.register(slateRule: Self.windowCap) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(column, isOneOf: [.tags, .category], askedBy: "window-cap")
      return WindowCapRule(
        column: column, window: parameters.integer("window"), most: parameters.integer("most"),
        penalty: parameters.optionalNumber("penalty"))
    }
    registry.register(slateRule: Self.turns) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(
        column, isOneOf: [.tags, .category], askedBy: "interleave-categories")
      return CategoryTurnsRule(column: column)
    }
    registry.register(slateRule: Self.floor) { parameters, context in
      guard let share = Probability(parameters.number("share")) else {
        preconditionFailure("The parameter 'share' must be described with a range in 0 … 1.")
      }
      return NewCardFloorRule(
        answers: parameters.integer("answers"), share: share, states: context.states)
    }
    registry.register(slateRule: Self.calibrated) { parameters, context in
      let column = parameters.text("column")
      try context.deck.check(
        column, isOneOf: [.tags, .category], askedBy: "calibrated-categories")
      return CalibratedCategoriesRule(
        column: column, rule: CalibratedCategories(lambda: parameters.number("lambda")),
        pool: parameters.integer("pool"), least: parameters.integer("least"),
        order: order(parameters))
    }
  }

  private func order(_ parameters: Parameters) -> ChosenOrder {
    ChosenOrder(rawValue: parameters.text("order")) ?? .choice
  }

  private static let column = ParameterDescription(
    "column", .text, help: "The name of a column of categories or tags of the deck.")
  private static let likenessColumn = ParameterDescription(
    "column", .text, help: "The name of a column of tags, categories or vectors of the deck.")
  private static let pool = ParameterDescription(
    "pool", .integer(1...10_000), unit: "cards", default: 100,
    help: "Among how many of the best candidates is chosen.")
  private static let order = ParameterDescription(
    "order", .choice(ChosenOrder.allCases.map(\.rawValue)), default: "choice",
    help: "Chosen cards come as they were chosen, or the highest score first.")

  private static var mmr: StrategyDescription {
    StrategyDescription(
      "mmr", .slateRule, summary: "Deals cards that are unlike those before them.",
      discussion: "Maximal marginal relevance (Carbonell and Goldstein, 1998). Scores count as "
        + "shares of the way from the lowest to the highest of the pool.",
      parameters: [
        likenessColumn,
        ParameterDescription(
          "lambda", .number(.share), default: 0.7,
          help: "The weight of the score; with 1 the order stays."),
        ParameterDescription(
          "likeness", .choice(MarginalRelevance.Likeness.allCases.map(\.rawValue)),
          default: "greatest", help: "Likeness to several cards: to the nearest, or on average."),
        pool, order,
      ])
  }

  private static var dpp: StrategyDescription {
    StrategyDescription(
      "dpp", .slateRule, summary: "Deals relevant cards that point in different directions.",
      discussion: "The likeliest set of a determinantal point process, greedily (Chen, Zhang and "
        + "Zhou, 2018). Vectors count by their cosine.",
      parameters: [
        likenessColumn,
        ParameterDescription(
          "theta", .number(0...50), default: 3, help: "The greater, the more the score counts."),
        pool, order,
      ])
  }

  private static var windowCap: StrategyDescription {
    StrategyDescription(
      "window-cap", .slateRule,
      summary: "Deals at most so many cards of one kind among so many in a row, across hands.",
      discussion: "Counts what lies in the hand and what the viewer has just answered. What would "
        + "leave a hand empty is not withheld.",
      parameters: [
        column,
        ParameterDescription(
          "window", .integer(2...200), unit: "cards", help: "How many cards in a row."),
        ParameterDescription(
          "most", .integer(1...200), unit: "cards", default: 1, help: "How many may be of one kind."
        ),
        ParameterDescription(
          "penalty", .number(0...1_000_000), unit: "score", default: .null,
          help: "What a card loses that does not fit; withheld without."),
      ])
  }

  private static var turns: StrategyDescription {
    StrategyDescription(
      "interleave-categories", .slateRule,
      summary: "Deals kinds of cards in turn: the best of each, then the second of each.",
      discussion: "Of a card with several tags the first one counts; cards without a kind come in "
        + "the first turn.", parameters: [column])
  }

  private static var floor: StrategyDescription {
    StrategyDescription(
      "new-card-floor", .slateRule,
      summary: "Keeps a share of all places for cards with few answers.",
      discussion: "Room is made by penalties on those who would stand before them.",
      parameters: [
        ParameterDescription(
          "answers", .integer(1...1_000_000), unit: "answers", default: 20,
          help: "A card with fewer is new."),
        ParameterDescription(
          "share", .number(.share), default: 0.1, help: "The share of places that is kept."),
      ])
  }

  private static var calibrated: StrategyDescription {
    StrategyDescription(
      "calibrated-categories", .slateRule,
      summary: "Deals kinds of cards in the proportions in which the viewer likes them.",
      discussion: "Steck, Calibrated Recommendations, 2018. A card with several tags counts for "
        + "each in equal parts.",
      parameters: [
        column,
        ParameterDescription(
          "lambda", .number(.share), default: 0.5,
          help: "The weight of proportions; with 0 the order stays."),
        pool, order,
        ParameterDescription(
          "least", .integer(1...10_000), unit: "cards", default: 10,
          help: "Who has liked fewer gets the order as it is."),
      ])
  }
}
