internal import CardFeed
internal import CardFeedRecommenders

/// A recommender with the history it is asked with.
struct CollaborativeQuestion {
  let model: CollaborativeModel
  let recommender: any Recommender
  let history: ViewerHistory
  let now: Double

  /// What the latest swipes add to the scores of all cards, exactly; nothing where scores are no sums
  /// over swipes.
  func reasons(_ count: Int) -> [(name: String, scores: [Float])] {
    guard count > 0, let model = recommender as? any ExplainableRecommender & DecayingRecommender
    else { return [] }
    let factors = model.decay.weights(of: history, now: now)
    var plain = model
    plain.decay = .none
    return history.cards.indices.suffix(count).reversed().map { place in
      let card = history.cards[place]
      let scores = plain.scores(ViewerHistory(cards: [card]))
      return (
        "liked " + (self.model.card(at: Int(card)).map { "\($0)" } ?? "a card that is gone"),
        scores.map { factors[place] * $0 }
      )
    }
  }
}
