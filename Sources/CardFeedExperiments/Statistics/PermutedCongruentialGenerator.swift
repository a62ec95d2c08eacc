/// The generator PCG64 (XSL-RR 128/64), seeded and read as NumPy's `default_rng` does, so that a split
/// that was drawn there can be drawn here.
///
/// Sources: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
/// Random Number Generation", HMC-CS-2014-0905; the seeding is NumPy's `SeedSequence` (after O'Neill,
/// "Developing a seed_seq Alternative", 2015). For everything that reproduces nothing, `SplitMix64` is
/// smaller and faster.
public struct PermutedCongruentialGenerator: RandomNumberGenerator, Sendable {
  private static let multiplier: UInt128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645

  private var state: UInt128 = 0
  private let increment: UInt128

  /// The sequence of `numpy.random.default_rng(seed)`.
  public init(seed: UInt64) {
    let words = SeedSequence(seed).words()
    let start = UInt128(words[0]) << 64 | UInt128(words[1])
    increment = (UInt128(words[2]) << 64 | UInt128(words[3])) << 1 | 1
    step()
    // The recurrence is modulo 2¹²⁸.
    state &+= start
    step()
  }

  private mutating func step() { state = state &* Self.multiplier &+ increment }

  /// The next 64 bits of the sequence.
  public mutating func next() -> UInt64 {
    step()
    let folded = UInt64(truncatingIfNeeded: state >> 64) ^ UInt64(truncatingIfNeeded: state)
    let turn = UInt64(truncatingIfNeeded: state >> 122)
    return folded >> turn | folded << ((64 - turn) & 63)
  }

  /// A number in [0, 1) with 53 random bits, as `Generator.random`.
  public mutating func unitInterval() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Spreads a seed over a pool of four words, and makes any number of words of it.
private struct SeedSequence {
  private var pool: [UInt32] = []

  init(_ seed: UInt64) {
    // A seed below 2³² is one word, as NumPy counts them.
    let low = UInt32(truncatingIfNeeded: seed)
    let high = UInt32(truncatingIfNeeded: seed >> 32)
    let entropy = high == 0 ? [low] : [low, high]
    var constant: UInt32 = 0x43b0_d7e5
    func mixed(_ word: UInt32) -> UInt32 {
      let old = constant
      constant = constant &* 0x931e_8875
      let value = (word ^ old) &* constant
      return value ^ (value >> 16)
    }
    for index in 0..<4 { pool.append(mixed(index < entropy.count ? entropy[index] : 0)) }
    for source in 0..<4 {
      for target in 0..<4 where source != target {
        let value = 0xca01_f9dd &* pool[target] &- 0x4973_f715 &* mixed(pool[source])
        pool[target] = value ^ (value >> 16)
      }
    }
  }

  /// Four words of 64 bits, the low half of each first.
  func words() -> [UInt64] {
    var constant: UInt32 = 0x8b51_f9dd
    let halves = (0..<8).map { index -> UInt64 in
      let old = constant
      constant = constant &* 0x58f3_8ded
      let value = (pool[index % 4] ^ old) &* constant
      return UInt64(value ^ (value >> 16))
    }
    return stride(from: 0, to: 8, by: 2).map { halves[$0] | halves[$0 + 1] << 32 }
  }
}
