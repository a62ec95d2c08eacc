/// An option of a command: a flag (`--verbose`) or a named value (`--seed 1`, `--seed=1`).
public struct CommandOption: Sendable, Hashable {
  /// The name after two dashes, such as `seed`.
  public let name: String

  /// The letter after one dash, or `nil` for none.
  public let short: Character?

  /// How the help calls the value, such as `NUMBER`; `nil` for a flag.
  public let valueName: String?

  /// What the option does, as a sentence.
  public let summary: String

  /// The value when the option is not given, or `nil`.
  public let defaultValue: String?

  /// The values that are allowed; empty when any is.
  public let allowedValues: [String]

  /// Whether the option may be given more than once.
  public let isRepeatable: Bool

  /// Whether the option has to be given.
  public let isRequired: Bool

  /// Declares a flag.
  ///
  /// - Parameters:
  ///   - name: The name after two dashes.
  ///   - short: The letter after one dash.
  ///   - summary: What the flag does, as a sentence.
  public static func flag(
    _ name: String, short: Character? = nil, _ summary: String
  ) -> CommandOption {
    CommandOption(
      name: name, short: short, valueName: nil, summary: summary, defaultValue: nil,
      allowedValues: [], isRepeatable: true, isRequired: false)
  }

  /// Declares an option with a value.
  ///
  /// - Parameters:
  ///   - name: The name after two dashes.
  ///   - short: The letter after one dash.
  ///   - valueName: How the help calls the value, in capitals.
  ///   - summary: What the option does, as a sentence.
  ///   - defaultValue: The value when the option is not given.
  ///   - allowedValues: The values that are allowed; empty when any is.
  ///   - isRepeatable: Whether the option may be given more than once.
  ///   - isRequired: Whether the option has to be given.
  public static func value(
    _ name: String, short: Character? = nil, _ valueName: String, _ summary: String,
    default defaultValue: String? = nil, allowed allowedValues: [String] = [],
    isRepeatable: Bool = false, isRequired: Bool = false
  ) -> CommandOption {
    precondition(
      defaultValue.map { allowedValues.isEmpty || allowedValues.contains($0) } ?? true,
      "The default of the option '\(name)' is not among its allowed values; add it to them.")
    return CommandOption(
      name: name, short: short, valueName: valueName, summary: summary,
      defaultValue: defaultValue, allowedValues: allowedValues, isRepeatable: isRepeatable,
      isRequired: isRequired)
  }

  /// Whether the option stands for itself and takes no value.
  public var isFlag: Bool { valueName == nil }

  /// Whether an argument such as `--seed` or `-s` names this option.
  func isNamed(_ argument: some StringProtocol) -> Bool {
    argument == "--" + name || short.map { argument == "-\($0)" } ?? false
  }
}

/// A positional argument of a command.
public struct CommandArgument: Sendable, Hashable {
  /// How often an argument may be given.
  public enum Count: Sendable, Hashable {
    /// Exactly once.
    case one
    /// Once or not at all.
    case optional
    /// Once or more often.
    case oneOrMore
    /// Any number of times.
    case any
  }

  /// How the help calls the argument, such as `FILE`.
  public let name: String

  /// What the argument is, as a sentence.
  public let summary: String

  /// How often the argument may be given.
  public let count: Count

  /// Declares an argument.
  ///
  /// - Parameters:
  ///   - name: How the help calls the argument, in capitals.
  ///   - summary: What the argument is, as a sentence.
  ///   - count: How often it may be given. Only the last argument may be other than `one`.
  public init(_ name: String, _ summary: String, count: Count = .one) {
    self.name = name
    self.summary = summary
    self.count = count
  }

  /// The argument in a usage line.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .oneOrMore: "\(name)..."
    case .any: "[\(name)...]"
    }
  }
}
