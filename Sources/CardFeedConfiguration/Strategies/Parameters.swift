/// A decoded value of a parameter.
public indirect enum ParameterValue: Sendable {
  /// Not set.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number.
  case number(Double)
  /// True or false.
  case bool(Bool)
  /// A text or the name of a choice.
  case text(String)
  /// Names of choices.
  case texts([String])
  /// Ascending numbers.
  case numbers([Double])
  /// Numbers by name, in the order of the file.
  case weights([(name: String, weight: Double)])
  /// Another strategy.
  case strategy(StrategySpecification)
}

/// The decoded parameters of a strategy: complete, in range, defaults filled in.
///
/// Asking for a parameter that the strategy does not describe, or for another type than described,
/// is a programmer's error and traps.
public struct Parameters: Sendable {
  /// The values by name.
  public let values: [String: ParameterValue]

  /// Wraps decoded values.
  public init(_ values: [String: ParameterValue]) { self.values = values }

  private func value(_ name: String) -> ParameterValue {
    guard let value = values[name] else {
      preconditionFailure("The parameter '\(name)' is not in the strategy's description.")
    }
    return value
  }

  private func mismatch(_ name: String) -> Never {
    preconditionFailure("The parameter '\(name)' is described with another type.")
  }

  /// A whole number.
  public func integer(_ name: String) -> Int {
    guard case .integer(let value) = value(name) else { mismatch(name) }
    return Int(value)
  }

  /// A whole number, or nil if it is not set.
  public func optionalInteger(_ name: String) -> Int? {
    if case .null = value(name) { return nil }
    return integer(name)
  }

  /// A number.
  public func number(_ name: String) -> Double {
    guard case .number(let value) = value(name) else { mismatch(name) }
    return value
  }

  /// A number, or nil if it is not set.
  public func optionalNumber(_ name: String) -> Double? {
    if case .null = value(name) { return nil }
    return number(name)
  }

  /// True or false.
  public func bool(_ name: String) -> Bool {
    guard case .bool(let value) = value(name) else { mismatch(name) }
    return value
  }

  /// A text or the name of a choice.
  public func text(_ name: String) -> String {
    guard case .text(let value) = value(name) else { mismatch(name) }
    return value
  }

  /// A text, or nil if it is not set.
  public func optionalText(_ name: String) -> String? {
    if case .null = value(name) { return nil }
    return text(name)
  }

  /// Names of choices.
  public func texts(_ name: String) -> [String] {
    guard case .texts(let value) = value(name) else { mismatch(name) }
    return value
  }

  /// Ascending numbers.
  public func numbers(_ name: String) -> [Double] {
    guard case .numbers(let value) = value(name) else { mismatch(name) }
    return value
  }

  /// Numbers by name, in the order of the file.
  public func weights(_ name: String) -> [(name: String, weight: Double)] {
    guard case .weights(let value) = value(name) else { mismatch(name) }
    return value
  }

  /// Another strategy.
  public func strategy(_ name: String) -> StrategySpecification {
    guard case .strategy(let value) = value(name) else { mismatch(name) }
    return value
  }
}

/// A strategy as a configuration asks for it: decoded, but not built.
public struct StrategySpecification: Sendable {
  /// The strategy's name.
  public let use: String
  /// Its path in the document.
  public let path: JSONPath
  /// Where it stands in the file, if it came from one.
  public let location: JSONLocation?
  /// Its parameters.
  public let parameters: Parameters
  /// The strategy with every default spelled out.
  public let effective: JSONValue

  /// A strategy as a configuration asks for it.
  public init(
    use: String, path: JSONPath, location: JSONLocation? = nil, parameters: Parameters,
    effective: JSONValue
  ) {
    self.use = use
    self.path = path
    self.location = location
    self.parameters = parameters
    self.effective = effective
  }
}
