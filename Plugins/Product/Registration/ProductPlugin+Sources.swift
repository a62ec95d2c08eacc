internal import CardFeed
internal import CardFeedConfiguration

extension ProductDeckPlugin {
  /// Registers what proposes products.
  static func registerSources(in registry: inout StrategyRegistry<ProductDeck>) {
    registry.register(
      source: StrategyDescription(
        "due-again", .source,
        summary: "Proposes the consumables that the viewer has bought and needs again.",
        discussion: "The longest overdue first, measured in rhythms.",
        parameters: rhythmParameters)
    ) { parameters, _ in DueAgainSource(rhythm: rhythm(parameters)) }

    registry.register(
      source: StrategyDescription(
        "new-arrivals", .source, summary: "Proposes products, the latest added first.",
        discussion:
          "Products without a day, and days to come, are left out. Reads the whole column "
          + "for each page.",
        parameters: [
          ParameterDescription(
            "withinDays", .integer(0...36_500), unit: "days", default: .null,
            help: "For how many days a product is new; null is for ever.")
        ])
    ) { parameters, _ in NewArrivalsSource(days: parameters.optionalInteger("withinDays")) }

    registry.register(
      source: StrategyDescription(
        "popular", .source,
        summary: "Proposes all products, those saved or bought most often first.",
        discussion: "The same for every viewer: what is left for those of whom nothing is known. "
          + "Reads the counts of all products for each page.")
    ) { _, context in PopularSource(answers: ProductAnswers(states: context.states)) }
  }

  /// How a viewer's rhythm is found.
  static var rhythmParameters: [ParameterDescription] {
    [
      ParameterDescription(
        "intervals", .integer(1...1000), unit: "intervals", default: 2,
        help:
          "How many intervals between their purchases the viewer's own rhythm needs; with fewer "
          + "the product's counts, then its category's."),
      ParameterDescription(
        "fallbackDays", .number(0.01...36_500), unit: "days", default: 30,
        help: "The rhythm where neither product nor category has one."),
      ParameterDescription(
        "early", .number(.share), unit: "share of the rhythm", default: 0,
        help: "By how much a product may come early."),
    ]
  }

  static func rhythm(_ parameters: Parameters) -> PurchaseRhythm {
    PurchaseRhythm(
      intervals: parameters.integer("intervals"),
      fallbackDays: parameters.number("fallbackDays"), early: parameters.number("early"))
  }
}
