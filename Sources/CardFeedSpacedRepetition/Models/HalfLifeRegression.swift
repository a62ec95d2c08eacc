/// Half-life regression: recall halves in 2^(w · x) days, x being the roots of right and wrong answers.
///
/// Source: Settles and Meeder, A trainable spaced repetition model for language learning (ACL 2016).
/// A baseline: it knows neither when the answers were given nor how hard the question was.
public struct HalfLifeRegression: MemoryModel {
  /// What is known of one question.
  public struct State: Hashable, Sendable {
    /// Answers that were right.
    public var right: Int
    /// Answers that were wrong.
    public var wrong: Int

    /// A state, such as one that was stored.
    public init(right: Int, wrong: Int) {
      self.right = max(0, right)
      self.wrong = max(0, wrong)
    }
  }

  /// Weights of √right, √wrong and 1, in log₂ days.
  public let weights: [Double]
  private let countsSameDay: Bool

  /// A model.
  ///
  /// - Parameters:
  ///   - weights: Of √right, √wrong and 1.
  ///   - countsSameDay: Whether a further answer on the same day is counted.
  /// - Throws: `MemoryParameterError`: not three finite weights.
  public init(weights: [Double] = [1, -0.5, 0], countsSameDay: Bool = true)
    throws(MemoryParameterError)
  {
    try MemoryParameterError.check(
      weights, Array(repeating: -20...20, count: 3), model: "half-life regression")
    self.weights = weights
    self.countsSameDay = countsSameDay
  }

  /// The state after the first answer.
  public func initial(_ rating: Rating) -> State {
    State(right: rating.isRecall ? 1 : 0, wrong: rating.isRecall ? 0 : 1)
  }

  /// Counts the answer.
  public func next(_ state: State, after days: Double, _ rating: Rating) -> State {
    guard countsSameDay || days >= 1 else { return state }
    return State(
      right: state.right + (rating.isRecall ? 1 : 0),
      wrong: state.wrong + (rating.isRecall ? 0 : 1))
  }

  /// 2^(−t / h).
  public func retrievability(_ state: State, after days: Double) -> Double {
    (-(max(0, days) / halfLife(state)) * (2.0).logarithm()).exponential()
  }

  /// −h · log₂ r.
  public func interval(_ state: State, retention: Double) -> Double {
    -halfLife(state) * retention.logarithm() / (2.0).logarithm()
  }

  /// The days after which recall is .9.
  public func stability(_ state: State) -> Double { interval(state, retention: 0.9) }

  /// Within a quarter of an hour and a century.
  private func halfLife(_ state: State) -> Double {
    let exponent =
      weights[0] * Double(state.right).squareRoot() + weights[1] * Double(state.wrong).squareRoot()
      + weights[2]
    return ((exponent.clamped(to: -20...20)) * (2.0).logarithm()).exponential()
      .clamped(to: 15.0 / 1_440...36_500)
  }
}
