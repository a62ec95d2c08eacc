internal import CardFeedConfiguration
internal import CardFeedExperiments

extension Tool {
  var benchCommand: Command {
    let data = CommandOption.value(
      "data", "DIR", "Where data sets lie, for experiments on recorded decisions.")
    let threads = CommandOption.value(
      "threads", "NUMBER", "Parts computed at a time; the figures do not depend on it.",
      default: "2")
    let predictions = CommandOption.value(
      "predictions", "FILE",
      "Predictions that lists are made of (CSV: pair_id, p_f, p_m), instead of the experiment's.")
    return Command(
      name: "bench", summary: "Compares ways of dealing, and measures speed.",
      subcommands: [
        Command(
          name: "run", summary: "Runs an experiment and prints a table of its arms.",
          discussion: """
            Writes result.json, result.csv and, for predictions, predictions.csv into the folder \
            of --out; measured times go to timing.json beside them. The same experiment with the \
            same data writes the same result files, whatever the number of threads.
            """,
          arguments: [CommandArgument("EXPERIMENT", "The experiment; - is standard input.")],
          options: [
            data, predictions, threads,
            .value("out", "DIR", "Where the result files go; none are written without."),
            Self.format,
          ]
        ) { arguments, context in
          let run = try await runExperiment(arguments.required("EXPERIMENT"), arguments, context)
          if let directory = arguments.value("out") {
            try write(run, to: directory)
            context.note("result files in \(directory)")
          }
          switch arguments.value("format") {
          case "json": try context.write(ExperimentReport(run.result).json)
          case "csv": try context.write(csv(of: run.result, build: Machine.facts))
          default:
            try context.write(table(of: run.result), format: "text")
            try context.print("Figures with their 95 % intervals over \(run.subject.clusters).")
            if let citation = run.subject.citation {
              try context.print("Data: \(citation).")
            }
          }
          return .fine
        },
        Command(
          name: "perf", summary: "Measures speed and counts allocations.",
          discussion: """
            Speeds are shown as ratios against a reference in the same run, since machines differ. \
            A debug build refuses to measure.
            """, options: [Self.format]
        ) { arguments, context in
          try await measure(arguments, context)
        },
        benchStoreCommand, benchScaleCommand, benchCapacityCommand, benchMarketCommand,
        Command(
          name: "results", summary: "Writes the table of every figure the project claims.",
          arguments: [
            CommandArgument("EXPERIMENT", "The experiments.", count: .oneOrMore)
          ],
          options: [
            data, predictions, threads,
            .value("out", "FILE", "The Markdown file.", default: "datasets/RESULTS.md"),
          ]
        ) { arguments, context in
          try await writeResults(arguments, context)
        },
      ] + plugins.benchmarks.map(benchCommand(of:)))
  }

  /// A result with the time it took.
  struct ExperimentRun {
    let subject: ExperimentSubject
    let result: ExperimentResult
    let seconds: Double
    let threads: Int
  }

  func runExperiment(
    _ path: String, _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExperimentRun {
    let threads = try arguments.integer("threads", in: 1...256) ?? 2
    let bytes = try FileSystem.read(path)
    if ListExperiment.isDescribed(by: bytes) {
      return try await runLists(
        ListExperiment(parsing: bytes, file: path), arguments, context, threads: threads)
    }
    let specification = try ExperimentSpecification(
      parsing: bytes, file: path, plugins: plugins)
    let data: SpeedDatingData
    switch specification.data {
    case .generatedDating(let waves, let people, let seed):
      data = try generated(waves: waves, people: people, seed: seed)
    case .speedDating:
      guard let directory = arguments.value("data") else {
        throw arguments.error(
          "the experiment '\(specification.name)' needs the speed-dating data set",
          hint: "--data DIR names the folder with dating/decisions.csv; datasets/README.md says "
            + "where it comes from")
      }
      data = try loadSpeedDating(directory, context)
    }
    let progress = ProgressReporter(specification.name, total: nil, context: context)
    let elapsed = ProgressReporter.stopwatch()
    let result = try await ExperimentRunner(plugins: plugins, threads: threads).run(
      specification, data: data
    ) { done, total in
      progress.update(done: done, total: total)
    }
    progress.finish()
    return ExperimentRun(
      subject: ExperimentSubject(specification), result: result,
      seconds: Self.seconds(elapsed()), threads: threads)
  }

  static func seconds(_ time: Duration) -> Double {
    Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }

  /// The table for a terminal: each figure with its 95 % interval.
  func table(of result: ExperimentResult) -> TextTable {
    let metrics = result.arms.first?.figures.map(\.metric) ?? []
    var table = TextTable(["arm"] + metrics.map(\.description))
    for arm in result.arms {
      table.append([.text(arm.name)] + arm.figures.map { .text(Self.text($0.figure)) })
    }
    return table
  }

  static func text(_ figure: ExperimentResult.Figure) -> String {
    guard let value = figure.value else { return "–" }
    let interval = figure.interval.map { range in
      " [\(TableCell.fixed(range.lowerBound, decimals: 3)), "
        + "\(TableCell.fixed(range.upperBound, decimals: 3))]"
    }
    return TableCell.fixed(value, decimals: 4) + (interval ?? "")
  }

  private func write(_ run: ExperimentRun, to directory: String) throws {
    try FileSystem.makeDirectory(directory)
    let build = Machine.facts
    let report = ExperimentReport(run.result)
    try FileSystem.write(
      report.file(build: build).bytes(.pretty) + [0x0a], to: directory + "/result.json")
    try FileSystem.write(csv(of: run.result, build: build), to: directory + "/result.csv")
    let timing: JSONValue = [
      "experiment": JSONValue(run.result.experiment), "threads": JSONValue(run.threads),
      "seconds": JSONValue(orNull: run.seconds),
    ]
    try FileSystem.write(timing.bytes(.pretty) + [0x0a], to: directory + "/timing.json")
    guard !run.result.predictions.isEmpty else { return }
    var predictions = TextTable(["arm", "rater", "target", "p", "p_match"])
    for prediction in run.result.predictions {
      predictions.append([
        .text(prediction.arm), .integer(prediction.rater), .integer(prediction.target),
        Self.exact(prediction.yes), Self.exact(prediction.match),
      ])
    }
    try FileSystem.write(predictions.csv(), to: directory + "/predictions.csv")
  }

  /// A number with all its digits.
  private static func exact(_ number: Double?) -> TableCell {
    number.map { .text("\($0)") } ?? .missing
  }

  private func csv(of result: ExperimentResult, build: BuildFacts) -> [UInt8] {
    var table = TextTable([
      "experiment", "fingerprint", "data", "checksum", "seed", "compiler", "machine", "arm",
      "arm_fingerprint", "seeds", "metric", "value", "low", "high",
    ])
    for arm in result.arms {
      for (metric, figure) in arm.figures {
        table.append([
          .text(result.experiment), .text(result.fingerprint), .text(result.dataSet),
          .text(result.dataChecksum), .text("\(result.seed)"), .text(build.compiler),
          .text(build.machine), .text(arm.name), .text(arm.fingerprint), .integer(arm.seeds),
          .text(metric.description), Self.exact(figure.value),
          Self.exact(figure.interval?.lowerBound), Self.exact(figure.interval?.upperBound),
        ])
      }
    }
    return table.csv()
  }
}
