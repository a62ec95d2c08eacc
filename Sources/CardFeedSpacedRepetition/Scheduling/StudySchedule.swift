/// When a question comes back: from what a memory model says of it to seconds.
public struct StudySchedule: Hashable, Sendable {
  /// The recall at which a question is asked again; 0.7 … 0.99.
  public var desiredRetention: Double
  /// Steps of new questions.
  public var learningSteps: LearningSteps
  /// Steps of forgotten questions.
  public var relearningSteps: LearningSteps
  /// The longest interval, in days.
  public var maximumInterval: Int
  /// Whether an interval may be shorter than a day where there are no steps.
  public var allowsHours: Bool

  /// A schedule.
  public init(
    desiredRetention: Double = 0.9,
    learningSteps: LearningSteps = LearningSteps(seconds: [60, 600]),
    relearningSteps: LearningSteps = LearningSteps(seconds: [600]), maximumInterval: Int = 36_500,
    allowsHours: Bool = false
  ) {
    self.desiredRetention = desiredRetention
    self.learningSteps = learningSteps
    self.relearningSteps = relearningSteps
    self.maximumInterval = maximumInterval
    self.allowsHours = allowsHours
  }

  /// How long a question waits.
  public enum Wait: Hashable, Sendable {
    /// In a step, or less than a day.
    case seconds(Double)
    /// Whole days of the learner.
    case days(Int)

    /// In seconds, a day being 86,400.
    public var seconds: Double {
      switch self {
      case .seconds(let seconds): seconds
      case .days(let days): Double(days) * 86_400
      }
    }
  }

  /// Where an answer leads, and how long the question waits.
  ///
  /// - Parameters:
  ///   - phase: Where the question stood; nil for its first answer.
  ///   - rating: The answer.
  ///   - interval: The model's interval for `desiredRetention` after the answer, in days; asked for
  ///   where the question does not wait in a step.
  ///   - fuzz: Picks a day of a range; nil takes the nearest one.
  public func next(
    _ phase: LearningPhase?, _ rating: Rating, interval: @autoclosure () -> Double,
    fuzz: ((ClosedRange<Int>) -> Int)? = nil
  ) -> (phase: LearningPhase, wait: Wait) {
    switch phase ?? .learning(step: 0) {
    case .learning(let step):
      if case .wait(let next, let seconds) = learningSteps.move(from: step, rating) {
        return (.learning(step: next), .seconds(seconds))
      }
    case .relearning(let step):
      if case .wait(let next, let seconds) = relearningSteps.move(from: step, rating) {
        return (.relearning(step: next), .seconds(seconds))
      }
    case .review:
      if rating == .again, let first = relearningSteps.seconds.first {
        return (.relearning(step: 0), .seconds(first))
      }
    }
    return (.review, wait(interval(), fuzz: fuzz))
  }

  /// A model's interval as whole days, at least one and at most `maximumInterval`.
  func wait(_ interval: Double, fuzz: ((ClosedRange<Int>) -> Int)?) -> Wait {
    if allowsHours && interval < 0.5 { return .seconds(max(1, interval * 86_400)) }
    if let fuzz {
      return .days(fuzz(IntervalFuzz.range(around: interval, maximum: maximumInterval)))
    }
    let capped = min(interval, Double(maximumInterval)).rounded(.toNearestOrEven)
    return .days(max(1, Int(capped)))
  }
}
