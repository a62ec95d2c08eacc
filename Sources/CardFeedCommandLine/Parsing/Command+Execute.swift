import Glibc

extension Command {
  /// Runs the command that a command line asks for, with this one as the tool itself.
  ///
  /// Shows help and version as data; reports wrong usage and every thrown error in a line on the
  /// error sink.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the process, without the name of the tool.
  ///   - version: What `--version` shows.
  ///   - context: Where output goes.
  /// - Returns: What the process should exit with.
  public func execute(
    _ arguments: [String], version: String, context: CommandContext
  ) async -> ExitStatus {
    do {
      switch try ArgumentParser.parse(arguments, by: self) {
      case .help(let path):
        let help = HelpText.render(path, width: context.terminal.width)
        try context.write(Array(help.utf8))
      case .version:
        try context.print("\(name) \(version)")
      case .run(let path, let parsed):
        return try await path.last?.run?(parsed, context) ?? .failure
      }
      return .fine
    } catch let error as UsageError {
      report(error, in: context)
      return .usage
    } catch let error as FileError where error.code == EPIPE {
      // The reader, such as `head`, has seen enough and is told nothing.
      return .failure
    } catch {
      context.note("error: \(error)")
      return .failure
    }
  }

  private func report(_ error: UsageError, in context: CommandContext) {
    var path = [self]
    for name in error.commandPath.dropFirst() {
      guard let next = path.last?.subcommands.first(where: { $0.name == name }) else { break }
      path.append(next)
    }
    context.note("error: \(error)")
    for line in HelpText.usage(path, width: context.terminal.width) { context.note(line) }
    context.note("'\(path.map(\.name).joined(separator: " ")) --help' says more.")
  }
}
