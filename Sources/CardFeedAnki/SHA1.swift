/// SHA-1 (FIPS 180-4), by whose first 32 bits Anki finds notes with the same first field. Not for
/// anything that has to be safe.
enum SHA1 {
  /// The first 32 bits of the digest. O(n).
  static func beginning(of message: [UInt8]) -> UInt32 {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<start + 64], into: &state)
    }
    return state[0]
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words: [UInt32] = []
    for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(rotate(mixed, by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mix, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: ((b & c) | (~b & d), 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      // The standard adds modulo 2³².
      let next = rotate(a, by: 5) &+ mix &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
