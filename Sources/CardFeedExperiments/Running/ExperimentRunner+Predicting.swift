internal import CardFeed
internal import CardFeedConfiguration

extension ExperimentRunner {
  /// What a prediction experiment comes to.
  struct Predicted {
    var arms: [ExperimentResult.Arm] = []
    var predictions: [ExperimentResult.Prediction] = []
    var differences: [ExperimentResult.Difference] = []
  }

  func predict(
    _ specification: ExperimentSpecification, split: PredictionSplit, data: SpeedDatingData,
    plugins: PluginSet, references: ReferenceFolder?,
    progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> Predicted {
    try split.checkLeaks(data)
    let parts = parts(specification, of: split.parts.count)
    let counter = ProgressCounter(total: parts.count, progress)
    let results = try await parallelMap(
      parts.count, threads: threads, finished: counter.advance
    ) { index in
      let part = parts[index]
      let arm = specification.arms[part.arm]
      let deck = try deck(of: arm, in: plugins)
      return try await PredictionPart(data: data, split: split, part: split.parts[part.index]).run(
        arm.feed, deck: deck, plugins: plugins, seed: seed(specification, part))
    }
    var predicted = Predicted()
    var sides: [PredictionDifferences.Side] = []
    for (index, arm) in specification.arms.enumerated() {
      let own = zip(parts, results).filter { $0.0.arm == index }
      let bySeed = (0..<arm.seeds).map { seed in
        own.filter { $0.0.seed == seed }.flatMap(\.1).sorted { $0.index < $1.index }
      }
      let figures = PredictionFigures(
        split: split, predictions: bySeed, resamples: specification.resamples,
        seed: specification.seed)
      predicted.arms.append(
        ExperimentResult.Arm(
          name: arm.name, fingerprint: arm.feed.fingerprint, seeds: arm.seeds,
          figures: specification.metrics.map { ($0, figures.figure($0)) }))
      let first = bySeed.first ?? []
      predicted.predictions += first.flatMap { split.exported($0, arm: arm.name) }
      if let side = PredictionDifferences.Side(arm.name, first.map(split.probability)) {
        sides.append(side)
      }
    }
    let differences = PredictionDifferences(
      split: split, resamples: specification.resamples, seed: specification.seed)
    let others =
      sides.filter { $0.name == specification.baseline }
      + (references?.predictions(of: split) ?? []).compactMap {
        PredictionDifferences.Side($0.name, $0.probabilities)
      }
    predicted.differences = others.flatMap { other in
      sides.filter { $0.name != other.name }.flatMap {
        differences.differences($0, against: other)
      }
    }
    return predicted
  }
}

extension PredictionSplit {
  fileprivate func exported(
    _ prediction: PredictionPart.Prediction, arm: String
  ) -> [ExperimentResult.Prediction] {
    let one = cases[prediction.index]
    let forward = ExperimentResult.Prediction(
      arm: arm, pair: one.pairID, rater: one.rater, target: one.target, yes: prediction.forward,
      match: prediction.match)
    guard unit == .pairs else { return [forward] }
    return [
      forward,
      ExperimentResult.Prediction(
        arm: arm, pair: one.pairID, rater: one.target, target: one.rater,
        yes: prediction.backward, match: prediction.match),
    ]
  }
}
