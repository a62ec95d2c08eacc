#if XGBoost
  public import CardFeed
  public import CardFeedConfiguration

  /// Brings `gradient-boosting` to every deck with two sides.
  public struct GradientBoostingPlugin: Plugin {
    /// Needs nothing.
    public init() {}

    /// `gradient-boosting`.
    public var name: String { "gradient-boosting" }

    /// Registers the strategy.
    public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
      registry.register(matchProbability: Self.description) { parameters, context in
        guard context.deck.policy.isMutual else {
          throw FeedError(
            .badInput,
            "the match probability 'gradient-boosting' needs a deck with two sides; '\(D.name)' "
              + "has one", hint: "choose another match probability")
        }
        let settings = GradientBoostingSettings(parameters)
        return GradientBoostingProbability(
          settings,
          slot: try context.slot(
            for: settings.identity, path: parameters.optionalText("model"),
            of: GradientBoostingModel.self), states: context.states)
      }
    }

    private static let description = StrategyDescription(
      "gradient-boosting", .matchProbability,
      summary: "Boosted trees over both cards' numbers and both people's like rates.",
      discussion: "XGBoost (Chen and Guestrin 2016), fitted to who liked whom; P(match) is the "
        + "product of the two sides. Traits whose names say that they are sensitive are fitted "
        + "only where a list names them; \"*\" leaves them out. Like rates are without what the two "
        + "said of each other. Needs training: cardfeed train, or feed.train().",
      parameters: lists + trees + [
        ParameterDescription(
          "model", .text, default: .null, help: "The file of a trained model to begin with.")
      ])

    private static let lists: [ParameterDescription] =
      [
        ("own", "Numbers of the one who decides."), ("other", "Numbers of the other."),
        ("difference", "Numbers in which distance counts."),
      ].map { name, help in
        ParameterDescription(
          name, .names, default: ["*"],
          help: help + " \"*\" is every one that is not sensitive, \"-name\" takes one out.")
      } + [
        ParameterDescription(
          "categories", .names, default: ["gender"],
          help: "Columns of names, each name of which becomes a number."),
        ParameterDescription(
          "column", .text, default: "traits", help: "The deck's column of named numbers."),
        ParameterDescription(
          "rates", .bool, default: true, help: "Whether like rates count."),
      ]

    private static let trees: [ParameterDescription] = {
      let standard = BoostingSettings()
      return [
        ParameterDescription(
          "rounds", .integer(1...10_000), unit: "trees", default: .null,
          help: "How many trees there are; null lets a fifth of the pairs choose."),
        ParameterDescription(
          "depth", .integer(1...12), unit: "questions", default: JSONValue(standard.depth),
          help: "The longest way through a tree."),
        ParameterDescription(
          "learningRate", .number(0.001...1), default: JSONValue(orNull: standard.learningRate),
          help: "How much of each tree counts."),
        ParameterDescription(
          "leastLeafWeight", .number(0...1_000_000), unit: "information",
          default: JSONValue(orNull: standard.leastLeafWeight),
          help: "The least sum of p · (1 − p) in a leaf."),
        ParameterDescription(
          "ridge", .number(0...1_000_000), default: JSONValue(orNull: standard.ridge),
          help: "How strongly the numbers of leaves are drawn to 0."),
        ParameterDescription(
          "rowShare", .number(0.05...1), unit: "share",
          default: JSONValue(orNull: standard.rowShare),
          help: "The share of the answers that each tree sees."),
        ParameterDescription(
          "columnShare", .number(0.05...1), unit: "share",
          default: JSONValue(orNull: standard.columnShare),
          help: "The share of the features that each tree sees."),
        ParameterDescription(
          "seed", .integer(0...1_000_000_000), default: JSONValue(standard.seed),
          help: "Of what is drawn."),
      ]
    }()
  }

  extension GradientBoostingSettings {
    fileprivate init(_ parameters: Parameters) {
      boosting.depth = parameters.integer("depth")
      boosting.learningRate = parameters.number("learningRate")
      boosting.leastLeafWeight = parameters.number("leastLeafWeight")
      boosting.ridge = parameters.number("ridge")
      boosting.rowShare = parameters.number("rowShare")
      boosting.columnShare = parameters.number("columnShare")
      boosting.seed = parameters.integer("seed")
      rounds = parameters.optionalInteger("rounds")
      own = parameters.texts("own")
      other = parameters.texts("other")
      difference = parameters.texts("difference")
      categories = parameters.texts("categories")
      column = parameters.text("column")
      hasRates = parameters.bool("rates")
    }
  }
#endif
