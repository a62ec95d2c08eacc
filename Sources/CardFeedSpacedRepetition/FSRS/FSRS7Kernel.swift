/// The formulas of FSRS-7 in its final form over any number type: a slow and a fast trace, days as
/// fractions, no rule of its own for a second answer on the same day.
///
/// Source: the Free Spaced Repetition Scheduler, version 7 with 34 parameters (open-spaced-repetition
/// project, 2026). The earlier draft with 35 parameters and one stability is another model.
struct FSRS7Kernel<Number: MemoryNumber>: MemoryKernel {
  struct State: Sendable {
    /// Of the slow trace, in days.
    var stability: Number
    /// Of the fast trace, in days.
    var fastStability: Number
    /// 1 … 10.
    var difficulty: Number
  }

  /// How one trace grows and falls.
  private struct Trace: Sendable {
    let growth: Number
    let growthDecay: Number
    let growthSurprise: Number
    let lapse: Number
    let lapseStability: Number
    let lapseSurprise: Number
    let hard: Number
    let easy: Number

    init(_ w: [Number], at start: Int) {
      growth = (w[start] - 1.5).exponential()
      growthDecay = w[start + 1]
      growthSurprise = w[start + 2]
      lapse = w[start + 3]
      lapseStability = w[start + 4]
      lapseSurprise = w[start + 5]
      hard = w[start + 6]
      easy = w[start + 7]
    }

    @inline(__always)
    func next(
      _ stability: Number, log: Number, forgotten: Number, difficulty: Number, rating: Rating
    ) -> Number {
      let fallen =
        lapse * ((lapseStability * (stability + 1).logarithm()).exponential() - 1)
        * (lapseSurprise * forgotten).exponential()
      // A lapse never raises a trace; nor does a recall leave less than a lapse would.
      let least = stability.atMost(fallen)
      guard rating.isRecall else { return least }
      var gain =
        growth * (11 - difficulty) * (-(growthDecay * log)).exponential()
        * ((growthSurprise * forgotten).exponential() - 1)
      if rating == .hard { gain = gain * hard }
      if rating == .easy { gain = gain * easy }
      return least.atLeast(stability * (gain + 1))
    }
  }

  private let first: (Number, Number, Number, Number)
  private let firstDifficulty: (Number, Number, Number, Number)
  private let easiest: Number
  private let difficultyStep: Number
  private let slow: Trace
  private let fast: Trace
  private let fastDecay: Number
  private let fastDecayPower: Number
  private let logFastBase: Number
  private let slowDecay: Number
  private let slowFactor: Number
  private let slowFactorDifficulty: Number
  private let fastWeight: Number
  private let fastWeightPower: Number
  private let slowWeight: Number
  private let slowWeightPower: Number
  private let slowWeightDifficulty: Number

  /// - Parameter w: The 34 parameters.
  init(_ w: [Number]) {
    first = (w[0], w[1], w[2], w[3])
    let difficulty = { (grade: Double) in w[4] - (w[5] * (grade - 1)).exponential() + 1 }
    firstDifficulty = (difficulty(1), difficulty(2), difficulty(3), difficulty(4))
    easiest = difficulty(4)
    difficultyStep = w[6]
    slow = Trace(w, at: 7)
    fast = Trace(w, at: 15)
    fastDecay = w[23]
    fastDecayPower = w[33] - 0.3
    logFastBase = w[25].logarithm()
    slowDecay = w[24].clamped(to: FSRS7.decays)
    slowFactor = (-(w[26].logarithm() / slowDecay)).exponential() - 1
    slowFactorDifficulty = w[32] - 0.3
    fastWeight = w[27]
    fastWeightPower = w[29]
    slowWeight = w[28]
    slowWeightPower = w[30]
    slowWeightDifficulty = w[31] - 0.5
  }

  @inline(__always)
  func initial(_ rating: Rating) -> State {
    let (stability, difficulty) =
      switch rating {
      case .again: (first.0, firstDifficulty.0)
      case .hard: (first.1, firstDifficulty.1)
      case .good: (first.2, firstDifficulty.2)
      case .easy: (first.3, firstDifficulty.3)
      }
    let slow = stability.clamped(to: FSRS7.stabilities)
    return State(
      stability: slow, fastStability: (slow * 0.8).clamped(to: FSRS7.stabilities),
      difficulty: difficulty.clamped(to: FSRS7.difficulties))
  }

