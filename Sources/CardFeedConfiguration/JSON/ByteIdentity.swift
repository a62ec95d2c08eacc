// Swift compares strings by canonical equivalence, JSON compares keys code unit by code unit
// (RFC 8259, section 8.3). Everything in this folder uses the comparisons below.

extension String {
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
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
