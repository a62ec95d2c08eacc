/// Describes one parameter of a strategy. The one description drives decoding, `cardfeed
/// strategies`, the JSON Schema and the reference page.
public struct ParameterDescription: Sendable {
  /// What values it takes.
  public indirect enum Kind: Sendable {
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// True or false.
    case bool
    /// A text that is not empty.
    case text
    /// One of the names.
    case choice([String])
    /// One or more of the names, each once.
    case choices([String])
    /// Any texts that are not empty, each once; the list may be empty.
    case names
    /// Numbers in a range, ascending.
    case ascending(ClosedRange<Double>)
    /// Numbers other than zero by name; the names that are allowed, or any.
    case weights([String]?)
    /// Another strategy.
    case strategy(StrategyKind)
  }

  /// The key in the JSON.
  public let name: String
  /// What values it takes.
  public let kind: Kind
  /// What the value counts, as `days` or `probability`; nil for what has no unit.
  public let unit: String?
  /// What is used when the key is absent; nil makes the key required. `null` means "not set".
  public let defaultValue: JSONValue?
  /// What it does, as a sentence.
  public let help: String

  /// Describes one parameter.
  ///
  /// - Parameters:
  ///   - name: The key in the JSON.
  ///   - kind: What values it takes.
  ///   - unit: What the value counts.
  ///   - defaultValue: What is used when the key is absent; nil makes the key required.
  ///   - help: What it does, as a sentence.
  public init(
    _ name: String, _ kind: Kind, unit: String? = nil, default defaultValue: JSONValue? = nil,
    help: String
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.defaultValue = defaultValue
    self.help = help
  }

  /// Whether the key must be there.
  public var isRequired: Bool { defaultValue == nil }
}

extension ParameterDescription.Kind {
  /// What is allowed, as error texts say it.
  public var allowed: String {
    switch self {
    case .integer(let range) where range.lowerBound == range.upperBound:
      "the number \(range.lowerBound)"
    case .integer(let range): "a whole number, \(Self.text(range))"
    case .number(let range): "a number, \(Self.text(range))"
    case .bool: "true or false"
    case .text: "a text that is not empty"
    case .choice(let names): Self.text(names)
    case .choices(let names): "a list of one or more of \(Self.text(names)), each once"
    case .names: "a list of texts that are not empty, each once"
    case .ascending(let range): "a list of ascending numbers, each \(Self.text(range))"
    case .weights(nil): "an object of numbers other than 0"
    case .weights(let names?): "an object of numbers other than 0 by \(Self.text(names))"
    case .strategy(let kind): "an object with \"use\" and the parameters of a \(kind.noun)"
    }
  }

  private static func text(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  private static func text(_ range: ClosedRange<Int64>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (.min, .max): "of any size"
    case (let low, let high): "\(low) … \(high)"
    }
  }

  private static func text(_ range: ClosedRange<Double>) -> String {
    let greatest = Double.greatestFiniteMagnitude
    switch (range.lowerBound, range.upperBound) {
    case (-greatest, greatest): return "of any size"
    case (Double.leastNonzeroMagnitude, greatest): return "above 0"
    case (Double.leastNonzeroMagnitude, let high): return "above 0, at most \(brief(high))"
    case (let low, greatest): return "\(brief(low)) or more"
    case (let low, let high): return "\(brief(low)) … \(brief(high))"
    }
  }

  private static func brief(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }
}

/// Ranges that parameters use often.
extension ClosedRange where Bound == Double {
  /// Every finite number.
  public static var anyNumber: Self {
    -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  }
  /// Above zero.
  public static var positive: Self {
    Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude
  }
  /// Zero or more.
  public static var nonNegative: Self { 0...Double.greatestFiniteMagnitude }
  /// A probability or a share.
  public static var share: Self { 0...1 }
}
