/// A hash that is the same in every process and on every machine.
///
/// FNV-1a over bytes (Fowler, Noll, Vo), finished by the avalanche step of SplitMix64 (Steele,
/// Lea, Flood 2014). For sticky shares, seeds and state digests; not for hostile input and not a
/// checksum of files.
public struct StableHash: Sendable {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  /// An empty hash.
  public init() {}

  /// Feeds bytes. O(n).
  public mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      state ^= UInt64(byte)
      state &*= 0x0000_0100_0000_01b3
    }
  }

  /// Feeds an integer as eight bytes, least significant first.
  public mutating func combine(_ value: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    for _ in 0..<8 {
      state ^= rest & 0xff
      state &*= 0x0000_0100_0000_01b3
      rest >>= 8
    }
  }

  /// Feeds text as its length and its UTF-8 bytes, so that neighbouring texts do not run together.
  public mutating func combine(_ text: String) {
    combine(text.utf8.count)
    combine(text.utf8)
  }

  /// The 64 bits so far, well mixed.
  public var value: UInt64 { SplitMix64.mix(state) }

  /// The value as a fraction in 0 ..< 1, from its upper 53 bits.
  public var unitInterval: Double { Double(value >> 11) * 0x1p-53 }
}
