public import CardFeed

/// Orders candidates by what both sides want: P(viewer likes card) and P(card likes viewer), made into
/// one score that is low where either is.
///
/// None of these scores is a probability. What is shown as a number is P(match), which the
/// estimate has beside the two sides and this ranking does not touch; in a hand only the order is
/// the ranking's. Measured on recorded evenings, the harmonic mean and the minimum order pairs a
/// little better than P(match), since they punish a pair whose sides lie far apart.
///
/// Sources: the harmonic mean of two one-sided scores, Pizzato et al., "RECON: a reciprocal
/// recommender for online dating", RecSys 2010; the geometric mean among others, Neve and Palomares,
/// "Latent factor models and aggregation operators for collaborative filtering in reciprocal
/// recommender systems", RecSys 2019.
///
/// When not to use it: where a strategy knows how the two sides depend on each other, as
/// `social-relations` does, P(match) holds more than the two sides. In a deck with one side there
/// is nothing to fuse.
///
/// Deliberately absent: the arithmetic mean, which lets one side make up for the other.
public struct ReciprocalRanking<D: Deck>: RankingStrategy {
  /// How two sides become one score.
  public enum Fusion: String, Hashable, Sendable, CaseIterable {
    /// 2 · p · q / (p + q).
    case harmonicMean = "harmonic-mean"
    /// The smaller one.
    case minimum
    /// √(p · q), which orders like the product of the two.
    case geometricMean = "geometric-mean"

    /// One score of two sides; 0 where either is 0.
    public func score(_ forward: Probability, _ backward: Probability) -> Double {
      let (p, q) = (forward.value, backward.value)
      switch self {
      case .harmonicMean: return p + q > 0 ? 2 * p * q / (p + q) : 0
      case .minimum: return min(p, q)
      case .geometricMean: return (p * q).squareRoot()
      }
    }
  }

  private let fusion: Fusion

  /// Orders by one fusion of the two sides.
  public init(fusion: Fusion = .harmonicMean) { self.fusion = fusion }

  /// One score for each candidate; without both sides it is unscored. O(n).
  public func scores(
    for slate: Slate<D>, estimates: MatchEstimates
  ) async throws -> SlateScores {
    SlateScores(
      values: (0..<estimates.count).map { index in
        let estimate = estimates[index]
        guard let forward = estimate.forward, let backward = estimate.backward else { return .nan }
        return fusion.score(forward, backward)
      })
  }
}
