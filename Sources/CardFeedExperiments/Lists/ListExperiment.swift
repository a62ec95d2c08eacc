public import CardFeedTwoSidedMarket

/// An experiment on lists that are made for everybody of a market at once.
///
/// It has the format of other experiments, with `"split": { "use": "lists" }`, and arms that name a
/// `ListMethod` instead of a feed.
public struct ListExperiment: Sendable {
  /// The markets.
  public enum Data: Sendable, Hashable {
    /// Invented ones; each is judged by the probabilities it was made for.
    case synthetic(SyntheticMarket, seeds: Range<UInt32>)
    /// The evenings of the speed-dating data: lists out of predictions, judged by the decisions.
    /// The same methods on `controls` markets of random probabilities show what coordination alone
    /// brings.
    case speedDating(predictions: String?, controls: Int)

    /// Whose data they are; nil for invented ones.
    public var citation: String? {
      switch self {
      case .synthetic: nil
      case .speedDating: ExperimentSpecification.DataSet.speedDating.citation
      }
    }
  }

  /// A method that is compared.
  public struct Arm: Sendable {
    /// Its name in the table.
    public let name: String
    /// How lists are made.
    public let method: ListMethod
    /// Whether it sees the true decisions instead of probabilities: the end of what can be reached.
    public let isOracle: Bool
    /// Of the method: 16 hexadecimal digits.
    public let fingerprint: String
  }

  /// The name of the experiment.
  public let name: String
  /// What it shows, as a sentence.
  public let summary: String
  /// The markets.
  public let data: Data
  /// How places are looked at, on both sides.
  public let examination: Examination
  /// What is counted.
  public let metrics: [MetricName]
  /// The seed of what is drawn for intervals.
  public let seed: UInt64
  /// The methods.
  public let arms: [Arm]
  /// How often groups are drawn for an interval.
  public let resamples: Int
  /// Of everything that decides the figures: 16 hexadecimal digits.
  public let fingerprint: String
}
