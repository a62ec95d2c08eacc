internal import CardFeedConfiguration
internal import CardFeedRecommenders

/// A recommender of an arm, with the values that are tried for each of its parameters.
public struct RankingModel: Sendable, Hashable {
  /// The kind of recommender.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case popularity
    case personalCounts = "personal-counts"
    case itemNeighbours = "item-neighbours"
    case randomWalk = "random-walk"
    case coOccurrence = "co-occurrence"
    case linearAutoencoder = "linear-autoencoder"
    case implicitFactors = "implicit-factors"
    case pairwiseFactors = "pairwise-factors"
    case linearTransitions = "linear-transitions"
    case repurchase
    case trend
    case blend

    /// Whether this build can fit it: dense algebra needs the trait OpenBLAS.
    var isInThisBuild: Bool {
      #if OpenBLAS
        true
      #else
        switch self {
        case .linearAutoencoder, .implicitFactors, .linearTransitions: false
        default: true
        }
      #endif
    }
  }

  /// The kind of recommender.
  public let kind: Kind
  /// Names of parameters with the values that are tried, in the order of the description.
  public let grid: [Axis]
  /// The names of the arms that are blended, or of the one that a trend changes; empty for others.
  public let parts: [String]
  /// Whether a history fades by time instead of by swipe.
  public let fadesByTime: Bool

  /// The values of one parameter.
  public struct Axis: Sendable, Hashable {
    /// The parameter's name.
    public let name: String
    /// What is tried.
    public let values: [Double]
  }

  /// A point of the grid.
  typealias Point = [String: Double]

  /// Every combination, the last parameter changing fastest.
  var points: [Point] {
    grid.reduce([[:]]) { points, axis in
      points.flatMap { point in
        axis.values.map { value in
          var next = point
          next[axis.name] = value
          return next
        }
      }
    }
  }

  /// A point as text, for reports.
  func text(_ point: Point) -> String {
    grid.filter { $0.values.count > 1 }.map { axis in
      let value = point[axis.name] ?? 0
      return "\(axis.name) "
        + (value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)")
    }.joined(separator: ", ")
  }

  /// The decay of a point.
  func decay(_ point: Point) -> HistoryDecay {
    guard let rate = point["decay"], rate < 1 else { return .none }
    return fadesByTime ? .perTime(rate) : .perSwipe(rate)
  }

  /// What is known at an earlier point of time, and what followed: the validation part.
  struct Before {
    let histories: ViewerHistories
    let now: Double
    let after: InteractionMatrix
  }

  /// Fits the recommender of a point.
  ///
  /// - Throws: ``RecommenderError``.
  func fit(
    _ point: Point, _ histories: ViewerHistories, _ matrix: InteractionMatrix, seed: UInt64,
    threads: Int, before: Before? = nil
  ) throws(RecommenderError) -> any Recommender {
    func value(_ name: String) -> Double { point[name] ?? 0 }
    switch kind {
    case .popularity: return Popularity(histories, rate: value("rate"))
    case .personalCounts:
      return PersonalCounts(
        exponent: value("exponent"), rate: value("rate"), popularity: Popularity(histories))
    case .itemNeighbours:
      return try ItemNeighbours(
        neighbours: Int(value("neighbours")), shrinkage: value("shrinkage"), decay: decay(point)
      ).fit(matrix, threads: threads)
    case .randomWalk:
      return try RandomWalk(
        alpha: value("alpha"), beta: value("beta"), neighbours: Int(value("neighbours")),
        decay: decay(point)
      ).fit(matrix, threads: threads)
    case .coOccurrence:
      return try DirectionalCooccurrence(
        window: Int(value("window")), rate: value("rate"), backward: value("backward"),
        beta: value("beta"), decay: decay(point)
      ).fit(histories, threads: threads)
    case .pairwiseFactors:
      return try PairwiseFactors(
        factors: Int(value("factors")), iterations: Int(value("iterations")),
        learningRate: value("learningRate"), regularisation: value("regularisation"), seed: seed,
        decay: decay(point)
      ).fit(matrix, threads: threads)
    case .linearAutoencoder, .implicitFactors, .linearTransitions:
      return try dense(point, histories, matrix, seed: seed, threads: threads)
    case .repurchase:
      guard let before else {
        preconditionFailure("Repurchases are learned from a part before.")
      }
      let learned = try Repurchase(
        fitting: before.histories, now: before.now, after: before.after, period: value("period"),
        ridge: value("ridge"))
      return learned.at(histories.times.max() ?? 0, histories)
    case .blend, .trend:
      preconditionFailure("A model of parts is made of the parts that were fitted.")
    }
  }

  private func dense(
    _ point: Point, _ histories: ViewerHistories, _ matrix: InteractionMatrix, seed: UInt64,
    threads: Int
  ) throws(RecommenderError) -> any Recommender {
    #if OpenBLAS
      func value(_ name: String) -> Double { point[name] ?? 0 }
      if kind == .linearAutoencoder {
        return try LinearAutoencoder(
          regularisation: value("regularisation"), decay: decay(point)
        ).fit(matrix, threads: threads)
      }
      if kind == .linearTransitions {
        return try LinearTransitions(
          window: Int(value("window")), past: value("past"), future: value("future"),
          regularisation: value("regularisation"), beta: value("beta"), decay: decay(point)
        ).fit(histories, threads: threads)
      }
      return try ImplicitFactors(
        factors: Int(value("factors")), iterations: Int(value("iterations")),
        regularisation: value("regularisation"), unobserved: value("unobserved"), seed: seed,
        decay: decay(point)
      ).fit(matrix, threads: threads).model
    #else
      throw RecommenderError(
        .unavailable,
        "the model '\(kind.rawValue)' is not in this build; allowed: a build with the "
          + "trait OpenBLAS")
    #endif
  }
}

