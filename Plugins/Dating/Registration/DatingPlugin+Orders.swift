internal import CardFeed
internal import CardFeedConfiguration

extension DatingDeckPlugin {
  /// Registers rankings and slate rules about exposure and activity.
  func registerOrders(in registry: inout StrategyRegistry<DatingDeck>) {
    registry.register(ranking: Self.activity) { parameters, context in
      ActivityRanking(
        try context.registry.ranking(parameters.strategy("of"), context),
        halfLife: parameters.number("halfLife"), floor: parameters.probability("floor"),
        states: context.states)
    }

    registry.register(ranking: Self.selectiveLikersFirst) { parameters, context in
      SelectiveLikersFirstRanking(
        then: try context.registry.ranking(parameters.strategy("then"), context),
        ordinary: parameters.number("ordinary"), significance: parameters.number("significance"),
        states: context.states)
    }

    registry.register(ranking: Self.queueAware) { parameters, context in
      QueueAwareRanking(
        cardsPerDay: parameters.integer("cardsPerDay"), optimism: parameters.number("optimism"),
        states: context.states)
    }

    registry.register(slateRule: Self.newcomerFloor) { parameters, context in
      NewcomerFloorRule(
        answers: parameters.integer("answers"), share: parameters.probability("share"),
        states: context.states)
    }

    registry.register(slateRule: Self.exposureCap) { parameters, context in
      ExposureCapRule(
        ExposureCapRule.Caps(
          impressions: parameters.optionalInteger("impressionsPerDay"),
          answers: parameters.optionalInteger("answersPerDay"),
          likes: parameters.optionalNumber("likesPerDay"),
          likesOf: .init(rawValue: parameters.text("likesOf")) ?? .answers),
        prior: parameters.probability("prior"), states: context.states)
    }
  }

  private static let activity = StrategyDescription(
    "activity", .ranking, summary: "Lowers the scores of people who have not been active for long.",
    discussion:
      "The factor is floor + (1 − floor) · 2^(−days away / halfLife), where the days are since "
      + "the person's latest answer, or for who never answered since somebody first answered about "
      + "them. A newcomer whom nobody has answered about keeps the score; nobody is ever raised.",
    parameters: [
      ParameterDescription(
        "of", .strategy(.ranking), default: ["use": "match-probability"],
        help: "The ranking whose scores are lowered."),
      ParameterDescription(
        "halfLife", .number(.positive), unit: "days", default: 7,
        help: "Days after which half of what is above the floor is left."),
      ParameterDescription(
        "floor", .number(.share), default: 0.1, help: "The factor of people who are long gone."),
    ])

  private static let selectiveLikersFirst = StrategyDescription(
    "selective-likers-first", .ranking,
    summary: "Puts people who like the viewer first, but not those who like nearly everybody.",
    discussion: "Likes say nothing when their share is above \"ordinary\" by an exact one-sided "
      + "binomial test; with the defaults that takes 44 likes of 44 answers, or 97 of 100.",
    parameters: [
      ParameterDescription(
        "then", .strategy(.ranking), default: ["use": "match-probability"],
        help: "Orders the people of one group."),
      ParameterDescription(
        "ordinary", .number(0.5...0.999), unit: "share", default: 0.9,
        help: "The greatest share of likes that is no sign of anything."),
      ParameterDescription(
        "significance", .number(1e-9...0.5), unit: "probability", default: 0.01,
        help: "How improbable the likes have to be."),
    ])

  private static let queueAware = StrategyDescription(
    "queue-aware", .ranking,
    summary: "Spares people who are waited for by more others than they have cards left today.",
    discussion: "P(match) · √(max(0, left − queue) / left) for those who have said nothing of the "
      + "viewer: left are the day's cards without the answers given today, queue the likes without "
      + "an answer. P(viewer likes) for those who like the viewer, 0 for those who passed.",
    parameters: [
      ParameterDescription(
        "cardsPerDay", .integer(1...1_000_000), unit: "cards", default: 50,
        help: "The cards a day of people whose record has no \"daily_cards\"."),
      ParameterDescription(
        "optimism", .number(0...3), unit: "standard errors", default: 0,
        help: "What is added to an estimate, so that who is little known is tried sooner."),
    ])

  private static let newcomerFloor = StrategyDescription(
    "newcomer-floor", .slateRule,
    summary: "Keeps a share of all places for people about whom few have answered yet.",
    discussion: "Of share · places the whole part always, one more with the probability of the "
      + "fraction, drawn from the seed of the deal. Others are lowered; nobody is raised.",
    parameters: [
      ParameterDescription(
        "answers", .integer(1...1_000_000), unit: "answers", default: 20,
        help: "Who has received fewer is a newcomer."),
      ParameterDescription(
        "share", .number(.share), unit: "share", default: 0.1,
        help: "The share of places that is kept."),
    ])

  private static let exposureCap = StrategyDescription(
    "exposure-cap", .slateRule, summary: "Keeps people who were shown enough today out of hands.",
    discussion:
      "Days are those of UTC. Counted are impressions, as clients report them, answers about "
      + "a person, and the likes that are expected of either. A capped person is dealt to nobody until "
      + "the next day; in hands that were dealt they stay.",
    parameters: [
      ParameterDescription(
        "impressionsPerDay", .integer(1...1_000_000), unit: "impressions", default: .null,
        help: "The most impressions of a person on a day."),
      ParameterDescription(
        "answersPerDay", .integer(1...1_000_000), unit: "answers", default: .null,
        help: "The most answers about a person on a day."),
      ParameterDescription(
        "likesPerDay", .number(.positive), unit: "likes", default: .null,
        help: "The most likes expected of a person on a day."),
      ParameterDescription(
        "likesOf", .choice(ExposureCapRule.Event.allCases.map(\.rawValue)), default: "answers",
        help: "What likes are expected of: what came so far, times the person's share of likes."),
      ParameterDescription(
        "prior", .number(.share), unit: "share", default: 0.4,
        help: "The share of likes that is assumed of a new person."),
    ])
}

extension Parameters {
  /// A parameter that is described as a share.
  fileprivate func probability(_ name: String) -> Probability {
    guard let probability = Probability(number(name)) else {
      preconditionFailure("The parameter '\(name)' is used as a share and not described as one.")
    }
    return probability
  }
}
