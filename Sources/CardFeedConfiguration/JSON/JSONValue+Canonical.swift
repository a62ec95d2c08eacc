extension JSONValue {
  /// The one text of all values that are equal to this one, for fingerprints.
  ///
  /// Follows the JSON Canonicalization Scheme (RFC 8785): no white space, strings escaped only
  /// where needed, numbers in the format of ECMAScript. It differs in two places:
  /// members are sorted by the bytes of their keys in UTF-8, where RFC 8785 sorts by UTF-16 units
  /// (another order only for keys beyond U+FFFF), and whole numbers below 10²¹ stay exact, where
  /// RFC 8785 rounds those beyond 2⁵³. Nothing is normalised: Unicode twins stay different.
  ///
  /// - Returns: UTF-8 without a line feed at the end.
  /// - Complexity: Linear in the size of the value, times the logarithm of the longest object.
  public func canonicalBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }

  private func appendCanonical(to bytes: inout [UInt8]) {
    switch content {
    case .null:
      bytes.append(contentsOf: "null".utf8)
    case .bool(let bool):
      bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .number(let number):
      bytes.append(contentsOf: number.canonicalText.utf8)
    case .string(let string):
      JSONEscaping.appendQuoted(string, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let sorted = object.members.sorted { $0.key.precedesByBytes($1.key) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONEscaping.appendQuoted(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
