public import CardFeed
public import CardFeedConfiguration

/// Brings rankings and sources that are learned from who liked what to every deck.
public struct CollaborativeFilteringPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `collaborative-filtering`.
  public var name: String { "collaborative-filtering" }

  /// Registers the rankings and the sources.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    for ranking in CollaborativeKind.allCases where ranking.isInThisBuild {
      registry.register(ranking: ranking.description) { parameters, context in
        try Self.ranking(ranking, parameters, context)
      }
    }
    registry.register(source: Self.recommended) { parameters, context in
      RecommendedSource(
        try Self.inner("recommended", parameters, context), most: parameters.integer("most"))
    }
    registry.register(source: Self.similar) { parameters, context in
      let ranking = try Self.inner("similar-cards", parameters, context)
      guard ranking.hasSimilarCards else {
        throw FeedError(
          .badInput,
          "the source 'similar-cards' cannot propose by the ranking "
            + "'\(parameters.strategy("by").use)', which compares no cards",
          hint: "name a ranking by neighbours, walks, co-occurrence, linear weights or factors")
      }
      return SimilarCardsSource(
        ranking, likes: parameters.integer("likes"),
        most: parameters.integer("most"))
    }
  }

  private static func ranking<D: Deck>(
    _ kind: CollaborativeKind, _ parameters: Parameters, _ context: BuildContext<D>
  ) throws -> CollaborativeRanking<D> {
    let method = try kind.method(parameters)
    let options = CollaborativeOptions(
      reasons: parameters.integer("reasons"), features: parameters.texts("features"),
      threads: parameters.integer("threads"))
    return CollaborativeRanking(
      method, options,
      slot: try context.slot(
        for: try kind.identity(parameters), path: parameters.optionalText("model"),
        of: CollaborativeModel.self), states: context.states)
  }

  /// The ranking inside of a source.
  private static func inner<D: Deck>(
    _ source: String, _ parameters: Parameters, _ context: BuildContext<D>
  ) throws -> CollaborativeRanking<D> {
    let specification = parameters.strategy("by")
    let ranking = try context.registry.ranking(specification, context)
    guard let own = ranking as? CollaborativeRanking<D> else {
      let names = CollaborativeKind.allCases.filter(\.isInThisBuild).map { "'\($0.rawValue)'" }
      throw FeedError(
        .badInput,
        "the source '\(source)' cannot propose by the ranking '\(specification.use)'; allowed: "
          + names.joined(separator: ", "), hint: "name one of these under \"by\"")
    }
    return own
  }

  private static let by = ParameterDescription(
    "by", .strategy(.ranking), default: ["use": "co-occurrence"],
    help: "The ranking whose model is asked; with equal parameters it is the same model.")

  private static let most = ParameterDescription(
    "most", .integer(1...100_000), unit: "cards", default: 500, help: "The most cards it proposes.")

  private static let recommended = StrategyDescription(
    "recommended", .source, summary: "Proposes the cards that a collaborative ranking puts first.",
    discussion: "Nothing for a viewer who has liked nothing the model knows: put another source "
      + "beside it.", parameters: [by, most])

  private static let similar = StrategyDescription(
    "similar-cards", .source,
    summary: "Proposes cards that are liked by those who liked the viewer's last ones.",
    discussion:
      "The lists of the last likes take turns, the latest first. A blend has no such lists.",
    parameters: [
      by,
      ParameterDescription(
        "likes", .integer(1...100), unit: "cards", default: 3,
        help: "Of how many last likes similar cards are proposed."), most,
    ])
}
