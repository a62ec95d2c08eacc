/// How strings are written in JSON.
enum JSONEscaping {
  /// Appends a string in quotes, escaping only what RFC 8259 demands.
  ///
  /// Everything else, non-ASCII text included, stays as it is, as in RFC 8785, section 3.2.2.2.
  static func appendQuoted(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var contiguous = string
    contiguous.withUTF8 { source in
      var plainStart = 0
      for index in source.indices {
        let byte = source[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: source[plainStart..<index])
        appendEscape(of: byte, to: &bytes)
        plainStart = index + 1
      }
      bytes.append(contentsOf: source[plainStart...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      bytes.append(contentsOf: String(byte & 0xF, radix: 16).utf8)
    }
  }
}
