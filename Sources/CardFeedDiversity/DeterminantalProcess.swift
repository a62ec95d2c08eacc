/// Chooses cards that span a large volume: relevant ones that point in different directions.
///
/// The likeliest set of a determinantal point process with the kernel L_ij = q_i q_j S_ij is looked
/// for greedily, with the Cholesky factor grown by one row for each card (Chen, Zhang, Zhou, "Fast
/// Greedy MAP Inference for Determinantal Point Process", NeurIPS 2018, algorithm 1). Quality is q
/// = exp(θ · relevance): the greater θ, the more relevance counts. Likeness is mixed with the
/// identity, S = (1 − ε) J + ε I, so that two equal cards do not make the volume zero.
public struct DeterminantalProcess: Sendable, Hashable {
  /// How much relevance counts, 0 or more.
  public let theta: Double
  /// How far equal cards are kept apart, above 0 and at most 1.
  public let identity: Double

  /// A way to choose.
  public init(theta: Double, identity: Double = 0.1) {
    precondition(
      theta >= 0 && theta.isFinite && identity > 0 && identity <= 1,
      "Theta is 0 or more, and the share of the identity above 0 and at most 1.")
    self.theta = theta
    self.identity = identity
  }

  /// Chooses cards.
  ///
  /// - Parameters:
  ///   - count: How many; fewer where there are not as many, or where no other card adds volume.
  ///   - relevance: One for each candidate, 0 … 1.
  ///   - similarity: Of the candidates, and behind them of cards that lie in the hand already,
  ///     whose directions count as taken. As a matrix it must be positive semi-definite.
  /// - Returns: Candidates in the order in which they were chosen.
  /// - Complexity: O((count + held)² · (candidates + held)).
  public func choose(
    _ count: Int, relevance: [Double], similarity: some CardSimilarity
  ) -> [Int] {
    let candidates = relevance.count
    precondition(
      similarity.count >= candidates,
      "There are \(candidates) candidates, and likeness of \(similarity.count) cards.")
    let wanted = min(count, candidates)
    guard wanted > 0 else { return [] }
    let size = similarity.count
    let held = size - candidates
    var chosen: [Int] = []
    chosen.reserveCapacity(wanted)
    // A row of likeness, what is left of each card's volume, qualities, and the factor's rows.
    let capacity = size * (3 + held + wanted)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: capacity) { scratch in
      scratch.initialize(repeating: 0)
      let row = UnsafeMutableBufferPointer(rebasing: scratch[0..<size])
      let left = UnsafeMutableBufferPointer(rebasing: scratch[size..<2 * size])
      let quality = UnsafeMutableBufferPointer(rebasing: scratch[2 * size..<3 * size])
      let factor = UnsafeMutableBufferPointer(rebasing: scratch[(3 * size)...])
      for card in 0..<size {
        quality[card] = card < candidates ? (theta * relevance[card]).exponential() : 1
        left[card] = quality[card] * quality[card]
      }
      var known = 0
      func take(_ card: Int) {
        let root = left[card].squareRoot()
        if root > 0 {
          similarity.fill(row, alikeTo: card)
          let next = known * size
          for other in 0..<size {
            let likeness = (1 - identity) * row[other]
            factor[next + other] = likeness * quality[other] * quality[card]
          }
          factor[next + card] = quality[card] * quality[card]
          for earlier in 0..<known {
            let lever = factor[earlier * size + card]
            for other in 0..<size {
              factor[next + other] -= lever * factor[earlier * size + other]
            }
          }
          for other in 0..<size {
            factor[next + other] /= root
            left[other] -= factor[next + other] * factor[next + other]
          }
          known += 1
        }
        left[card] = -.infinity
      }
      for card in candidates..<size { take(card) }
      while chosen.count < wanted {
        var best = -1
        var greatest = 1e-12
        for card in 0..<candidates where left[card] > greatest {
          (best, greatest) = (card, left[card])
        }
        guard best >= 0 else { break }
        chosen.append(best)
        if chosen.count < wanted { take(best) }
      }
    }
    return chosen
  }
}
