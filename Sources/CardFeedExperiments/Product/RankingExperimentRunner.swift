internal import CardFeed
internal import CardFeedRecommenders

/// Runs experiments on rankings of cards.
public struct RankingExperimentRunner: Sendable {
  private let threads: Int

  /// A runner.
  ///
  /// - Parameter threads: How many threads fit and rank; the figures do not depend on it.
  public init(threads: Int) { self.threads = threads }

  /// Runs an experiment.
  ///
  /// - Parameters:
  ///   - experiment: What to compare.
  ///   - folds: The swipes.
  ///   - progress: Told the arms done and their number.
  /// - Throws: A ``SplitLeak`` where a viewer is tested on a card that is known and may not come
  ///   again, or when nobody is tested; `RecommenderError` of a model.
  public func run(
    _ experiment: RankingExperiment, folds: SwipeFolds,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    let tuning = try RankingPart(
      folds, known: folds.train, asked: folds.validation, repeats: experiment.repeats,
      viewers: experiment.tuningViewers, seed: experiment.seed)
    let test = try RankingPart(
      folds, known: folds.train + folds.later, asked: folds.test, repeats: experiment.repeats)
    let before = RankingModel.Before(
      histories: tuning.histories, now: tuning.now,
      after: InteractionMatrix(try folds.histories(folds.validation)))
    var tuner = RankingTuner(
      part: tuning, before: before, seed: experiment.seed, threads: threads)
    var models: [String: any Recommender] = [:]
    var figures: [RankingFigures] = []
    var choices: [ExperimentResult.Choice] = []
    for (index, arm) in experiment.arms.enumerated() {
      let chosen = try await tuner.choose(arm)
      let parts = arm.model.parts.compactMap { models[$0] }
      let model: any Recommender =
        switch arm.model.kind {
        case .blend: try Blend(zip(parts, chosen.weights).map { ($0, $1) })
        case .trend:
          Trend(
            parts[0], histories: test.histories, rate: chosen.point["rate"] ?? 1,
            exponent: chosen.point["exponent"] ?? 0)
        default:
          try arm.model.fit(
            chosen.point, test.histories, test.matrix, seed: experiment.seed, threads: threads,
            before: before)
        }
      if arm.model.kind != .blend { models[arm.name] = model }
      if let validation = chosen.validation {
        choices.append(
          ExperimentResult.Choice(
            arm: arm.name, parameters: chosen.text, validation: validation))
      }
      figures.append(try await test.figures(model, threads: threads))
      progress(index + 1, experiment.arms.count)
    }
    var result = result(experiment, folds, test, figures)
    result.choices = choices
    return result
  }

  private func result(
    _ experiment: RankingExperiment, _ folds: SwipeFolds, _ test: RankingPart,
    _ figures: [RankingFigures]
  ) -> ExperimentResult {
    let metrics = experiment.metrics
    let columns = figures.map { $0.columns(metrics) }
    let intervals = RankingIntervals(resamples: experiment.resamples, seed: experiment.seed)
    let arms = zip(experiment.arms, zip(figures, columns)).map { arm, own in
      ExperimentResult.Arm(
        name: arm.name, fingerprint: arm.fingerprint, seeds: 1,
        figures: zip(metrics, own.1).map { metric, column in
          guard let column else {
            let value = own.0.coverage(Int(metric.parameter ?? 1))
            return (metric, ExperimentResult.Figure(value: value, interval: nil))
          }
          return (metric, intervals.mean(column))
        })
    }
    var result = ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint, dataSet: folds.name,
      dataChecksum: folds.checksum, people: test.asked.count, pairs: folds.test.count,
      matches: nil, seed: experiment.seed, arms: arms)
    if let baseline = experiment.arms.firstIndex(where: { $0.name == experiment.baseline }) {
      for (index, arm) in experiment.arms.enumerated() where index != baseline {
        for (place, metric) in metrics.enumerated() {
          guard let own = columns[index][place], let other = columns[baseline][place] else {
            continue
          }
          result.differences.append(
            ExperimentResult.Difference(
              arm: arm.name, against: experiment.arms[baseline].name, metric: metric,
              figure: intervals.mean(zip(own, other).map { $0 - $1 })))
        }
      }
    }
    for (arm, own) in zip(experiment.arms, figures) {
      result.lists += own.viewers.map {
        ExperimentResult.CardList(arm: arm.name, viewer: $0.viewer, cards: $0.cards)
      }
    }
    return result
  }
}

/// Intervals of means over viewers: the paired bootstrap, since every mean of a seed sees the same
/// draws.
struct RankingIntervals {
  let resamples: Int
  let seed: UInt64

  func mean(_ values: [Double]) -> ExperimentResult.Figure {
    .bootstrap(clusters: values.count, resamples: resamples, seed: seed) { drawn in
      drawn.isEmpty ? nil : drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)
    }
  }
}
