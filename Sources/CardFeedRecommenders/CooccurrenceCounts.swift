/// Counts of directional co-occurrence that take one swipe at a time, and give it back.
///
/// After any swipes the weights are bit for bit those of ``DirectionalCooccurrence/fit(_:threads:)``
/// on the same histories. Not for many millions of pairs: each lies in a dictionary.
public struct CooccurrenceCounts: Sendable, Equatable, ExplainableRecommender, SimilarCards {
  /// How pairs are counted.
  public let settings: DirectionalCooccurrence
  /// Cards are numbered 0 ..< `cardCount`.
  public let cardCount: Int
  private var sums: [[Int32: Int64]]
  private var popularity: [Int32]

  /// No swipes yet.
  public init(_ settings: DirectionalCooccurrence, cardCount: Int) {
    self.settings = settings
    self.cardCount = cardCount
    sums = Array(repeating: [:], count: cardCount)
    popularity = Array(repeating: 0, count: cardCount)
  }

  /// Equal counts, whatever they are used with.
  public static func == (left: CooccurrenceCounts, right: CooccurrenceCounts) -> Bool {
    left.sums == right.sums && left.popularity == right.popularity
  }

  /// Counts a swipe.
  ///
  /// - Parameters:
  ///   - card: What was swiped.
  ///   - history: The same viewer's swipes before, oldest first.
  /// - Complexity: O(window + history, for whether the card is new to the viewer).
  public mutating func add(_ card: Int32, after history: ViewerHistory) {
    change(card, after: history, sign: 1)
  }

  /// Takes back what ``add(_:after:)`` counted with the same arguments.
  public mutating func remove(_ card: Int32, after history: ViewerHistory) {
    change(card, after: history, sign: -1)
  }

  private mutating func change(_ card: Int32, after history: ViewerHistory, sign: Int64) {
    guard 0..<cardCount ~= Int(card) else { return }
    for (step, unit) in settings.units.enumerated() {
      let place = history.count - 1 - step
      guard place >= 0 else { break }
      let other = history.cards[place]
      guard other != card, 0..<cardCount ~= Int(other) else { continue }
      change(from: other, to: card, by: sign * unit.forward)
      change(from: card, to: other, by: sign * unit.backward)
    }
    if !history.cards.contains(card) { popularity[Int(card)] += Int32(sign) }
  }

  private mutating func change(from card: Int32, to other: Int32, by units: Int64) {
    guard units != 0 else { return }
    let sum = (sums[Int(card)][other] ?? 0) + units
    sums[Int(card)][other] = sum == 0 ? nil : sum
  }

  private func weight(from card: Int32, to other: Int32) -> Float {
    guard 0..<cardCount ~= Int(card), let units = sums[Int(card)][other] else { return 0 }
    return settings.weight(
      units, from: popularity[Int(card)], to: popularity[Int(other)])
  }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    scores.update(repeating: 0)
    let factors = settings.decay.weights(of: history, now: now)
    for (card, factor) in zip(history.cards, factors) where 0..<cardCount ~= Int(card) {
      for other in sums[Int(card)].keys {
        scores[Int(other)] += factor * weight(from: card, to: other)
      }
    }
  }

  /// What each swipe adds to the score of a card; see ``ExplainableRecommender``.
  public func contributions(
    to card: Int, _ history: ViewerHistory, now: Double
  ) -> [Float] {
    zip(history.cards, settings.decay.weights(of: history, now: now)).map {
      $1 * weight(from: $0, to: Int32(card))
    }
  }

  /// The most similar cards, best first; see ``SimilarCards``.
  public func similar(to card: Int, count: Int) -> [ScoredCard] {
    guard 0..<cardCount ~= card else { return [] }
    return sums[card].keys
      .map { ScoredCard(card: Int($0), score: weight(from: Int32(card), to: $0)) }
      .sorted { ($1.score, $0.card) < ($0.score, $1.card) }.prefix(count).map { $0 }
  }

  /// The weights, for a model file. O(pairs · log).
  ///
  /// - Throws: ``RecommenderError`` where the weights do not fit.
  public func weights() throws(RecommenderError) -> ItemWeights {
    try ItemWeights(
      rows: sums.indices.map { card in
        sums[card].keys.sorted().map { ($0, weight(from: Int32(card), to: $0)) }
      }, decay: settings.decay)
  }
}
