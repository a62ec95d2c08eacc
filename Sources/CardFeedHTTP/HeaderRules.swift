/// What may stand in a header (RFC 9110 section 5).
enum HeaderRules {
  /// The characters of tokens below 64 and from 64, a bit for each (RFC 9110 section 5.6.2).
  private static let low: UInt64 = bits("!#$%&'*+-.0123456789", from: 0)
  private static let high: UInt64 = bits(
    "^_`|~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", from: 64)

  private static func bits(_ characters: String, from start: UInt8) -> UInt64 {
    characters.utf8.reduce(0) { $0 | 1 << UInt64($1 - start) }
  }

  /// Whether it is a name.
  static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let low = low
    let high = high
    for byte in bytes {
      let word = byte < 64 ? low : high
      if byte >= 128 || word >> UInt64(byte & 63) & 1 == 0 { return false }
    }
    return !bytes.isEmpty
  }

  /// Whether it is a value: no control characters but the tab.
  static func isValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes where byte < 32 && byte != 9 || byte == 127 { return false }
    return true
  }

  /// Whether the server writes it by itself.
  static func isReserved(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: equal(name, "date")
    case 6: equal(name, "server")
    case 7: equal(name, "trailer") || equal(name, "upgrade")
    case 10: equal(name, "connection") || equal(name, "keep-alive")
    case 14: equal(name, "content-length")
    case 17: equal(name, "transfer-encoding")
    default: false
    }
  }

  /// Whether the server sends what a responder wants sent.
  static func isAllowed(_ name: String, _ value: String) -> Bool {
    if isReserved(name) { return false }
    var name = name
    var value = value
    return name.withUTF8(isToken) && value.withUTF8(isValue)
  }

  private static func equal(_ name: String, _ lowerCase: String) -> Bool {
    name.utf8.elementsEqual(lowerCase.utf8) { lowered($0) == $1 }
  }

  /// Whether it is a name that is given in lower case.
  static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ lowerCase: StaticString) -> Bool {
    guard bytes.count == lowerCase.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where lowered(bytes[index]) != lowerCase.utf8Start[index] {
      return false
    }
    return true
  }

  /// The bytes of one header as the library hands them out.
  static func header(
    _ name: UnsafePointer<CChar>?, _ nameCount: Int, _ value: UnsafePointer<CChar>?,
    _ valueCount: Int
  ) -> (name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>)? {
    guard let name, let value else { return nil }
    func bytes(_ start: UnsafePointer<CChar>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(
        start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
    }
    return (bytes(name, nameCount), bytes(value, valueCount))
  }

  /// A letter of ASCII in lower case, everything else as it is.
  static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= 65 && byte <= 90 ? byte | 32 : byte
  }
}
