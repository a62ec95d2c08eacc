internal import CardFeed
internal import CardFeedConfiguration

extension CollaborativeKind {
  /// The ranking's name, parameters and what it does.
  var description: StrategyDescription {
    StrategyDescription(
      rawValue, .ranking, summary: text.summary,
      discussion: text.discussion + " The viewer's own positive answers are asked with, so a swipe "
        + "counts at once; who has none gets the most liked cards. Needs training: cardfeed train, "
        + "or feed.train().", parameters: own + Self.common)
  }

  private var text: (summary: String, discussion: String) {
    switch self {
    case .itemNeighbours:
      (
        "Orders cards by how alike their likers are to those of the viewer's cards.",
        "Shrunken cosines of the sets of likers (Sarwar et al. 2001)."
      )
    case .randomWalk:
      (
        "Orders cards by walks from the viewer's cards over their likers to others.",
        "RP3beta (Christoffel et al. 2015): popular cards are held back."
      )
    case .coOccurrence:
      (
        "Orders cards by what others like soon after the viewer's latest cards.",
        "Decayed counts of pairs within a window, forwards and at a discount backwards. The best "
          + "single model where the order of swipes tells something."
      )
    case .pairwiseFactors:
      (
        "Orders cards by vectors that put liked cards before others.",
        "BPR (Rendle et al. 2009), the same for the same seed."
      )
    case .personalCounts:
      (
        "Orders cards by how often and how lately the viewer took them; for goods used up.",
        "amount^exponent · rate^days, popular cards after them. Let seen cards come again."
      )
    case .recentPopularity:
      (
        "Orders cards by how many viewers liked them, lately more.",
        "The sum of rate^days over the viewers of a card, at the time of the training."
      )
    case .repurchase:
      (
        "Orders the viewer's own cards by how likely they are taken again; for goods used up.",
        "Logistic regression on how often, how long ago, how active the viewer is and how often "
          + "others take the card again. Learned from the last days of the log. Let seen cards come "
          + "again."
      )
    case .trend:
      (
        "Orders cards by another collaborative ranking, those on the rise raised.",
        "Scores above the mean are multiplied by (lately / all)^exponent. For what has seasons."
      )
    case .linearAutoencoder:
      (
        "Orders cards by the linear autoencoder EASE.",
        "In closed form (Steck 2019); the square of the cards in memory, so for ten thousands."
      )
    case .linearTransitions:
      (
        "Orders cards by a linear model from recent swipes to the next ones.",
        "The transitions of SLIST (Choi et al. 2021), in closed form; the square of the cards in "
          + "memory."
      )
    case .implicitFactors:
      (
        "Orders cards by vectors that are fitted to all swipes.",
        "Alternating least squares with frequency-scaled regularisation (Rendle et al. 2021)."
      )
    case .blend:
      (
        "Orders cards by a weighted sum of other collaborative rankings.",
        "Each part has mean 0 and deviation 1 over the cards, and the parameters that stand under "
          + "its name."
      )
    }
  }

  private static let common = [
    ParameterDescription(
      "reasons", .integer(0...20), unit: "swipes", default: 3,
      help: "How many of the viewer's latest likes are named in an explanation."),
    ParameterDescription(
      "features", .names, default: [],
      help: "Columns of categories or tags by which cards the model does not know are scored."),
    ParameterDescription(
      "threads", .integer(1...64), default: 2,
      help: "How many threads fit; the model does not depend on it."),
    ParameterDescription(
      "model", .text, default: .null, help: "The file of a trained model to begin with."),
  ]

  private static func decay(_ rate: Double) -> ParameterDescription {
    ParameterDescription(
      "decay", .number(0.01...1), default: JSONValue(orNull: rate),
      help: "What each later like multiplies a like by.")
  }

  private static let neighbours = ParameterDescription(
    "neighbours", .integer(1...100_000), unit: "cards", default: 200,
    help: "How many neighbours each card keeps.")

  private static let seed = ParameterDescription(
    "seed", .integer(0...1_000_000_000), default: 1, help: "Of what is drawn.")

  private static func beta(_ value: Double) -> ParameterDescription {
    ParameterDescription(
      "beta", .number(0...4), default: JSONValue(orNull: value),
      help: "The exponent with which popular cards are held back.")
  }

