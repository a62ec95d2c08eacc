internal import CardFeed

/// How answers lose weight with their age, so that an order follows rates that move.
///
/// Time is cut into periods, and an answer weighs what its period does: with `halfLife` half as much for
/// every two periods of half the half-life (discounted UCB; Garivier and Moulines, ALT 2011; discounted
/// Thompson sampling, Raj and Kalyani 2017), with `window` all or nothing (sliding-window UCB, the
/// former). Beyond twelve periods nothing counts: six half-lives, or the window.
public struct Forgetting: Sendable, Hashable {
  /// How many periods are kept.
  static let periods: Int64 = 12

  /// The length of a period, in milliseconds.
  let period: Int64
  /// What a period weighs for each period of its age.
  let keep: Double

  /// Answers weigh half as much after so many days.
  ///
  /// - Parameter days: Above 0, and at most 36,500.
  public static func halfLife(days: Double) -> Forgetting {
    Forgetting(days: days / 2, keep: 0.5.squareRoot())
  }

  /// Only answers of the last days count; in steps of a twelfth of them.
  ///
  /// - Parameter days: Above 0, and at most 36,500.
  public static func window(days: Double) -> Forgetting {
    Forgetting(days: days / Double(periods), keep: 1)
  }

  private init(days: Double, keep: Double) {
    precondition(days > 0 && days <= 36_500, "A span is above 0 and at most 36,500 days.")
    period = max(1, Int64((days * Double(Timestamp.day)).rounded()))
    self.keep = keep
  }

  /// Which period a moment lies in. Moments before 1970 belong to the first.
  func period(of time: Timestamp) -> Int64 { max(0, time.milliseconds) / period }

  /// What answers of each period weigh, by their place in the cycle.
  func weights(now: Timestamp) -> [(period: Int64, weight: Double)] {
    let latest = period(of: now)
    return (0..<Self.periods).map { place in
      let age = (latest - place + Self.periods) % Self.periods
      var weight = 1.0
      for _ in 0..<age { weight *= keep }
      return (latest - age, weight)
    }
  }
}
