internal import CardFeed

/// Runs experiments on answers to questions.
public struct QuizExperimentRunner: Sendable {
  private let threads: Int

  /// A runner.
  ///
  /// - Parameter threads: How many arms are computed at a time; the figures do not depend on it.
  public init(threads: Int) { self.threads = threads }

  /// Runs an experiment.
  ///
  /// - Parameters:
  ///   - experiment: What to compare.
  ///   - data: The answers.
  ///   - references: Predictions made elsewhere, to compare with; those of reviews of later days.
  ///   - progress: Told the parts done and their number.
  /// - Throws: A ``SplitLeak`` when a student is known and asked, or when no answer is asked; what a
  ///   model throws.
  public func run(
    _ experiment: QuizExperiment, data: QuizData, references: ReviewReferences? = nil,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    let parts: [Part]
    switch (data.content, experiment.split) {
    case (.students(let known, let asked), .unseenStudents(let leavesTwinsOut)):
      parts = [try students(known, asked, leavesTwinsOut: leavesTwinsOut)]
    case (.tests(let tests), .heldOutAnswers):
      parts = try tests.map { try Self.heldOut($0, isNamed: tests.count > 1) }
    case (.tests(let tests), .adaptiveTest(let length, let targetError)):
      return try await adaptive(experiment, data, tests, length, targetError, progress)
    case (.reviews(let reviews), .laterReviews(let isOfLaterDays, let folds)):
      let predictions = ReviewPredictions(
        reviews: reviews, isOfLaterDays: isOfLaterDays, folds: folds)
      var part = Part(
        prefix: "", questions: predictions.questions, predictions.probabilities)
      part.references = try references?.forecasts(of: predictions) ?? []
      parts = [part]
    default:
      throw FeedError(
        .badInput, "the data do not belong to the experiment '\(experiment.name)'",
        hint: "load the data that its file names")
    }
    guard parts.allSatisfy({ !$0.questions.outcomes.isEmpty }) else {
      throw SplitLeak(kind: .coverage, count: 0)
    }
    let arms = experiment.arms
    let counter = ProgressCounter(total: parts.count * arms.count, progress)
    let forecasts = try await parallelMap(
      parts.count * arms.count, threads: threads, finished: counter.advance
    ) { index in
      let part = parts[index / arms.count]
      return QuizForecasts(
        part.questions,
        try part.probabilities(arms[index % arms.count].model) { try Task.checkCancellation() })
    }
    var result = self.result(experiment, data, parts.first?.counts)
    for (index, part) in parts.enumerated() {
      let own = Array(forecasts[index * arms.count..<(index + 1) * arms.count])
      add(own, of: part, experiment, to: &result)
    }
    return result
  }

  /// Answers that are predicted together, and how.
  private struct Part: Sendable {
    /// Before the name of each arm.
    let prefix: String
    let questions: QuizForecasts.Questions
    let probabilities: @Sendable (QuizModel, () throws -> Void) throws -> [Double]
    /// Students and answers that take part, where some of the data are left out.
    var counts: (people: Int, answers: Int)?
    /// What was predicted elsewhere.
    var references: [(name: String, forecasts: QuizForecasts)] = []

    init(
      prefix: String, questions: QuizForecasts.Questions,
      _ probabilities: @escaping @Sendable (QuizModel, () throws -> Void) throws -> [Double]
    ) {
      self.prefix = prefix
      self.questions = questions
      self.probabilities = probabilities
    }
  }

  private func students(
    _ known: [QuizData.Student], _ asked: [QuizData.Student], leavesTwinsOut: Bool
  ) throws -> Part {
    let both = Set(known.map(\.id)).intersection(asked.map(\.id))
    guard both.isEmpty else { throw SplitLeak(kind: .person, count: both.count) }
    var left = known.map(\.answers)
    if leavesTwinsOut {
      let found = StudentTwins(known: left, asked: asked.map(\.answers))
      let twins = Set(found.asked + found.repeated)
      left = left.indices.filter { !twins.contains($0) }.map { left[$0] }
    }
    let predictions = StudentPredictions(known: left, asked: asked.map(\.answers))
    var part = Part(
      prefix: "", questions: predictions.questions, predictions.probabilities)
    part.counts = (
      left.count + asked.count,
      left.reduce(0) { $0 + $1.count } + asked.reduce(0) { $0 + $1.answers.count }
    )
    return part
  }

