// Swift compares strings by canonical equivalence, JSON compares keys code unit by code unit
// (RFC 8259, section 8.3). Everything in this folder uses the comparisons below.

extension String {
  func hasSameBytes(as other: String) -> Bool {
    // Equal bytes imply equal strings, and the standard comparison is fast for ASCII.
    self == other && utf8.elementsEqual(other.utf8)
  }

  func hashBytes(into hasher: inout Hasher) {
    var contiguous = self
    contiguous.withUTF8 { bytes in
      hasher.combine(bytes.count)
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
  }

  func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

/// A string that is equal to another only when its bytes are, for use as a dictionary key.
struct ByteIdentity: Hashable {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  static func == (left: ByteIdentity, right: ByteIdentity) -> Bool {
    left.string.hasSameBytes(as: right.string)
  }

  func hash(into hasher: inout Hasher) {
    string.hashBytes(into: &hasher)
  }
}
