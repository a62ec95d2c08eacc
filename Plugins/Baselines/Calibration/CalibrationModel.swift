public import CardFeed

/// How numbers become probabilities.
public enum CalibrationMethod: String, Hashable, Sendable, CaseIterable {
  /// `IsotonicRegression`.
  case isotonic
  /// `PlattScaling`: of the log-odds where the numbers are probabilities, else of the numbers.
  case platt

  /// How many pairs, or answers, a fit needs at least, if nothing else is said.
  public var leastAnswers: Int {
    switch self {
    case .isotonic: 1000
    case .platt: 200
    }
  }
}

/// What a calibration learned, or why it could not. Holds nothing of single people.
public struct CalibrationModel: TrainedModel, Hashable {
  /// How many outcomes of either kind a fit needs at least.
  public static let leastOfAKind = 10

  /// What a calibration came to.
  public enum State: Hashable, Sendable {
    /// A step function.
    case isotonic(IsotonicRegression)
    /// A logistic function; of log-odds, or of the numbers themselves.
    case platt(PlattScaling, ofLogOdds: Bool)
    /// No function: numbers stay what they are.
    case notEnoughData(needed: Int)
  }

  /// What it came to.
  public let state: State
  /// How many pairs whose outcome is known were held out and predicted; in a deck with one side, how
  /// many answers.
  public let answers: Int
  /// How many of them were matches.
  public let positives: Int

  init(state: State, answers: Int, positives: Int) {
    self.state = state
    self.answers = answers
    self.positives = positives
  }

  /// Fits a function, if there is enough to fit it to.
  ///
  /// - Parameters:
  ///   - method: Which function.
  ///   - scores: Finite numbers, one for each pair that was held out.
  ///   - outcomes: Whether each pair matched.
  ///   - areProbabilities: Whether all numbers are estimates of P(match).
  ///   - least: How many pairs are enough.
  /// - Complexity: O(n log n).
  public init(
    _ method: CalibrationMethod, scores: [Double], outcomes: [Bool], areProbabilities: Bool,
    least: Int
  ) {
    answers = outcomes.count
    positives = outcomes.count { $0 }
    let fewest = min(positives, answers - positives)
    guard answers >= least, fewest >= Self.leastOfAKind else {
      state = .notEnoughData(needed: least)
      return
    }
    switch method {
    case .isotonic: state = .isotonic(IsotonicRegression(scores: scores, outcomes: outcomes))
    case .platt:
      let scores = areProbabilities ? scores.map(Self.logOddsWithin) : scores
      state = .platt(
        PlattScaling(scores: scores, outcomes: outcomes), ofLogOdds: areProbabilities)
    }
  }

  /// P(match) for a number; nil where there is no function. Neither 0 nor 1: what was never seen among
  /// n pairs may still happen, so an isotonic value keeps at least 1 / (n + 2) from both ends.
  /// O(log blocks).
  public func probability(of score: Double) -> Probability? {
    guard score.isFinite else { return nil }
    switch state {
    case .isotonic(let regression):
      let margin = 1 / Double(answers + 2)
      return regression.value(at: score).flatMap { Probability(min(max($0, margin), 1 - margin)) }
    case .platt(let scaling, let ofLogOdds):
      return Probability(scaling.value(at: ofLogOdds ? Self.logOddsWithin(score) : score))
    case .notEnoughData: return nil
    }
  }

  /// The standard error of `probability(of:)`: how far the error of the number itself carries through
  /// the function, and how well the function is known, as independent errors. At most ½. Nil where
  /// there is no function. O(log blocks).
  ///
  /// - Parameters:
  ///   - score: The number.
  ///   - error: The standard error of the number; 0 for a number that is what it is.
  public func standardError(of score: Double, error: Double) -> Double? {
    guard score.isFinite, error.isFinite else { return nil }
    let own: Double?
    switch state {
    case .isotonic(let regression): own = regression.standardError(at: score)
    case .platt(let scaling, let ofLogOdds):
      own = scaling.standardError(at: ofLogOdds ? Self.logOddsWithin(score) : score)
    case .notEnoughData: own = nil
    }
    guard let own, let low = probability(of: score - error),
      let high = probability(of: score + error)
    else { return nil }
    let carried = (high.value - low.value) / 2
    return min(0.5, (own * own + carried * carried).squareRoot())
  }

  /// Why there is no function; nil where there is one.
  public var shortage: String? { shortage(of: "pairs") }

  /// The same in words for a deck.
  ///
  /// - Parameter noun: What was held out: pairs, or in a deck with one side answers.
  func shortage(of noun: String) -> String? {
    guard case .notEnoughData(let needed) = state else { return nil }
    if answers < needed {
      return "not enough data: \(answers) \(noun) with a known outcome, \(needed) needed"
    }
    return "not enough data: \(positives) matches among \(answers) \(noun), at least "
      + "\(Self.leastOfAKind) of either outcome needed"
  }

  /// Itself: it knows nobody.
  public func forgetting(_ id: CardID) -> CalibrationModel { self }

  /// The log-odds of a probability, far from infinity.
  private static func logOddsWithin(_ probability: Double) -> Double {
    logOdds(min(max(probability, 1e-6), 1 - 1e-6))
  }
}
