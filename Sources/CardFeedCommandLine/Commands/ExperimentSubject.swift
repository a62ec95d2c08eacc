internal import CardFeedExperiments

/// What a report says of an experiment beside its figures, whatever its kind.
struct ExperimentSubject {
  let summary: String
  let citation: String?
  let needsData: Bool
  let resamples: Int
  /// What is drawn for intervals.
  let clusters: String

  init(_ specification: ExperimentSpecification) {
    summary = specification.summary
    citation = specification.data.citation
    needsData = specification.data == .speedDating
    resamples = specification.resamples
    clusters = "evenings"
  }

  init(_ experiment: ListExperiment) {
    summary = experiment.summary
    citation = experiment.data.citation
    needsData = experiment.data.citation != nil
    resamples = experiment.resamples
    clusters = needsData ? "evenings" : "markets"
  }

  init(_ experiment: QuizExperiment) {
    summary = experiment.summary
    citation = experiment.data.citation
    needsData = true
    resamples = experiment.resamples
    clusters = experiment.clusters
  }

  init(_ experiment: OnlineExperiment) {
    summary = experiment.summary
    citation = experiment.data.citation
    needsData = experiment.data.isRecorded
    resamples = experiment.resamples
    clusters = experiment.clusters
  }

  init(_ experiment: RankingExperiment) {
    summary = experiment.summary
    citation = experiment.data.citation
    needsData = true
    resamples = experiment.resamples
    clusters = "viewers"
  }
}

extension Tool {
  /// Runs an experiment on what learns while it is asked.
  func runOnline(
    _ experiment: OnlineExperiment, _ arguments: ParsedArguments, _ context: CommandContext,
    threads: Int
  ) async throws -> ExperimentRun {
    let directory = arguments.value("data")
    guard directory != nil || !experiment.data.isRecorded else {
      throw arguments.error(
        "the experiment '\(experiment.name)' needs recorded data",
        hint: "--data DIR names the folder with product/; datasets/README.md says what lies there")
    }
    let progress = ProgressReporter(experiment.name, total: nil, context: context)
    let elapsed = ProgressReporter.stopwatch()
    let result = try await OnlineExperimentRunner(threads: threads).run(
      experiment, directory: directory
    ) {
      progress.update(done: $0, total: $1)
    }
    progress.finish()
    return ExperimentRun(
      subject: ExperimentSubject(experiment), result: result, seconds: Self.seconds(elapsed()),
      threads: threads)
  }

  /// Runs an experiment on answers to questions.
  func runQuiz(
    _ experiment: QuizExperiment, _ arguments: ParsedArguments, _ context: CommandContext,
    threads: Int
  ) async throws -> ExperimentRun {
    guard let directory = arguments.value("data") else {
      throw arguments.error(
        "the experiment '\(experiment.name)' needs recorded answers",
        hint: "--data DIR names the folder with quiz/; datasets/README.md says what lies there")
    }
    let data = try experiment.data.load(directory: directory)
    let progress = ProgressReporter(experiment.name, total: nil, context: context)
    let elapsed = ProgressReporter.stopwatch()
    let references = try referencePaths(arguments).map { try ReviewReferences(paths: $0) }
    let result = try await QuizExperimentRunner(threads: threads).run(
      experiment, data: data, references: references
    ) {
      progress.update(done: $0, total: $1)
    }
    progress.finish()
    return ExperimentRun(
      subject: ExperimentSubject(experiment), result: result, seconds: Self.seconds(elapsed()),
      threads: threads)
  }

  /// Runs an experiment on rankings of cards.
  func runRankings(
    _ experiment: RankingExperiment, _ arguments: ParsedArguments, _ context: CommandContext,
    threads: Int
  ) async throws -> ExperimentRun {
    guard let directory = arguments.value("data") else {
      throw arguments.error(
        "the experiment '\(experiment.name)' needs recorded swipes",
        hint: "--data DIR names the folder with product/; datasets/README.md says what lies there")
    }
    let folds = try SwipeFolds(
      directory: directory, set: experiment.data.set, known: experiment.data.known)
    let progress = ProgressReporter(experiment.name, total: nil, context: context)
    let elapsed = ProgressReporter.stopwatch()
    let result = try await RankingExperimentRunner(threads: threads).run(
      experiment, folds: folds
    ) {
      progress.update(done: $0, total: $1)
    }
    progress.finish()
    return ExperimentRun(
      subject: ExperimentSubject(experiment), result: result, seconds: Self.seconds(elapsed()),
      threads: threads)
  }

  /// Runs an experiment on lists.
  func runLists(
    _ experiment: ListExperiment, _ arguments: ParsedArguments, _ context: CommandContext,
    threads: Int
  ) async throws -> ExperimentRun {
    let runner = ListExperimentRunner(threads: threads)
    let progress = ProgressReporter(experiment.name, total: nil, context: context)
    let report: @Sendable (Int, Int) -> Void = { progress.update(done: $0, total: $1) }
    let elapsed: () -> Duration
    let result: ExperimentResult
    switch experiment.data {
    case .synthetic:
      elapsed = ProgressReporter.stopwatch()
      result = try await runner.run(experiment, progress: report)
    case .speedDating(let named, _):
      guard let directory = arguments.value("data") else {
        throw arguments.error(
          "the experiment '\(experiment.name)' needs the speed-dating data set",
          hint: "--data DIR names the folder with dating/decisions.csv; datasets/README.md says "
            + "where it comes from")
      }
      guard let file = arguments.value("predictions") ?? named.map({ directory + "/" + $0 }) else {
        throw arguments.error(
          "the experiment '\(experiment.name)' needs predictions",
          hint: "--predictions FILE names a CSV file with the columns pair_id, p_f, p_m")
      }
      let data = try loadSpeedDating(directory, context)
      let predictions = try PairPredictions(path: file)
      elapsed = ProgressReporter.stopwatch()
      result = try await runner.run(
        experiment, data: data, source: predictions, progress: report)
    }
    progress.finish()
    return ExperimentRun(
      subject: ExperimentSubject(experiment), result: result, seconds: Self.seconds(elapsed()),
      threads: threads)
  }
}
