/// The options and arguments a command was called with, checked against its declarations.
///
/// Asking for an option or argument that the command does not declare is a programmer error.
public struct ParsedArguments: Sendable {
  /// The names of the command and the commands above it.
  public let commandPath: [String]

  private let options: [CommandOption]
  private let optionValues: [String: [String]]
  private let argumentValues: [String: [String]]

  init(
    commandPath: [String], options: [CommandOption], optionValues: [String: [String]],
    argumentValues: [String: [String]]
  ) {
    self.commandPath = commandPath
    self.options = options
    self.optionValues = optionValues
    self.argumentValues = argumentValues
  }

  /// Whether a flag was given.
  ///
  /// - Parameter name: The name of the flag, without dashes.
  public func flag(_ name: String) -> Bool {
    precondition(option(name).isFlag, "The option '\(name)' has a value; call value(_:) instead.")
    return optionValues[name] != nil
  }

  /// The value of an option, or its default, or `nil` without either. Of several the last.
  ///
  /// - Parameter name: The name of the option, without dashes.
  public func value(_ name: String) -> String? { values(name).last }

  /// All values of an option in the order they were given, or its default, or none.
  ///
  /// - Parameter name: The name of the option, without dashes.
  public func values(_ name: String) -> [String] {
    let option = option(name)
    precondition(!option.isFlag, "The option '\(name)' is a flag; call flag(_:) instead.")
    return optionValues[name] ?? option.defaultValue.map { [$0] } ?? []
  }

  /// The value of an option as an integer, or `nil` when the option has no value.
  ///
  /// - Parameters:
  ///   - name: The name of the option, without dashes.
  ///   - range: The integers that are allowed.
  /// - Throws: `UsageError` for anything else.
  public func integer(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let integer = Int(text), range.contains(integer) else {
      let allowed =
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "a whole number"
        case (let lower, .max): "a whole number from \(lower) on"
        case (let lower, let upper): "a whole number from \(lower) to \(upper)"
        }
      throw error("'--\(name)' cannot be '\(text)'; allowed: \(allowed)")
    }
    return integer
  }

  /// The value of an option as a finite number, or `nil` when the option has no value.
  ///
  /// - Parameters:
  ///   - name: The name of the option, without dashes.
  ///   - range: The numbers that are allowed.
  /// - Throws: `UsageError` for anything else.
  public func number(
    _ name: String, in range: ClosedRange<Double>? = nil
  ) throws(UsageError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), number.isFinite, range?.contains(number) ?? true else {
      let allowed = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
      throw error("'--\(name)' cannot be '\(text)'; allowed: a number\(allowed)")
    }
    return number
  }

  /// An argument, or `nil` when it was left out.
  ///
  /// - Parameter name: The name of the argument as declared.
  public func argument(_ name: String) -> String? { arguments(name).first }

  /// All values of an argument, in order.
  ///
  /// - Parameter name: The name of the argument as declared.
  public func arguments(_ name: String) -> [String] {
    guard let values = argumentValues[name] else {
      preconditionFailure("The command declares no argument '\(name)'; declare it first.")
    }
    return values
  }

  /// An argument that has to be given, so that the parser has seen to it.
  ///
  /// - Parameter name: The name of the argument as declared.
  public func required(_ name: String) -> String {
    guard let value = argument(name) else {
      preconditionFailure("The argument '\(name)' may be left out; call argument(_:) instead.")
    }
    return value
  }

  /// An error about the way this command was called.
  ///
  /// - Parameters:
  ///   - message: What is wrong, what was found and what is allowed.
  ///   - hint: What to do.
  public func error(_ message: String, hint: String? = nil) -> UsageError {
    UsageError(message, hint: hint, commandPath: commandPath)
  }

  private func option(_ name: String) -> CommandOption {
    guard let option = options.first(where: { $0.name == name }) else {
      preconditionFailure("The command declares no option '\(name)'; declare it first.")
    }
    return option
  }
}
