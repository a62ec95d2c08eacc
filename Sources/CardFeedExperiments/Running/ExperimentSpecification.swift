public import CardFeedConfiguration

/// An experiment as its JSON file asks for it: data, split, arms, metrics, seed.
public struct ExperimentSpecification: Sendable {
  /// Which recorded decisions it works on.
  public enum DataSet: Sendable, Equatable {
    /// The Columbia speed-dating decisions, from `DIR/dating/*.csv`.
    case speedDating
    /// A generated population of the same shape.
    case generatedDating(waves: Int, peoplePerSide: Int, seed: UInt64)

    /// Whose data they are, to be named beside every figure; nil for generated ones.
    public var citation: String? {
      switch self {
      case .speedDating:
        "R. Fisman, S. S. Iyengar, E. Kamenica, I. Simonson: Gender Differences in Mate Selection: "
          + "Evidence from a Speed Dating Experiment, Quarterly Journal of Economics 121 (2), 2006"
      case .generatedDating: nil
      }
    }
  }

  /// How decisions are divided into what a feed may know and what it is judged on.
  public enum Split: Sendable, Equatable {
    /// Every evening is dealt card by card, each true answer is revealed at once, and the share of
    /// all matches found within a share of the deck is counted.
    case deckReplay(budgets: [Double])
    /// The pairs of four folds are recorded in the order of the evening, those of the fifth are
    /// predicted; each fold once.
    case warmPairs
    /// The decisions of four folds are recorded, those of the fifth are predicted; each fold once.
    /// The other side's decision may be known.
    case warmDecisions
    /// The evenings of four folds are recorded, the pairs of those of the fifth are predicted; each
    /// fold once. Of the people nothing but their profiles is known.
    case coldWaves
    /// The earlier evenings are recorded, the pairs of the later ones are predicted.
    case coldTime

    func prediction(_ data: SpeedDatingData) -> PredictionSplit? {
      switch self {
      case .deckReplay: nil
      case .warmPairs: .warmPairs(data)
      case .warmDecisions: .warmDecisions(data)
      case .coldWaves: .coldWaves(data)
      case .coldTime: .coldTime(data)
      }
    }
  }

  /// A way of dealing that is compared.
  public struct Arm: Sendable {
    /// Its name in the table.
    public let name: String
    /// How many seeds it is run with; the figures are means over them.
    public let seeds: Int
    /// What deals.
    public let feed: FeedConfiguration
    /// In a replay, what is trained on the evenings of the other folds and deals with that model
    /// from the first card on: the arm's feed, in which every training fits everything. Nil where
    /// the feed begins without a model.
    public let prior: FeedConfiguration?
    /// In a replay, whether the feed is trained anew before every round but the first.
    public let refitsEachRound: Bool
  }

  /// The name of the experiment.
  public let name: String
  /// What it shows, as a sentence.
  public let summary: String
  /// Which decisions.
  public let data: DataSet
  /// How they are divided.
  public let split: Split
  /// What is counted.
  public let metrics: [MetricName]
  /// The seed of everything random.
  public let seed: UInt64
  /// The ways of dealing.
  public let arms: [Arm]
  /// The name of the arm that all others are compared with; nil for none.
  public let baseline: String?
  /// How often groups are drawn for an interval.
  public let resamples: Int
  /// Of everything that decides the figures: 16 hexadecimal digits.
  public let fingerprint: String
}

