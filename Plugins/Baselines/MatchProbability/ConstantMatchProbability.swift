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

  /// Unknown: the constant was chosen, not estimated.
  public var uncertainty: MatchUncertainty {
    .unknown(reason: "the constant was chosen, not estimated")
  }

  /// The constant. O(n).
  public func reasons(for slate: Slate<D>) async throws -> [EstimatePart] {
    [EstimatePart(name: "constant", values: slate.rows.map { _ in probability.value })]
  }
}
