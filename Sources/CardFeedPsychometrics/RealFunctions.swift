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
  func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

/// 1 / (1 + e^−x).
@inline(__always)
func logistic(_ x: Double) -> Double { 1 / (1 + (-x).exponential()) }

/// The log-odds of a probability that is kept off 0 and 1.
@inline(__always)
func logOdds(_ probability: Double) -> Double {
  let kept = probability.clamped(to: 1e-4...(1 - 1e-4))
  return (kept / (1 - kept)).logarithm()
}