/// A figure of an experiment, by its name in the file.
public struct MetricName: Hashable, Sendable, CustomStringConvertible {
  /// What is counted.
  public enum Measure: String, Hashable, Sendable, CaseIterable {
    /// Area under the ROC curve of P(match), mean over the folds.
    case auc
    /// The same inside each evening only.
    case withinWaveAUC = "within-wave-auc"
    /// The area of the ranking's scores, each pair in both directions.
    case rankingAUC = "ranking-auc"
    /// Mean negative log likelihood of P(match).
    case logLoss = "log-loss"
    /// Mean squared error of P(match).
    case brier
    /// Expected calibration error over ten equally wide bins.
    case ece
    /// Normalised discounted cumulative gain of each person's list.
    case ndcg
    /// Share of people with a match within the first k of their list.
    case hit
    /// Share of all matches that were found at a budget.
    case matches
    /// The same on the earlier evenings only, on which settings may be chosen.
    case matchesTrain = "matches-train"
    /// The same on the later evenings only.
    case matchesTest = "matches-test"
    /// Mean of `matches` over all budgets but .25.
    case meanMatches = "mean-matches"
    /// Gini index of the exposures at a budget.
    case gini
    /// People with at least one match at a budget.
    case matchedPeople = "matched-people"
    /// Expected matches of lists that both sides look at.
    case expectedMatches = "expected-matches"
    /// The same on the later evenings only.
    case expectedMatchesTest = "expected-matches-test"
    /// Expected matches of the same method on random probabilities.
    case controlMatches = "control-matches"
    /// Expected matches minus those of the control, paired by evening.
    case gainOverControl = "gain-over-control"
    /// Pairs of the left side of which one would rather have the other's places.
    case enviesLeft = "envies-left"
    /// The same of the right side.
    case enviesRight = "envies-right"
    /// Root mean square distance of shares from forecasts over twenty equally wide bins.
    case calibration
    /// The same over bins of delay, number of answers and lapses, as reviews are compared by.
    case binError = "rmse-bins"
    /// Correlation of the ability after k questions with that by all questions.
    case testCorrelation = "test-correlation"
    /// Questions until the standard error of half of the people is small enough.
    case medianItems = "median-items"
    /// Share of people whose standard error becomes small enough.
    case reach
    /// Log loss of the answers to questions that are not asked, after k questions.
    case unseenLogLoss = "unseen-log-loss"
    /// Greatest share of people who get the same question among their first k.
    case greatestExposure = "greatest-exposure"
    /// Share of questions that nobody gets among the first k.
    case unasked
    /// Expected calibration error over fifteen bins with as many forecasts each.
    case massError = "ece-mass"
    /// Sum over rounds of the best arm's probability minus that of the dealt one.
    case regret
    /// Mean over pairs of the first k cards of how different they are.
    case diversity
    /// Share of a viewer's next cards that are within the first k.
    case recall
    /// Mean of one over the place of the first of the next cards, among all cards.
    case reciprocalRank = "mrr"
    /// Share of all cards that are within somebody's first k.
    case coverage
    /// Mean of −log₂ of the share of viewers who have a card, over the first k.
    case novelty

    /// Whether the name has a k beside that of lists.
    var isAtPlace: Bool {
      switch self {
      case .testCorrelation, .unseenLogLoss, .greatestExposure, .unasked, .recall, .coverage,
        .novelty:
        true
      default: false
      }
    }
  }

  /// What is counted.
  public let measure: Measure
  /// The k of `ndcg@k` and `hit@k`, or the budget of `matches@b`.
  public let parameter: Double?

  /// The name in the file.
  public var description: String {
    guard let parameter else { return measure.rawValue }
    let isWhole = parameter == parameter.rounded()
    return "\(measure.rawValue)@" + (isWhole ? "\(Int(parameter))" : "\(parameter)")
  }

  /// Reads a name such as `auc`, `ndcg@5` or `matches@0.25`; nil if there is no such metric.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let measure = Measure(rawValue: String(first)) else {
      return nil
    }
    let parameter = parts.count == 2 ? Double(parts[1]) : nil
    switch measure {
    case .ndcg, .hit, .testCorrelation, .unseenLogLoss, .greatestExposure, .unasked, .diversity,
      .recall, .coverage, .novelty:
      guard let k = parameter, (1...1_000_000).contains(k), k == k.rounded() else { return nil }
    case .matches, .matchesTrain, .matchesTest, .gini, .matchedPeople:
      guard let budget = parameter, budget > 0, budget <= 1 else { return nil }
    default: guard parts.count == 1 else { return nil }
    }
    self.measure = measure
    self.parameter = parameter
  }

  /// Whether the metric belongs to replays.
  public var isOfReplay: Bool {
    switch measure {
    case .matches, .matchesTrain, .matchesTest, .meanMatches, .gini, .matchedPeople: true
    default: false
    }
  }

  /// Whether the metric belongs to lists.
  public var isOfLists: Bool {
    switch measure {
    case .expectedMatches, .expectedMatchesTest, .controlMatches, .gainOverControl, .enviesLeft,
      .enviesRight, .gini:
      true
    default: false
    }
  }

  /// Whether the metric belongs to answers to questions only.
  public var isOfQuiz: Bool {
    switch measure {
    case .calibration, .binError, .testCorrelation, .medianItems, .reach, .unseenLogLoss,
      .greatestExposure, .unasked:
      true
    default: false
    }
  }

  /// Whether the metric belongs to what learns while it is asked, or to lists in another order, only.
  public var isOfOnline: Bool {
    switch measure {
    case .massError, .regret, .diversity: true
    default: false
    }
  }

  /// Whether the metric belongs to rankings of cards only.
  public var isOfRankings: Bool {
    switch measure {
    case .recall, .reciprocalRank, .coverage, .novelty: true
    default: false
    }
  }

  /// Whether the metric is better when it is greater; nil where neither is better.
  public var greaterIsBetter: Bool? {
    switch measure {
    case .logLoss, .brier, .ece, .gini, .enviesLeft, .enviesRight, .calibration, .binError,
      .medianItems, .unseenLogLoss, .greatestExposure, .unasked, .massError, .regret:
      false
    case .controlMatches, .novelty: nil
    default: true
    }
  }
}