  private static let factors = ParameterDescription(
    "factors", .integer(1...4096), default: 64, help: "Numbers in a vector.")

  private static func iterations(_ count: Int) -> ParameterDescription {
    ParameterDescription(
      "iterations", .integer(1...10_000), default: JSONValue(count), help: "Rounds.")
  }

  private static func regularisation(_ value: Double) -> ParameterDescription {
    ParameterDescription(
      "regularisation", .number(.positive), default: JSONValue(orNull: value),
      help: "How strongly weights are held back.")
  }

  private static func share(_ name: String, _ value: Double, _ help: String)
    -> ParameterDescription
  {
    ParameterDescription(
      name, .number(0.001...1), default: JSONValue(orNull: value), help: help)
  }

  private static func window(_ help: String) -> ParameterDescription {
    ParameterDescription("window", .integer(1...1000), unit: "swipes", default: 20, help: help)
  }

  private var own: [ParameterDescription] {
    switch self {
    case .itemNeighbours:
      [
        Self.neighbours,
        ParameterDescription(
          "shrinkage", .number(.nonNegative), default: 0, help: "Added to denominators."),
        Self.decay(0.8),
      ]
    case .randomWalk:
      [
        ParameterDescription(
          "alpha", .number(0...4), default: 0.8, help: "The exponent of probabilities."),
        Self.beta(0.5), Self.neighbours, Self.decay(0.8),
      ]
    case .coOccurrence:
      [
        Self.window("How many swipes apart two cards may be."),
        Self.share("rate", 0.8, "What each further swipe between two cards multiplies."),
        ParameterDescription(
          "backward", .number(.share), default: 0.8, help: "What the direction against time counts."
        ),
        Self.beta(0.2), Self.decay(0.6),
      ]
    case .pairwiseFactors:
      [
        Self.factors, Self.iterations(100),
        ParameterDescription(
          "learningRate", .number(1e-6...10), default: 0.05, help: "The length of a step."),
        Self.regularisation(0.01), Self.seed, Self.decay(1),
      ]
    case .personalCounts:
      [
        ParameterDescription(
          "exponent", .number(0...4), default: 1, help: "The exponent of how often."),
        Self.share("rate", 0.98, "What each day since the last time multiplies."),
      ]
    case .recentPopularity:
      [Self.share("rate", 0.95, "What each day since a like multiplies.")]
    case .repurchase:
      [
        ParameterDescription(
          "period", .number(.positive), unit: "days", default: 28,
          help: "How many days at the end of the log are learned from, and count as recent."),
        ParameterDescription(
          "ridge", .number(.nonNegative), default: 1, help: "How strongly weights are held back."),
      ]
    case .trend:
      [
        ParameterDescription(
          "of", .strategy(.ranking), default: ["use": "co-occurrence"],
          help: "The ranking whose scores are changed."),
        Self.share("rate", 0.95, "What each day since a like multiplies."),
        ParameterDescription(
          "exponent", .number(0...10), default: 0.3, help: "How strongly trends count."),
      ]
    case .linearAutoencoder: [Self.regularisation(400), Self.decay(0.9)]
    case .linearTransitions:
      [
        Self.window("How many swipes back and forth are looked at."),
        Self.share("past", 0.8, "What each further swipe back multiplies."),
        Self.share("future", 0.8, "What each further swipe forth multiplies."),
        Self.regularisation(200), Self.beta(0), Self.decay(0.8),
      ]
    case .implicitFactors:
      [
        Self.factors, Self.iterations(15), Self.regularisation(0.002),
        ParameterDescription(
          "unobserved", .number(.nonNegative), default: 1,
          help: "The weight of pairs without a swipe."), Self.seed, Self.decay(0.9),
      ]
    case .blend:
      [
        ParameterDescription(
          "parts", .weights(Self.blendable),
          default: ["co-occurrence": 1, "item-neighbours": 0.5],
          help: "The weight of each part, by the name of its ranking.")
      ]
        + Self.blendable.map { name in
          ParameterDescription(
            name, .strategy(.ranking), default: ["use": JSONValue(name)],
            help: "The ranking '\(name)' with the parameters that it has as a part.")
        }
    }
  }
}
