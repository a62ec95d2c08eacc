internal import CardFeed
internal import CardFeedConfiguration

extension BaselinesPlugin {
  /// Registers what looks at both sides of a pair.
  static func registerReciprocal<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(ranking: reciprocal(D.self)) { parameters, context in
      guard context.deck.policy.isMutual else {
        throw FeedError(
          .badInput, "the ranking 'reciprocal' needs a deck with two sides; '\(D.name)' has one",
          hint: "order by \"match-probability\"")
      }
      return ReciprocalRanking(
        fusion: .init(rawValue: parameters.text("fusion")) ?? .harmonicMean)
    }
  }

  private static func reciprocal<D: Deck>(_ deck: D.Type) -> StrategyDescription {
    StrategyDescription(
      "reciprocal", .ranking,
      summary: "Orders cards by what both sides want, lowest where either does not.",
      discussion: "A mean of P(viewer likes card) and P(card likes viewer) (Pizzato et al. 2010; "
        + "Neve and Palomares 2019). It is for the order only: P(match) stays the number that is "
        + "shown. A card without both sides is unscored.",
      parameters: [
        ParameterDescription(
          "fusion", .choice(ReciprocalRanking<D>.Fusion.allCases.map(\.rawValue)),
          default: "harmonic-mean", help: "How the two become one score.")
      ])
  }
}
