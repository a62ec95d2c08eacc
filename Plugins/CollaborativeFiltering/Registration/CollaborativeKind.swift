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
    case .linearAutoencoder, .linearTransitions, .implicitFactors:
      return try dense(parameters, decay)
    case .blend: return .blend(try Self.parts(parameters.weights("parts")))
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

  /// Parts of a blend, each with its standard parameters.
  private static func parts(
    _ weights: [(name: String, weight: Double)]
  ) throws -> [CollaborativeMethod.Part] {
    try weights.sorted { $0.name < $1.name }.map { name, weight in
      guard let method = standard(name) else {
        let names = blendable.map { "'\($0)'" }.joined(separator: ", ")
        throw FeedError(
          .badInput, "'\(name)' cannot be blended in this build; allowed: \(names)",
          hint: "name one of these under \"parts\"")
      }
      return CollaborativeMethod.Part(method: method, weight: weight)
    }
  }

  static var blendable: [String] { allCases.map(\.rawValue).filter { standard($0) != nil } }

  private static func standard(_ name: String) -> CollaborativeMethod? {
    switch CollaborativeKind(rawValue: name) {
    case .itemNeighbours: .itemNeighbours(ItemNeighbours(decay: .perSwipe(0.8)))
    case .randomWalk: .randomWalk(RandomWalk(decay: .perSwipe(0.8)))
    case .coOccurrence: .coOccurrence(DirectionalCooccurrence())
    case .pairwiseFactors: .pairwiseFactors(PairwiseFactors())
    case .personalCounts: .personalCounts(exponent: 1, rate: 0.98)
    #if OpenBLAS
      case .linearAutoencoder: .linearAutoencoder(LinearAutoencoder(decay: .perSwipe(0.9)))
      case .linearTransitions: .linearTransitions(LinearTransitions())
      case .implicitFactors: .implicitFactors(ImplicitFactors(decay: .perSwipe(0.9)))
    #endif
    default: nil
    }
  }
}
