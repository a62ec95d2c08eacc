/// The generator MT19937, seeded and read as NumPy's `RandomState` does, so that a published seed
/// gives the published numbers.
///
/// Sources: Matsumoto & Nishimura, "Mersenne Twister: A 623-Dimensionally Equidistributed Uniform
/// Pseudo-Random Number Generator", ACM TOMACS 8 (1), 1998; the initialisation by one number is that
/// of their code of 2002. For everything that reproduces nothing, `SplitMix64` is smaller and
/// faster.
public struct MersenneTwister: RandomNumberGenerator, Sendable {
  private static let size = 624
  private static let middle = 397

  private var state: [UInt32]
  private var place: Int

  /// A generator of the sequence of a seed.
  public init(seed: UInt32) {
    state = [seed]
    state.reserveCapacity(Self.size)
    for index in 1..<Self.size {
      let last = state[index - 1]
      // Wrapping multiplication and addition: the recurrence is modulo 2³².
      state.append(1_812_433_253 &* (last ^ (last >> 30)) &+ UInt32(index))
    }
    place = Self.size
  }

  /// The next 32 bits of the sequence.
  public mutating func nextWord() -> UInt32 {
    if place == Self.size { refill() }
    var word = state[place]
    place += 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9d2c_5680
    word ^= (word << 15) & 0xefc6_0000
    return word ^ (word >> 18)
  }

  /// Two words, the first in the lower half.
  public mutating func next() -> UInt64 {
    let low = UInt64(nextWord())
    return UInt64(nextWord()) << 32 | low
  }

  /// A number in [0, 1) with 53 random bits: 27 of one word, then 26 of the next, as
  /// `RandomState.random_sample`.
  public mutating func unitInterval() -> Double {
    let high = Double(nextWord() >> 5)
    let low = Double(nextWord() >> 6)
    return (high * 67_108_864 + low) / 9_007_199_254_740_992
  }

  /// low + (high − low) · unitInterval(), as `RandomState.uniform`.
  public mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * unitInterval()
  }

  private mutating func refill() {
    for index in 0..<Self.size {
      let bits =
        (state[index] & 0x8000_0000) | (state[(index + 1) % Self.size] & 0x7fff_ffff)
      let twisted = (bits >> 1) ^ (bits & 1 == 0 ? 0 : 0x9908_b0df)
      state[index] = state[(index + Self.middle) % Self.size] ^ twisted
    }
    place = 0
  }
}
