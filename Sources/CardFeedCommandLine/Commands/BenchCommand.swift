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
    let references = CommandOption.value(
      "references", "DIR", "Where predictions lie to compare with.")
    return Command(
      name: "bench", summary: "Compares ways of dealing, and measures speed.",
      subcommands: [
        Command(
          name: "run", summary: "Runs an experiment and prints a table of its arms.",
          discussion: """
            Writes result.json and result.csv into the folder of --out, and for predictions \
            predictions.csv and two files for each arm, ARM.decisions.csv (rater, target, p) and \
            ARM.pairs.csv (pair_id, p_match, p_f, p_m); measured times go to timing.json beside \
            them. The same experiment with the same data writes the same result files, whatever \
            the number of threads. With --references, arms are also compared with predictions \
            made elsewhere: files called warm_pair__NAME.csv, warm_decision__NAME.csv, \
            wave5__NAME.csv or time__NAME.csv. Of rankings of cards ARM.lists.tsv holds each \
            viewer's list.
            """,
          arguments: [CommandArgument("EXPERIMENT", "The experiment; - is standard input.")],
          options: [
            data, predictions, references, threads,
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
            if !run.result.differences.isEmpty {
              try context.print("")
              try context.write(Self.differences(of: run.result), format: "text")
              try context.print(
                "Differences, arm minus the other, with 95 % intervals over \(run.subject.clusters) "
                  + "drawn for both.")
            }
            if !run.result.choices.isEmpty {
              var choices = TextTable(["arm", "chosen on the validation part", "ndcg@10 there"])
              for choice in run.result.choices {
                choices.append([
                  .text(choice.arm), .text(choice.parameters),
                  .number(choice.validation, decimals: 4),
                ])
              }
              try context.print("")
              try context.write(choices, format: "text")
            }
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
            A debug build refuses to measure. With --inputs, tasks that other programs \
            measure on the same files are timed instead, in processor time, each named beside what \
            it is called there: vectors.npy and queries.npy hold vectors ('<f4', two axes), \
            keep3.npy a filter ('|u1'), interactions.csv swipes. With --peers, their figures stand \
            there too, and our time over theirs, also where a figure is a rate: below 1 this \
            program is faster. Graphs are compared where both find the same share, by the cheapest \
            effort with a recall of .95 and of .99. NDCG@20 is of every tenth swipe, held out. \
            'make bench-peers' makes the files, measures both, and prints this table.
            """,
          options: [
            .value("inputs", "DIR", "Where the files of those tasks lie."),
            .value(
              "peers", "FILE",
              "What others took for them: the JSON object that Scripts/bench-peers.py prints."),
            .value(
              "graph-rows", "NUMBER",
              "How many vectors the graph has; measured with the trait HNSW.", default: "200000"),
            Self.format,
          ]
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
            data, predictions, references, threads,
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
    if QuizExperiment.isDescribed(by: bytes) {
      return try await runQuiz(
        QuizExperiment(parsing: bytes, file: path), arguments, context, threads: threads)
    }
    if OnlineExperiment.isDescribed(by: bytes) {
      return try await runOnline(
        OnlineExperiment(parsing: bytes, file: path), arguments, context, threads: threads)
    }
    if RankingExperiment.isDescribed(by: bytes) {
      return try await runRankings(
        RankingExperiment(parsing: bytes, file: path), arguments, context, threads: threads)
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
      specification, data: data, references: try references(arguments)
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

  private func references(_ arguments: ParsedArguments) throws -> ReferenceFolder? {
    try referencePaths(arguments).map { try ReferenceFolder(paths: $0) }
  }

  /// The files of predictions to compare with; nil where no folder is named.
  func referencePaths(_ arguments: ParsedArguments) throws -> [String]? {
    guard let directory = arguments.value("references") else { return nil }
    let names = try FileSystem.names(in: directory).filter { $0.hasSuffix(".csv") }
    return names.sorted().map { directory + "/" + $0 }
  }

  /// One row for each arm and each that it is compared with.
  static func differences(of result: ExperimentResult) -> TextTable {
    var metrics: [MetricName] = []
    for difference in result.differences where !metrics.contains(difference.metric) {
      metrics.append(difference.metric)
    }
    var table = TextTable(["arm", "against"] + metrics.map(\.description))
    var rows: [(arm: String, against: String)] = []
    for difference in result.differences
    where !rows.contains(where: { $0 == (difference.arm, difference.against) }) {
      rows.append((difference.arm, difference.against))
    }
    for row in rows {
      let cells = metrics.map { metric in
        result.differences.first {
          ($0.arm, $0.against, $0.metric) == (row.arm, row.against, metric)
        }.map { TableCell.text(signed($0.figure)) } ?? .missing
      }
      table.append([.text(row.arm), .text(row.against)] + cells)
    }
    return table
  }

  /// A difference with its sign and its interval.
  private static func signed(_ figure: ExperimentResult.Figure) -> String {
    func text(_ value: Double) -> String {
      (value < 0 ? "−" : "+") + TableCell.fixed(abs(value), decimals: 4)
    }
    guard let value = figure.value else { return "–" }
    return text(value)
      + (figure.interval.map { " [\(text($0.lowerBound)), \(text($0.upperBound))]" } ?? "")
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
    try writeLists(run.result, to: directory)
    guard !run.result.predictions.isEmpty else { return }
    var predictions = TextTable(["arm", "rater", "target", "p", "p_match"])
    for prediction in run.result.predictions {
      predictions.append([
        .text(prediction.arm), .integer(prediction.rater), .integer(prediction.target),
        Self.exact(prediction.yes), Self.exact(prediction.match),
      ])
    }
    try FileSystem.write(predictions.csv(), to: directory + "/predictions.csv")
    for arm in run.result.arms { try writePredictions(of: arm.name, run.result, to: directory) }
  }

  private func writeLists(_ result: ExperimentResult, to directory: String) throws {
    for arm in result.arms {
      let lines = result.listLines(of: arm.name)
      guard !lines.isEmpty else { continue }
      try FileSystem.write(lines, to: "\(directory)/\(arm.name).lists.tsv")
    }
  }

  /// The predictions of one arm, one row a decision, and one row a pair.
  private func writePredictions(
    of arm: String, _ result: ExperimentResult, to directory: String
  ) throws {
    let own = result.predictions.filter { $0.arm == arm }
    var decisions = TextTable(["rater", "target", "p"])
    for one in own {
      decisions.append([.integer(one.rater), .integer(one.target), Self.exact(one.yes)])
    }
    try FileSystem.write(decisions.csv(), to: "\(directory)/\(arm).decisions.csv")
    guard result.predictsPairs else { return }
    var pairs = TextTable(["pair_id", "p_match", "p_f", "p_m"])
    // The woman's decision comes first, then the man's.
    for index in stride(from: 0, to: own.count - 1, by: 2) {
      pairs.append([
        .integer(own[index].pair), Self.exact(own[index].match), Self.exact(own[index].yes),
        Self.exact(own[index + 1].yes),
      ])
    }
    try FileSystem.write(pairs.csv(), to: "\(directory)/\(arm).pairs.csv")
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
