internal import CardFeed
internal import CardFeedRecommenders

/// What is fitted.
enum CollaborativeMethod: Sendable, Hashable {
  case itemNeighbours(ItemNeighbours)
  case randomWalk(RandomWalk)
  case coOccurrence(DirectionalCooccurrence)
  case pairwiseFactors(PairwiseFactors)
  case personalCounts(exponent: Double, rate: Double)
  #if OpenBLAS
    case linearAutoencoder(LinearAutoencoder)
    case linearTransitions(LinearTransitions)
    case implicitFactors(ImplicitFactors)
  #endif
  /// Parts with their weights.
  indirect case blend([Part])

  struct Part: Sendable, Hashable {
    let method: CollaborativeMethod
    let weight: Double
  }

  /// Fits it.
  ///
  /// - Throws: `RecommenderError`.
  func fit(
    _ histories: ViewerHistories, _ matrix: InteractionMatrix, threads: Int
  ) throws(RecommenderError) -> any Recommender {
    switch self {
    case .itemNeighbours(let settings): return try settings.fit(matrix, threads: threads)
    case .randomWalk(let settings): return try settings.fit(matrix, threads: threads)
    case .coOccurrence(let settings): return try settings.fit(histories, threads: threads)
    case .pairwiseFactors(let settings): return try settings.fit(matrix)
    case .personalCounts(let exponent, let rate):
      return PersonalCounts(
        exponent: exponent, rate: rate, popularity: Popularity(histories))
    #if OpenBLAS
      case .linearAutoencoder(let settings): return try settings.fit(matrix, threads: threads)
      case .linearTransitions(let settings): return try settings.fit(histories, threads: threads)
      case .implicitFactors(let settings):
        return try settings.fit(matrix, threads: threads).model
    #endif
    case .blend(let parts):
      var fitted: [(model: any Recommender, weight: Double)] = []
      for part in parts {
        fitted.append((try part.method.fit(histories, matrix, threads: threads), part.weight))
      }
      return try Blend(fitted)
    }
  }

  /// Everything that decides what a fit does, spelled the same by every build.
  var identity: String {
    func text(_ name: String, _ numbers: [Double], _ decay: HistoryDecay) -> String {
      let rate: Double =
        switch decay {
        case .none: 1
        case .perSwipe(let rate): rate
        case .perTime(let rate): -rate
        }
      return ([name] + (numbers + [rate]).map { "\($0)" }).joined(separator: " ")
    }
    switch self {
    case .itemNeighbours(let its):
      return text("neighbours", [Double(its.neighbours), its.shrinkage], its.decay)
    case .randomWalk(let its):
      return text("walk", [its.alpha, its.beta, Double(its.neighbours)], its.decay)
    case .coOccurrence(let its):
      return text(
        "pairs", [Double(its.window), its.rate, its.backward, its.beta], its.decay)
    case .pairwiseFactors(let its):
      return text(
        "pairwise",
        [
          Double(its.factors), Double(its.iterations), its.learningRate, its.regularisation,
          Double(its.seed),
        ], its.decay)
    case .personalCounts(let exponent, let rate):
      return text("personal", [exponent, rate], .none)
    #if OpenBLAS
      case .linearAutoencoder(let its):
        return text("autoencoder", [its.regularisation], its.decay)
      case .linearTransitions(let its):
        return text(
          "transitions",
          [Double(its.window), its.past, its.future, its.regularisation, its.beta], its.decay)
      case .implicitFactors(let its):
        return text(
          "factors",
          [
            Double(its.factors), Double(its.iterations), its.regularisation, its.unobserved,
            Double(its.seed),
          ], its.decay)
    #endif
    case .blend(let parts):
      return parts.map { "\($0.method.identity) × \($0.weight)" }.joined(separator: " + ")
    }
  }
}
