internal import CardFeed
internal import CardFeedConfiguration

extension BaselinesPlugin {
  static func registerSources<D: Deck>(in registry: inout StrategyRegistry<D>) {
    registry.register(
      source: StrategyDescription(
        "all", .source, summary: "Proposes every card, in the order in which the cards came.")
    ) { _, _ in AllSource() }

    registry.register(
      source: StrategyDescription(
        "likes-received", .source,
        summary: "Proposes the people who like the viewer, newest first.",
        discussion: "Only the last answer of each person counts. The name of this source is kept "
          + "from viewers, because it tells them who likes them.")
    ) { _, _ in LikesReceivedSource() }

    registry.register(source: page) { parameters, context in
      guard let loader = context.pageLoader else {
        throw FeedError(
          .badInput, "the source 'page' has nowhere to bring cards from",
          hint: "give the host program's page loader when the feed is opened, or take the source "
            + "out of the configuration")
      }
      return PageSource(
        pageSize: parameters.integer("pageSize"),
        refillBelow: parameters.integer("refillBelow"),
        timeoutMilliseconds: parameters.integer("timeoutMilliseconds"), loader: loader)
    }
  }

  private static var page: StrategyDescription {
    StrategyDescription(
      "page", .source,
      summary: "Brings cards from another service, page by page, and proposes them in order.",
      discussion: "Needs a host program that can load pages. Cards that came stay when a page "
        + "cannot be had; the next deal asks for the same page again.",
      parameters: [
        ParameterDescription(
          "pageSize", .integer(1...10_000), unit: "cards", default: 20,
          help: "Cards asked for at a time; an answer with fewer is the last one."),
        ParameterDescription(
          "refillBelow", .integer(1...100_000), unit: "cards", default: 10,
          help: "A viewer with fewer cards left, neither answered nor in the hand, gets more."),
        ParameterDescription(
          "timeoutMilliseconds", .integer(1...600_000), unit: "milliseconds", default: 2000,
          help: "How long a page may take."),
      ])
  }
}
