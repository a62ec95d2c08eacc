/// A generator whose whole future follows from a 64-bit seed.
public protocol SeededGenerator: RandomNumberGenerator, Sendable {
  /// A generator at the start of the sequence that belongs to `seed`.
  init(seed: UInt64)
}

/// SplitMix64: small, fast, equidistributed; the default generator of a feed.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
/// Not for secrets.
public struct SplitMix64: SeededGenerator {
  private var state: UInt64

  /// A generator at the start of the sequence that belongs to `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits. O(1).
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// The output function: a bijection of 64-bit values with full avalanche.
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

extension RandomNumberGenerator {
  /// A fraction in 0 ..< 1 from the upper 53 bits of the next value. The standard library does not
  /// promise how it turns bits into a `Double`; the same seed must give the same hand everywhere.
  package mutating func unitInterval() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// An index in 0 ..< bound without bias (Lemire 2019, multiply and reject).
  package mutating func index(below bound: Int) -> Int {
    precondition(
      bound > 0, "An index below zero candidates was asked for; check for an empty list first.")
    let bound = UInt64(bound)
    let threshold = (0 &- bound) % bound
    while true {
      let product = next().multipliedFullWidth(by: bound)
      if product.low >= threshold { return Int(product.high) }
    }
  }
}
