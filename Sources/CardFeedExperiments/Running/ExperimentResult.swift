/// What an experiment came to. Holds no measured time, so that it is the same for every run.
public struct ExperimentResult: Sendable, Equatable {
  /// A figure with its 95 % interval over evenings.
  public struct Figure: Sendable, Equatable {
    /// The figure; nil where it is undefined.
    public let value: Double?
    /// The interval; nil where it could not be formed.
    public let interval: ClosedRange<Double>?
  }

  /// The figures of one arm.
  public struct Arm: Sendable, Equatable {
    /// The arm's name.
    public let name: String
    /// The fingerprint of its feed configuration.
    public let fingerprint: String
    /// How many seeds the figures are means of.
    public let seeds: Int
    /// The figures, in the order of the experiment's metrics.
    public let figures: [(metric: MetricName, figure: Figure)]

    /// Equal names, fingerprints and figures.
    public static func == (left: Arm, right: Arm) -> Bool {
      left.name == right.name && left.fingerprint == right.fingerprint
        && left.seeds == right.seeds && left.figures.map(\.metric) == right.figures.map(\.metric)
        && left.figures.map(\.figure) == right.figures.map(\.figure)
    }
  }

  /// How two ways of predicting differ over the same evenings: the arm's figure minus the other's.
  public struct Difference: Sendable, Equatable {
    /// The arm.
    public let arm: String
    /// The other arm, or the name of a reference.
    public let against: String
    /// The figure.
    public let metric: MetricName
    /// The difference with its interval over evenings that are drawn for both at once.
    public let figure: Figure
  }

  /// One prediction, for scoring elsewhere: P(rater says yes to target) and P(match).
  public struct Prediction: Sendable, Equatable {
    /// The arm.
    public let arm: String
    /// The pair's number.
    public let pair: Int
    /// Who decides.
    public let rater: Int
    /// About whom.
    public let target: Int
    /// P(yes); nil where the strategy does not say.
    public let yes: Double?
    /// P(match); nil where the strategy does not say.
    public let match: Double?
  }

  /// The cards that a viewer is shown, best first.
  public struct CardList: Sendable, Equatable {
    /// The arm.
    public let arm: String
    /// The viewer's number.
    public let viewer: Int
    /// The cards' numbers.
    public let cards: [Int32]
  }

  /// What was chosen for an arm on the validation part.
  public struct Choice: Sendable, Equatable {
    /// The arm.
    public let arm: String
    /// The parameters, as a text.
    public let parameters: String
    /// NDCG@10 on the validation part.
    public let validation: Double
  }

  /// The experiment's name.
  public let experiment: String
  /// The experiment's fingerprint.
  public let fingerprint: String
  /// The data set's name.
  public let dataSet: String
  /// The checksum of its decisions.
  public let dataChecksum: String
  /// Which predictions lists were made of, if they were.
  public var predictionsChecksum: String? = nil
  /// People, pairs and matches in it.
  public let people: Int
  /// Pairs in it.
  public let pairs: Int
  /// Matches in it; nil where none were recorded.
  public let matches: Int?
  /// The seed.
  public let seed: UInt64
  /// The arms, in the order of the experiment.
  public let arms: [Arm]
  /// Differences of the arms to the experiment's baseline and to references. In splits that predict
  /// log loss and within-evening AUC of the first seed; in replays the shares of matches.
  public var differences: [Difference] = []
  /// Whether pairs are predicted, or single decisions, or nothing.
  public var predictsPairs = false
  /// The predictions of the first seed, in splits that predict.
  public var predictions: [Prediction] = []
  /// The lists of each arm, in rankings of cards.
  public var lists: [CardList] = []
  /// What was tuned, in rankings of cards.
  public var choices: [Choice] = []

  /// The lists of one arm as a table, a line a viewer: the viewer's number, a tab, the cards' numbers.
  ///
  /// - Returns: UTF-8; empty where the arm made no lists.
  /// - Complexity: O(lists of all arms).
  public func listLines(of arm: String) -> [UInt8] {
    let lines = lists.filter { $0.arm == arm }.map { list in
      "\(list.viewer)\t" + list.cards.map { "\($0)" }.joined(separator: " ") + "\n"
    }
    return Array(lines.joined().utf8)
  }
}
