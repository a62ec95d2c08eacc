public import CardFeed
public import CardFeedConfiguration

/// Brings the dating deck.
public struct DatingPlugin: Plugin {
  /// Needs nothing.
  public init() {}

  /// `dating`.
  public var name: String { "dating" }

  /// The dating deck.
  public var decks: [any DeckPlugin] { [DatingDeckPlugin()] }
}

/// The dating deck with its strategies, its defaults and its JSON.
public struct DatingDeckPlugin: DeckPlugin {
  /// Needs nothing.
  public init() {}

  /// The deck.
  public var deck: DatingDeck { DatingDeck() }

  /// What the deck is.
  public var summary: String { "People who look at people; a match is a mutual like." }

  /// Those who like the viewer and everybody else, adults and minors apart, within both sides'
  /// wishes, by P(match).
  public var defaults: JSONValue {
    [
      "sources": [["use": "likes-received"], ["use": "all"]],
      "filters": [
        ["use": "already-swiped"], ["use": "blocked"], ["use": "legal-age"],
        ["use": "mutual-preferences"],
      ],
      "matchProbability": ["use": "elo-two-scale"],
      "ranking": ["use": "match-probability"],
      "match": ["use": "mutual-like"],
    ]
  }

  /// Registers the strategies of people who look at people.
  public func register(in registry: inout StrategyRegistry<DatingDeck>) {
    Self.registerFilters(in: &registry)

    registry.register(
      matchProbability: StrategyDescription(
        "elo-two-scale", .matchProbability,
        summary: "Learns of each person how choosy and how wanted they are; needs no training.",
        discussion: "P(a likes b) = σ(base + wanted(b) − choosy(a)), P(match) is the product of "
          + "the two sides. Elo 1978, with the two roles of the Social Relations Model (Kenny "
          + "1994) and the steps of an extended Kalman filter.",
        parameters: [
          ParameterDescription(
            "prior", .number(.positive), unit: "information", default: 0.6,
            help: "The prior's precision; greater is slower to believe in differences.")
        ])
    ) { parameters, context in
      EloTwoScale(prior: parameters.number("prior"), states: context.states)
    }
    registerOrders(in: &registry)
    registerModels(in: &registry)
    registerQuestions(in: &registry)
    registerPlans(in: &registry)
  }

  /// Reads one person. Throws a `CardProblem`.
  public func card(from json: JSONValue) throws -> Person { try Person(json: json) }

  /// Writes one person.
  public func json(of card: Person) -> JSONValue { card.json }

  /// What others see of a person: no day of birth, no place, no wishes.
  public func face(of card: Person, at now: Timestamp) -> CardFace { card.face(at: now) }

  /// Whether a trait, or a feature made of traits, is sensitive: `SensitiveTraits`.
  public func isSensitive(_ feature: String) -> Bool { SensitiveTraits.contains(feature) }
}
