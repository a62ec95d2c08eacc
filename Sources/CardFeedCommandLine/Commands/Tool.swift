public import CardFeedConfiguration
internal import CardFeedExperiments
internal import Glibc

/// The command-line tool: what it can do, over the plugins it is given.
///
/// Everything here is a library, so that tests run whole command lines without a process. The
/// program `cardfeed` calls it, and nothing else needs to. It must never import a plugin or a store:
/// those arrive as a `PluginSet`.
public struct Tool: Sendable {
  let plugins: PluginSet
  /// Allocations of the process so far; nil where they cannot be counted.
  let allocations: (@Sendable () -> UInt64)?

  /// A tool.
  ///
  /// - Parameters:
  ///   - plugins: The decks, strategies and stores.
  ///   - allocations: Counts the allocations of the process, for `bench perf`.
  public init(plugins: PluginSet, allocations: (@Sendable () -> UInt64)? = nil) {
    self.plugins = plugins
    self.allocations = allocations
  }

  /// The version that `--version` prints.
  public static let version = "0.1.0"

  /// All commands.
  public var command: Command {
    Command(
      name: "cardfeed",
      summary: "Deals cards: configure, import, train, deal, swipe, serve, experiment.",
      discussion: """
        Data goes to standard output, everything else to standard error. The exit status is 0 when \
        all is well, 1 for a negative result (a configuration with problems, a damaged store), 2 \
        for a failure and 64 for wrong usage.
        """,
      subcommands: [
        configCommand, strategiesCommand, datasetCommand, trainCommand, dealCommand, swipeCommand,
        playCommand, benchCommand, auditCommand, storeCommand, importCommand, exportCommand,
        batchTrainCommand, importModelCommand, serveCommand, tokenCommand,
      ])
  }

  /// Runs the tool with arguments and returns the exit status.
  public func run(_ arguments: [String], context: CommandContext) async -> ExitStatus {
    await command.execute(arguments, version: Self.version, context: context)
  }

  static let format = CommandOption.value(
    "format", "FORMAT", "How the result is written.", default: "text",
    allowed: ["text", "json", "csv"])

  static let textOrJSON = CommandOption.value(
    "format", "FORMAT", "How the result is written.", default: "text", allowed: ["text", "json"])
}

extension CommandContext {
  /// Writes a table in the format that was asked for.
  func write(_ table: TextTable, format: String?) throws {
    switch format {
    case "csv": try write(table.csv())
    case "json": try write(table.json().bytes(.pretty) + [0x0a])
    default:
      // A file or a pipe has no width to fit.
      let width = terminal.isOutputTerminal ? terminal.width : 10_000
      try write(Array(table.text(width: width).utf8))
    }
  }

  /// Writes a JSON value with a line feed after it.
  func write(_ json: JSONValue, pretty: Bool = true) throws {
    try write(json.bytes(pretty ? .pretty : .compact) + [0x0a])
  }
}
