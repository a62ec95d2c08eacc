/// Keeps places of a hand for some candidates, by lowering others.
///
/// Kept places go to those of the favoured candidates that rank highest. Those that are in the hand
/// anyway count. Unscored candidates cannot be placed before others and are left where they are.
public struct PlaceFloor: Sendable, Hashable {
  /// How many places are kept.
  public let kept: Int

  /// Keeps a number of places.
  public init(kept: Int) {
    precondition(kept >= 0, "A floor keeps 0 places or more; got \(kept).")
    self.kept = kept
  }

  /// Keeps a share of the places: the whole part always, and one more with the probability of the
  /// fraction.
  ///
  /// - Parameters:
  ///   - share: 0 … 1.
  ///   - wanted: How many places the hand has.
  ///   - draw: A number drawn from 0 ..< 1.
  public init(share: Double, of wanted: Int, draw: Double) {
    precondition((0...1).contains(share) && wanted >= 0, "A share is within 0 … 1.")
    let exact = share * Double(wanted)
    let whole = exact.rounded(.down)
    kept = min(wanted, Int(whole) + (draw < exact - whole ? 1 : 0))
  }

  /// Penalties on those who stand before a favoured candidate with a kept place.
  ///
  /// - Parameters:
  ///   - scores: Of each candidate, best first; nil is unscored.
  ///   - isFavoured: Whether a kept place may go to the candidate.
  ///   - wanted: How many places the hand has.
  /// - Returns: One for each candidate, 0 or more; empty where nothing has to be moved.
  /// - Complexity: O(n).
  public func penalties(
    scores: [Double?], isFavoured: [Bool], wanted: Int
  ) -> [Double] {
    precondition(scores.count == isFavoured.count, "Each candidate is favoured or not.")
    let scored = scores.indices.filter { scores[$0] != nil }
    let favoured = scored.filter { isFavoured[$0] }.prefix(kept)
    guard kept > 0, let last = favoured.last, let target = scores[last] else { return [] }
    // The others keep the places that are left; whoever is behind those gives way.
    let room = max(0, wanted - favoured.count)
    let keeps = Set(favoured)
    let yielding = scored.filter { !keeps.contains($0) }.dropFirst(room)
      .prefix { scores[$0] ?? target >= target }
    guard let first = yielding.first, first < last, let highest = scores[first] else { return [] }
    // Just below the favoured one, in the order they had. The distances survive the rounding of the
    // greatest score.
    let step = 4 * max(highest.ulp, target.ulp)
    var penalties = Array(repeating: 0.0, count: scores.count)
    for (index, place) in yielding.enumerated() {
      penalties[place] = (scores[place] ?? target) - (target - Double(index + 1) * step)
    }
    return penalties
  }
}
