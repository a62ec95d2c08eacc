public import CardFeed

/// The same P(match) for everybody: what every other estimate has to beat.
public struct ConstantMatchProbability<D: Deck>: MatchProbabilityStrategy {
  private let probability: Probability

  /// Always answers `probability`.
  public init(_ probability: Probability) { self.probability = probability }

  /// The constant for each candidate. O(n).
  public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
    MatchEstimates(repeating: probability, count: slate.count)
  }
}
