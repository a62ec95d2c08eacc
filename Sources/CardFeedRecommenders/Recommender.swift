/// Scores every card for a history of swipes.
///
/// This folder holds recommenders learned from what viewers swiped: neighbours, random walks, linear
/// models, factors, co-occurrence, counters and blends of them. It may be called by plugins and
/// experiments and never imports the engine; cards and viewers are numbers 0 ..< n here.
///
/// A score says in which order cards come and is not a probability. Whether a card may be shown again
/// is none of a model's business: who asks leaves out what was seen.
public protocol Recommender: Sendable {
  /// Cards are numbered 0 ..< `cardCount`.
  var cardCount: Int { get }

  /// Writes a score for each card.
  ///
  /// - Parameters:
  ///   - scores: `cardCount` places, all of them overwritten.
  ///   - history: The viewer's swipes; cards the model does not know are left out.
  ///   - now: The present, in the unit of the history's times.
  func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double)

  /// The best cards that are not left out, best first; equal scores by number.
  ///
  /// A model that need not look at every card has its own way; all others score all cards and select.
  ///
  /// - Parameters:
  ///   - count: Most cards; fewer where fewer are left with a finite score.
  ///   - history: The viewer's swipes.
  ///   - now: The present.
  ///   - excluded: Cards that are left out; numbers that the model does not know do nothing.
  /// - Complexity: That of scoring, plus O(cards).
  func top(
    _ count: Int, _ history: ViewerHistory, now: Double, excluding excluded: [Int32]
  ) -> [ScoredCard]
}

/// A recommender whose scores are sums over the cards of the history.
public protocol ExplainableRecommender: Recommender {
  /// What each swipe of the history contributes to the score of a card, in the order of the history.
  ///
  /// The contributions add up to the score.
  func contributions(to card: Int, _ history: ViewerHistory, now: Double) -> [Float]
}

/// A recommender that knows cards like a card.
public protocol SimilarCards: Recommender {
  /// The most similar cards, best first; equal ones by number.
  func similar(to card: Int, count: Int) -> [ScoredCard]
}

/// A card with its score.
public struct ScoredCard: Hashable, Sendable {
  /// The card's number.
  public let card: Int
  /// Its score.
  public let score: Float

  /// A card with its score.
  public init(card: Int, score: Float) {
    self.card = card
    self.score = score
  }
}

extension Recommender {
  /// A score for each card.
  public func scores(_ history: ViewerHistory, now: Double? = nil) -> [Float] {
    [Float](unsafeUninitializedCapacity: cardCount) { buffer, count in
      score(
        into: UnsafeMutableBufferPointer(rebasing: buffer[..<cardCount]), history,
        now: now ?? history.times.last ?? 0)
      count = cardCount
    }
  }

  /// The best of all cards' scores.
  public func top(
    _ count: Int, _ history: ViewerHistory, now: Double, excluding excluded: [Int32]
  ) -> [ScoredCard] {
    var scores = scores(history, now: now)
    return scores.withUnsafeMutableBufferPointer { scores in
      for card in excluded where 0..<cardCount ~= Int(card) { scores[Int(card)] = -.infinity }
      return TopCards.select(count, of: UnsafeBufferPointer(scores))
    }
  }

  /// The best cards at the time of the last swipe.
  public func top(
    _ count: Int, _ history: ViewerHistory, excluding excluded: [Int32]
  ) -> [ScoredCard] {
    top(count, history, now: history.times.last ?? 0, excluding: excluded)
  }
}

/// Selects the best of many scores.
public enum TopCards {
  /// The best finite scores, best first; equal scores by number.
  ///
  /// - Complexity: O(scores + selected · log): most scores are compared with the worst kept one only,
  ///   sixteen at a time.
  public static func select(_ count: Int, of scores: UnsafeBufferPointer<Float>) -> [ScoredCard] {
    guard count > 0, let base = scores.baseAddress else { return [] }
    var best = BestCards(count)
    let blocks = scores.count / 16
    let wide = UnsafeRawPointer(base)
    for block in 0..<blocks {
      let values = wide.loadUnaligned(fromByteOffset: block * 64, as: SIMD16<Float>.self)
      // A NaN is greater than nothing, so it is never considered.
      guard any(values .> best.threshold) else { continue }
      for card in block * 16..<block * 16 + 16 { best.consider(card, base[card]) }
    }
    for card in blocks * 16..<scores.count { best.consider(card, base[card]) }
    return best.kept
  }
}

/// The best cards of those that were considered, in whatever order: the higher score first, of equal
/// ones the smaller number.
struct BestCards {
  /// Best first.
  private(set) var kept: [ScoredCard] = []
  /// No lower score is among the best.
  private(set) var threshold = -Float.infinity
  private let count: Int

  /// The best `count`, at least one.
  init(_ count: Int) {
    self.count = count
    kept.reserveCapacity(count + 1)
  }

  /// Whether a score may be among the best: finite, and no lower than the worst of them.
  @inline(__always)
  func mayTake(_ score: Float) -> Bool { score >= threshold && score.isFinite }

  /// Takes a card in where it is among the best. O(count).
  @inline(__always)
  mutating func consider(_ card: Int, _ score: Float) {
    guard mayTake(score) else { return }
    var place = kept.count
    while place > 0,
      kept[place - 1].score < score
        || (kept[place - 1].score == score && kept[place - 1].card > card)
    { place -= 1 }
    guard place < count else { return }
    kept.insert(ScoredCard(card: card, score: score), at: place)
    if kept.count > count { kept.removeLast() }
    if kept.count == count { threshold = kept[count - 1].score }
  }
}

/// A recommender whose history fades at a rate that can be changed after the fit.
public protocol DecayingRecommender: Recommender {
  /// How much a swipe of the history still counts.
  var decay: HistoryDecay { get set }
}

extension ItemWeights: DecayingRecommender {}
extension DenseItemWeights: DecayingRecommender {}
extension FactorModel: DecayingRecommender {}
