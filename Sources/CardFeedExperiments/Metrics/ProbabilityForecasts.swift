#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Outcomes beside the probabilities that were forecast for them.
///
/// All measures are `nil` for an empty set; none is ever NaN. All but the log loss lie in 0…1.
public struct ProbabilityForecasts: Equatable, Sendable {
  /// The same rows, for the measures that need only the order.
  public let scored: ScoredOutcomes

  /// What happened: `true` for a positive outcome.
  public var outcomes: [Bool] { scored.outcomes }
  /// The forecast probability of a positive outcome, one per row.
  public var probabilities: [Double] { scored.scores }

  /// Joins outcomes and forecasts, row by row.
  ///
  /// - Parameters:
  ///   - outcomes: what happened, one value per row.
  ///   - probabilities: forecasts in 0…1, one per row.
  /// - Throws: ``MetricInputError`` when the lengths differ or a forecast is outside 0…1.
  /// - Complexity: O(n).
  public init(outcomes: [Bool], probabilities: [Double]) throws(MetricInputError) {
    scored = try ScoredOutcomes(outcomes: outcomes, scores: probabilities)
    if let index = probabilities.firstIndex(where: { $0 < 0 || $0 > 1 }) {
      throw MetricInputError(
        "scores[\(index)] is \(probabilities[index]); allowed for a probability: 0…1; "
          + "use ScoredOutcomes for scores on another scale")
    }
  }

  /// Number of rows.
  public var count: Int { outcomes.count }

  /// Share of positive outcomes.
  public var baseRate: Double? {
    count == 0 ? nil : Double(outcomes.count { $0 }) / Double(count)
  }

  /// Mean forecast; far from ``baseRate`` means badly calibrated as a whole.
  public var meanProbability: Double? { SampleStatistics.mean(probabilities) }

  /// Area under the ROC curve, see ``ScoredOutcomes/auc``.
  public var auc: Double? { scored.auc }

  /// Mean negative log likelihood in natural units, ≥ 0.
  ///
  /// - Parameter clip: forecasts are moved into `clip…1 − clip` first, so that one certain and
  ///   wrong forecast does not make the mean infinite. Above 0 and below ½.
  /// - Complexity: O(n).
  public func logLoss(clip: Double = 1e-6) -> Double? {
    precondition(clip > 0 && clip < 0.5, "the clip of a log loss lies above 0 and below 0.5")
    return SampleStatistics.mean(rowLogLosses(clip: clip))
  }

  /// The log loss of each row, in row order: what a paired comparison of two engines adds up.
  ///
  /// - Parameter clip: as in ``logLoss(clip:)``.
  /// - Complexity: O(n).
  public func rowLogLosses(clip: Double = 1e-6) -> [Double] {
    zip(outcomes, probabilities).map { outcome, probability in
      let clipped = min(max(probability, clip), 1 - clip)
      return -log(outcome ? clipped : 1 - clipped)
    }
  }

  /// Mean squared difference between forecast and outcome (Brier 1950), in 0…1.
  ///
  /// - Complexity: O(n).
  public var brierScore: Double? {
    SampleStatistics.mean(
      zip(outcomes, probabilities).map { outcome, probability in
        let error = probability - (outcome ? 1 : 0)
        return error * error
      })
  }

  /// Expected calibration error over bins of equal width `[0, 1/b) … [1 − 1/b, 1]`: the mean over
  /// rows of |mean forecast − share of positives| of the row's bin. In 0…1.
  ///
  /// - Parameter bins: number of bins, at least 1.
  /// - Complexity: O(n + bins).
  public func expectedCalibrationError(bins: Int = 10) -> Double? {
    precondition(bins >= 1, "a calibration error needs at least one bin")
    var cells = [CalibrationBin](repeating: CalibrationBin(), count: bins)
    for (outcome, probability) in zip(outcomes, probabilities) {
      cells[min(Int(probability * Double(bins)), bins - 1)].add(outcome, probability)
    }
    return weightedGap(cells)
  }

  /// Expected calibration error over bins of equal count: rows in order of their forecast (equal
  /// forecasts in row order), cut into `bins` runs of which the first n mod `bins` are one longer.
  /// In 0…1.
  ///
  /// - Parameter bins: number of bins, at least 1; bins without a row count nothing.
  /// - Complexity: O(n log n).
  public func equalCountCalibrationError(bins: Int = 10) -> Double? {
    precondition(bins >= 1, "a calibration error needs at least one bin")
    let forecasts = probabilities
    let order = forecasts.indices.sorted {
      forecasts[$0] == forecasts[$1] ? $0 < $1 : forecasts[$0] < forecasts[$1]
    }
    var cells = [CalibrationBin](repeating: CalibrationBin(), count: bins)
    let (shortLength, longer) = count.quotientAndRemainder(dividingBy: bins)
    var next = 0
    for bin in cells.indices {
      let end = next + shortLength + (bin < longer ? 1 : 0)
      for row in order[next..<end] { cells[bin].add(outcomes[row], forecasts[row]) }
      next = end
    }
    return weightedGap(cells)
  }

  private func weightedGap(_ cells: [CalibrationBin]) -> Double? {
    guard count > 0 else { return nil }
    let sum = cells.reduce(0) { $0 + Double($1.count) / Double(count) * $1.gap }
    // Rounding in the shares may carry a total of one a few units beyond it.
    return min(1, sum)
  }
}

private struct CalibrationBin {
  var count = 0
  var positives = 0
  var probabilitySum = 0.0

  mutating func add(_ outcome: Bool, _ probability: Double) {
    count += 1
    positives += outcome ? 1 : 0
    probabilitySum += probability
  }

  var gap: Double {
    guard count > 0 else { return 0 }
    return abs(probabilitySum / Double(count) - Double(positives) / Double(count))
  }
}
