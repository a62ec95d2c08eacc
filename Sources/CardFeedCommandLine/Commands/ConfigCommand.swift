internal import CardFeedConfiguration

extension Tool {
  var configCommand: Command {
    let file = CommandArgument("FILE", "The configuration; - is standard input.")
    return Command(
      name: "config", summary: "Checks, spells out and describes feed configurations.",
      subcommands: [
        Command(
          name: "check", summary: "Names everything that is wrong with a configuration.",
          discussion: """
            Every problem is named at once, with its line and column, its path, what was found, \
            what is allowed and the nearest known name. The exit status is 1 if there is any.
            """, arguments: [file], options: [Self.textOrJSON]
        ) { arguments, context in
          try checkConfiguration(arguments, context)
        },
        Command(
          name: "dump", summary: "Prints a configuration with every default spelled out.",
          arguments: [file]
        ) { arguments, context in
          let configuration = try readConfiguration(arguments.required("FILE"))
          try context.write(configuration.effective)
          return .fine
        },
        Command(
          name: "schema", summary: "Prints the JSON Schema (2020-12) of configurations."
        ) { _, context in
          try context.write(ConfigurationSchema.document(plugins: plugins))
          return .fine
        },
      ])
  }

  /// Reads a configuration. Throws everything that is wrong with it.
  func readConfiguration(_ path: String) throws -> FeedConfiguration {
    try FeedConfiguration(parsing: FileSystem.read(path), file: path, plugins: plugins)
  }

  private func checkConfiguration(
    _ arguments: ParsedArguments, _ context: CommandContext
  ) throws -> ExitStatus {
    let path = arguments.required("FILE")
    let bytes = try FileSystem.read(path)
    let problems: [ConfigurationProblem]
    var fingerprint: String?
    do throws(ConfigurationError) {
      let configuration = try FeedConfiguration(parsing: bytes, file: path, plugins: plugins)
      problems = configuration.buildingProblems(plugins: plugins)
      fingerprint = problems.isEmpty ? configuration.fingerprint : nil
    } catch {
      problems = error.problems
    }
    if arguments.value("format") == "json" {
      try context.write([
        "file": JSONValue(path), "fingerprint": fingerprint.map { JSONValue($0) } ?? .null,
        "problems": JSONValue(problems.map(\.json)),
      ])
    } else if problems.isEmpty {
      try context.print("\(path): no problem; fingerprint \(fingerprint ?? "")")
    } else {
      for problem in problems { try context.print("\(path): \(problem)") }
      let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
      try context.print("\(path): \(count)")
    }
    return problems.isEmpty ? .fine : .negativeResult
  }
}
