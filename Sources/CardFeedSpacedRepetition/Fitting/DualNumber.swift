#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A number with its gradient by the parameters of a model: forward-mode differentiation
/// (Wengert 1964). One lane for each parameter.
struct DualNumber<Gradient: SIMD>: MemoryNumber
where Gradient: Sendable, Gradient.Scalar == Double {
  let value: Double
  let gradient: Gradient

  @inline(__always)
  init(value: Double, gradient: Gradient) {
    self.value = value
    self.gradient = gradient
  }

  @inline(__always)
  init(_ value: Double) { self.init(value: value, gradient: .zero) }

  /// The parameter in a lane.
  init(_ value: Double, lane: Int) {
    var gradient = Gradient.zero
    gradient[lane] = 1
    self.init(value: value, gradient: gradient)
  }

  @inline(__always)
  static func + (left: Self, right: Self) -> Self {
    Self(value: left.value + right.value, gradient: left.gradient + right.gradient)
  }

  @inline(__always)
  static func - (left: Self, right: Self) -> Self {
    Self(value: left.value - right.value, gradient: left.gradient - right.gradient)
  }

  @inline(__always)
  static func * (left: Self, right: Self) -> Self {
    Self(
      value: left.value * right.value,
      gradient: left.gradient * right.value + right.gradient * left.value)
  }

  @inline(__always)
  static func / (left: Self, right: Self) -> Self {
    let inverse = 1 / right.value
    let quotient = left.value * inverse
    return Self(
      value: quotient, gradient: (left.gradient - right.gradient * quotient) * inverse)
  }

  @inline(__always)
  static func + (left: Self, right: Double) -> Self {
    Self(value: left.value + right, gradient: left.gradient)
  }

  @inline(__always)
  static func - (left: Self, right: Double) -> Self {
    Self(value: left.value - right, gradient: left.gradient)
  }

  @inline(__always)
  static func - (left: Double, right: Self) -> Self {
    Self(value: left - right.value, gradient: right.gradient * -1)
  }

  @inline(__always)
  static func * (left: Self, right: Double) -> Self {
    Self(value: left.value * right, gradient: left.gradient * right)
  }

  @inline(__always)
  static prefix func - (number: Self) -> Self {
    Self(value: -number.value, gradient: number.gradient * -1)
  }

  @inline(__always)
  func exponential() -> Self {
    let result = exp(value)
    return Self(value: result, gradient: gradient * result)
  }

  @inline(__always)
  func logarithm() -> Self {
    Self(value: log(value), gradient: gradient * (1 / value))
  }
}
