/// Appends integers, floats and texts to a byte string; the engine's stored images are made of it.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// LEB128, so that small numbers take one byte.
  package mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Zigzag and LEB128.
  package mutating func signed(_ value: Int64) {
    unsigned(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  package mutating func count(_ value: Int) { unsigned(UInt64(value)) }

  /// Eight bytes, bit-exact, least significant first.
  package mutating func double(_ value: Double) {
    var rest = value.bitPattern
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Four bytes, least significant first.
  package mutating func fixed32(_ value: UInt32) {
    for shift in [UInt32(0), 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  package mutating func optionalDouble(_ value: Double?) {
    bytes.append(value == nil ? 0 : 1)
    if let value { double(value) }
  }

  package mutating func text(_ value: String) { blob(Array(value.utf8)) }

  package mutating func blob(_ value: [UInt8]) {
    count(value.count)
    bytes.append(contentsOf: value)
  }
}

/// Reads what `ByteWriter` wrote. Every read is checked; damaged input throws, never traps.
package struct ByteReader {
  /// The image ended early or holds an impossible value.
  package struct Damage: Error, CustomStringConvertible {
    package let description: String
  }

  private let bytes: [UInt8]
  /// How many bytes were read.
  package private(set) var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { offset == bytes.count }

  private func damage(_ what: String) -> Damage {
    Damage(description: "the image is damaged at byte \(offset) of \(bytes.count): \(what)")
  }

  package mutating func byte() throws(Damage) -> UInt8 {
    guard offset < bytes.count else { throw damage("it ends early") }
    defer { offset += 1 }
    return bytes[offset]
  }

  package mutating func unsigned() throws(Damage) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 63 || (shift == 63 && next <= 1) else { throw damage("a number is too long") }
      result |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 { return result }
      shift += 7
    }
  }

  package mutating func signed() throws(Damage) -> Int64 {
    let raw = try unsigned()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  /// A count of things that each take a byte at least, so it cannot exceed what is left.
  package mutating func count() throws(Damage) -> Int {
    let raw = try unsigned()
    guard raw <= UInt64(bytes.count - offset) else { throw damage("a count exceeds the image") }
    return Int(raw)
  }

  package mutating func double() throws(Damage) -> Double {
    guard bytes.count - offset >= 8 else { throw damage("it ends early") }
    var pattern: UInt64 = 0
    for index in (0..<8).reversed() { pattern = pattern << 8 | UInt64(bytes[offset + index]) }
    offset += 8
    return Double(bitPattern: pattern)
  }

  package mutating func fixed32() throws(Damage) -> UInt32 {
    var value: UInt32 = 0
    for shift in [UInt32(0), 8, 16, 24] { value |= UInt32(try byte()) << shift }
    return value
  }

  package mutating func optionalDouble() throws(Damage) -> Double? {
    switch try byte() {
    case 0: return nil
    case 1: return try double()
    default: throw damage("a presence flag is neither 0 nor 1")
    }
  }

  package mutating func text() throws(Damage) -> String {
    guard let text = String(validating: try blob(), as: UTF8.self) else {
      throw damage("a text is not UTF-8")
    }
    return text
  }

  package mutating func blob() throws(Damage) -> [UInt8] {
    let length = try count()
    defer { offset += length }
    return Array(bytes[offset..<offset + length])
  }
}