  private static func heldOut(_ test: QuizData.TestAnswers, isNamed: Bool) throws -> Part {
    for fold in test.heldOut where Set(fold).count != fold.count {
      throw SplitLeak(kind: .coverage, count: fold.count - Set(fold).count)
    }
    let predictions = TestPredictions(test: test)
    return Part(
      prefix: isNamed ? test.name + " " : "", questions: predictions.questions,
      predictions.probabilities)
  }

  private func add(
    _ forecasts: [QuizForecasts], of part: Part, _ experiment: QuizExperiment,
    to result: inout ExperimentResult
  ) {
    let (resamples, seed) = (experiment.resamples, experiment.seed)
    let baseline = experiment.arms.firstIndex { $0.name == experiment.baseline }
    var arms = result.arms
    for (arm, own) in zip(experiment.arms, forecasts) {
      let name = part.prefix + arm.name
      arms.append(
        ExperimentResult.Arm(
          name: name, fingerprint: arm.fingerprint, seeds: 1,
          figures: experiment.metrics.map {
            ($0, own.figure($0, resamples: resamples, seed: seed))
          }))
      guard let baseline, arm.name != experiment.baseline else { continue }
      for metric in experiment.metrics {
        result.differences.append(
          ExperimentResult.Difference(
            arm: name, against: part.prefix + experiment.arms[baseline].name, metric: metric,
            figure: own.difference(
              metric, to: forecasts[baseline], resamples: resamples, seed: seed)))
      }
    }
    for reference in part.references {
      for (arm, own) in zip(experiment.arms, forecasts) {
        for metric in experiment.metrics {
          result.differences.append(
            ExperimentResult.Difference(
              arm: part.prefix + arm.name, against: reference.name, metric: metric,
              figure: own.difference(
                metric, to: reference.forecasts, resamples: resamples, seed: seed)))
        }
      }
    }
    result = result.with(arms: arms)
  }

  private func result(
    _ experiment: QuizExperiment, _ data: QuizData, _ counts: (people: Int, answers: Int)? = nil
  ) -> ExperimentResult {
    ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint, dataSet: data.name,
      dataChecksum: data.checksum, people: counts?.people ?? data.people,
      pairs: counts?.answers ?? data.answers, matches: nil,
      seed: experiment.seed, arms: [])
  }

  private func adaptive(
    _ experiment: QuizExperiment, _ data: QuizData, _ tests: [QuizData.TestAnswers],
    _ length: Int, _ targetError: Double, _ progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> ExperimentResult {
    let arms = experiment.arms
    let counter = ProgressCounter(total: tests.count * arms.count, progress)
    let figures = try await parallelMap(
      tests.count * arms.count, threads: threads, finished: counter.advance
    ) { index in
      let test = tests[index / arms.count]
      let arm = arms[index % arms.count]
      guard Set(test.examinees).count == test.examinees.count, !test.examinees.isEmpty,
        test.examinees.count < test.rights.count
      else { throw SplitLeak(kind: .coverage, count: test.examinees.count) }
      let adaptive = try AdaptiveRuns(test, length: length, seed: experiment.seed) {
        try Task.checkCancellation()
      }
      let runs = adaptive.runs(arm.model)
      return ExperimentResult.Arm(
        name: (tests.count > 1 ? test.name + " " : "") + arm.name, fingerprint: arm.fingerprint,
        seeds: 1,
        figures: experiment.metrics.map { metric in
          let figure = ExperimentResult.Figure.bootstrap(
            clusters: runs.count, resamples: experiment.resamples, seed: experiment.seed
          ) { drawn in
            adaptive.value(metric, runs, drawn: drawn, targetError: targetError)
          }
          return (metric, figure)
        })
    }
    return result(experiment, data).with(arms: figures)
  }
}

extension ExperimentResult {
  fileprivate func with(arms: [Arm]) -> ExperimentResult {
    ExperimentResult(
      experiment: experiment, fingerprint: fingerprint, dataSet: dataSet,
      dataChecksum: dataChecksum, people: people, pairs: pairs, matches: matches, seed: seed,
      arms: arms, differences: differences)
  }
}
