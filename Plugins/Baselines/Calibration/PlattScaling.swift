internal import CardFeed

/// The probability of an outcome as a logistic function of a score: σ(slope · score + intercept).
///
/// Fitted by Newton's method with halved steps to smoothed targets, (positives + 1) / (positives + 2)
/// for a positive outcome and 1 / (negatives + 2) for the others: Platt, "Probabilistic Outputs for
/// Support Vector Machines", 1999; Lin, Lin and Weng, "A Note on Platt's Probabilistic Outputs for
/// Support Vector Machines", Machine Learning 68, 2007. A score that points the wrong way is not
/// turned around: the slope is then 0, and everybody gets the same probability.
///
/// When not to use it: where the curve is not a logistic one and there are a thousand rows or more,
/// `IsotonicRegression` comes closer.
public struct PlattScaling: Hashable, Sendable {
  /// 0 or more.
  public let slope: Double
  /// The log-odds at the score 0.
  public let intercept: Double
  /// How well the two are known: the variance of the slope, their covariance, and the variance of the
  /// intercept, from the inverse of the second derivatives at the fit.
  public let covariance: SIMD3<Double>

  /// With the numbers of an earlier fit; nil if they are not finite, the function falls, or there is no
  /// such covariance.
  public init?(slope: Double, intercept: Double, covariance: SIMD3<Double>) {
    guard slope.isFinite, slope >= 0, intercept.isFinite, covariance.x >= 0, covariance.z >= 0,
      covariance.x.isFinite, covariance.z.isFinite,
      covariance.y * covariance.y <= covariance.x * covariance.z * (1 + 1e-9)
    else { return nil }
    self.slope = slope
    self.intercept = intercept
    self.covariance = covariance
  }

  /// Fits the function.
  ///
  /// - Parameters:
  ///   - scores: One finite score for each row.
  ///   - outcomes: What happened, for each row.
  /// - Complexity: O(n) for each of some ten steps.
  public init(scores: [Double], outcomes: [Bool]) {
    precondition(scores.count == outcomes.count, "Each score has one outcome.")
    precondition(scores.allSatisfy(\.isFinite), "Scores are finite; leave the others out.")
    let problem = Problem(scores: scores, outcomes: outcomes)
    let best = problem.minimum()
    if best.x > 0, best.x.isFinite, best.y.isFinite {
      slope = best.x
      intercept = best.y
      covariance = problem.covariance(at: best)
    } else {
      slope = 0
      intercept = problem.constant
      let information = problem.information(at: SIMD2(0, problem.constant)).z
      covariance = SIMD3(0, 0, information > 0 ? 1 / information : 0)
    }
  }

  /// The probability at a finite score. O(1).
  public func value(at score: Double) -> Double { logistic(slope * score + intercept) }

  /// How well the probability at a finite score is known, given that the curve is a logistic one: its
  /// standard error by the delta method. O(1).
  public func standardError(at score: Double) -> Double {
    let p = value(at: score)
    let variance = score * score * covariance.x + 2 * score * covariance.y + covariance.z
    return p * (1 - p) * max(0, variance).squareRoot()
  }
}

/// The negative log likelihood of slope and intercept, convex in both.
private struct Problem {
  let scores: [Double]
  let targets: [Double]

  init(scores: [Double], outcomes: [Bool]) {
    self.scores = scores
    let positives = Double(outcomes.count { $0 })
    let negatives = Double(outcomes.count) - positives
    let high = (positives + 1) / (positives + 2)
    let low = 1 / (negatives + 2)
    targets = outcomes.map { $0 ? high : low }
  }

  /// The best intercept without a slope.
  var constant: Double {
    guard !targets.isEmpty else { return 0 }
    return logOdds(targets.reduce(0, +) / Double(targets.count))
  }

  /// The loss without cancellation: log(1 + e^z) − t · z.
  private func loss(_ x: SIMD2<Double>) -> Double {
    var sum = 0.0
    for (score, target) in zip(scores, targets) {
      let z = x.x * score + x.y
      sum += max(z, 0) + naturalLogarithm(1 + exponential(-abs(z))) - target * z
    }
    return sum
  }

  /// The second derivatives.
  func information(at x: SIMD2<Double>) -> SIMD3<Double> {
    var hessian = SIMD3<Double>.zero
    for score in scores {
      let p = logistic(x.x * score + x.y)
      hessian += p * (1 - p) * SIMD3(score * score, score, 1)
    }
    return hessian
  }

  /// The inverse of the second derivatives; zero where they have none.
  func covariance(at x: SIMD2<Double>) -> SIMD3<Double> {
    let hessian = information(at: x)
    let determinant = hessian.x * hessian.z - hessian.y * hessian.y
    let inverse = SIMD3(hessian.z, -hessian.y, hessian.x) / determinant
    return determinant > 0 && inverse.x.isFinite && inverse.z.isFinite ? inverse : .zero
  }

  func minimum() -> SIMD2<Double> {
    var x = SIMD2(0, constant)
    guard !scores.isEmpty else { return x }
    var least = loss(x)
    for _ in 0..<100 {
      var gradient = SIMD2<Double>.zero
      var hessian = SIMD3<Double>(1e-12, 0, 1e-12)
      for (score, target) in zip(scores, targets) {
        let p = logistic(x.x * score + x.y)
        gradient += (p - target) * SIMD2(score, 1)
        hessian += p * (1 - p) * SIMD3(score * score, score, 1)
      }
      let determinant = hessian.x * hessian.z - hessian.y * hessian.y
      guard determinant > 0 else { break }
      let step =
        SIMD2(
          hessian.y * gradient.y - hessian.z * gradient.x,
          hessian.y * gradient.x - hessian.x * gradient.y) / determinant
      let descent = (gradient * step).sum()
      // Half of it is what a step can still gain.
      guard -descent > 1e-12 * Double(scores.count) else { break }
      var length = 1.0
      while length >= 1e-10, !(loss(x + length * step) <= least + 1e-4 * length * descent) {
        length /= 2
      }
      guard length >= 1e-10 else { break }
      x += length * step
      least = loss(x)
    }
    return x
  }
}
