extension JSONParser {
  /// Parses the number whose first character, a minus or a digit, is at the position.
  mutating func parseNumber() throws(JSONFault) -> JSONNumber {
    let first = position
    if peek() == UInt8(ascii: "-") { position += 1 }
    if peek() == UInt8(ascii: "0") {
      position += 1
      if JSONDecimal.isDigit(peek()) {
        throw JSONFault(kind: .leadingZero, offset: position - 1)
      }
    } else {
      try skipDigits()
    }
    if peek() == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    var hasExponent = false
    if peek() | 0x20 == UInt8(ascii: "e") {
      hasExponent = true
      position += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    let text = String(
      decoding: UnsafeBufferPointer(start: base + first, count: position - first), as: UTF8.self)
    // Without an exponent it takes more than 308 digits to leave the range of doubles.
    if hasExponent || position - first > 300 {
      guard let double = Double(text), double.isFinite else {
        throw JSONFault(kind: .numberRange, offset: first)
      }
    }
    return JSONNumber(checkedText: text)
  }

  private mutating func skipDigits() throws(JSONFault) {
    guard JSONDecimal.isDigit(peek()) else { throw JSONFault(kind: .digit, offset: position) }
    while JSONDecimal.isDigit(peek()) { position += 1 }
  }
}
