import CardFeedConfiguration

/// What a command line asks for.
enum ParsedCommandLine: Sendable {
  /// To run a command. The first command is the root, the last one runs.
  case run([Command], ParsedArguments)
  /// To show the help of the last of these commands.
  case help([Command])
  /// To show the version of the tool.
  case version
}

/// Reads the arguments of a process by the declarations of a command and those below it.
///
/// `--name value`, `--name=value`, `-n value`, `-n=value`; `--` ends the options; `-` and
/// negative numbers are arguments; `help` as the first word works like `--help` at the end.
struct ArgumentParser {
  private var path: [Command]
  private var rest: ArraySlice<String>
  private var optionValues: [String: [String]] = [:]
  private var positionals: [String] = []

  /// Parses a command line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments without the name of the tool.
  ///   - root: The command of the tool itself.
  static func parse(
    _ arguments: [String], by root: Command
  ) throws(UsageError) -> ParsedCommandLine {
    var rest = arguments[...]
    if rest.first == "help", !root.subcommands.isEmpty {
      rest = rest.dropFirst() + ["--help"]
    }
    var parser = ArgumentParser(path: [root], rest: rest)
    return try parser.parse()
  }

  private init(path: [Command], rest: ArraySlice<String>) {
    self.path = path
    self.rest = rest
  }

  /// The command that runs, as far as the words read so far say.
  private var command: Command { path[path.count - 1] }

  private var pathText: String { path.map(\.name).joined(separator: " ") }

  /// The options that apply, those of the innermost command first.
  private var options: [CommandOption] { path.reversed().flatMap(\.options) }

  private mutating func parse() throws(UsageError) -> ParsedCommandLine {
    var mayBeOption = true
    while let argument = rest.popFirst() {
      if mayBeOption, argument == "--" {
        mayBeOption = false
      } else if mayBeOption, ArgumentParser.looksLikeOption(argument) {
        if argument == "--help" || argument == "-h" { return .help(path) }
        if argument == "--version" { return .version }
        try parseOption(argument)
      } else if !command.subcommands.isEmpty {
        try enterSubcommand(argument)
      } else {
        positionals.append(argument)
      }
    }
    guard command.run != nil else {
      let names = command.subcommands.map(\.name).joined(separator: ", ")
      throw error("a command is missing after '\(pathText)'; allowed: \(names)")
    }
    for option in options where option.isRequired && optionValues[option.name] == nil {
      throw error("the option '--\(option.name)' is missing")
    }
    let arguments = ParsedArguments(
      commandPath: path.map(\.name), options: options, optionValues: optionValues,
      argumentValues: try assignPositionals())
    return .run(path, arguments)
  }

  private static func looksLikeOption(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument.count > 1 else { return false }
    return Double(argument)?.isFinite != true
  }

  private mutating func enterSubcommand(_ name: String) throws(UsageError) {
    guard let subcommand = command.subcommands.first(where: { $0.name == name }) else {
      let names = command.subcommands.map(\.name)
      throw error(
        "unknown command '\(name)' after '\(pathText)'; allowed: "
          + names.joined(separator: ", "), meant: nearestName(to: name, in: names))
    }
    path.append(subcommand)
  }

  private mutating func parseOption(_ argument: String) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = options.first(where: { $0.isNamed(parts[0]) }) else {
      let known = options.map { "--" + $0.name } + ["--help"]
      throw error(
        "unknown option '\(parts[0])' of '\(pathText)'",
        meant: nearestName(to: String(parts[0]), in: known))
    }
    guard let valueName = option.valueName else {
      guard parts.count == 1 else { throw error("the flag '--\(option.name)' takes no value") }
      optionValues[option.name] = []
      return
    }
    let value: String
    if parts.count == 2 {
      value = String(parts[1])
    } else if let next = rest.first, !ArgumentParser.looksLikeOption(next) {
      value = next
      rest.removeFirst()
    } else {
      throw error(
        "the option '\(argument)' needs a value",
        hint: "write \(argument) \(valueName), or \(argument)=\(valueName) "
          + "for a value that begins with a dash")
    }
    if !option.allowedValues.isEmpty, !option.allowedValues.contains(value) {
      throw error(
        "'--\(option.name)' cannot be '\(value)'; allowed: "
          + option.allowedValues.joined(separator: ", "),
        meant: nearestName(to: value, in: option.allowedValues))
    }
    guard option.isRepeatable || optionValues[option.name] == nil else {
      throw error("the option '--\(option.name)' is given twice", hint: "leave one out")
    }
    optionValues[option.name, default: []].append(value)
  }

  private func assignPositionals() throws(UsageError) -> [String: [String]] {
    var values: [String: [String]] = [:]
    var rest = positionals[...]
    for argument in command.arguments {
      let takesAll = argument.count == .oneOrMore || argument.count == .any
      let taken = takesAll ? rest : rest.prefix(1)
      if taken.isEmpty, argument.count == .one || argument.count == .oneOrMore {
        throw error("the argument \(argument.name) is missing")
      }
      values[argument.name] = Array(taken)
      rest = rest.dropFirst(taken.count)
    }
    if let surplus = rest.first {
      let allowed = command.arguments.map(\.usage).joined(separator: " ")
      throw error(
        "unexpected argument '\(surplus)'; allowed: \(allowed.isEmpty ? "none" : allowed)")
    }
    return values
  }

  private func error(_ message: String, hint: String? = nil) -> UsageError {
    UsageError(message, hint: hint, commandPath: path.map(\.name))
  }

  private func error(_ message: String, meant: String?) -> UsageError {
    error(message, hint: meant.map { "did you mean '\($0)'?" })
  }
}
