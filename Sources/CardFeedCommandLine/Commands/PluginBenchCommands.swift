internal import CardFeed
internal import CardFeedConfiguration

extension Tool {
  /// The command that runs a plugin's measurement.
  func benchCommand(of benchmark: Benchmark) -> Command {
    Command(
      name: benchmark.name, summary: benchmark.summary, discussion: benchmark.discussion,
      options: benchmark.parameters.map(Self.option(for:)) + [Self.format]
    ) { arguments, context in
      let parameters = try Self.parameters(benchmark.parameters, arguments)
      guard !Machine.isDebug else {
        context.note("this is a debug build, which measures nothing; build with -c release")
        return .failure
      }
      let progress = BenchmarkProgress(context)
      let report = try await benchmark.run(parameters) { progress.report($0, $1, $2) }
      progress.finish()
      for note in report.notes { context.note(note) }
      try context.write(Self.table(of: report), format: arguments.value("format"))
      return .fine
    }
  }

  private static func option(for parameter: ParameterDescription) -> CommandOption {
    let help = parameter.help
    switch parameter.kind {
    case .bool: return .flag(parameter.name, help)
    case .integer(let range):
      let value = parameter.defaultValue?.int64
      precondition(
        value.map(range.contains) ?? true,
        "The default of '\(parameter.name)' is out of its range; put it into it.")
      return .value(
        parameter.name, "NUMBER", help, default: value.map { "\($0)" },
        isRequired: parameter.isRequired)
    case .text:
      return .value(
        parameter.name, "TEXT", help, default: parameter.defaultValue?.string,
        isRequired: parameter.isRequired)
    default:
      preconditionFailure(
        "The parameter '\(parameter.name)' of a measurement is no number, text or flag; make it one."
      )
    }
  }

  private static func parameters(
    _ descriptions: [ParameterDescription], _ arguments: ParsedArguments
  ) throws -> Parameters {
    var values: [String: ParameterValue] = [:]
    for parameter in descriptions {
      switch parameter.kind {
      case .bool: values[parameter.name] = .bool(arguments.flag(parameter.name))
      case .integer(let range):
        let integer = try arguments.integer(
          parameter.name, in: Int(range.lowerBound)...Int(range.upperBound))
        values[parameter.name] = integer.map { .integer(Int64($0)) } ?? .null
      default:
        values[parameter.name] = arguments.value(parameter.name).map { .text($0) } ?? .null
      }
    }
    return Parameters(values)
  }

  private static func table(of report: Benchmark.Report) -> TextTable {
    var table = TextTable(["measured", "value", "unit"])
    for figure in report.figures {
      table.append([
        .text(figure.name), .optional(figure.value, decimals: figure.decimals), .text(figure.unit),
      ])
    }
    return table
  }
}

/// Shows the parts of a measurement one after the other.
private final class BenchmarkProgress: Sendable {
  private let context: CommandContext
  private let current = Lock<(part: String, reporter: ProgressReporter)?>(nil)

  init(_ context: CommandContext) { self.context = context }

  func report(_ part: String, _ done: Int, _ total: Int) {
    current.withLock { current in
      if current?.part != part {
        current?.reporter.finish()
        current = (part, ProgressReporter(part, total: total, context: context))
      }
      current?.reporter.update(done: done)
    }
  }

  func finish() { current.withLock { $0?.reporter.finish() } }
}
