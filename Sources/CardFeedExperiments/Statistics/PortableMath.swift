/// Logarithm and exponential out of additions, multiplications and divisions only.
///
/// The C library's versions may differ in the last bit from machine to machine; those four IEEE 754
/// operations may not. Only data generation needs that; measuring uses the C library.
enum PortableMath {
  private static let ln2High = 0x1.62e42fefa3800p-1
  private static let ln2Low = 0x1.ef35793c76730p-45

  /// Natural logarithm of a positive, finite number, within a few units in the last place.
  ///
  /// x = 2ᵏ·m with m in (√½, √2]; log m = 2 artanh((m − 1)/(m + 1)), |argument| < 0.172, whose
  /// series is cut after the power 23 (rest below 10⁻¹⁹).
  static func log(_ x: Double) -> Double {
    precondition(x > 0 && x.isFinite, "the logarithm is taken of a positive, finite number")
    var exponent = Double(x.exponent)
    var significand = x.significand
    if significand > 0x1.6a09e667f3bcdp+0 {
      significand /= 2
      exponent += 1
    }
    let ratio = (significand - 1) / (significand + 1)
    let square = ratio * ratio
    var series = 0.0
    for power in stride(from: 23.0, through: 3.0, by: -2.0) {
      series = square * (1 / power + series)
    }
    return exponent * ln2High + (2 * ratio * (1 + series) + exponent * ln2Low)
  }

  /// eˣ for −700…700, within a few units in the last place; beyond, the value at that end.
  ///
  /// x = k·ln 2 + r with |r| ≤ ½ ln 2; the Taylor series of eʳ is cut after the power 14 (rest below
  /// 10⁻¹⁸).
  static func exp(_ x: Double) -> Double {
    let bounded = min(700, max(-700, x))
    let multiple = (bounded / (ln2High + ln2Low)).rounded(.toNearestOrEven)
    let rest = bounded - multiple * ln2High - multiple * ln2Low
    var series = 1.0
    for power in stride(from: 14.0, through: 1.0, by: -1.0) {
      series = 1 + series * rest / power
    }
    return Double(sign: .plus, exponent: Int(multiple), significand: 1) * series
  }

  /// The logistic function 1/(1 + e⁻ˣ).
  static func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }

  /// Log odds log(p/(1 − p)) of a probability strictly between 0 and 1.
  static func logit(_ p: Double) -> Double { log(p / (1 - p)) }
}
