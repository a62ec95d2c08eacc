internal import CardFeed
internal import CardFeedCalendar
internal import CardFeedConfiguration
internal import CardFeedTwoSidedMarket

extension DatingDeckPlugin {
  /// Registers the rankings that deal from lists made for everybody at once.
  func registerPlans(in registry: inout StrategyRegistry<DatingDeck>) {
    register(
      "transferable-utility",
      summary: "Plans lists for everybody by the equilibrium of a matching market.",
      discussion: "The score of a pair is its mass μ = A · B · e^(u / 2β), where A and B make the "
        + "masses of each person add up to 1 at most: lists that do not crowd on the same few "
        + "people. Choo & Siow 2006; as lists Tomita, Togashi, Moriwaki 2022.",
      parameters: Self.utilityParameters, in: &registry
    ) { .transferableUtility(Self.utility($0)) }

    register(
      "best-response",
      summary: "Plans lists for everybody that make many matches.",
      discussion: "From the lists of \"transferable-utility\" the sides take turns and sort by "
        + "P(match) × how likely the other looks back, 1 / place, until the expected matches stop "
        + "growing. Everybody's list is then the best one there is beside all others.",
      parameters: Self.utilityParameters, in: &registry
    ) { .bestResponse(from: Self.utility($0)) }

    register(
      "nash-welfare",
      summary: "Plans lists for everybody that leave nobody without expected matches.",
      discussion: "Raises the sum of the logarithms of everybody's expected matches by alternating "
        + "Frank-Wolfe steps: little or no envy, for a few matches less than \"best-response\". "
        + "Tomita & Yokoyama 2024.",
      parameters: [
        ParameterDescription(
          "stepSize", .number(0.001...1), default: 0.1, help: "How far each step goes.")
      ], in: &registry
    ) { .nashWelfare(FairLists(.nashSocialWelfare, stepSize: $0.number("stepSize"))) }

    register(
      "most-compatible",
      summary:
        "Plans one partner a day for everybody, whom they meet first, both on the same date.",
      discussion: "Stable pairs: no two people would both rather have each other. Gale & Shapley "
        + "1962. A day is the calendar day of the viewer's own zone. The partner stays the same all day, "
        + "also when there is a training; the next day brings another one, and the same again only "
        + "to people for whom nobody else is left. After the last planned day there is none.",
      parameters: [
        ParameterDescription(
          "days", .integer(1...366), unit: "days", default: 7,
          help: "How many days are planned ahead, in case a training is late."),
        ParameterDescription(
          "zone", .text, default: "UTC",
          help: "The time zone of people whose record names none, or none that is known."),
        ParameterDescription(
          "by", .choice(PoolPairs.Preference.allCases.map(\.rawValue)), default: "match",
          help: "What people prefer each other by: P(match), or P(the person likes the other), "
            + "which needs two sides; the larger one proposes, and where there are not two sides "
            + "P(match) decides."),
      ], in: &registry
    ) {
      .mostCompatible(
        PoolPairs.Preference(rawValue: $0.text("by")) ?? .match, days: $0.integer("days"))
    } zone: {
      try ZoneDatabase().rules(named: $0.text("zone"))
    }

    registerPlannedSource(in: &registry)
  }

  /// Registers the source that brings what a plan has for the viewer.
  func registerPlannedSource(in registry: inout StrategyRegistry<DatingDeck>) {
    registry.register(
      source: StrategyDescription(
        "planned", .source, summary: "Proposes whom a plan has for the viewer, best first.",
        discussion: "A ranking orders only what sources bring. Where \"all\" takes several pages, "
          + "put this before it, with the same plan as in \"ranking\".",
        parameters: [
          ParameterDescription(
            "plan", .strategy(.ranking),
            help: "A ranking that plans lists for everybody, with the parameters it has there.")
        ])
    ) { parameters, context in
      let specification = parameters.strategy("plan")
      guard
        let plan = try context.registry.ranking(specification, context) as? MarketPlanRanking
      else {
        throw FeedError(
          .badInput,
          "the source 'planned' has the plan \"\(specification.use)\", which plans nothing",
          hint: "name \"transferable-utility\", \"best-response\", \"nash-welfare\" or "
            + "\"most-compatible\"")
      }
      return PlannedSource(plan)
    }
  }

  private func register(
    _ name: String, summary: String, discussion: String, parameters: [ParameterDescription],
    in registry: inout StrategyRegistry<DatingDeck>,
    _ method: @escaping @Sendable (Parameters) -> MarketPlanMethod,
    zone: @escaping @Sendable (Parameters) throws -> ZoneRules = { _ in .utc }
  ) {
    registry.register(
      ranking: StrategyDescription(
        name, .ranking, summary: summary,
        discussion: discussion + " Planned are pairs that pass every filter both ways and have not "
          + "answered each other, with the pipeline's P(match). Needs training: cardfeed train, or "
          + "feed.train().",
        parameters: Self.planParameters + parameters)
    ) { parameters, context in
      let method = method(parameters)
      let candidates = parameters.integer("candidates")
      let identity = MarketPlanRanking.identity(
        method, candidates: candidates, eligibility: context.eligibility)
      return MarketPlanRanking(
        method, then: try context.registry.ranking(parameters.strategy("then"), context),
        candidates: candidates, zone: try zone(parameters),
        slot: try context.slot(
          for: identity, path: parameters.optionalText("model"), of: MarketPlan.self))
    }
  }

  private static func utility(_ parameters: Parameters) -> TransferableUtility {
    TransferableUtility(
      beta: parameters.number("beta"),
      joint: parameters.text("utility") == "harmonic-mean" ? .harmonicMean : .sum)
  }

  private static let planParameters = [
    ParameterDescription(
      "then", .strategy(.ranking), default: ["use": "match-probability"],
      help: "Orders everybody who is not in the viewer's list."),
    ParameterDescription(
      "candidates", .integer(1...100_000), unit: "people", default: 200,
      help: "How many of each person's likeliest matches are looked at, and the length of lists. "
        + "Memory of a training: about 200 bytes for each of them and person."),
    ParameterDescription(
      "model", .text, default: .null, help: "The file of a trained plan to begin with."),
  ]

  private static let utilityParameters = [
    ParameterDescription(
      "beta", .number(0.01...100), default: 1,
      help: "How much of what people want is not known; greater is flatter."),
    ParameterDescription(
      "utility", .choice(["sum", "harmonic-mean"]), default: "sum",
      help: "What a pair has of each other, of the two probabilities."),
  ]
}
