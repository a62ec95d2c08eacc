/// FSRS-6: difficulty, stability, and a forgetting curve of a fitted power; 21 parameters.
///
/// Time counts in whole days; a further answer on the same day moves the stability by a formula of
/// its own. Where questions come twice a day, and recall is asked for between, use `FSRS7`.
///
/// Source: the Free Spaced Repetition Scheduler, version 6 (open-spaced-repetition project, 2025).
public struct FSRS6: MemoryModel {
  /// What is known of one question.
  public struct State: Hashable, Sendable {
    /// Days until recall has fallen to .9; 0.001 … 36,500.
    public var stability: Double
    /// 1 … 10.
    public var difficulty: Double

    /// A state, such as one that was stored. Values outside the bounds are moved to them.
    public init(stability: Double, difficulty: Double) {
      self.stability = stability.isFinite ? stability.clamped(to: FSRS6.stabilities) : 0.001
      self.difficulty = difficulty.isFinite ? difficulty.clamped(to: FSRS6.difficulties) : 10
    }
  }

  static let stabilities = 0.001...36_500.0
  static let difficulties = 1.0...10.0

  /// The 21 parameters, within their bounds.
  public let parameters: [Double]
  private let kernel: FSRS6Kernel<Double>
  private let decay: Double
  private let factor: Double

  /// A model.
  ///
  /// - Parameter parameters: 21, as version 6 numbers them; or 17 or 19 of versions 4 to 5, which
  ///   are converted.
  /// - Throws: `MemoryParameterError`: another number of them, or one that is outside its bounds.
  public init(parameters: [Double] = FSRS6.defaults) throws(MemoryParameterError) {
    let parameters = try Self.version6(of: parameters)
    try MemoryParameterError.check(parameters, Self.bounds, model: "FSRS-6")
    self.init(unchecked: parameters)
  }

  /// The default parameters.
  public init() { self.init(unchecked: Self.defaults) }

  init(unchecked parameters: [Double]) {
    self.parameters = parameters
    kernel = FSRS6Kernel(parameters)
    decay = parameters[20]
    factor = FSRS6Kernel<Double>.factor(decay: decay)
  }

  /// Days are taken as whole ones, rounded down.
  public func next(_ state: State, after days: Double, _ rating: Rating) -> State {
    let whole = max(0, days.rounded(.down))
    return State(
      kernel.next(state.kernel, days: whole, isSameDay: whole < 1, rating: rating))
  }

  /// The state after the first answer.
  public func initial(_ rating: Rating) -> State { State(kernel.initial(rating)) }

  /// The probability of recall; days may be fractions.
  public func retrievability(_ state: State, after days: Double) -> Double {
    kernel.retrievability(state.kernel, days: days)
  }

  /// The closed form I(r) = S / F · (r^(−1/w₂₀) − 1).
  public func interval(_ state: State, retention: Double) -> Double {
    state.stability / factor * ((-retention.logarithm() / decay).exponential() - 1)
  }

  /// The state's own stability.
  public func stability(_ state: State) -> Double { state.stability }
}

extension FSRS6.State {
  @inline(__always)
  fileprivate var kernel: FSRS6Kernel<Double>.State {
    FSRS6Kernel<Double>.State(stability: stability, difficulty: difficulty)
  }

  @inline(__always)
  fileprivate init(_ state: FSRS6Kernel<Double>.State) {
    stability = state.stability
    difficulty = state.difficulty
  }
}

extension FSRS6 {
  /// The parameters that were fitted to many learners, of version 6.
  public static let defaults: [Double] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835,
    0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
  ]

  /// The range of each parameter.
  public static let bounds: [ClosedRange<Double>] =
    Array(repeating: 0.001...100, count: 4) + [
      1...10, 0.001...4, 0.001...4, 0.001...0.75, 0...4.5, 0...0.8, 0.001...3.5, 0.001...5,
      0.001...0.25, 0.001...0.9, 0...4, 0...1, 1...6, 0...2, 0...2, 0...0.8, 0.1...0.8,
    ]

  /// Parameters of versions 4 (17) and 5 (19) as version 6 has them.
  static func version6(of old: [Double]) throws(MemoryParameterError) -> [Double] {
    switch old.count {
    case 21: return old
    case 19: return old + [0, 0.5]
    case 17:
      var new = old
      new[4] += 2 * old[5]
      new[5] = (3 * old[5] + 1).logarithm() / 3
      new[6] += 0.5
      return new + [0, 0, 0, 0.5]
    default:
      throw MemoryParameterError(
        model: "FSRS-6", problem: .count(found: old.count, allowed: [21, 19, 17]))
    }
  }
}
