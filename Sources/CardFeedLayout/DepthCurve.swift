/// How one property of a layer follows from its distance to the top, in cards.
///
/// Distances are 0 or more and need not be whole: while the top card is dragged, every other card is
/// on its way to the place above it.
public enum DepthCurve: Hashable, Sendable {
  /// The same everywhere.
  case constant(Double)
  /// The values at distances 0, 1, 2, …, straight lines between, and the last one beyond.
  case table([Double])
  /// `base − fall · min(d / reach, 1)`.
  case linear(base: Double, fall: Double, reach: Double)
  /// `base + depth · ratio^(d / reach)`: falls by the same ratio for each `reach`.
  case exponential(base: Double, depth: Double, ratio: Double, reach: Double)
  /// `max(floor, (1 − min(d / reach, 1))³)`: the complement of a cubic ease-out.
  case cubicEaseOut(floor: Double, reach: Double)

  /// The value at a distance. O(1).
  ///
  /// - Parameter distance: In cards; below 0, or not a number, counts as 0.
  public func value(at distance: Double) -> Double {
    let depth = distance > 0 ? distance : 0
    switch self {
    case .constant(let value):
      return value
    case .table(let values):
      return Self.interpolated(values, at: depth)
    case .linear(let base, let fall, let reach):
      return base - fall * min(depth / reach, 1)
    case .exponential(let base, let span, let ratio, let reach):
      return base + span * ratio.power(depth / reach)
    case .cubicEaseOut(let floor, let reach):
      let rest = 1 - min(depth / reach, 1)
      return max(floor, rest * rest * rest)
    }
  }

  private static func interpolated(_ values: [Double], at depth: Double) -> Double {
    guard let last = values.last else { return 0 }
    guard depth < Double(values.count - 1) else { return last }
    let above = Int(depth)
    let share = depth - Double(above)
    return values[above] + (values[above + 1] - values[above]) * share
  }
}

/// A rotation that makes a pile look like one laid by hand: the same for the same position, never
/// more than an amplitude.
public struct SineJitter: Hashable, Sendable {
  /// The most it turns a card, in degrees, 0 or more.
  public let amplitude: Double
  /// How far the angle of the sine moves from one position to the next, in radians.
  public let step: Double

  /// A jitter.
  ///
  /// - Parameters:
  ///   - amplitude: In degrees; its sign does not matter.
  ///   - step: From one position to the next, in radians. Not a rational part of 2π, or a pattern shows.
  public init(amplitude: Double, step: Double) {
    self.amplitude = abs(amplitude)
    self.step = step
  }

  /// The rotation at a position, in degrees, in `−amplitude…amplitude`. O(1).
  ///
  /// - Parameter position: Of the card on its line; it keeps its angle as long as it lies there.
  public func rotation(at position: Int) -> Double {
    amplitude * min(max((step * Double(position)).sine(), -1), 1)
  }
}
