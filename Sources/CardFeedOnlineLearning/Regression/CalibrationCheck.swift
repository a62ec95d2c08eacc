/// Whether probabilities mean what they say: of what is forecast with p, the share p happens.
///
/// Forecasts are sorted and cut into bins of nearly equal numbers; a bin's gap is the mean forecast
/// minus the share of yes. `expectedError` is the mean of the gaps' sizes (the expected calibration
/// error of Naeini, Cooper, Hauskrecht 2015, with bins of equal mass). A gap is noise as well as
/// fault, so `z` tells whether the forecasts can be right at all: the statistic of Spiegelhalter
/// (Statistics in Medicine 5, 1986), about standard normal where they are, whatever their spread.
public struct CalibrationCheck: Sendable, Equatable {
  /// Forecasts that lie close together.
  public struct Bin: Sendable, Equatable {
    /// How many.
    public let count: Int
    /// Their mean.
    public let forecast: Double
    /// The share of yes among them.
    public let share: Double
  }

  /// From the lowest forecasts to the highest.
  public let bins: [Bin]
  /// Σ (x − p)(1 − 2p) / √Σ (1 − 2p)² p (1 − p); nil where every forecast is 0, ½ or 1.
  public let z: Double?
  /// The mean of −log P(what happened), forecasts kept within 10⁻⁶ … 1 − 10⁻⁶.
  public let logLoss: Double
  /// The mean of (p − x)².
  public let brierScore: Double

  /// Checks forecasts.
  ///
  /// - Parameters:
  ///   - forecasts: Probabilities, one or more.
  ///   - outcomes: What happened, one for each.
  ///   - bins: How many bins; no more than forecasts are made.
  /// - Complexity: O(n log n).
  public init(forecasts: [Double], outcomes: [Bool], bins: Int = 15) {
    precondition(
      forecasts.count == outcomes.count && !forecasts.isEmpty && bins > 0
        && forecasts.allSatisfy { (0...1).contains($0) },
      "A check needs probabilities and an outcome for each.")
    let order = forecasts.indices.sorted {
      forecasts[$0] == forecasts[$1] ? $0 < $1 : forecasts[$0] < forecasts[$1]
    }
    let count = order.count
    let parts = min(bins, count)
    var made: [Bin] = []
    var start = 0
    for part in 0..<parts {
      let end = start + count / parts + (part < count % parts ? 1 : 0)
      let rows = order[start..<end]
      let size = Double(rows.count)
      made.append(
        Bin(
          count: rows.count, forecast: rows.reduce(0) { $0 + forecasts[$1] } / size,
          share: Double(rows.count { outcomes[$0] }) / size))
      start = end
    }
    self.bins = made
    var (loss, square, above, below) = (0.0, 0.0, 0.0, 0.0)
    for (p, outcome) in zip(forecasts, outcomes) {
      let x = outcome ? 1.0 : 0
      let kept = p.clamped(to: 1e-6...(1 - 1e-6))
      loss -= (outcome ? kept : 1 - kept).logarithm()
      square += (p - x) * (p - x)
      above += (x - p) * (1 - 2 * p)
      below += (1 - 2 * p) * (1 - 2 * p) * p * (1 - p)
    }
    logLoss = loss / Double(count)
    brierScore = square / Double(count)
    z = below > 0 ? above / below.squareRoot() : nil
  }

  /// The mean size of the bins' gaps, weighted by their counts.
  public var expectedError: Double {
    let count = bins.reduce(0) { $0 + $1.count }
    return bins.reduce(0) { $0 + Double($1.count) * ($1.forecast - $1.share).magnitude }
      / Double(count)
  }

  /// The greatest size of a gap.
  public var greatestError: Double {
    bins.reduce(0) { max($0, ($1.forecast - $1.share).magnitude) }
  }
}
