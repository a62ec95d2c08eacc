/// Says whether bytes are strict JSON, written for clarity from the grammar of RFC 8259 and
/// sharing nothing with the parser: an oracle for tests.
struct JSONRecogniser {
  private struct Refusal: Error {}

  private var rest: Substring.UnicodeScalarView
  private var depth = 0

  static func accepts(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    var recogniser = JSONRecogniser(rest: text[...].unicodeScalars)
    do {
      try recogniser.element()
      return recogniser.rest.isEmpty
    } catch {
      return false
    }
  }

  private mutating func element() throws {
    space()
    switch rest.first {
    case "{": try container("{", "}") { try $0.member() }
    case "[": try container("[", "]") { try $0.element() }
    case "\"": try string()
    case "t": try word("true")
    case "f": try word("false")
    case "n": try word("null")
    default: try number()
    }
    space()
  }

  private mutating func container(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar,
    _ item: (inout JSONRecogniser) throws -> Void
  ) throws {
    depth += 1
    if depth > 128 { throw Refusal() }
    try one(opening)
    space()
    if rest.first != closing {
      try item(&self)
      while take(",") { try item(&self) }
    }
    try one(closing)
    depth -= 1
  }

  private mutating func member() throws {
    space()
    try string()
    space()
    try one(":")
    try element()
  }

  private mutating func string() throws {
    try one("\"")
    while !take("\"") {
      guard let scalar = rest.popFirst(), scalar.value >= 0x20 else { throw Refusal() }
      guard scalar == "\\" else { continue }
      guard let escape = rest.popFirst() else { throw Refusal() }
      if escape == "u" {
        let unit = try hexadecimal()
        if (0xD800...0xDBFF).contains(unit) {
          try one("\\")
          try one("u")
          guard (0xDC00...0xDFFF).contains(try hexadecimal()) else { throw Refusal() }
        } else if (0xDC00...0xDFFF).contains(unit) {
          throw Refusal()
        }
      } else if !"\"\\/bfnrt".unicodeScalars.contains(escape) {
        throw Refusal()
      }
    }
  }

  private mutating func hexadecimal() throws -> Int {
    var digits = ""
    for _ in 0..<4 {
      guard let digit = rest.popFirst(), digit.properties.isASCIIHexDigit else { throw Refusal() }
      digits.unicodeScalars.append(digit)
    }
    return Int(digits, radix: 16) ?? 0
  }

  private mutating func number() throws {
    let whole = String(rest)
    let before = rest.count
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(String.UnicodeScalarView(whole.unicodeScalars.prefix(before - rest.count)))
    guard let double = Double(text), double.isFinite else { throw Refusal() }
  }

  private mutating func digits() throws {
    guard let first = rest.first, ("0"..."9").contains(first) else { throw Refusal() }
    while let next = rest.first, ("0"..."9").contains(next) { rest.removeFirst() }
  }

  private mutating func word(_ word: String) throws {
    for scalar in word.unicodeScalars { try one(scalar) }
  }

  private mutating func one(_ scalar: Unicode.Scalar) throws {
    guard take(scalar) else { throw Refusal() }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func space() {
    while take(" ") || take("\t") || take("\n") || take("\r") {}
  }
}
