/// An experiment on rankings of cards: which cards a viewer swipes next, from what everybody swiped.
///
/// It has the format of other experiments, with the split `next-cards`, and arms that name a
/// recommender instead of a feed. Parameters are chosen on the validation part by NDCG@10; then
/// everything is fitted again with that part, and the test part is looked at once.
public struct RankingExperiment: Sendable {
  /// Which swipes.
  public struct Data: Sendable, Hashable {
    /// The folder of the set.
    public let set: String
    /// A set whose validation part is learned from for the test, instead of the set's own.
    public let known: String?

    /// Whose data they are.
    public var citation: String {
      switch set {
      case _ where set.hasPrefix("ml100k"): "MovieLens 100K (Harper and Konstan 2015)"
      case "s3_lastfm": "Last.fm, as sequences of the S3-Rec project (Zhou et al. 2020)"
      case _ where set.hasPrefix("s3_"):
        "Amazon reviews (McAuley et al. 2015), as sequences of the S3-Rec project (Zhou et al. 2020)"
      case _ where set.hasPrefix("cj_"): "The Complete Journey, 84.51°"
      default: "the set \(set)"
      }
    }
  }

  /// A recommender that is compared.
  public struct Arm: Sendable {
    /// Its name in the table.
    public let name: String
    /// What ranks.
    public let model: RankingModel
    /// Of the model: 16 hexadecimal digits.
    public let fingerprint: String
  }

  /// The name of the experiment.
  public let name: String
  /// What it shows, as a sentence.
  public let summary: String
  /// The swipes.
  public let data: Data
  /// Whether cards that a viewer has may come again.
  public let repeats: Bool
  /// On how many viewers at most parameters are chosen.
  public let tuningViewers: Int
  /// What is counted.
  public let metrics: [MetricName]
  /// The seed of everything random.
  public let seed: UInt64
  /// The recommenders.
  public let arms: [Arm]
  /// The name of the arm that all others are compared with; nil for none.
  public let baseline: String?
  /// How often viewers are drawn for an interval.
  public let resamples: Int
  /// Of everything that decides the figures: 16 hexadecimal digits.
  public let fingerprint: String
}
