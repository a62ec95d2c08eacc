/// Percentile bootstrap over clusters (Efron 1979; Davison & Hinkley 1997, §3.8): as many clusters as
/// there are get drawn with replacement, the statistic is computed on them, again and again.
///
/// With fewer than about ten clusters the interval is too narrow; that is a limit of the method.
public struct ClusterBootstrap: Equatable, Sendable {
  /// How often clusters are drawn.
  public let resamples: Int
  /// Probability left out at each end; 0.025 gives the 2.5 % and 97.5 % percentiles.
  public let tail: Double

  /// The settings of a bootstrap.
  ///
  /// - Parameters:
  ///   - resamples: how often clusters are drawn, at least 1.
  ///   - tail: probability left out at each end, above 0 and below ½.
  public init(resamples: Int = 2000, tail: Double = 0.025) {
    precondition(resamples >= 1, "a bootstrap needs at least one resample")
    precondition(tail > 0 && tail < 0.5, "the tail of an interval lies above 0 and below 0.5")
    self.resamples = resamples
    self.tail = tail
  }

  /// An interval of a statistic.
  ///
  /// - Parameters:
  ///   - clusterCount: number of clusters.
  ///   - generator: source of randomness; the same bits give the same interval.
  ///   - statistic: the statistic over cluster indices (with repeats); `nil` where it is undefined.
  ///     Called with each cluster once first, for the estimate.
  /// - Returns: the interval; `nil` when the statistic is undefined on the whole sample or on every
  ///   resample. Undefined or non-finite resamples are left out and counted.
  /// - Complexity: O(resamples) calls of the statistic.
  public func interval<Generator: RandomNumberGenerator>(
    clusterCount: Int, using generator: inout Generator, statistic: ([Int]) -> Double?
  ) -> BootstrapInterval? {
    guard clusterCount > 0, let estimate = finite(statistic(Array(0..<clusterCount))) else {
      return nil
    }
    var values: [Double] = []
    values.reserveCapacity(resamples)
    eachDraw(clusterCount, &generator) { drawn in
      if let value = finite(statistic(drawn)) { values.append(value) }
    }
    return interval(estimate, values)
  }

  /// The difference A − B of a statistic of two engines measured on the same clusters: both see the
  /// same draw each time. Positive: A's number is larger, which is better for an AUC and worse for a
  /// loss.
  ///
  /// The two-sided p-value is min(1, 2 (1 + min(#{d ≤ 0}, #{d ≥ 0}))/(R + 1)) over the R resampled
  /// differences d (the smallest level whose percentile interval excludes 0; Davison & Hinkley 1997,
  /// §4.2 for the + 1). An engine against itself has p = 1.
  ///
  /// - Parameters:
  ///   - clusterCount: number of clusters.
  ///   - generator: source of randomness.
  ///   - a: the statistic of engine A over cluster indices; `nil` where it is undefined.
  ///   - b: the statistic of engine B over the same indices.
  /// - Returns: the difference; `nil` when a statistic is undefined on the whole sample or on every
  ///   resample.
  /// - Complexity: O(resamples) calls of each statistic.
  public func pairedDifference<Generator: RandomNumberGenerator>(
    clusterCount: Int, using generator: inout Generator, a: ([Int]) -> Double?,
    b: ([Int]) -> Double?
  ) -> PairedDifference? {
    let all = Array(0..<max(0, clusterCount))
    guard clusterCount > 0, let ofA = finite(a(all)), let ofB = finite(b(all)) else { return nil }
    var differences: [Double] = []
    differences.reserveCapacity(resamples)
    eachDraw(clusterCount, &generator) { drawn in
      if let drawnA = finite(a(drawn)), let drawnB = finite(b(drawn)) {
        differences.append(drawnA - drawnB)
      }
    }
    guard let interval = interval(ofA - ofB, differences) else { return nil }
    let atMostZero = differences.count { $0 <= 0 }
    let atLeastZero = differences.count { $0 >= 0 }
    let extreme = Double(1 + min(atMostZero, atLeastZero))
    return PairedDifference(
      a: ofA, b: ofB, interval: interval,
      pValue: min(1, 2 * extreme / Double(differences.count + 1)))
  }

  private func eachDraw<Generator: RandomNumberGenerator>(
    _ clusterCount: Int, _ generator: inout Generator, _ body: ([Int]) -> Void
  ) {
    var drawn = [Int](repeating: 0, count: clusterCount)
    for _ in 0..<resamples {
      for place in drawn.indices { drawn[place] = generator.drawIndex(below: clusterCount) }
      body(drawn)
    }
  }

  private func interval(_ estimate: Double, _ values: [Double]) -> BootstrapInterval? {
    let ascending = values.sorted()
    guard let lower = SampleStatistics.quantile(ascending: ascending, tail),
      let upper = SampleStatistics.quantile(ascending: ascending, 1 - tail)
    else { return nil }
    return BootstrapInterval(
      estimate: estimate, lower: lower, upper: upper, resamples: resamples,
      undefinedResamples: resamples - values.count)
  }

  private func finite(_ value: Double?) -> Double? {
    guard let value, value.isFinite else { return nil }
    return value
  }
}

/// A statistic with its bootstrap percentile interval.
public struct BootstrapInterval: Equatable, Sendable {
  /// The statistic on the whole sample.
  public let estimate: Double
  /// Lower end of the interval.
  public let lower: Double
  /// Upper end of the interval.
  public let upper: Double
  /// How often clusters were drawn.
  public let resamples: Int
  /// On how many of those draws the statistic was undefined; they are not part of the interval.
  public let undefinedResamples: Int
}

/// The difference between two engines on the same clusters, A minus B.
public struct PairedDifference: Equatable, Sendable {
  /// The statistic of engine A on the whole sample.
  public let a: Double
  /// The statistic of engine B on the whole sample.
  public let b: Double
  /// A − B with its interval.
  public let interval: BootstrapInterval
  /// Two-sided p-value of "no difference", above 0 and at most 1.
  public let pValue: Double

  /// A − B on the whole sample.
  public var difference: Double { interval.estimate }
}
