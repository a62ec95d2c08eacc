/// A checksum of 64 bits over words of eight bytes. Every step is a bijection of the state, so that
/// one changed word always shows.
struct Checksum {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325
  private var pending: UInt64 = 0
  private var pendingCount = 0

  /// Adds bytes; how they are cut into pieces makes no difference.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count, pendingCount > 0 || bytes.count - index < 8 {
      pending |= UInt64(bytes[index]) << UInt64(8 * pendingCount)
      pendingCount += 1
      index += 1
      if pendingCount == 8 {
        mix(pending)
        (pending, pendingCount) = (0, 0)
      }
    }
    while index + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    while index < bytes.count {
      pending |= UInt64(bytes[index]) << UInt64(8 * pendingCount)
      pendingCount += 1
      index += 1
    }
  }

  private mutating func mix(_ word: UInt64) {
    // Wrapping: the product is meant modulo 2⁶⁴.
    state = (state ^ word) &* 0x9e37_79b9_7f4a_7c15
    state ^= state >> 29
  }

  /// The sum so far, with what is left of a word.
  var value: UInt64 {
    var whole = self
    whole.mix(pending)
    whole.mix(UInt64(pendingCount))
    return whole.state
  }
}
