/// Spreads intervals, so that questions that were learned together do not come back together.
///
/// The width grows with the interval: 15 % between 2.5 and 7 days, 10 % up to 20, 5 % beyond, and one
/// day more. Every whole day of the range is as likely as any other.
public struct IntervalFuzz: Hashable, Sendable {
  /// The days among which one is drawn.
  ///
  /// - Parameters:
  ///   - interval: In days; below 2.5 nothing is spread.
  ///   - maximum: The longest interval, in days.
  public static func range(around interval: Double, maximum: Int) -> ClosedRange<Int> {
    let capped = min(interval, Double(maximum))
    let whole = max(1, Int(capped.rounded(.toNearestOrEven)))
    guard capped >= 2.5 else { return whole...whole }
    var width = 1.0
    for (start, end, share) in [(2.5, 7, 0.15), (7, 20, 0.1), (20, Double.infinity, 0.05)] {
      width += share * max(min(capped, end) - start, 0)
    }
    let high = min(Int((capped + width).rounded(.toNearestOrEven)), maximum)
    let low = min(max(2, Int((capped - width).rounded(.toNearestOrEven))), high)
    return low...high
  }

  /// Draws a day of the range, the likelier the less is due on it: a day's weight is 1 over the
  /// square of one more than its load.
  ///
  /// - Parameters:
  ///   - range: As `range(around:maximum:)` gives it.
  ///   - loads: How many questions are due on each day of the range; empty where nobody counts.
  ///   - draw: Uniform in 0 ..< 1.
  public static func day(in range: ClosedRange<Int>, loads: [Int], draw: Double) -> Int {
    let weights = range.enumerated().map { index, _ in
      let load = index < loads.count ? Double(max(0, loads[index]) + 1) : 1
      return 1 / (load * load)
    }
    var left = draw * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      left -= weight
      if left < 0 { return range.lowerBound + index }
    }
    return range.upperBound
  }
}
