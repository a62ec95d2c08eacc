import CardFeedConfiguration

/// A cell of a ``TextTable``.
public enum TableCell: Sendable, Hashable {
  /// A text.
  case text(String)
  /// A whole number.
  case integer(Int)
  /// A number; for people rounded to so many decimals, for machines in full.
  case number(Double, decimals: Int)
  /// Nothing, which is not zero.
  case missing

  /// A number that may be missing; an infinite or undefined one is missing.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - decimals: How many decimals people get to see.
  public static func optional(_ number: Double?, decimals: Int) -> TableCell {
    guard let number, number.isFinite else { return .missing }
    return .number(number, decimals: decimals)
  }

  /// Whether the cell is no text.
  var isNumeric: Bool {
    if case .text = self { false } else { true }
  }

  /// The cell for people. Control characters, which could command a terminal, are replaced.
  var displayText: String {
    switch self {
    case .text(let text):
      let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
        switch scalar.properties.generalCategory {
        case .control: scalar.properties.isWhitespace ? " " : "\u{FFFD}"
        case .lineSeparator, .paragraphSeparator: " "
        default: scalar
        }
      }
      return String(String.UnicodeScalarView(scalars))
    case .integer(let integer): return "\(integer)"
    case .number(let number, let decimals): return TableCell.fixed(number, decimals: decimals)
    case .missing: return "-"
    }
  }

  /// The cell for machines.
  var exactText: String {
    switch self {
    case .text(let text): text
    case .integer(let integer): "\(integer)"
    case .number(let number, _): number.isFinite ? "\(number)" : ""
    case .missing: ""
    }
  }

  /// The cell as JSON.
  var jsonValue: JSONValue {
    switch self {
    case .text(let text): JSONValue(text)
    case .integer(let integer): JSONValue(integer)
    case .number(let number, _): JSONValue(orNull: number)
    case .missing: nil
    }
  }

  /// A number with a fixed number of decimals, rounded correctly.
  package static func fixed(_ number: Double, decimals: Int) -> String {
    FixedDecimals.text(number, decimals: decimals)
  }
}

extension TableCell: ExpressibleByStringInterpolation {
  /// Makes a text cell.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension TableCell: ExpressibleByIntegerLiteral {
  /// Makes a cell with a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
}

extension TableCell: ExpressibleByNilLiteral {
  /// Makes an empty cell.
  public init(nilLiteral: ()) { self = .missing }
}
