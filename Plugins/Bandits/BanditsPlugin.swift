public import CardFeed
public import CardFeedConfiguration
internal import CardFeedOnlineLearning

/// Brings what learns from every swipe at once to every deck.
public struct BanditsPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `bandits`.
  public var name: String { "bandits" }

  /// Registers every strategy of this module.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(ranking: Self.thompson) { parameters, context in
      CountRanking(
        method: .thompson(pool: parameters.integer("pool")), a: parameters.number("likes"),
        b: parameters.number("passes"), forgetting: try forgetting(parameters, "thompson"),
        states: context.states)
    }
    registry.register(ranking: Self.upperBound) { parameters, context in
      CountRanking(
        method: .upperBound(width: parameters.number("width")), a: parameters.number("likes"),
        b: parameters.number("passes"), forgetting: try forgetting(parameters, "upper-bound"),
        states: context.states)
    }
    registry.register(ranking: Self.linear) { parameters, context in
      let columns = parameters.weights("columns").map { (name: $0.name, scale: $0.weight) }
      for column in columns {
        try context.deck.check(
          column.name, isOneOf: [.float, .integer], askedBy: "the ranking 'linear-bandit'")
      }
      guard (1...LinearSums<D>.mostColumns).contains(columns.count) else {
        throw FeedError(
          .badInput,
          "the ranking 'linear-bandit' has \(columns.count) columns; allowed: 1 … "
            + "\(LinearSums<D>.mostColumns)", hint: "leave out those that say least")
      }
      let width = parameters.number("width")
      return LinearBanditRanking(
        columns: columns, isOfViewer: parameters.text("of") == "viewer",
        method: parameters.text("policy") == "thompson"
          ? .thompson(width: max(width, 1e-9), pool: parameters.integer("pool"))
          : .upperBound(width: width),
        ridge: parameters.number("ridge"),
        forgetting: try forgetting(parameters, "linear-bandit"), states: context.states)
    }
    registry.register(matchProbability: Self.ftrl) { parameters, context in
      let recipe: FeatureRecipe
      do throws(FeatureRecipeError) {
        recipe = try FeatureRecipe(
          columns: parameters.texts("columns"), features: parameters.texts("features"),
          bits: OnlineWeights<D>.bits)
      } catch {
        throw FeedError(.badInput, "the match probability 'ftrl' cannot be made: \(error)")
      }
      for column in recipe.columns {
        try context.deck.check(
          column.name,
          isOneOf: column.bins == .category ? [.category, .integer] : [.float, .integer],
          askedBy: "the match probability 'ftrl'")
      }
      guard !recipe.hasParts else {
        throw FeedError(
          .badInput, "the match probability 'ftrl' has bins with edges only",
          hint: "write \"n: 1 2 5\" instead of \"n ~ 1 2 5\"")
      }
      return OnlineProbability(
        recipe: recipe,
        settings: FTRLProximal.Settings(
          alpha: parameters.number("alpha"), beta: parameters.number("beta"),
          lambda1: parameters.number("lambda1"), lambda2: parameters.number("lambda2")),
        states: context.states)
    }
  }

  private static let prior = [
    ParameterDescription(
      "likes", .number(0.001...1e6), default: 1, help: "The likes that are assumed of a new card."),
    ParameterDescription(
      "passes", .number(0.001...1e6), default: 1,
      help: "The passes that are assumed of a new card."),
  ]
  private static let pool = ParameterDescription(
    "pool", .integer(1...1000), unit: "cards", default: 50,
    help: "How many cards that may be best are compared; the time grows with its square.")

  private static var thompson: StrategyDescription {
    StrategyDescription(
      "thompson", .ranking,
      summary: "Orders cards by the probability that their rate of likes is the greatest.",
      discussion:
        "The score is the logarithm of that probability. With the slate rule softmax at "
        + "temperature 1 behind it hands are Thompson samples (Thompson 1933), and their stored "
        + "propensities are exact.", parameters: prior + Self.spans + [pool])
  }

  private static var upperBound: StrategyDescription {
    StrategyDescription(
      "upper-bound", .ranking,
      summary: "Orders cards by their rate of likes and a bound for what is not known.",
      discussion: "UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) over a smoothed rate. Certain: put "
        + "epsilon behind it where propensities are to be of use; with width 0 that is ε-greedy.",
      parameters: prior + Self.spans + [
        ParameterDescription(
          "width", .number(0...1000), default: 0.3, help: "How wide the bound is; 1.4 is UCB1.")
      ])
  }

  private static var linear: StrategyDescription {
    StrategyDescription(
      "linear-bandit", .ranking,
      summary: "Orders cards by a linear model of their numbers, with room for what is not known.",
      discussion: "LinUCB (Li et al., 2010), or Thompson sampling with softmax at temperature 1 "
        + "behind it. A card without one of the numbers is unscored.",
      parameters: [
        ParameterDescription(
          "columns", .weights(nil),
          help: "Columns of numbers, and what each is divided by to be of the order of 1."),
        ParameterDescription(
          "of", .choice(["viewer", "everybody"]), default: "viewer", help: "Whose model it is."),
        ParameterDescription(
          "policy", .choice(["upper-bound", "thompson"]), default: "upper-bound",
          help: "How scores are made."),
        ParameterDescription(
          "width", .number(0...1000), default: 0.5,
          help: "How many deviations the bound or the sample has."),
        ParameterDescription(
          "ridge", .number(1e-6...1e6), default: 1, help: "The precision of each weight's prior."),
        pool,
      ] + Self.spans)
  }

  private static var ftrl: StrategyDescription {
    StrategyDescription(
      "ftrl", .matchProbability,
      summary: "Learns from every answer which cards everybody and the viewer like; no training.",
      discussion: "FTRL-proximal (McMahan et al., 2013) over binned columns and their crosses, "
        + "hashed into 64 places, with weights of everybody, of each viewer and of each card.",
      parameters: [
        ParameterDescription(
          "columns", .names,
          help: "Columns of the deck: \"kind\" for a category, \"price: 500 2000\" with edges."),
        ParameterDescription(
          "features", .names, help: "Columns, and crosses of columns: \"kind * price\"."),
        ParameterDescription(
          "alpha", .number(1e-6...100), default: 0.1, help: "The learning rate."),
        ParameterDescription(
          "beta", .number(0...1e6), default: 1, help: "Keeps the first steps small."),
        ParameterDescription(
          "lambda1", .number(0...1e6), default: 0, help: "Makes weights zero."),
        ParameterDescription(
          "lambda2", .number(1e-6...1e6), default: 1, help: "Makes weights small."),
      ])
  }
}

extension Deck {
  /// Refuses, while a strategy is built, a column of another kind.
  func check(
    _ column: String, isOneOf kinds: [ColumnDeclaration<Card>.Kind], askedBy strategy: String
  ) throws {
    let fitting = columns.filter { kinds.contains($0.kind) }.map(\.name)
    guard fitting.contains(column) else {
      let allowed = fitting.map { "\"\($0)\"" }.joined(separator: ", ")
      throw FeedError(
        .badInput,
        "\(strategy) asks for the column \"\(column)\"; allowed: "
          + (fitting.isEmpty ? "none, because the deck has no such column" : allowed),
        hint: nearestName(to: column, in: fitting).map { "did you mean \"\($0)\"?" })
    }
  }
}
