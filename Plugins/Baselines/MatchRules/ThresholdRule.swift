public import CardFeed

/// A match is made when the viewer wants a card whose P(match), as it was when the card was dealt,
/// is high enough; what the other side says does not count.
///
/// A card that was dealt without an estimate, or not dealt at all, makes no match.
public struct ThresholdRule: MatchRule {
  private let least: Double

  /// Asks for a P(match) of `least` or more.
  public init(least: Probability) { self.least = least.value }

  /// Whether the answer is positive and the probability is known and reaches the threshold.
  public func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    guard let compatibility = circumstances.compatibility else { return false }
    return circumstances.meaning == .positive && compatibility >= least
  }
}
