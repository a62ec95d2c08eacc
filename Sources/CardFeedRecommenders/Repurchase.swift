/// P(a viewer takes an own card again soon), by logistic regression on how often, how long ago, how
/// active the viewer is and how often the card is taken again by others. For goods that are used up.
///
/// Weights are learned from what was taken in a period after a point of time, and hold at any later
/// point. The interval between purchases comes in as the time since the last one over the mean
/// interval, the hazard of a renewal process in its simplest form.
public struct Repurchase: Recommender {
  /// Learned weights, of standardised features; the first is the intercept.
  public let weights: [Double]
  let means: [Double]
  let deviations: [Double]
  /// How many units of time are "recent" for a card.
  public let period: Double
  let facts: RepurchaseFacts

  init(
    weights: [Double], means: [Double], deviations: [Double], period: Double,
    facts: RepurchaseFacts
  ) {
    self.weights = weights
    self.means = means
    self.deviations = deviations
    self.period = period
    self.facts = facts
  }

  /// Learns weights.
  ///
  /// - Parameters:
  ///   - histories: What was taken before a point of time, with amounts (how often) and times.
  ///   - now: The point of time.
  ///   - after: What each viewer took afterwards.
  ///   - period: How many units of time are "recent" for a card; the length of the period afterwards
  ///     is a good choice.
  ///   - ridge: As how much prior information a weight is held at 0.
  /// - Throws: ``RecommenderError`` `badInput` without own cards or for other viewers, `diverged` where
  ///   a weight is not finite.
  /// - Complexity: O(own cards · features² · 8).
  public init(
    fitting histories: ViewerHistories, now: Double, after: InteractionMatrix, period: Double = 4,
    ridge: Double = 1
  ) throws(RecommenderError) {
    guard after.rowCount == histories.viewerCount, period > 0, ridge >= 0 else {
      throw RecommenderError(
        .badInput,
        "repurchases need the same viewers before and after, a period above 0 and a ridge "
          + "that is not negative")
    }
    let facts = RepurchaseFacts(histories, now: now, period: period)
    var rows: [[Double]] = []
    var outcomes: [Bool] = []
    for viewer in 0..<histories.viewerCount {
      let own = OwnCard.all(of: histories[viewer])
      let activity = RepurchaseFacts.Viewer(own, now: now)
      for card in own {
        rows.append(facts.features(of: card, activity, now: now))
        outcomes.append(after.has(viewer, card.card))
      }
    }
    guard let width = rows.first?.count else {
      throw RecommenderError(.badInput, "nobody has a card that could be taken again")
    }
    var means = [Double](repeating: 0, count: width)
    var deviations = [Double](repeating: 0, count: width)
    for row in rows { for index in 0..<width { means[index] += row[index] } }
    for index in 0..<width { means[index] /= Double(rows.count) }
    for row in rows {
      for index in 0..<width {
        deviations[index] += (row[index] - means[index]) * (row[index] - means[index])
      }
    }
    for index in 0..<width {
      deviations[index] = max(1e-9, (deviations[index] / Double(rows.count)).squareRoot())
    }
    for place in rows.indices {
      for index in 0..<width {
        rows[place][index] = (rows[place][index] - means[index]) / deviations[index]
      }
    }
    guard let weights = Self.regression(rows, outcomes, ridge: ridge) else {
      throw RecommenderError(
        .diverged,
        "weights of repurchases are not finite; allowed: finite weights. Use a greater ridge")
    }
    self.init(
      weights: weights, means: means, deviations: deviations, period: period, facts: facts)
  }

  /// Learns weights from the last period of the swipes, and is about what comes after them.
  ///
  /// - Parameters:
  ///   - period: How many units of time are held out, and count as recent.
  ///   - histories: All swipes.
  ///   - ridge: As how much prior information a weight is held at 0.
  /// - Throws: ``RecommenderError`` `badInput` where nobody has a card from before the period.
  /// - Complexity: O(swipes + own cards · features² · 8).
  public init(
    holdingOut period: Double, of histories: ViewerHistories, ridge: Double = 1
  ) throws(RecommenderError) {
    let now = histories.times.max() ?? 0
    let learned = try Repurchase(
      fitting: histories.part { $0 < now - period }, now: now - period,
      after: InteractionMatrix(histories.part { $0 >= now - period }), period: period,
      ridge: ridge)
    self = learned.at(now, histories)
  }

  /// The same weights at another point of time.
  ///
  /// - Parameters:
  ///   - histories: What was taken before it, by the same or other viewers.
  ///   - now: The point of time.
  public func at(_ now: Double, _ histories: ViewerHistories) -> Repurchase {
    Repurchase(
      weights: weights, means: means, deviations: deviations, period: period,
      facts: RepurchaseFacts(histories, now: now, period: period))
  }

  /// Newton's method; nil where it fails.
  private static func regression(
    _ rows: [[Double]], _ outcomes: [Bool], ridge: Double
  ) -> [Double]? {
    let size = (rows.first?.count ?? 0) + 1
    var weights = [Double](repeating: 0, count: size)
    for _ in 0..<8 {
      var matrix = [Double](repeating: 0, count: size * size)
      var step = weights.map { -ridge * $0 }
      for index in 0..<size { matrix[index * size + index] = ridge + 1e-9 }
      for (row, outcome) in zip(rows, outcomes) {
        var sum = weights[0]
        for index in 1..<size { sum += weights[index] * row[index - 1] }
        let probability = 1 / (1 + exponential(-sum))
        let miss = (outcome ? 1 : 0) - probability
        let curvature = probability * (1 - probability)
        step[0] += miss
        matrix[0] += curvature
        for index in 1..<size {
          let value = row[index - 1]
          step[index] += miss * value
          let scaled = curvature * value
          matrix[index * size] += scaled
          for other in 1...index { matrix[index * size + other] += scaled * row[other - 1] }
        }
      }
      let isSolved = matrix.withUnsafeMutableBufferPointer { matrix in
        step.withUnsafeMutableBufferPointer { step in
          guard let matrix = matrix.baseAddress, let step = step.baseAddress else { return false }
          return solvePositiveDefinite(matrix, step, size: size)
        }
      }
      guard isSolved else { return nil }
      for index in 0..<size { weights[index] += step[index] }
    }
    return weights.allSatisfy(\.isFinite) ? weights : nil
  }

  /// P(the viewer takes the own card again).
  func probability(_ own: OwnCard, _ activity: RepurchaseFacts.Viewer, now: Double) -> Double {
    let features = facts.features(of: own, activity, now: now)
    var sum = weights[0]
    for index in features.indices {
      sum += weights[index + 1] * (features[index] - means[index]) / deviations[index]
    }
    return 1 / (1 + exponential(-sum))
  }

  /// Cards are numbered 0 ..< `cardCount`.
  public var cardCount: Int { facts.viewers.count }

  /// Writes a score for each card: the probability of own cards; all others stand below, by
  /// popularity.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    let most = max(1, facts.viewers.max() ?? 1)
    for card in 0..<cardCount { scores[card] = Float(facts.viewers[card] / most * 1e-4) }
    let own = OwnCard.all(of: history)
    let activity = RepurchaseFacts.Viewer(own, now: now)
    for card in own where 0..<cardCount ~= Int(card.card) {
      scores[Int(card.card)] += Float(probability(card, activity, now: now))
    }
  }
}
