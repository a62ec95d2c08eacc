/// The cyclic redundancy check of Castagnoli, Bräuer and Herrmann (IEEE Transactions on
/// Communications 41, 1993), as in RFC 3720: finds damaged bytes, proves nothing about their origin.
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 1 ? rest >> 1 ^ 0x82f6_3b78 : rest >> 1
    }
  }

  /// The checksum of some bytes. O(n).
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - earlier: The checksum of the bytes before them, where there were any.
  package static func checksum(of bytes: some Sequence<UInt8>, after earlier: UInt32 = 0) -> UInt32
  {
    ~bytes.reduce(~earlier) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }
}
