/// A JSON number, kept as it was written.
///
/// Integers of any length are exact; doubles are the nearest ones. Two numbers are equal when
/// their ``canonicalText`` is: `100`, `1e2` and `100.0` are the same number.
public struct JSONNumber: Sendable {
  /// The number as it was written, following the grammar of RFC 8259, section 6.
  public let text: String

  /// Takes over a text that the caller has checked against the grammar and the range of doubles.
  init(checkedText text: String) {
    self.text = text
  }

  /// Makes a number from an integer, exactly.
  public init(_ integer: some BinaryInteger) {
    text = String(integer)
  }

  /// Makes a number from a double, as the shortest text that reads back as the same double.
  ///
  /// - Returns: `nil` for infinities and for NaN, which JSON cannot express.
  public init?(finite double: Double) {
    guard double.isFinite else { return nil }
    text = double.description
  }

  /// Reads a number.
  ///
  /// - Returns: `nil` when the text is not exactly one JSON number within the range of doubles.
  public init?(text: String) {
    guard let document = try? JSONDocument(parsing: text), let number = document.root.number,
      number.text.utf8.count == text.utf8.count
    else { return nil }
    self = number
  }

  /// Whether the text has neither a fraction nor an exponent.
  public var isWrittenAsInteger: Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || JSONDecimal.isDigit($0) }
  }

  /// The exact value within `Int64`, or `nil` when there is none. `5.0` and `1e3` are integers.
  public var int64: Int64? { integer(Int64.self) }

  /// The exact value as an integer, or `nil` when it has a fraction or is out of range.
  ///
  /// - Parameter type: The type of the integer.
  public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    if let plain = Integer(text) { return plain }
    // Forty digits hold every 128-bit integer, and bound the work for a huge exponent.
    guard let digits = JSONDecimal(text).integerDigits(limit: 40) else { return nil }
    return Integer(digits)
  }

  /// The nearest double, rounded to even. Always finite; it may round an integer beyond 2⁵³.
  public var double: Double {
    JSONDecimal.exactDouble(text) ?? Double(text) ?? 0
  }

  /// The one text of all ways to write this number.
  ///
  /// Follows RFC 8785, section 3.2.2.3, that is the number format of ECMAScript, with one
  /// difference: whole numbers below 10²¹ keep all their digits, where RFC 8785 rounds those
  /// beyond 2⁵³ to the nearest double.
  public var canonicalText: String {
    let decimal = JSONDecimal(text)
    if let digits = decimal.integerDigits(limit: 21) { return digits }
    return JSONDecimal(double.description).ecmaScriptText
  }
}

extension JSONNumber: Hashable {
  /// Whether two numbers have the same canonical text.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.canonicalText == right.canonicalText
  }

  /// Feeds the canonical text to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalText)
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as it was written.
  public var description: String { text }
}
