/// SHA-256 (FIPS 180-4, §5 and §6.2), fed in pieces: checksums of files, and digests of long random
/// tokens, which are kept instead of them.
///
/// Its time depends on the number of bytes only. It must not guard passwords: those need a slow hash.
public struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var block: [UInt8] = []
  private var schedule = [UInt32](repeating: 0, count: 64)
  private var byteCount: UInt64 = 0

  /// A digest of no bytes yet.
  public init() { block.reserveCapacity(64) }

  /// The digest of `bytes` as 64 lower-case hexadecimal digits.
  ///
  /// - Parameter bytes: the whole message.
  /// - Complexity: O(n).
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return digest.hexadecimal
  }

  /// The digest of `bytes`, 32 bytes.
  ///
  /// - Parameter bytes: the whole message.
  /// - Complexity: O(n).
  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    digest.update(bytes)
    return digest.bytes
  }

  /// Appends a piece of the message.
  ///
  /// - Parameter bytes: the next bytes, any number of them.
  /// - Complexity: O(n).
  public mutating func update(_ bytes: [UInt8]) {
    byteCount += UInt64(bytes.count)
    var next = 0
    if !block.isEmpty {
      next = min(64 - block.count, bytes.count)
      block.append(contentsOf: bytes[0..<next])
      guard block.count == 64 else { return }
      let full = block
      block.removeAll(keepingCapacity: true)
      compress(full, 0)
    }
    while next + 64 <= bytes.count {
      compress(bytes, next)
      next += 64
    }
    block.append(contentsOf: bytes[next...])
  }

  /// The 32 bytes of the digest of all bytes so far; more may follow.
  public var bytes: [UInt8] {
    var copy = self
    let bitCount = byteCount * 8
    var padding: [UInt8] = [0x80]
    padding.append(
      contentsOf: [UInt8](repeating: 0, count: (119 - Int(byteCount % 64)) % 64))
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    copy.update(padding)
    return copy.state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// The digest of all bytes so far as 64 lower-case hexadecimal digits; more may follow.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  // The standard defines its sums modulo 2³², which is what the wrapping operators do.
  private mutating func compress(_ bytes: [UInt8], _ start: Int) {
    for index in 0..<16 {
      let at = start + 4 * index
      let high = UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16
      schedule[index] = high | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
    }
    for index in 16..<64 {
      let old = schedule[index - 15]
      let recent = schedule[index - 2]
      let small0 = rotate(old, 7) ^ rotate(old, 18) ^ (old >> 3)
      let small1 = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >> 10)
      schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ big1 &+ choice &+ Self.constants[index] &+ schedule[index]
      let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = big0 &+ majority
      h = g
      g = f
      f = e
      e = d &+ first
      d = c
      c = b
      b = a
      a = first &+ second
    }
    let added = [a, b, c, d, e, f, g, h]
    for index in 0..<8 { state[index] = state[index] &+ added[index] }
  }

  private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
