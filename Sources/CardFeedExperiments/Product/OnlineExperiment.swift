internal import CardFeed
internal import CardFeedOnlineLearning

/// An experiment on what learns while it is asked, and on what looks at a hand as a whole:
/// forecasts of purchases, bandits, and lists that are put in another order.
///
/// It has the format of other experiments, with one of three splits, and arms that name a model
/// instead of a feed.
public struct OnlineExperiment: Sendable {
  /// What it works on.
  public enum Data: Sendable, Hashable {
    /// Rows with numbers and whether something was bought, from `product/SET/`.
    case purchases(set: String)
    /// Worlds of arms, from `product/tapes/SET_0`, `SET_1` and so on, for each set.
    case tapes(sets: [String])
    /// Worlds of arms that are made here, stationary ones and ones that drift.
    case worlds(count: Int, rounds: Int, arms: Int, numbers: Int)
    /// Ratings of viewers, from `product/SET/`, and the categories of cards.
    case lists(set: String, categories: String)

    /// The name in results.
    var name: String {
      switch self {
      case .purchases(let set), .lists(let set, _): set
      case .tapes(let sets): sets.joined(separator: ", ")
      case .worlds(let count, _, _, _): "\(count) made worlds of arms"
      }
    }

    /// Whether it is recorded, so that a folder of data is needed.
    public var isRecorded: Bool {
      if case .worlds = self { return false }
      return true
    }

    /// Whose data they are; nil where they are made here.
    public var citation: String? {
      switch self {
      case .purchases: "The Complete Journey (84.51°/dunnhumby), household purchases of a year"
      case .tapes, .worlds: nil
      case .lists: "MovieLens 100K (Harper and Konstan 2015), GroupLens"
      }
    }
  }

  /// What is shown of it.
  public enum Split: String, Sendable, Hashable, CaseIterable {
    /// Learns from each row of the training part once, in a drawn order, and forecasts the test
    /// part.
    case onePass = "one-pass"
    /// Plays every world from its first round to its last.
    case rounds
    /// Puts the best hundred cards of each viewer in another order.
    case reranked
  }

  /// A model that is compared.
  public struct Arm: Sendable {
    /// Its name in the table.
    public let name: String
    /// What forecasts, chooses, or orders.
    let model: OnlineModel
    /// Of the model: 16 hexadecimal digits.
    public let fingerprint: String
  }

  /// The name of the experiment.
  public let name: String
  /// What it shows, as a sentence.
  public let summary: String
  /// What it works on.
  public let data: Data
  /// What is shown of it.
  public let split: Split
  /// What is counted.
  public let metrics: [MetricName]
  /// The seed of everything random.
  public let seed: UInt64
  /// The models.
  public let arms: [Arm]
  /// The name of the arm that all others are compared with; nil for none.
  public let baseline: String?
  /// How often households, worlds or viewers are drawn for an interval.
  public let resamples: Int
  /// Of everything that decides the figures: 16 hexadecimal digits.
  public let fingerprint: String

  /// What is drawn for intervals, in a report.
  public var clusters: String {
    switch split {
    case .onePass: "households"
    case .rounds: "worlds"
    case .reranked: "viewers"
    }
  }
}
