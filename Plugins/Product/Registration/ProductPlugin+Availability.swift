internal import CardFeed
internal import CardFeedConfiguration

extension ProductDeckPlugin {
  /// Registers what asks whether a viewer can buy a product.
  static func registerAvailability(
    in registry: inout StrategyRegistry<ProductDeck>, regions: any ViewerRegions
  ) {
    registry.register(
      filter: StrategyDescription(
        "in-stock", .filter, summary: "Removes products that are sold out.",
        parameters: [
          ParameterDescription(
            "least", .integer(1...1_000_000_000), unit: "pieces", default: 1,
            help: "How many there must be."),
          unknown("keep", help: "What becomes of products whose stock nobody counts."),
        ])
    ) { parameters, _ in
      InStockFilter(
        least: Int64(parameters.integer("least")),
        keepsUnknown: parameters.text("unknown") == "keep")
    }

    registry.register(
      filter: StrategyDescription(
        "sold-in-region", .filter,
        summary: "Removes products that are not sold where the viewer is.",
        discussion:
          "A product without regions is sold everywhere. Where viewers are a host says in "
          + "Swift (`ViewerRegions`).",
        parameters: [
          ParameterDescription(
            "region", .text, default: .null,
            help: "Where viewers are of whom nothing is known; null leaves them what is sold "
              + "everywhere.")
        ])
    ) { parameters, _ in
      RegionFilter(regions: regions, fallback: parameters.optionalText("region"))
    }

    registry.register(filter: price) { parameters, _ in try priceFilter(parameters) }
  }

  private static var price: StrategyDescription {
    StrategyDescription(
      "price", .filter, summary: "Keeps products that cost neither too little nor too much.",
      discussion: "Amounts are in minor units, such as cents, and bounds inclusive. With relax the "
        + "filter is soft, and the greater limits are taken one after the other when cards run out. "
        + "Amounts of different currencies are never compared.",
      parameters: [
        ParameterDescription(
          "currency", .text, help: "A code of ISO 4217, such as \"EUR\"."),
        ParameterDescription(
          "least", .integer(0...1_000_000_000_000_000), unit: "minor units", default: 0,
          help: "What a product costs at least."),
        ParameterDescription(
          "most", .integer(0...1_000_000_000_000_000), unit: "minor units", default: .null,
          help: "What a product costs at most; null is any price."),
        ParameterDescription(
          "relax", .ascending(0...1e15), unit: "minor units", default: [],
          help: "Greater limits for when cards run out."),
        unknown(
          "remove", help: "What becomes of products whose price is not known in the currency."),
      ])
  }

  private static func priceFilter(_ parameters: Parameters) throws -> PriceFilter {
    let code = parameters.text("currency")
    guard let currency = Currency(code) else {
      throw FeedError(
        .badInput,
        "the filter 'price' asks for the currency \"\(code)\", which is none; allowed: a code of ISO "
          + "4217 in upper case",
        hint: Currency(code.uppercased()).map { "did you mean \"\($0)\"?" })
    }
    let least = Int64(parameters.integer("least"))
    let most = parameters.optionalInteger("most").map { Int64($0) }
    let relaxed = parameters.numbers("relax").map { Int64($0) }
    guard most != nil || relaxed.isEmpty else {
      throw FeedError(
        .badInput, "the filter 'price' has limits to relax to and none to begin with",
        hint: "give \"most\" as well, or leave \"relax\" out")
    }
    let limits = [most ?? .max] + relaxed
    guard least <= limits[0], zip(limits, limits.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw FeedError(
        .badInput,
        "the limits of the filter 'price' do not ascend; allowed: least at most as great "
          + "as most, and each limit of relax greater than the one before it")
    }
    return PriceFilter(
      currency: currency, least: least, limits: limits,
      keepsUnknown: parameters.text("unknown") == "keep")
  }

  private static func unknown(_ value: String, help: String) -> ParameterDescription {
    ParameterDescription(
      "unknown", .choice(["keep", "remove"]), default: JSONValue(value), help: help)
  }
}
