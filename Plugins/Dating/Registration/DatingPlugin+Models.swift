internal import CardFeed
internal import CardFeedConfiguration

extension DatingDeckPlugin {
  /// Registers the match probabilities that are fitted to the log.
  func registerModels(in registry: inout StrategyRegistry<DatingDeck>) {
    let people = Self.spreads
    let averages = Self.averageParameters
    register(
      "additive", summary: "Fits to the whole log how choosy and how wanted each person is.",
      discussion: "logit P(a likes b) = base(gender of a) + actor(a) + partner(b), each with a "
        + "normal prior; the most likely values; P(match) is the product of the two sides.",
      parameters: people, in: &registry
    ) { parameters in
      var settings = SocialRelationsSettings(name: "additive")
      settings.averages = false
      settings.setPeople(parameters)
      return settings
    }
    register(
      "social-relations",
      summary: "The same with correlated effects, averaged over what is not known of them.",
      discussion: "The Social Relations Model (Kenny and La Voie 1984) with normal priors, "
        + "generalised and dyadic reciprocity. P(match) is the expectation of the product of the "
        + "two sides by Gauss-Hermite quadrature over Laplace's approximation.",
      parameters: people + averages, in: &registry
    ) { parameters in
      var settings = SocialRelationsSettings(name: "social-relations")
      settings.setPeople(parameters)
      settings.setAverages(parameters)
      return settings
    }
    register(
      "profile-logistic",
      summary: "Compares the two profiles, for people who have not swiped yet.",
      discussion: "A logistic regression with a normal prior on the weights of standardised "
        + "features. Traits whose names say that they are sensitive (race, religion, sexual "
        + "orientation and more) are compared only where a list names them; \"*\" leaves them out.",
      parameters: Self.comparisonParameters, refits: false, in: &registry
    ) { parameters in
      var settings = SocialRelationsSettings(name: "profile-logistic")
      settings.hasPeople = false
      settings.averages = false
      settings.setComparisons(parameters)
      return settings
    }
    register(
      "hybrid",
      summary: "Social relations with the two profiles as the prior: for strangers and regulars.",
      discussion: "\"social-relations\" with the features of \"profile-logistic\" in the log-odds.",
      parameters: people + averages + Self.comparisonParameters, in: &registry
    ) { parameters in
      var settings = SocialRelationsSettings(name: "hybrid")
      settings.setPeople(parameters)
      settings.setAverages(parameters)
      settings.setComparisons(parameters)
      return settings
    }
  }

  private func register(
    _ name: String, summary: String, discussion: String, parameters: [ParameterDescription],
    refits: Bool = true, in registry: inout StrategyRegistry<DatingDeck>,
    _ settings: @escaping @Sendable (Parameters) -> SocialRelationsSettings
  ) {
    registry.register(
      matchProbability: StrategyDescription(
        name, .matchProbability, summary: summary,
        discussion: discussion + " Needs training: cardfeed train, or feed.train().",
        parameters: parameters + Self.commonParameters + (refits ? [Self.refit] : []))
    ) { parameters, context in
      var settings = settings(parameters)
      if refits { settings.refitsPeopleOnly = parameters.text("refit") == "people" }
      return SocialRelationsProbability(
        settings,
        unknown: .init(rawValue: parameters.text("unknown")) ?? .prior,
        knownAnswers: .init(rawValue: parameters.text("knownAnswers")) ?? .ignore,
        slot: try context.slot(
          for: settings.identity, path: parameters.optionalText("model"),
          of: SocialRelationsModel.self))
    }
  }

  private static let spreads = [
    ParameterDescription(
      "actorSpread", .number(0.01...20), unit: "log-odds", default: .null,
      help: "How far people lie apart in how often they say yes; null lets a holdout choose."),
    ParameterDescription(
      "partnerSpread", .number(0.01...20), unit: "log-odds", default: .null,
      help: "How far people lie apart in how often they get a yes; null lets a holdout choose."),
  ]

  private static let averageParameters = [
    ParameterDescription(
      "correlation", .number(-0.95...0.95), default: .null,
      help: "Of the two within people; null lets a holdout choose."),
    ParameterDescription(
      "dyad", .number(0...10), unit: "squared log-odds", default: .null,
      help: "How much the two directions of a pair share beyond that; null lets a holdout choose."),
  ]

  private static let comparisonParameters: [ParameterDescription] =
    [
      ("own", "Traits of the one who decides.", ["*"]),
      ("other", "Traits of the other.", ["*"]),
      ("difference", "Traits in which distance counts.", ["*"]),
      ("product", "Traits that are multiplied; \"a:b\" is the own a with the other's b.", []),
      ("same", "Traits of which only equality counts.", []),
      ("alike", "Traits over which the two are correlated, as \"a+b+c+d\".", []),
    ].map { name, help, defaults in
      ParameterDescription(
        name, .names, default: JSONValue(defaults.map { JSONValue($0) }),
        help: help + " \"*\" is every trait that is not sensitive, \"-name\" takes one out.")
    } + [
      ParameterDescription(
        "featureSpread", .number(0.0001...10), unit: "log-odds", default: .null,
        help: "How great weights are expected to be; null lets a holdout choose.")
    ]

  private static let commonParameters = [
    ParameterDescription(
      "model", .text, default: .null, help: "The file of a trained model to begin with."),
    ParameterDescription(
      "unknown", .choice(SocialRelationsProbability.Unknown.allCases.map(\.rawValue)),
      default: "prior",
      help: "Whether a person of whom nothing is known gets the estimate of their gender, or none."),
    ParameterDescription(
      "knownAnswers", .choice(SocialRelationsProbability.KnownAnswers.allCases.map(\.rawValue)),
      default: "ignore",
      help: "Whether the card's answer about the viewer takes the place of its probability; the "
        + "estimate then tells it, so show it to nobody."),
  ]

  private static let refit = ParameterDescription(
    "refit", .choice(["all", "people"]), default: "all",
    help: "Whether a training fits everything, or only people, under the rest of the model.")
}

extension SocialRelationsSettings {
  fileprivate mutating func setPeople(_ parameters: Parameters) {
    actorSpread = parameters.optionalNumber("actorSpread")
    partnerSpread = parameters.optionalNumber("partnerSpread")
  }

  fileprivate mutating func setAverages(_ parameters: Parameters) {
    correlation = parameters.optionalNumber("correlation")
    dyad = parameters.optionalNumber("dyad")
  }

  fileprivate mutating func setComparisons(_ parameters: Parameters) {
    featureSpread = parameters.optionalNumber("featureSpread")
    comparisons = TraitComparisons(
      own: parameters.texts("own"), other: parameters.texts("other"),
      difference: parameters.texts("difference"), product: parameters.texts("product"),
      same: parameters.texts("same"), alike: parameters.texts("alike"))
  }
}
