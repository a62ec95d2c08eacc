/// Weights between all pairs of cards, as a linear autoencoder has them.
public struct DenseItemWeights: ExplainableRecommender, SimilarCards {
  /// Cards are numbered 0 ..< `cardCount`.
  public let cardCount: Int
  /// How much a swipe of the history still counts.
  public var decay: HistoryDecay
  /// Row i: from card i to each card.
  let weights: Numbers<Float>

  init(cardCount: Int, weights: Numbers<Float>, decay: HistoryDecay) {
    self.cardCount = cardCount
    self.weights = weights
    self.decay = decay
  }

  /// Writes a score for each card; see ``Recommender``.
  public func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    scores.update(repeating: 0)
    guard let base = scores.baseAddress else { return }
    let factors = decay.weights(of: history, now: now)
    for (card, factor) in zip(history.cards, factors) where 0..<cardCount ~= Int(card) {
      addScaled(factor, weights.pointer(at: Int(card) * cardCount), to: base, count: cardCount)
    }
  }

  /// What each swipe adds to the score of a card; see ``ExplainableRecommender``.
  public func contributions(
    to card: Int, _ history: ViewerHistory, now: Double
  ) -> [Float] {
    zip(history.cards, decay.weights(of: history, now: now)).map { own, factor in
      guard 0..<cardCount ~= Int(own), 0..<cardCount ~= card else { return 0 }
      return factor * weights[Int(own) * cardCount + card]
    }
  }

  /// The most similar cards, best first; see ``SimilarCards``.
  public func similar(to card: Int, count: Int) -> [ScoredCard] {
    guard 0..<cardCount ~= card else { return [] }
    var row = Array(weights[card * cardCount..<(card + 1) * cardCount])
    row[card] = -.infinity
    return row.withUnsafeBufferPointer { TopCards.select(count, of: $0) }.filter { $0.score > 0 }
  }
}
