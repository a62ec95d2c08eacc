/// A command of the tool: what it is called, what it takes and what it does.
///
/// A command is a plain value. Its declarations drive the parser and the help text alike.
/// Options of a command also apply to its subcommands.
public struct Command: Sendable {
  /// What a command does when it is called.
  public typealias Run =
    @Sendable (ParsedArguments, CommandContext) async throws -> ExitStatus

  /// The word that calls the command.
  public let name: String

  /// What the command does, as a short sentence.
  public let summary: String

  /// More about it: paragraphs separated by empty lines. Lines that begin with a space are kept
  /// as they are, for examples.
  public let discussion: String

  /// The positional arguments, in order.
  public let arguments: [CommandArgument]

  /// The options, in the order of the help.
  public let options: [CommandOption]

  /// The commands below this one.
  public let subcommands: [Command]

  /// What the command does; `nil` for one that only groups others.
  public let run: Run?

  /// Declares a command that does something.
  ///
  /// - Parameters:
  ///   - name: The word that calls the command.
  ///   - summary: What the command does, as a short sentence.
  ///   - discussion: More about it.
  ///   - arguments: The positional arguments, in order.
  ///   - options: The options.
  ///   - run: What the command does. A thrown ``UsageError`` counts as wrong usage, every other
  ///     error as a failure.
  public init(
    name: String, summary: String, discussion: String = "", arguments: [CommandArgument] = [],
    options: [CommandOption] = [], run: @escaping Run
  ) {
    self.init(name, summary, discussion, arguments, options, [], run)
  }

  /// Declares a command that groups others.
  ///
  /// - Parameters:
  ///   - name: The word that calls the command.
  ///   - summary: What the commands below have in common, as a short sentence.
  ///   - discussion: More about it.
  ///   - options: The options, which apply to every command below.
  ///   - subcommands: The commands below this one.
  public init(
    name: String, summary: String, discussion: String = "", options: [CommandOption] = [],
    subcommands: [Command]
  ) {
    self.init(name, summary, discussion, [], options, subcommands, nil)
  }

  private init(
    _ name: String, _ summary: String, _ discussion: String, _ arguments: [CommandArgument],
    _ options: [CommandOption], _ subcommands: [Command], _ run: Run?
  ) {
    let optionNames = options.map(\.name) + options.compactMap { $0.short.map(String.init) }
    precondition(
      Set(optionNames).count == optionNames.count,
      "The command '\(name)' declares an option twice; give every option its own name.")
    precondition(
      Set(optionNames).isDisjoint(with: ["help", "h", "version"]),
      "The options --help, -h and --version are built in; rename the option of '\(name)'.")
    precondition(
      Set(subcommands.map(\.name)).count == subcommands.count,
      "The command '\(name)' has two subcommands of one name; rename one.")
    precondition(
      arguments.dropLast().allSatisfy { $0.count == .one },
      "Only the last argument of '\(name)' may be left out or repeated; reorder them.")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.subcommands = subcommands
    self.run = run
  }
}
