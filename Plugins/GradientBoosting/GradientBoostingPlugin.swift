#if XGBoost
  public import CardFeed
  public import CardFeedConfiguration

  /// Brings `gradient-boosting` to every deck.
  public struct GradientBoostingPlugin: Plugin {
    /// Needs nothing.
    public init() {}

    /// `gradient-boosting`.
    public var name: String { "gradient-boosting" }

    /// Registers the strategy.
    public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
      registry.register(matchProbability: Self.description) { parameters, context in
        var settings = GradientBoostingSettings(parameters)
        let path = parameters.optionalText("model")
        guard context.deck.policy.isMutual else {
          try settings.fit(toOneSided: context.deck)
          return AnswerBoostingProbability(
            settings,
            slot: try context.slot(
              for: settings.answerIdentity, path: path, of: AnswerBoostingModel.self),
            states: context.states)
        }
        return GradientBoostingProbability(
          settings,
          slot: try context.slot(
            for: settings.identity, path: path, of: GradientBoostingModel.self),
          states: context.states)
      }
    }

    private static let description = StrategyDescription(
      "gradient-boosting", .matchProbability,
      summary: "Boosted trees over numbers of cards and over what was answered before.",
      discussion:
        "XGBoost (Chen and Guestrin 2016). With two sides it is fitted to who liked whom; "
        + "P(match) is the product of the two sides, and like rates are without what the two said "
        + "of each other. In a deck with one side it is fitted to the viewers' answers, each with "
        + "what was known before it: rates of the card, of the viewer, of the viewer among cards "
        + "with the same name in a column of \"categories\", and how often, how long ago and how "
        + "regularly the viewer wanted this very card. Traits whose names say that they are "
        + "sensitive are fitted only where a list names them; \"*\" leaves them out. Needs "
        + "training: cardfeed train, or feed.train().",
      parameters: lists + trees + [
        ParameterDescription(
          "model", .text, default: .null, help: "The file of a trained model to begin with.")
      ])

    private static let lists: [ParameterDescription] =
      [
        ("own", "Numbers of the one who decides; with two sides only."),
        ("other", "Numbers of the other, or of the card."),
        ("difference", "Numbers in which distance counts; with two sides only."),
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
          "rates", .bool, default: true,
          help: "Whether like rates, and what was answered before, count."),
      ]

    private static let trees: [ParameterDescription] = {
      let standard = BoostingSettings()
      return [
        ParameterDescription(
          "rounds", .integer(1...10_000), unit: "trees", default: .null,
          help:
            "How many trees there are; null lets a fifth of the pairs choose, with one side the "
            + "last fifth of the answers."),
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

    /// Checks what a deck with one side makes no sense of, and leaves out the default columns that it does
    /// not have.
    fileprivate mutating func fit(toOneSided deck: some Deck) throws {
      let standard = GradientBoostingSettings()
      for (name, list, usual) in [
        ("own", own, standard.own), ("difference", difference, standard.difference),
      ] where list != usual && !list.isEmpty {
        throw FeedError(
          .badInput,
          "the match probability 'gradient-boosting' has \"\(name)\", which needs a deck with two "
            + "sides; '\(type(of: deck).name)' has one, and its viewers have no numbers",
          hint: "leave \"\(name)\" out; numbers of cards are named in \"other\"")
      }
      let columns = deck.columns.filter { $0.kind == .category }.map(\.name)
      guard categories != standard.categories else {
        categories = categories.filter(columns.contains)
        return
      }
      for column in categories where !columns.contains(column) {
        let allowed = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        throw FeedError(
          .badInput,
          "the match probability 'gradient-boosting' asks for the column of names \"\(column)\"; "
            + "allowed: \(allowed)",
          hint: nearestName(to: column, in: columns).map { "did you mean \"\($0)\"?" })
      }
    }
  }
#endif