  /// What the forgetting curve is made of at a state, apart from time.
  struct Curve: Sendable {
    let fastDecay: Number
    let fastFactor: Number
    let slowDecay: Number
    let slowFactor: Number
    /// The share of the fast trace.
    let fastShare: Number

    /// Recall after some days, of the mixture and of the fast trace alone.
    @inline(__always)
    func recall(days: Double) -> (mixed: Number, fast: Number) {
      let fast = (-(fastDecay * (fastFactor * days + 1).logarithm())).exponential()
      let slow = (-(slowDecay * (slowFactor * days + 1).logarithm())).exponential()
      let mixed = slow + fastShare * (fast - slow)
      return (mixed * (1 - 2e-5) + 1e-5, fast)
    }

    /// Recall after some days, and its derivative by the logarithm of the days.
    @inline(__always)
    func fall(days: Double) -> (recall: Number, slope: Number) {
      let (fastGrowth, slowGrowth) = (fastFactor * days, slowFactor * days)
      let fast = (-(fastDecay * (fastGrowth + 1).logarithm())).exponential()
      let slow = (-(slowDecay * (slowGrowth + 1).logarithm())).exponential()
      let fastFall = fastDecay * fast * (fastGrowth / (fastGrowth + 1))
      let slowFall = slowDecay * slow * (slowGrowth / (slowGrowth + 1))
      let mixed = slow + fastShare * (fast - slow)
      let fall = slowFall + fastShare * (fastFall - slowFall)
      return (mixed * (1 - 2e-5) + 1e-5, -(fall * (1 - 2e-5)))
    }
  }

  @inline(__always)
  func curve(_ state: State) -> Curve {
    curve(
      state, logSlow: state.stability.logarithm(), logFast: state.fastStability.logarithm())
  }

  @inline(__always)
  private func curve(_ state: State, logSlow: Number, logFast: Number) -> Curve {
    let decay = (fastDecay * (fastDecayPower * logFast).exponential()).clamped(to: FSRS7.decays)
    // The bound keeps the factor finite; at it, it no longer depends on the parameters.
    let exponent = (-(logFastBase / decay)).atMost(Number(60))
    let fastFactor = (exponent.exponential() - 1) / state.fastStability
    let hardness = state.difficulty - 5
    let slowFactor =
      slowFactor * (hardness * slowFactorDifficulty).exponential() / state.stability
    let fast = fastWeight * (-(fastWeightPower * logFast)).exponential()
    let slow =
      slowWeight * (slowWeightPower * logSlow + hardness * slowWeightDifficulty).exponential()
    return Curve(
      fastDecay: decay, fastFactor: fastFactor, slowDecay: slowDecay, slowFactor: slowFactor,
      fastShare: fast / (fast + slow))
  }

  @inline(__always)
  func retrievability(_ state: State, days: Double) -> Number {
    curve(state).recall(days: days).mixed
  }

  @inline(__always)
  func next(_ state: State, days: Double, rating: Rating) -> (recall: Number, state: State) {
    let logSlow = state.stability.logarithm()
    let logFast = state.fastStability.logarithm()
    let recall = curve(state, logSlow: logSlow, logFast: logFast).recall(days: days)
    let stability = slow.next(
      state.stability, log: logSlow, forgotten: 1 - recall.mixed, difficulty: state.difficulty,
      rating: rating)
    var fastStability = fast.next(
      state.fastStability, log: logFast, forgotten: 1 - recall.fast,
      difficulty: state.difficulty, rating: rating)
    var step = difficultyStep * (3 - Double(rating.rawValue))
    if !rating.isRecall {
      fastStability = fastStability.atMost(stability * 0.8)
      step = step * (recall.mixed + 0.1)
    }
    let moved = state.difficulty + (10 - state.difficulty) * step * (1 / 9.0)
    return (
      recall.mixed,
      State(
        stability: stability.clamped(to: FSRS7.stabilities),
        fastStability: fastStability.clamped(to: FSRS7.stabilities),
        difficulty: (easiest * 0.01 + moved * 0.99).clamped(to: FSRS7.difficulties))
    )
  }

  @inline(__always)
  func answer(_ state: State, days: Double, _ rating: Rating) -> (recall: Number, state: State) {
    next(state, days: max(0, days), rating: rating)
  }
}
