/// A JSON number taken apart: sign, significant digits and a power of ten.
///
/// The value is the integer of the digits times 10 to the exponent. Neither the first nor the
/// last digit is a zero; zero has no digits and no sign.
struct JSONDecimal {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []
  private(set) var exponent = 0

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Takes a number apart.
  ///
  /// - Parameter text: A number that follows the JSON grammar.
  init(_ text: String) {
    var isFraction = false
    var isExponent = false
    var isExponentNegative = false
    var writtenExponent = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"):
        if isExponent { isExponentNegative = true } else { isNegative = true }
      case UInt8(ascii: "."):
        isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        isExponent = true
      case _ where Self.isDigit(byte):
        if isExponent {
          // Far beyond the range of doubles an exponent says nothing more; this cannot overflow.
          writtenExponent = min(
            writtenExponent * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000_000)
        } else {
          if isFraction { exponent -= 1 }
          if !(digits.isEmpty && byte == UInt8(ascii: "0")) { digits.append(byte) }
        }
      default:
        break
      }
    }
    exponent += isExponentNegative ? -writtenExponent : writtenExponent
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
  }

  /// All digits of a whole number with its sign, or `nil` for a fraction or too many digits.
  func integerDigits(limit: Int) -> String? {
    if digits.isEmpty { return "0" }
    guard exponent >= 0, digits.count <= limit, exponent <= limit - digits.count else { return nil }
    return text(of: digits + zeros(exponent))
  }

  /// The number as ECMAScript writes it (ECMA-262, Number::toString, radix 10).
  var ecmaScriptText: String {
    if digits.isEmpty { return "0" }
    let point = digits.count + exponent
    switch point {
    case digits.count...21 where exponent >= 0:
      return text(of: digits + zeros(exponent))
    case 1...21:
      return text(of: digits[..<point] + [UInt8(ascii: ".")] + digits[point...])
    case -5...0:
      return text(of: Array("0.".utf8) + zeros(-point) + digits)
    default:
      var parts = [digits[0]]
      if digits.count > 1 { parts += [UInt8(ascii: ".")] + digits[1...] }
      parts += Array("e\(point > 0 ? "+" : "")\(point - 1)".utf8)
      return text(of: parts)
    }
  }

  private func zeros(_ count: Int) -> [UInt8] {
    Array(repeating: UInt8(ascii: "0"), count: count)
  }

  private func text(of bytes: some Sequence<UInt8>) -> String {
    (isNegative ? "-" : "") + String(decoding: Array(bytes), as: UTF8.self)
  }
}

extension JSONDecimal {
  /// The nearest double by a single exact operation, or `nil` when the number needs more care.
  ///
  /// A significand up to 2⁵³ and a power of ten up to 10²² are both exact doubles, so that their
  /// product or quotient is rounded once (W. D. Clinger, "How to Read Floating Point Numbers
  /// Accurately", 1990).
  static func exactDouble(_ text: String) -> Double? {
    var significand: UInt64 = 0
    var digitCount = 0
    var scale = 0
    var isFraction = false
    var isNegative = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"):
        isNegative = true
      case UInt8(ascii: "."):
        isFraction = true
      case _ where isDigit(byte):
        significand = significand * 10 + UInt64(byte - UInt8(ascii: "0"))
        digitCount += 1
        if isFraction { scale += 1 }
        // Nineteen digits fit into 64 bits.
        if digitCount > 18 { return nil }
      default:
        return nil
      }
    }
    guard significand <= 1 << 53 else { return nil }
    let magnitude = Double(significand) / powersOfTen[scale]
    return isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
  ]
}
