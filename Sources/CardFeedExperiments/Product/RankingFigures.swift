internal import CardFeed
internal import CardFeedRecommenders

/// The lists of one arm for all viewers of a part, for figures over drawn viewers.
struct RankingFigures: Sendable {
  /// How long lists are.
  static let listLength = 20

  /// One viewer's list and what it is worth.
  struct Viewer: Sendable {
    let viewer: Int
    let cards: [Int32]
    let list: RankedList
    /// The place of the first relevant card among all cards, from 1; 0 where none has a score.
    let firstPlace: Int
  }

  let viewers: [Viewer]
  /// For each card −log₂ of the share of viewers who have it.
  let novelty: [Double]

  /// The list of a viewer.
  ///
  /// - Parameters:
  ///   - scores: Of all cards; cards that may not come are made −∞ here.
  ///   - hidden: Cards that may not come.
  ///   - relevant: What the viewer swiped.
  static func viewer(
    _ viewer: Int, scores: UnsafeMutableBufferPointer<Float>, hidden: ArraySlice<Int32>,
    relevant: Set<Int32>
  ) -> Viewer {
    for card in hidden { scores[Int(card)] = -.infinity }
    let chosen = TopCards.select(listLength, of: UnsafeBufferPointer(scores))
    let cards = chosen.map { Int32($0.card) }
    var best: (card: Int, score: Float) = (-1, -.infinity)
    for card in relevant.sorted() where scores[Int(card)] > best.score {
      best = (Int(card), scores[Int(card)])
    }
    var place = 0
    if best.card >= 0 {
      place = 1
      for card in scores.indices
      where scores[card] > best.score || (card < best.card && scores[card] == best.score) {
        place += 1
      }
    }
    return Viewer(
      viewer: viewer, cards: cards, list: RankedList(items: cards, relevant: relevant),
      firstPlace: place)
  }

  /// The value of a metric for one viewer; nil for what is counted over all.
  private func value(_ metric: MetricName, _ viewer: Viewer) -> Double? {
    let place = Int(metric.parameter ?? 1)
    switch metric.measure {
    case .ndcg: return viewer.list.ndcg(at: place)
    case .hit: return viewer.list.hit(at: place)
    case .recall: return viewer.list.recall(at: place)
    case .reciprocalRank: return viewer.firstPlace > 0 ? 1 / Double(viewer.firstPlace) : 0
    case .novelty:
      let cards = viewer.cards.prefix(place)
      return cards.isEmpty
        ? 0 : cards.reduce(0) { $0 + novelty[Int($1)] } / Double(cards.count)
    default: return nil
    }
  }

  /// Mean of NDCG@10, which parameters are chosen by.
  var objective: Double {
    let sum = viewers.reduce(0) { $0 + ($1.list.ndcg(at: 10) ?? 0) }
    return viewers.isEmpty ? 0 : sum / Double(viewers.count)
  }

  /// For each metric the values of all viewers; nil for what is counted over all.
  func columns(_ metrics: [MetricName]) -> [[Double]?] {
    metrics.map { metric in
      metric.measure == .coverage ? nil : viewers.map { value(metric, $0) ?? 0 }
    }
  }

  /// Share of cards that are in somebody's list. Without an interval: drawing viewers twice would
  /// only ever show fewer cards.
  func coverage(_ place: Int) -> Double {
    var isShown = [Bool](repeating: false, count: novelty.count)
    for viewer in viewers { for card in viewer.cards.prefix(place) { isShown[Int(card)] = true } }
    return novelty.isEmpty ? 0 : Double(isShown.count { $0 }) / Double(novelty.count)
  }
}
