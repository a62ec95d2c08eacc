public import CardFeed

/// A match is made when both want each other.
public struct MutualLikeRule: MatchRule {
  /// Needs nothing.
  public init() {}

  /// Whether both answers that stand are positive.
  public func isMatch(_ circumstances: MatchCircumstances) -> Bool {
    circumstances.meaning == .positive && circumstances.reverse == .positive
  }
}
