#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Double {
  /// e to the power of this number.
  func exponential() -> Double { exp(self) }

  /// This number to a power.
  func power(_ exponent: Double) -> Double { pow(self, exponent) }

  /// The sine of this angle, in radians.
  func sine() -> Double { sin(self) }
}
