public import CardFeed
public import CardFeedConfiguration
internal import CardFeedVectorIndex

/// Brings nearest cards by vectors to every deck that has a column of them.
public struct VectorSearchPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `vector-search`.
  public var name: String { "vector-search" }

  /// Registers the source and the ranking.
  public func register<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(source: Self.source) { parameters, context in
      let target = Self.target(parameters)
      let column = parameters.text("column")
      try context.deck.checkVectors(column, to: target, askedBy: "the source 'vector-nearest'")
      return VectorNearestSource(
        CardVectors(
          column: column, metric: Self.metric(parameters), search: try Self.search(parameters)),
        to: target)
    }
    registry.register(ranking: Self.ranking) { parameters, context in
      let target = Self.target(parameters)
      let column = parameters.text("column")
      try context.deck.checkVectors(
        column, to: target, askedBy: "the ranking 'vector-similarity'")
      return VectorSimilarityRanking(
        column: column, metric: Self.metric(parameters), to: target)
    }
  }

  private static var source: StrategyDescription {
    StrategyDescription(
      "vector-nearest", .source,
      summary: "Proposes every card, those first whose vectors are nearest.",
      discussion:
        "Cards that the viewer has not answered come first, the nearest before all; cards "
        + "without a vector come last. An exact search misses nothing; along a graph (trait HNSW), for "
        + "more than some two hundred thousand cards, most of the nearest come first, not always the "
        + "same. When nothing is known of the viewer, cards come in their order.",
      parameters: parameters + [
        ParameterDescription(
          "index", .choice(["exact", "graph"]), default: "exact", help: "How the nearest are found."
        ),
        ParameterDescription(
          "effort", .integer(1...100_000), unit: "candidates", default: 64,
          help: "How many candidates a search along a graph keeps at least."),
      ])
  }

  private static var ranking: StrategyDescription {
    StrategyDescription(
      "vector-similarity", .ranking, summary: "Orders cards by how near their vectors are.",
      discussion: "The score is the one that vector-nearest orders by. A card without a vector is "
        + "unscored, and so are all when nothing is known of the viewer.",
      parameters: parameters)
  }

  private static var parameters: [ParameterDescription] {
    [
      ParameterDescription(
        "column", .text, default: "vector", help: "The name of a column of vectors of the deck."),
      ParameterDescription(
        "metric", .choice(VectorMetric.allCases.map(\.rawValue)), default: "cosine",
        help: "What makes vectors near."),
      ParameterDescription(
        "to", .choice(["likes", "latest-like", "viewer"]), default: "likes",
        help:
          "Near to the mean of the cards liked lately, to the one liked last, or to the viewer's "
          + "own card."),
      ParameterDescription(
        "decay", .number(.share), unit: "share", default: 0.8,
        help: "What a like counts beside the next newer one."),
      ParameterDescription(
        "latest", .integer(1...10_000), unit: "answers", default: 50,
        help: "How many positive answers count, the newest first."),
    ]
  }

  private static func target(_ parameters: Parameters) -> VectorTarget {
    switch parameters.text("to") {
    case "viewer": .viewer
    case "latest-like": .likes(decay: 1, latest: 1)
    default: .likes(decay: parameters.number("decay"), latest: parameters.integer("latest"))
    }
  }

  private static func search(_ parameters: Parameters) throws -> VectorSearchMethod {
    guard parameters.text("index") == "graph" else { return .exact }
    #if HNSW
      return .graph(effort: parameters.integer("effort"))
    #else
      throw FeedError(
        .badInput,
        "the source 'vector-nearest' asks for \"index\": \"graph\", and this build has no "
          + "graphs; allowed: \"exact\"", hint: "build with the trait HNSW, or write \"exact\"")
    #endif
  }

  private static func metric(_ parameters: Parameters) -> VectorMetric {
    VectorMetric(rawValue: parameters.text("metric")) ?? .cosine
  }
}
