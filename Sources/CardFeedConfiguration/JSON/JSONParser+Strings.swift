extension JSONParser {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Parses the string whose opening quote is at the position.
  mutating func parseString() throws(JSONFault) -> String {
    let first = position + 1
    let end = try scanPlainText(from: first)
    guard base[end] == JSONParser.quote else {
      return try parseEscapedString(from: first, escapeAt: end)
    }
    position = end + 1
    let content = UnsafeBufferPointer(start: base + first, count: end - first)
    return String(decoding: content, as: UTF8.self)
  }

  /// Goes over everything that stands for itself, and checks it.
  ///
  /// - Returns: The offset of the next quote or backslash.
  private mutating func scanPlainText(from first: Int) throws(JSONFault) -> Int {
    var cursor = first
    while true {
      while count - cursor >= 8, JSONParser.isPlain(UnsafeRawPointer(base + cursor)) { cursor += 8 }
      guard cursor < count else {
        throw JSONFault(kind: .unterminatedString, offset: position)
      }
      // Within the next eight bytes there is something to look at, or the end is near.
      let stop = min(cursor + 8, count)
      while cursor < stop {
        let byte = base[cursor]
        if byte == JSONParser.quote || byte == JSONParser.backslash { return cursor }
        if byte < 0x20 { throw JSONFault(kind: .controlCharacter, offset: cursor) }
        if byte < 0x80 {
          cursor += 1
        } else {
          let length = JSONParser.scalarLength(base, at: cursor, count: count)
          guard length > 0 else { throw JSONFault(kind: .invalidUTF8, offset: cursor) }
          cursor += length
          continuationBytes += length - 1
        }
      }
    }
  }

  /// Whether the next eight bytes are ASCII without control characters, quotes and backslashes.
  ///
  /// A borrow between bytes can make a plain byte look suspicious, never the other way round
  /// (S. E. Anderson, "Bit Twiddling Hacks", "Determine if a word has a byte less than n").
  @inline(__always)
  private static func isPlain(_ pointer: UnsafeRawPointer) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let word = pointer.loadUnaligned(as: UInt64.self)
    let quotes = word ^ (ones &* UInt64(quote))
    let backslashes = word ^ (ones &* UInt64(backslash))
    let below = (word &- ones &* 0x20) & ~word
    let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
    return (below | found | word) & (ones &* 0x80) == 0
  }

  /// The length of the well-formed UTF-8 sequence of a scalar beyond ASCII, or 0 for none.
  ///
  /// The ranges are those of table 3-7 of the Unicode Standard.
  static func scalarLength(_ base: UnsafePointer<UInt8>, at index: Int, count: Int) -> Int {
    func isContinuation(
      _ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF
    ) -> Bool {
      index + offset < count && range.contains(base[index + offset])
    }
    switch base[index] {
    case 0xC2...0xDF:
      return isContinuation(1) ? 2 : 0
    case 0xE0:
      return isContinuation(1, 0xA0...0xBF) && isContinuation(2) ? 3 : 0
    case 0xED:
      return isContinuation(1, 0x80...0x9F) && isContinuation(2) ? 3 : 0
    case 0xE1...0xEF:
      return isContinuation(1) && isContinuation(2) ? 3 : 0
    case 0xF0:
      return isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3) ? 4 : 0
    case 0xF1...0xF3:
      return isContinuation(1) && isContinuation(2) && isContinuation(3) ? 4 : 0
    case 0xF4:
      return isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3) ? 4 : 0
    default:
      return 0
    }
  }

  private mutating func parseEscapedString(
    from first: Int, escapeAt escape: Int
  ) throws(JSONFault) -> String {
    unescaped.removeAll(keepingCapacity: true)
    var plainStart = first
    var cursor = escape
    while base[cursor] == JSONParser.backslash {
      unescaped.append(
        contentsOf: UnsafeBufferPointer(start: base + plainStart, count: cursor - plainStart))
      cursor = try appendEscape(at: cursor)
      plainStart = cursor
      cursor = try scanPlainText(from: cursor)
    }
    unescaped.append(
      contentsOf: UnsafeBufferPointer(start: base + plainStart, count: cursor - plainStart))
    position = cursor + 1
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// Appends what the escape at a backslash stands for.
  ///
  /// - Returns: The offset after the escape.
  private mutating func appendEscape(at backslash: Int) throws(JSONFault) -> Int {
    guard backslash + 1 < count else {
      throw JSONFault(kind: .unterminatedString, offset: position)
    }
    switch base[backslash + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      unescaped.append(base[backslash + 1])
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): return try appendUnicodeEscape(at: backslash)
    default: throw JSONFault(kind: .escape, offset: backslash)
    }
    return backslash + 2
  }

  private mutating func appendUnicodeEscape(at backslash: Int) throws(JSONFault) -> Int {
    let unit = try codeUnit(at: backslash)
    var end = backslash + 6
    var value = UInt32(unit)
    if UTF16.isLeadSurrogate(unit) {
      let hasPartner =
        end + 1 < count && base[end] == JSONParser.backslash && base[end + 1] == UInt8(ascii: "u")
      guard hasPartner else { throw JSONFault(kind: .loneSurrogate, offset: backslash) }
      let partner = try codeUnit(at: end)
      guard UTF16.isTrailSurrogate(partner) else {
        throw JSONFault(kind: .loneSurrogate, offset: backslash)
      }
      value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(partner & 0x3FF))
      end += 6
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw JSONFault(kind: .loneSurrogate, offset: backslash)
    }
    unescaped.append(contentsOf: String(Character(scalar)).utf8)
    return end
  }

  /// The four hexadecimal digits of the escape at a backslash.
  private func codeUnit(at backslash: Int) throws(JSONFault) -> UInt16 {
    var unit: UInt16 = 0
    for index in (backslash + 2)..<(backslash + 6) {
      guard index < count else { throw JSONFault(kind: .unterminatedString, offset: position) }
      let digit: UInt8
      switch base[index] {
      case let byte where JSONDecimal.isDigit(byte): digit = byte - UInt8(ascii: "0")
      case let byte where (byte | 0x20) &- UInt8(ascii: "a") < 6:
        digit = (byte | 0x20) - UInt8(ascii: "a") + 10
      default: throw JSONFault(kind: .hexadecimalDigits, offset: index)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
