internal import CardFeed
internal import CardFeedRecommenders

/// What is fitted.
enum CollaborativeMethod: Sendable, Hashable {
  case itemNeighbours(ItemNeighbours)
  case randomWalk(RandomWalk)
  case coOccurrence(DirectionalCooccurrence)
  case pairwiseFactors(PairwiseFactors)
  case personalCounts(exponent: Double, rate: Double)
  case recentPopularity(rate: Double)
  /// Days that are held out and count as recent.
  case repurchase(period: Double, ridge: Double)
  #if OpenBLAS
    case linearAutoencoder(LinearAutoencoder)
    case linearTransitions(LinearTransitions)
    case implicitFactors(ImplicitFactors)
  #endif
  indirect case trend(of: CollaborativeMethod, rate: Double, exponent: Double)
  /// Parts with their weights.
  indirect case blend([Part])

  struct Part: Sendable, Hashable {
    /// What it is called in an explanation.
    let name: String
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
    case .pairwiseFactors(let settings): return try settings.fit(matrix, threads: threads)
    case .personalCounts(let exponent, let rate):
      return PersonalCounts(
        exponent: exponent, rate: rate, popularity: Popularity(histories))
    case .recentPopularity(let rate): return Popularity(histories, rate: rate)
    case .repurchase(let period, let ridge):
      return try Repurchase(holdingOut: period, of: histories, ridge: ridge)
    case .trend(let base, let rate, let exponent):
      return Trend(
        try base.fit(histories, matrix, threads: threads), histories: histories, rate: rate,
        exponent: exponent)
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

  /// Whether its model knows cards like a card.
  var hasSimilarCards: Bool {
    switch self {
    case .personalCounts, .recentPopularity, .repurchase, .trend, .blend: false
    default: true
    }
  }

  /// Whether its model, or a part of it, says what a viewer takes again.
  var isAboutRepeats: Bool {
    switch self {
    case .personalCounts, .repurchase: true
    case .trend(let base, _, _): base.isAboutRepeats
    case .blend(let parts): parts.contains { $0.method.isAboutRepeats }
    default: false
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
    case .recentPopularity(let rate): return text("recent", [rate], .none)
    case .repurchase(let period, let ridge): return text("repurchase", [period, ridge], .none)
    case .trend(let base, let rate, let exponent):
      return text("trend", [rate, exponent], .none) + " of (\(base.identity))"
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
