internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedRecommenders

/// The rankings of this plugin, by the names that configurations use.
enum CollaborativeKind: String, CaseIterable, Sendable {
  case itemNeighbours = "item-neighbours"
  case randomWalk = "random-walk"
  case coOccurrence = "co-occurrence"
  case pairwiseFactors = "pairwise-factors"
  case personalCounts = "personal-counts"
  case recentPopularity = "recent-popularity"
  case repurchase
  case trend
  case linearAutoencoder = "linear-autoencoder"
  case linearTransitions = "linear-transitions"
  case implicitFactors = "implicit-factors"
  case blend = "collaborative-blend"

  /// Whether this build can fit it: dense algebra needs the trait OpenBLAS.
  var isInThisBuild: Bool {
    #if OpenBLAS
      true
    #else
      switch self {
      case .linearAutoencoder, .linearTransitions, .implicitFactors: false
      default: true
      }
    #endif
  }

  /// What a model was made by: everything that decides what a fit does.
  func identity(_ parameters: Parameters) throws -> String {
    "\(rawValue)/1 \(try method(parameters).identity)"
  }

  /// What is fitted.
  ///
  /// - Throws: `FeedError.Code.badInput` for a blend of what cannot be blended.
  func method(_ parameters: Parameters) throws -> CollaborativeMethod {
    func number(_ name: String) -> Double { parameters.number(name) }
    func count(_ name: String) -> Int { parameters.integer(name) }
    var decay: HistoryDecay {
      let rate = number("decay")
      return rate < 1 ? .perSwipe(rate) : .none
    }
    switch self {
    case .itemNeighbours:
      return .itemNeighbours(
        ItemNeighbours(
          neighbours: count("neighbours"), shrinkage: number("shrinkage"), decay: decay))
    case .randomWalk:
      return .randomWalk(
        RandomWalk(
          alpha: number("alpha"), beta: number("beta"), neighbours: count("neighbours"),
          decay: decay))
    case .coOccurrence:
      return .coOccurrence(
        DirectionalCooccurrence(
          window: count("window"), rate: number("rate"), backward: number("backward"),
          beta: number("beta"), decay: decay))
    case .pairwiseFactors:
      return .pairwiseFactors(
        PairwiseFactors(
          factors: count("factors"), iterations: count("iterations"),
          learningRate: number("learningRate"), regularisation: number("regularisation"),
          seed: UInt64(count("seed")), decay: decay))
    case .personalCounts:
      return .personalCounts(exponent: number("exponent"), rate: number("rate"))
    case .recentPopularity: return .recentPopularity(rate: number("rate"))
    case .repurchase: return .repurchase(period: number("period"), ridge: number("ridge"))
    case .trend:
      return .trend(
        of: try Self.method(parameters.strategy("of"), in: rawValue), rate: number("rate"),
        exponent: number("exponent"))
    case .linearAutoencoder, .linearTransitions, .implicitFactors:
      return try dense(parameters, decay)
    case .blend: return .blend(try Self.parts(parameters))
    }
  }

  private func dense(
    _ parameters: Parameters, _ decay: HistoryDecay
  ) throws -> CollaborativeMethod {
    #if OpenBLAS
      let regularisation = parameters.number("regularisation")
      switch self {
      case .linearAutoencoder:
        return .linearAutoencoder(
          LinearAutoencoder(regularisation: regularisation, decay: decay))
      case .linearTransitions:
        return .linearTransitions(
          LinearTransitions(
            window: parameters.integer("window"), past: parameters.number("past"),
            future: parameters.number("future"), regularisation: regularisation,
            beta: parameters.number("beta"), decay: decay))
      default:
        return .implicitFactors(
          ImplicitFactors(
            factors: parameters.integer("factors"), iterations: parameters.integer("iterations"),
            regularisation: regularisation, unobserved: parameters.number("unobserved"),
            seed: UInt64(parameters.integer("seed")), decay: decay))
      }
    #else
      throw FeedError(
        .badInput, "the ranking '\(rawValue)' is not in this build",
        hint: "build with the trait OpenBLAS")
    #endif
  }

  /// What a ranking that stands inside another one fits.
  private static func method(
    _ specification: StrategySpecification, in outer: String
  ) throws -> CollaborativeMethod {
    guard let kind = CollaborativeKind(rawValue: specification.use), kind.isInThisBuild else {
      throw FeedError(
        .badInput,
        "the ranking '\(specification.use)' cannot stand in '\(outer)'; allowed: "
          + names(allCases.filter(\.isInThisBuild).map(\.rawValue)),
        hint: "name a ranking that is learned from who liked what")
    }
    return try kind.method(specification.parameters)
  }

  /// Parts of a blend, with the parameters that stand under their names.
  private static func parts(_ parameters: Parameters) throws -> [CollaborativeMethod.Part] {
    let weights = parameters.weights("parts").sorted { $0.name < $1.name }
    for name in blendable {
      let own = parameters.strategy(name)
      guard own.use == name else {
        throw FeedError(
          .badInput, "under '\(name)' the blend has the ranking '\(own.use)'; allowed: '\(name)'",
          hint: "write { \"use\": \"\(name)\" } with its parameters")
      }
      guard own.location == nil || weights.contains(where: { $0.name == name }) else {
        throw FeedError(
          .badInput,
          "the blend has parameters of '\(name)', which is none of its parts; its parts: "
            + names(weights.map(\.name)),
          hint: "give it a weight under \"parts\", or leave its parameters out")
      }
    }
    return try weights.map { name, weight in
      CollaborativeMethod.Part(
        name: name, method: try method(parameters.strategy(name), in: blend.rawValue),
        weight: weight)
    }
  }

  private static func names(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// What can be a part of a blend: everything of this build but a blend.
  static var blendable: [String] {
    allCases.filter { $0.isInThisBuild && $0 != .blend }.map(\.rawValue)
  }
}
