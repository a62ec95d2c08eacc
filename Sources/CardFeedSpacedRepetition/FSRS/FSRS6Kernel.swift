/// The formulas of FSRS-6 over any number type, with what only depends on parameters worked out
/// once.
///
/// Source: the Free Spaced Repetition Scheduler, version 6 (open-spaced-repetition project, 2025):
/// difficulty, stability and a power forgetting curve with a fitted decay.
struct FSRS6Kernel<Number: MemoryNumber>: MemoryKernel {
  struct State: Sendable {
    /// Days until recall has fallen to .9.
    var stability: Number
    /// 1 … 10.
    var difficulty: Number
  }

  private let first: (Number, Number, Number, Number)
  private let firstDifficulty: (Number, Number, Number, Number)
  private let difficultyStep: Number
  private let reversion: Number
  private let easiest: Number
  private let growth: Number
  private let growthDecay: Number
  private let growthSurprise: Number
  private let hard: Number
  private let easy: Number
  private let lapse: Number
  private let lapseDifficulty: Number
  private let lapseStability: Number
  private let lapseSurprise: Number
  private let lapseBound: Number
  private let sameDay: Number
  private let sameDayOffset: Number
  private let sameDayDecay: Number
  private let decay: Number
  private let factor: Number

  /// - Parameter w: The 21 parameters.
  init(_ w: [Number]) {
    first = (w[0], w[1], w[2], w[3])
    let difficulty = { (grade: Double) in w[4] - (w[5] * (grade - 1)).exponential() + 1 }
    firstDifficulty = (difficulty(1), difficulty(2), difficulty(3), difficulty(4))
    easiest = difficulty(4)
    difficultyStep = w[6]
    reversion = w[7]
    growth = w[8].exponential()
    growthDecay = w[9]
    growthSurprise = w[10]
    lapse = w[11]
    lapseDifficulty = w[12]
    lapseStability = w[13]
    lapseSurprise = w[14]
    hard = w[15]
    easy = w[16]
    lapseBound = (-(w[17] * w[18])).exponential()
    sameDay = w[17]
    sameDayOffset = w[18]
    sameDayDecay = w[19]
    decay = w[20]
    factor = Self.factor(decay: w[20])
  }

  /// F = 0.9^(−1/decay) − 1, so that recall is .9 after one stability.
  static func factor(decay: Number) -> Number {
    (Number(-(0.9).logarithm()) / decay).exponential() - 1
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
    return State(
      stability: stability.clamped(to: FSRS6.stabilities),
      difficulty: difficulty.clamped(to: FSRS6.difficulties))
  }

  @inline(__always)
  func retrievability(_ state: State, days: Double) -> Number {
    if days <= 0 { return Number(1) }
    return (-(decay * (factor * days / state.stability + 1).logarithm())).exponential()
  }

  @inline(__always)
  func next(_ state: State, days: Double, isSameDay: Bool, rating: Rating) -> State {
    let stability = state.stability
    let logStability = stability.logarithm()
    let grade = Double(rating.rawValue)
    let next: Number
    if isSameDay {
      let change =
        (sameDay * (sameDayOffset + (grade - 3)) - sameDayDecay * logStability).exponential()
      next = stability * (rating.isRecall ? change.atLeast(Number(1)) : change)
    } else {
      let forgotten = 1 - retrievability(state, days: days)
      if rating.isRecall {
        var gain =
          growth * (11 - state.difficulty) * (-(growthDecay * logStability)).exponential()
          * ((growthSurprise * forgotten).exponential() - 1)
        if rating == .hard { gain = gain * hard }
        if rating == .easy { gain = gain * easy }
        next = stability * (gain + 1)
      } else {
        let left =
          lapse * (-(lapseDifficulty * state.difficulty.logarithm())).exponential()
          * ((lapseStability * (stability + 1).logarithm()).exponential() - 1)
          * (lapseSurprise * forgotten).exponential()
        next = left.atMost(stability * lapseBound)
      }
    }
    let moved =
      state.difficulty - difficultyStep * (grade - 3) * (10 - state.difficulty) * (1 / 9.0)
    return State(
      stability: next.clamped(to: FSRS6.stabilities),
      difficulty: (reversion * easiest + (1 - reversion) * moved).clamped(to: FSRS6.difficulties))
  }

  @inline(__always)
  func answer(_ state: State, days: Double, _ rating: Rating) -> (recall: Number, state: State) {
    let whole = max(0, days.rounded(.down))
    return (
      retrievability(state, days: whole),
      next(state, days: whole, isSameDay: whole < 1, rating: rating)
    )
  }
}
