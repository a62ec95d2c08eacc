/// Chooses cards one after the other, each for its own worth and for being unlike those before.
///
/// This module holds what looks at a hand as a whole: cards that differ from each other, caps,
/// categories in turn, places for new cards, categories in the proportions a viewer likes. It is
/// pure and deterministic, knows neither decks nor feeds, and must never import anything but the C
/// library. Whatever is changed is changed by penalties: no card is ever raised.
///
/// The next card is the one with the greatest λ · relevance − (1 − λ) · likeness. With `greatest`,
/// likeness is that to the most alike of the cards before: maximal marginal relevance (Carbonell
/// and Goldstein, SIGIR 1998). With `mean` it is the mean over the cards before, which is what the
/// diversity of a list is made of (the sum of distances of Gollapudi and Sharma, WWW 2009): at an
/// equal loss of relevance the lists come out more different. Relevances should be in 0 … 1, as
/// `relevance(of:)` makes them.
public struct MarginalRelevance: Sendable, Hashable {
  /// Likeness to several cards at once.
  public enum Likeness: String, Sendable, Hashable, CaseIterable {
    /// To the most alike one.
    case greatest
    /// On average.
    case mean
  }

  /// The weight of relevance, 0 … 1; with 1 the order stays.
  public let lambda: Double
  /// Likeness to several cards.
  public let likeness: Likeness

  /// A way to choose.
  public init(lambda: Double, likeness: Likeness = .greatest) {
    precondition((0...1).contains(lambda), "Lambda is within 0 … 1; got \(lambda).")
    self.lambda = lambda
    self.likeness = likeness
  }

  /// Scores as shares of the way from the lowest to the highest: 0 … 1, whatever their signs. Equal
  /// scores are all 1. O(n).
  ///
  /// - Parameter scores: Finite.
  public static func relevance(of scores: [Double]) -> [Double] {
    guard let lowest = scores.min(), let highest = scores.max(), highest > lowest else {
      return Array(repeating: 1, count: scores.count)
    }
    return scores.map { ($0 - lowest) / (highest - lowest) }
  }

  /// Chooses cards.
  ///
  /// - Parameters:
  ///   - count: How many; fewer where there are not as many.
  ///   - relevance: One for each candidate. Of equal ones the earlier card is taken.
  ///   - similarity: Of the candidates, and behind them of cards that lie in the hand already.
  /// - Returns: Candidates in the order in which they were chosen.
  /// - Complexity: O((count + held) · (candidates + held)).
  public func choose(
    _ count: Int, relevance: [Double], similarity: some CardSimilarity
  ) -> [Int] {
    let candidates = relevance.count
    precondition(
      similarity.count >= candidates,
      "There are \(candidates) candidates, and likeness of \(similarity.count) cards.")
    var chosen: [Int] = []
    guard candidates > 0 else { return chosen }
    chosen.reserveCapacity(min(count, candidates))
    withUnsafeTemporaryAllocation(of: Double.self, capacity: similarity.count * 3) { scratch in
      scratch.initialize(repeating: 0)
      let size = similarity.count
      let row = UnsafeMutableBufferPointer(rebasing: scratch[0..<size])
      let sums = UnsafeMutableBufferPointer(rebasing: scratch[size..<2 * size])
      let worth = UnsafeMutableBufferPointer(rebasing: scratch[2 * size..<3 * size])
      for card in 0..<candidates { worth[card] = lambda * relevance[card] }
      var before = 0
      for held in candidates..<size {
        similarity.fill(row, alikeTo: held)
        add(row, to: sums, candidates)
        before += 1
      }
      while chosen.count < min(count, candidates) {
        let weight = likeness == .greatest ? 1 - lambda : (1 - lambda) / Double(max(before, 1))
        var best = -1
        var highest = -Double.infinity
        for card in 0..<candidates {
          let value = worth[card] - weight * sums[card]
          if value > highest { (best, highest) = (card, value) }
        }
        // Nothing but what is chosen, or not comparable, is left.
        guard best >= 0 else { break }
        chosen.append(best)
        worth[best] = -.infinity
        before += 1
        guard chosen.count < count else { break }
        similarity.fill(row, alikeTo: best)
        add(row, to: sums, candidates)
      }
    }
    return chosen
  }

  @inline(__always)
  private func add(
    _ row: UnsafeMutableBufferPointer<Double>, to sums: UnsafeMutableBufferPointer<Double>,
    _ candidates: Int
  ) {
    switch likeness {
    case .greatest: for card in 0..<candidates { sums[card] = max(sums[card], row[card]) }
    case .mean: for card in 0..<candidates { sums[card] += row[card] }
    }
  }
}
