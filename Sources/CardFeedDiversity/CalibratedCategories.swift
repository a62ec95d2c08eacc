/// Chooses cards whose categories come in the proportions that a viewer likes.
///
/// The next card is the one that makes (1 − λ) · Σ relevance − λ · KL(p, q) greatest, where p is
/// how the viewer's likes spread over categories, q how the cards chosen so far do, and q is mixed
/// with α · p so that it is never zero where p is not (Steck, "Calibrated Recommendations", RecSys
/// 2018, equations 4 to 6; greedy, which is near the best since the function is submodular). A card
/// with several categories counts for each in equal parts.
public struct CalibratedCategories: Sendable, Hashable {
  /// The weight of proportions, 0 … 1; with 0 the order stays.
  public let lambda: Double
  /// How much of p is mixed into q, above 0 and below 1.
  public let alpha: Double

  /// A way to choose.
  public init(lambda: Double, alpha: Double = 0.01) {
    precondition(
      (0...1).contains(lambda) && alpha > 0 && alpha < 1,
      "Lambda is within 0 … 1, and alpha above 0 and below 1.")
    self.lambda = lambda
    self.alpha = alpha
  }

  /// How cards spread over categories: each in equal parts over its own, and all with equal weight
  /// unless weights are given. Cards without a category do not count. O(cards · categories).
  ///
  /// - Parameters:
  ///   - cards: The categories of each card.
  ///   - weights: Of each card, 0 or more; empty for equal ones.
  /// - Returns: The share of each category that occurs; they add up to 1. Empty where none does.
  public static func shares(of cards: [[Int32]], weights: [Double] = []) -> [Int32: Double] {
    precondition(
      weights.isEmpty || weights.count == cards.count, "Each card has a weight, or none has.")
    var shares: [Int32: Double] = [:]
    var total = 0.0
    for (index, categories) in cards.enumerated() where !categories.isEmpty {
      let weight = weights.isEmpty ? 1 : weights[index]
      total += weight
      for category in categories {
        shares[category, default: 0] += weight / Double(categories.count)
      }
    }
    return total > 0 ? shares.mapValues { $0 / total } : [:]
  }

  /// KL(p, q), q mixed with p; 0 is exact proportion. O(categories).
  public func divergence(of shares: [Int32: Double], from target: [Int32: Double]) -> Double {
    var sum = 0.0
    // In the order of the categories, so that rounding does not depend on how a dictionary is laid
    // out.
    for (category, p) in target.sorted(by: { $0.key < $1.key }) where p > 0 {
      let q = (1 - alpha) * shares[category, default: 0] + alpha * p
      sum += p * (p / q).logarithm()
    }
    return sum
  }

  /// Chooses cards.
  ///
  /// - Parameters:
  ///   - count: How many; fewer where there are not as many.
  ///   - relevance: One for each candidate, 0 … 1.
  ///   - categories: Of each candidate.
  ///   - target: The share of each category that the viewer likes.
  ///   - held: The categories of each card that lies in the hand already.
  /// - Returns: Candidates in the order in which they were chosen.
  /// - Complexity: O(count · candidates · categories).
  public func choose(
    _ count: Int, relevance: [Double], categories: [[Int32]], target: [Int32: Double],
    held: [[Int32]] = []
  ) -> [Int] {
    precondition(
      relevance.count == categories.count, "Each candidate has a relevance and categories.")
    // Only categories of the target move the divergence; the others take room from them.
    let names = target.filter { $0.value > 0 }.keys.sorted()
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let wanted = names.map { target[$0] ?? 0 }
    func parts(_ categories: [Int32]) -> [(place: Int, part: Double)] {
      categories.compactMap { category in
        places[category].map { ($0, 1 / Double(categories.count)) }
      }
    }
    let candidates = categories.map(parts)
    var sums = Array(repeating: 0.0, count: names.count)
    var total = 0.0
    for card in held where !card.isEmpty {
      total += 1
      for part in parts(card) { sums[part.place] += part.part }
    }
    var chosen: [Int] = []
    var isLeft = Array(repeating: true, count: relevance.count)
    while chosen.count < min(count, relevance.count) {
      var best: (card: Int, value: Double)?
      for card in relevance.indices where isLeft[card] {
        let counted = total + (categories[card].isEmpty ? 0 : 1)
        for part in candidates[card] { sums[part.place] += part.part }
        var divergence = 0.0
        for place in wanted.indices {
          let share = counted > 0 ? sums[place] / counted : 0
          let q = (1 - alpha) * share + alpha * wanted[place]
          divergence += wanted[place] * (wanted[place] / q).logarithm()
        }
        for part in candidates[card] { sums[part.place] -= part.part }
        let value = (1 - lambda) * relevance[card] - lambda * divergence
        if value > best?.value ?? -.infinity { best = (card, value) }
      }
      guard let card = best?.card else { break }
      chosen.append(card)
      isLeft[card] = false
      if !categories[card].isEmpty { total += 1 }
      for part in candidates[card] { sums[part.place] += part.part }
    }
    return chosen
  }
}
