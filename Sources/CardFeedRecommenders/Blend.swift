/// A weighted sum of recommenders whose scores are brought to one scale first: for each request every
/// part's scores have mean 0 and deviation 1 over the cards.
public struct Blend: Recommender {
  /// Parts with their weights.
  public let parts: [(model: any Recommender, weight: Double)]

  /// A blend.
  ///
  /// - Throws: ``RecommenderError`` `badInput` without parts, with parts of different cards, or with
  ///   weights that are not finite.
  public init(_ parts: [(model: any Recommender, weight: Double)]) throws(RecommenderError) {
    guard let first = parts.first,
      parts.allSatisfy({ $0.model.cardCount == first.model.cardCount }),
      parts.allSatisfy({ $0.weight.isFinite })
    else {
      throw RecommenderError(
        .badInput,
        "a blend needs parts that know the same cards, with finite weights; found: \(parts.count) "
          + "parts of \(parts.map(\.model.cardCount)) cards")
    }
    self.parts = parts
  }

  /// Cards are numbered 0 ..< `cardCount`.
  public var cardCount: Int { parts.first?.model.cardCount ?? 0 }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    scores.update(repeating: 0)
    guard let target = scores.baseAddress else { return }
    let part = UnsafeMutableBufferPointer<Float>.allocate(capacity: scores.count)
    defer { part.deallocate() }
    part.initialize(repeating: 0)
    for (model, weight) in parts {
      model.score(into: part, history, now: now)
      Self.standardise(part)
      guard let base = part.baseAddress else { continue }
      addScaled(Float(weight), base, to: target, count: scores.count)
    }
  }

  /// What each part adds to the scores: together they are the scores, but for rounding.
  ///
  /// - Complexity: That of scoring.
  public func contributions(_ history: ViewerHistory, now: Double) -> [[Float]] {
    parts.map { model, weight in
      var scores = model.scores(history, now: now)
      scores.withUnsafeMutableBufferPointer { Self.standardise($0) }
      return scores.map { Float(weight) * $0 }
    }
  }

  /// Brings scores to mean 0 and deviation 1; scores that are not finite become the least.
  ///
  /// - Complexity: O(scores).
  public static func standardise(_ scores: UnsafeMutableBufferPointer<Float>) {
    var (sum, squares, least) = (0.0, 0.0, Float.infinity)
    var count = 0.0
    for score in scores where score.isFinite {
      sum += Double(score)
      least = min(least, score)
      count += 1
    }
    let mean = count > 0 ? sum / count : 0
    for score in scores where score.isFinite {
      squares += (Double(score) - mean) * (Double(score) - mean)
    }
    let deviation = (squares / max(1, count)).squareRoot() + 1e-9
    if least == .infinity { least = 0 }
    for index in scores.indices {
      let score = scores[index].isFinite ? scores[index] : least
      scores[index] = Float((Double(score) - mean) / deviation)
    }
  }
}
