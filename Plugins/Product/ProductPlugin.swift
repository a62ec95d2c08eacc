public import CardFeed
public import CardFeedConfiguration

/// Brings the product deck.
public struct ProductPlugin: Plugin {
  private let deck: ProductDeckPlugin

  /// The product deck of a host.
  ///
  /// - Parameters:
  ///   - regions: Where viewers are, for the filter `sold-in-region`.
  ///   - vectorDimension: How many numbers the vector of each product has; 0 leaves the column out.
  public init(regions: any ViewerRegions = UnknownRegions(), vectorDimension: Int = 64) {
    deck = ProductDeckPlugin(regions: regions, vectorDimension: vectorDimension)
  }

  /// `product`.
  public var name: String { "product" }

  /// The product deck.
  public var decks: [any DeckPlugin] { [deck] }
}

/// The product deck with its strategies, its defaults and its JSON.
public struct ProductDeckPlugin: DeckPlugin {
  private let regions: any ViewerRegions

  /// The deck.
  public let deck: ProductDeck

  /// The product deck of a host.
  ///
  /// - Parameters:
  ///   - regions: Where viewers are, for the filter `sold-in-region`.
  ///   - vectorDimension: How many numbers the vector of each product has; 0 leaves the column out.
  public init(regions: any ViewerRegions = UnknownRegions(), vectorDimension: Int = 64) {
    self.regions = regions
    deck = ProductDeck(vectorDimension: vectorDimension)
  }

  /// What the deck is.
  public var summary: String { "Products of a catalogue; a match is a save or a purchase." }

  /// What the viewer needs again, what is new, and then what others save and buy; in stock, sold where
  /// the viewer is, and not decided about already.
  public var defaults: JSONValue {
    [
      "sources": [
        ["use": "due-again"], ["use": "new-arrivals", "withinDays": 14], ["use": "popular"],
      ],
      "filters": [
        ["use": "in-stock"], ["use": "sold-in-region"], ["use": "repeat-policy"],
        ["use": "fatigue", "impressions": 5],
      ],
      "matchProbability": ["use": "match-rate"],
      "ranking": ["use": "source-order"],
      "match": ["use": "save-or-buy"],
    ]
  }

  /// Registers the strategies of products.
  public func register(in registry: inout StrategyRegistry<ProductDeck>) {
    Self.registerSources(in: &registry)
    Self.registerAvailability(in: &registry, regions: regions)
    Self.registerRepetition(in: &registry)
    Self.registerRanking(in: &registry)
    registry.register(
      matchProbability: StrategyDescription(
        "match-rate", .matchProbability,
        summary: "The share of a product's answers that were a save or a purchase.",
        discussion: "The mean of a Beta distribution around the share of the whole deck. The same "
          + "for every viewer.",
        parameters: [
          ParameterDescription(
            "prior", .number(.share), unit: "share", default: 0.05,
            help: "The share that is assumed before there are answers."),
          ParameterDescription(
            "weight", .number(.positive), unit: "answers", default: 20,
            help: "How many answers the prior counts as, for the deck and for each product."),
        ])
    ) { parameters, context in
      MatchRateProbability(
        prior: parameters.number("prior"), weight: parameters.number("weight"),
        answers: ProductAnswers(states: context.states))
    }
    registry.register(
      matchRule: StrategyDescription(
        "save-or-buy", .matchRule, summary: "A match is made when a product is saved or bought.")
    ) { _, _ in SaveOrBuyRule() }
  }

  /// Reads one product. Throws a `CardProblem`.
  public func card(from json: JSONValue) throws -> Product {
    let product = try Product(json: json)
    let count = product.vector.count
    guard count == 0 || deck.vectorDimension == 0 || count == deck.vectorDimension else {
      throw CardProblem(
        path: JSONPath([.key("vector")]), location: json["vector"]?.location,
        message: "found \(count) numbers; allowed: \(deck.vectorDimension), or leave the key out")
    }
    return product
  }

  /// Writes one product.
  public func json(of card: Product) -> JSONValue { card.json }

  /// Title, price and where it belongs.
  public func face(of card: Product, at now: Timestamp) -> CardFace {
    CardFace(
      title: card.title,
      subtitle: [card.brand, card.price?.description].compactMap { $0 }.joined(separator: ", "),
      body: card.category.isEmpty ? [] : [card.category.joined(separator: " / ")],
      tags: card.tags)
  }
}

/// A match is made when a product is saved or bought.
struct SaveOrBuyRule: MatchRule {
  func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive
  }
}
