/// A command line that does not fit the declared commands.
public struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, what was found and what is allowed.
  public let message: String

  /// What to do, if more can be said.
  public let hint: String?

  /// The names of the command and the commands above it: `["cardfeed", "config", "check"]`.
  public let commandPath: [String]

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - message: What is wrong, what was found and what is allowed; without a point at its end.
  ///   - hint: What to do.
  ///   - commandPath: The names of the command and the commands above it.
  public init(_ message: String, hint: String? = nil, commandPath: [String] = []) {
    self.message = message
    self.hint = hint
    self.commandPath = commandPath
  }
}

extension UsageError: CustomStringConvertible {
  /// The error in a line.
  public var description: String { message + (hint.map { "; \($0)" } ?? "") }
}
