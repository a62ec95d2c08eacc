/// The first place where a text is not strict JSON, and what to do about it.
///
/// The texts name single characters of the source at most, never the content of strings or
/// numbers, so that they can be logged.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// What is wrong, as the beginning of a sentence.
  public let message: String

  /// Where it is.
  public let location: JSONLocation

  /// The path of the value that was being read.
  public let path: JSONPath

  /// What stands there.
  public let found: String

  /// What may stand there.
  public let allowed: String

  /// What to do, if more can be said.
  public let hint: String?
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The error in a line.
  public var description: String {
    let advice = hint.map { "; \($0)" } ?? ""
    return "\(location), at \(path): \(message); found \(found), allowed: \(allowed)\(advice)."
  }
}

extension JSONSyntaxError {
  init(
    _ fault: JSONFault, in bytes: UnsafeBufferPointer<UInt8>, startingAt start: JSONLocation,
    path: JSONPath, openContainer: (isObject: Bool, offset: Int)? = nil
  ) {
    let source = JSONSourceText(bytes: bytes, start: start)
    let explanation = JSONFaultExplanation(fault, in: source, openContainer: openContainer)
    self.init(
      message: explanation.message, location: source.location(of: fault.offset), path: path,
      found: explanation.found ?? source.describeCharacter(at: fault.offset),
      allowed: explanation.allowed, hint: explanation.hint)
  }
}

/// The source of an error text, looked at slowly and independently of the parser's counters.
struct JSONSourceText {
  let bytes: UnsafeBufferPointer<UInt8>
  let start: JSONLocation

  func byte(at offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  func location(of offset: Int) -> JSONLocation {
    var line = start.line
    var column = start.column
    for index in 0..<min(offset, bytes.count) {
      let isLineEnd =
        bytes[index] == 0x0A || bytes[index] == 0x0D && byte(at: index + 1) != 0x0A
      if isLineEnd {
        line += 1
        column = 1
      } else if bytes[index] & 0xC0 != 0x80 {
        column += 1
      }
    }
    return JSONLocation(line: line, column: column, byteOffset: start.byteOffset + offset)
  }

  /// The character at an offset, or `nil` at the end and where the bytes are not UTF-8.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    guard let byte = byte(at: offset), let base = bytes.baseAddress else { return nil }
    if byte < 0x80 { return Unicode.Scalar(byte) }
    let length = JSONParser.scalarLength(base, at: offset, count: bytes.count)
    guard length > 0 else { return nil }
    let slice = UnsafeBufferPointer(start: base + offset, count: length)
    return String(decoding: slice, as: UTF8.self).unicodeScalars.first
  }

  func describeCharacter(at offset: Int) -> String {
    guard let byte = byte(at: offset) else { return "the end of the text" }
    guard let scalar = scalar(at: offset) else { return "the byte 0x\(hexadecimal(byte, 2))" }
    switch scalar.value {
    case 0x0A, 0x0D: return "the end of the line"
    case 0x09: return "a tab"
    case 0x20...0x7E: return "'\(scalar)'"
    default:
      let code = "U+\(hexadecimal(scalar.value, 4))"
      let isVisible = scalar.properties.isAlphabetic || scalar.properties.isEmojiPresentation
      return isVisible ? "'\(scalar)' (\(code))" : code
    }
  }

  func starts(with word: String, at offset: Int) -> Bool {
    offset <= bytes.count && bytes[offset...].starts(with: word.utf8)
  }

  private func hexadecimal(_ value: some BinaryInteger, _ width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
