/// Where a question stands between its first answer and the long run.
public enum LearningPhase: Hashable, Sendable {
  /// New, in short steps; the step it waits in, from 0.
  case learning(step: Int)
  /// Comes back after days.
  case review
  /// Was forgotten, in short steps again; the step it waits in, from 0.
  case relearning(step: Int)
}

/// The short steps that a question goes through before its interval counts in days.
public struct LearningSteps: Hashable, Sendable {
  /// Seconds to wait in each step.
  public let seconds: [Double]

  /// Steps; none means that the interval decides at once.
  public init(seconds: [Double]) { self.seconds = seconds }

  /// What a rating leads to.
  enum Move: Hashable, Sendable {
    /// Waits in a step.
    case wait(step: Int, seconds: Double)
    /// Goes on to intervals in days.
    case graduate
  }

  /// - Parameters:
  ///   - step: The step the question waited in.
  ///   - rating: The answer.
  func move(from step: Int, _ rating: Rating) -> Move {
    guard let first = seconds.first else { return .graduate }
    // Steps may have become fewer since.
    if step >= seconds.count && rating.isRecall { return .graduate }
    switch rating {
    case .again: return .wait(step: 0, seconds: first)
    case .hard:
      // Between the first two steps, or half as long again where there is one.
      if step == 0 && seconds.count == 1 { return .wait(step: 0, seconds: first * 1.5) }
      if step == 0 { return .wait(step: 0, seconds: (first + seconds[1]) / 2) }
      return .wait(step: step, seconds: seconds[step])
    case .good:
      let next = step + 1
      return next >= seconds.count ? .graduate : .wait(step: next, seconds: seconds[next])
    case .easy: return .graduate
    }
  }
}
