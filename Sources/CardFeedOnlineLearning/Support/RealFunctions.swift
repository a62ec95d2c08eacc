#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Double {
  @inline(__always)
  func exponential() -> Double { exp(self) }

  @inline(__always)
  func logarithm() -> Double { log(self) }

  @inline(__always)
  func raised(to power: Double) -> Double { pow(self, power) }

  /// The logarithm of Γ(x) for x > 0, by the series of Lanczos with g = 7 and nine terms.
  func logarithmOfGamma() -> Double {
    let shifted = self - 1
    var sum = 0.99999999999980993
    for (index, term) in Self.lanczos.enumerated() { sum += term / (shifted + Double(index + 1)) }
    let base = shifted + 7.5
    return 0.91893853320467274 + (shifted + 0.5) * base.logarithm() - base + sum.logarithm()
  }

  private static let lanczos = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]

  /// Φ(x), the distribution function of the standard normal.
  @inline(__always)
  func normalDistribution() -> Double { 0.5 * erfc(-self * 0.70710678118654752) }

  func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

/// 1 / (1 + e^−x), without overflow on either side.
@inline(__always)
func logistic(_ x: Double) -> Double {
  if x >= 0 { return 1 / (1 + (-x).exponential()) }
  let z = x.exponential()
  return z / (1 + z)
}

extension RandomNumberGenerator {
  /// A fraction in 0 ..< 1 from the upper 53 bits of the next value, so that equal generators draw
  /// equal numbers everywhere.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
