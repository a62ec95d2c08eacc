#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// SplitMix64 (Steele, Lea, Flood 2014): what starts a fit and draws its samples.
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // Wrapping, as the generator is defined modulo 2⁶⁴.
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// 0 ..< `count`. The high half of a product; its bias is below `count` / 2⁶⁴.
  @inline(__always)
  mutating func index(below count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }

  /// Uniform in 0 ..< 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Normal with mean 0 and deviation 1 (Box and Muller 1958).
  mutating func normal() -> Double {
    let radius = (-2 * log(1 - unit())).squareRoot()
    return radius * cos(2 * .pi * unit())
  }
}

/// e to a power.
@inline(__always)
func exponential(_ x: Double) -> Double { exp(x) }

/// A power of a number that is not negative.
@inline(__always)
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

/// log(1 + x).
@inline(__always)
func logOnePlus(_ x: Double) -> Double { log1p(x) }

/// The natural logarithm of a positive number.
@inline(__always)
func logarithm(_ x: Double) -> Double { log(x) }
