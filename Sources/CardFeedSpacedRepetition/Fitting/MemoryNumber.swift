#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A number that the formulas of memory run over: `Double` when a card is answered, `DualNumber`
/// when parameters are fitted. So each formula stands once, and its gradient is exact.
protocol MemoryNumber: Sendable {
  init(_ value: Double)
  var value: Double { get }

  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  static func * (left: Self, right: Self) -> Self
  static func / (left: Self, right: Self) -> Self
  static func + (left: Self, right: Double) -> Self
  static func - (left: Self, right: Double) -> Self
  static func - (left: Double, right: Self) -> Self
  static func * (left: Self, right: Double) -> Self
  static prefix func - (number: Self) -> Self

  func exponential() -> Self
  func logarithm() -> Self
}

extension MemoryNumber {
  /// The lesser of two; the left one where they are equal.
  @inline(__always)
  func atMost(_ bound: Self) -> Self { value <= bound.value ? self : bound }

  /// The greater of two; the left one where they are equal.
  @inline(__always)
  func atLeast(_ bound: Self) -> Self { value >= bound.value ? self : bound }

  /// Clamped; a number at a bound does not depend on anything.
  @inline(__always)
  func clamped(to range: ClosedRange<Double>) -> Self {
    if value < range.lowerBound { return Self(range.lowerBound) }
    return value > range.upperBound ? Self(range.upperBound) : self
  }
}

extension Double: MemoryNumber {
  @inline(__always)
  var value: Double { self }

  @inline(__always)
  func exponential() -> Double { exp(self) }

  @inline(__always)
  func logarithm() -> Double { log(self) }
}
