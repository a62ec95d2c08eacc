/// What is known of how far the P(match) of a strategy may lie from the truth.
public enum MatchUncertainty: Hashable, Sendable {
  /// Estimates have a standard error; what it covers, as the end of a sentence. What is not named counts
  /// as known, so the true error is greater.
  case standardError(covers: String)
  /// There is P(match), and no number that would honestly say how well it is known; why.
  case unknown(reason: String)
  /// There is no P(match) that could be wrong, only a number that orders.
  case noProbability
}

/// One part of what estimates are made of. For operators: it follows from what people answered.
public struct EstimatePart: Hashable, Sendable {
  /// What it is called, as `viewer-choosy`.
  public let name: String
  /// One value for each candidate, in order; NaN where there is none.
  public let values: [Double]

  /// A named part.
  public init(name: String, values: [Double]) {
    self.name = name
    self.values = values
  }
}
