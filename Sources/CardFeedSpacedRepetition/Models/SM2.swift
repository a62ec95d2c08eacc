/// SM-2: an easiness and whole intervals, as the first computer programs for spaced repetition had
/// them. It has no probability of its own; recall is taken as .9 at the interval and exponential.
///
/// Source: P. A. Woźniak, Optimization of learning (1990). Kept as a baseline.
public struct SM2: MemoryModel {
  /// What is known of one question.
  public struct State: Hashable, Sendable {
    /// 1.3 and more; 2.5 at the beginning.
    public var easiness: Double
    /// The present interval, in days.
    public var interval: Double
    /// Recalls in a row.
    public var repetitions: Int

    /// A state, such as one that was stored.
    public init(easiness: Double, interval: Double, repetitions: Int) {
      self.easiness = easiness.isFinite ? max(1.3, easiness) : 2.5
      self.interval = interval.isFinite ? interval.clamped(to: 1...36_500) : 1
      self.repetitions = max(0, repetitions)
    }
  }

  /// Needs nothing.
  public init() {}

  /// The state after the first answer.
  public func initial(_ rating: Rating) -> State {
    moved(State(easiness: 2.5, interval: 1, repetitions: 0), rating)
  }

  /// A further answer on the same day changes nothing: SM-2 asks once a day.
  public func next(_ state: State, after days: Double, _ rating: Rating) -> State {
    days < 1 ? state : moved(state, rating)
  }

  /// 0.9^(t / I).
  public func retrievability(_ state: State, after days: Double) -> Double {
    (max(0, days) / state.interval * (0.9).logarithm()).exponential()
  }

  /// I · ln r / ln 0.9.
  public func interval(_ state: State, retention: Double) -> Double {
    state.interval * retention.logarithm() / (0.9).logarithm()
  }

  /// The interval.
  public func stability(_ state: State) -> Double { state.interval }

  private func moved(_ state: State, _ rating: Rating) -> State {
    // The grades 0 … 5 of the source: again is 1, hard 3, good 4, easy 5.
    let quality = rating == .again ? 1.0 : Double(rating.rawValue) + 1
    let missing = 5 - quality
    var next = state
    if rating.isRecall {
      switch state.repetitions {
      case 0: next.interval = 1
      case 1: next.interval = 6
      default: next.interval = (state.interval * state.easiness).rounded(.toNearestOrEven)
      }
      next.repetitions += 1
    } else {
      next.repetitions = 0
      next.interval = 1
    }
    next.easiness = max(1.3, state.easiness + 0.1 - missing * (0.08 + missing * 0.02))
    next.interval = next.interval.clamped(to: 1...36_500)
    return next
  }
}
