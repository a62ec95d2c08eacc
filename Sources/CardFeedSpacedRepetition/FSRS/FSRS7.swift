/// FSRS-7 in its final form: two stabilities and a difficulty, days as fractions; 34 parameters.
///
/// A fast trace says what holds within hours, a slow one what holds over months; recall is their
/// mixture. There is no rule of its own for a second answer on the same day, so recall may be asked
/// for at any moment. What is not here: the earlier draft with 35 parameters and one stability.
///
/// Source: the Free Spaced Repetition Scheduler, version 7 (open-spaced-repetition project, 2026).
public struct FSRS7: MemoryModel {
  /// What is known of one question.
  public struct State: Hashable, Sendable {
    /// Of the slow trace, in days; 0.0001 … 36,500.
    public var stability: Double
    /// Of the fast trace, in days; 0.0001 … 36,500.
    public var fastStability: Double
    /// 1 … 10.
    public var difficulty: Double

    /// A state, such as one that was stored. Values outside the bounds are moved to them.
    public init(stability: Double, fastStability: Double, difficulty: Double) {
      self.stability = stability.isFinite ? stability.clamped(to: FSRS7.stabilities) : 0.0001
      self.fastStability =
        fastStability.isFinite ? fastStability.clamped(to: FSRS7.stabilities) : 0.0001
      self.difficulty = difficulty.isFinite ? difficulty.clamped(to: FSRS7.difficulties) : 10
    }
  }

  static let stabilities = 0.0001...36_500.0
  static let difficulties = 1.0...10.0
  static let decays = 0.01...0.95

  /// The 34 parameters, within their bounds.
  public let parameters: [Double]
  private let kernel: FSRS7Kernel<Double>

  /// A model.
  ///
  /// - Parameter parameters: 34, as version 7 numbers them. Those of older versions cannot be
  ///   converted: replay the log.
  /// - Throws: `MemoryParameterError`: another number of them, or one that is outside its bounds.
  public init(parameters: [Double]) throws(MemoryParameterError) {
    try MemoryParameterError.check(parameters, Self.bounds, model: "FSRS-7")
    self.init(unchecked: parameters)
  }

  /// The default parameters.
  public init() { self.init(unchecked: Self.defaults) }

  init(unchecked parameters: [Double]) {
    self.parameters = parameters
    kernel = FSRS7Kernel(parameters)
  }

  /// The state after the first answer.
  public func initial(_ rating: Rating) -> State { State(kernel.initial(rating)) }

  /// The state after a further answer; days may be fractions.
  public func next(_ state: State, after days: Double, _ rating: Rating) -> State {
    State(kernel.next(state.kernel, days: max(0, days), rating: rating).state)
  }

  /// The probability of recall; days may be fractions. Never 1: even a moment later somebody slips.
  public func retrievability(_ state: State, after days: Double) -> Double {
    kernel.retrievability(state.kernel, days: max(0, days))
  }

  /// Solved by Newton's method in log time, since the mixture has no closed form, with bisection where
  /// a step would leave the bracket; to 12 digits, and within 10⁻⁹ … 10⁷ days.
  public func interval(_ state: State, retention: Double) -> Double {
    let curve = kernel.curve(state.kernel)
    var low = (1e-9).logarithm()
    var high = (1e7).logarithm()
    if curve.recall(days: 1e-9).mixed <= retention { return 1e-9 }
    if curve.recall(days: 1e7).mixed >= retention { return 1e7 }
    var time = state.stability.logarithm()
    for _ in 0..<100 {
      let (recall, slope) = curve.fall(days: time.exponential())
      if recall > retention { low = time } else { high = time }
      let newton = time - (recall - retention) / slope
      let next = newton > low && newton < high ? newton : (low + high) / 2
      if abs(next - time) <= 1e-14 * (1 + abs(time)) { return next.exponential() }
      time = next
    }
    return time.exponential()
  }

  /// The days after which recall is .9.
  public func stability(_ state: State) -> Double { interval(state, retention: 0.9) }
}

extension FSRS7.State {
  @inline(__always)
  fileprivate var kernel: FSRS7Kernel<Double>.State {
    FSRS7Kernel<Double>.State(
      stability: stability, fastStability: fastStability, difficulty: difficulty)
  }

  @inline(__always)
  fileprivate init(_ state: FSRS7Kernel<Double>.State) {
    stability = state.stability
    fastStability = state.fastStability
    difficulty = state.difficulty
  }
}

extension FSRS7 {
  /// The parameters that were fitted to many learners, of version 7.
  public static let defaults: [Double] = [
    0.1104, 2.2395, 3.9221, 11.7841, 6.1686, 0.6457, 3.6807, 1.9795, 0, 1.3826, 0.7024, 0.5999,
    0.8146, 0.6398, 1, 1.3207, 0.6707, 3.8668, 0.4416, 0.0934, 1.8631, 0.6162, 1.0869, 0.1567,
    0.0801, 0.2421, 0.9464, 0.1433, 0.7145, 0, 0.5667, 0.3734, 0.5333, 0.3048,
  ]

  /// The range of each parameter.
  public static let bounds: [ClosedRange<Double>] = [
    0.0001...50, 0.0001...100, 0.0001...100, 0.0001...100, 1...10, 0.001...4, 0.1...4, 0...4,
    0...1.2, 0.3...3, 0.01...1.5, 0.1...1, 0...3.5, 0...1, 1...7, 0...4, 0...2, 0.5...6,
    0.001...1.5, 0.001...1, 0...5, 0...1, 1...7, 0.01...0.25, 0.01...0.95, 0.2...0.85,
    0.5...0.99, 0.01...1, 0.1...1, 0...0.9, 0.1...1.1, 0...1, 0...0.6, 0...0.6,
  ]
}