extension RankingModel {
  private static func numbers(
    _ name: String, _ range: ClosedRange<Double>, _ value: Double, _ help: String
  ) -> ParameterDescription {
    ParameterDescription(
      name, .ascending(range), default: [JSONValue(orNull: value)],
      help: help + " Of several the best on the validation part.")
  }

  private static let fading = [
    numbers("decay", 0.01...1, 1, "What each swipe, or unit of time, since multiplies."),
    ParameterDescription(
      "decayBy", .choice(["swipe", "time"]), default: "swipe", help: "What a history fades by."),
  ]

  private static func describe(
    _ kind: Kind, _ summary: String, _ parameters: [ParameterDescription]
  ) -> StrategyDescription {
    StrategyDescription(kind.rawValue, .ranking, summary: summary, parameters: parameters)
  }

  private static let neighbours = numbers(
    "neighbours", 1...1_000_000, 200, "How many neighbours each card keeps.")

  /// What arms can be, for decoding and error texts.
  static let descriptions: [StrategyDescription] = [
    describe(
      .popularity, "By how many viewers have a card.",
      [numbers("rate", 0.01...1, 1, "What each unit of time since multiplies.")]),
    describe(
      .personalCounts, "The viewer's own cards, by amount and recency.",
      [
        numbers("exponent", 0...4, 1, "The exponent of amounts."),
        numbers("rate", 0.01...1, 0.9, "What each unit of time since multiplies."),
      ]),
    describe(
      .itemNeighbours, "Cosines of the sets of viewers.",
      [neighbours, numbers("shrinkage", 0...1e6, 0, "Added to denominators.")] + fading),
    describe(
      .randomWalk, "Walks from card to viewer to card.",
      [
        numbers("alpha", 0...4, 0.8, "The exponent of probabilities."),
        numbers("beta", 0...4, 0.5, "The exponent of popularity."), neighbours,
      ] + fading),
    describe(
      .coOccurrence, "What is swiped after what.",
      [
        numbers("window", 1...1000, 20, "How many swipes apart."),
        numbers("rate", 0.01...1, 0.8, "What each further swipe multiplies."),
        numbers("backward", 0...1, 0.8, "What the direction against time counts."),
        numbers("beta", 0...4, 0.2, "The exponent of popularity."),
      ] + fading),
    describe(
      .linearAutoencoder, "The linear autoencoder in closed form.",
      [numbers("regularisation", 1e-6...1e9, 400, "How strongly weights are held back.")] + fading),
    describe(
      .implicitFactors, "Factors by alternating least squares.",
      [
        numbers("factors", 1...4096, 64, "Numbers in a vector."),
        numbers("iterations", 1...1000, 15, "Rounds."),
        numbers("regularisation", 0...1e9, 0.002, "How strongly vectors are held back."),
        numbers("unobserved", 0...1e3, 1, "The weight of pairs without a swipe."),
      ] + fading),
    describe(
      .pairwiseFactors, "Factors by stochastic gradients over pairs.",
      [
        numbers("factors", 1...4096, 64, "Numbers in a vector."),
        numbers("iterations", 1...10_000, 100, "Rounds."),
        numbers("learningRate", 1e-6...10, 0.05, "The length of a step."),
        numbers("regularisation", 0...10, 0.01, "How strongly vectors are held back."),
      ] + fading),
    describe(
      .linearTransitions, "A linear model from recent swipes to the next ones.",
      [
        numbers("window", 1...1000, 20, "How many swipes back and forth."),
        numbers("past", 0.01...1, 0.8, "What each further swipe back multiplies."),
        numbers("future", 0.01...1, 0.8, "What each further swipe forth multiplies."),
        numbers("regularisation", 1e-6...1e9, 200, "How strongly weights are held back."),
        numbers("beta", 0...4, 0, "The exponent of popularity."),
      ] + fading),
    describe(
      .repurchase, "P(an own card is taken again), learned from the validation part.",
      [
        numbers("period", 1e-6...1e9, 4, "How many units of time are recent."),
        numbers("ridge", 0...1e9, 1, "How strongly weights are held back."),
      ]),
    describe(
      .trend, "An earlier arm, with cards on the rise raised.",
      [
        ParameterDescription("of", .text, help: "The name of the earlier arm."),
        numbers("rate", 0.01...1, 0.7, "What each unit of time since multiplies."),
        numbers("exponent", 0...10, 0.3, "How strongly trends count."),
      ]),
    describe(
      .blend, "A weighted sum of other arms, each brought to mean 0 and deviation 1.",
      [
        ParameterDescription("parts", .names, help: "The names of earlier arms."),
        numbers(
          "weights", 0...100, 1, "What is tried as the weight of each part after the first."),
      ]),
  ]

  init(_ specification: StrategySpecification) {
    guard let kind = Kind(rawValue: specification.use),
      let description = Self.descriptions.first(where: { $0.use == specification.use })
    else {
      preconditionFailure("The model '\(specification.use)' is described and not made.")
    }
    let parameters = specification.parameters
    self.kind = kind
    grid = description.parameters.compactMap { parameter in
      guard case .ascending = parameter.kind else { return nil }
      return Axis(name: parameter.name, values: parameters.numbers(parameter.name))
    }
    parts =
      kind == .blend
      ? parameters.texts("parts") : kind == .trend ? [parameters.text("of")] : []
    fadesByTime =
      description.parameters.contains { $0.name == "decayBy" }
      && parameters.text("decayBy") == "time"
  }
}
