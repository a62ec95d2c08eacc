/// How a test question separates those who know from those who don't: the logistic model of item
/// response theory with up to four parameters.
///
/// P(right | θ) = c + (d − c) · σ(a · (θ − b)). Source: Birnbaum (1968) for three parameters; Barton
/// and Lord (1981) for the fourth.
public struct ItemParameters: Hashable, Sendable {
  /// a: how sharply the question separates, 0 and more.
  public var discrimination: Double
  /// b: the ability at which half of what is not guessed or slipped is right.
  public var difficulty: Double
  /// c: the probability with which those who know nothing are right.
  public var guess: Double
  /// 1 − d: the probability with which those who know everything are wrong.
  public var slip: Double

  /// A question; with the defaults the one-parameter (Rasch) model.
  public init(
    difficulty: Double, discrimination: Double = 1, guess: Double = 0, slip: Double = 0
  ) {
    self.discrimination = discrimination
    self.difficulty = difficulty
    self.guess = guess
    self.slip = slip
  }

  /// P(right) at an ability. O(1).
  @inline(__always)
  public func probability(at ability: Double) -> Double {
    guess + (1 - slip - guess) * logistic(discrimination * (ability - difficulty))
  }

  /// Fisher's information about the ability, P′² / (P · (1 − P)). O(1).
  public func information(at ability: Double) -> Double {
    let right = probability(at: ability)
    let slope = self.slope(right)
    let spread = right * (1 - right)
    return spread > 0 ? slope * slope / spread : 0
  }

  /// dP/dθ where P(right) is known.
  @inline(__always)
  func slope(_ right: Double) -> Double {
    let range = 1 - slip - guess
    return range > 0 ? discrimination * (right - guess) * (1 - slip - right) / range : 0
  }
}
