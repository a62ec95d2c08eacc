internal import CardFeed
internal import CardFeedRecommenders

/// A recommender with the history it is asked with.
struct CollaborativeQuestion {
  let model: CollaborativeModel
  let recommender: any Recommender
  let history: ViewerHistory
  let now: Double

  /// What parts of the scores of all cards are called, and the parts, which need not be all; nothing
  /// where scores are no sums. Scores over swipes are the sums of what the latest ones add, those of a
  /// blend the sums of its parts.
  func reasons(_ count: Int, _ method: CollaborativeMethod) -> [(name: String, scores: [Float])] {
    guard count > 0 else { return [] }
    if let blend = recommender as? Blend, case .blend(let parts) = method {
      return zip(parts, blend.contributions(history, now: now)).map {
        ($0.name, $1)
      }
    }
    guard let model = recommender as? any ExplainableRecommender & DecayingRecommender
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
