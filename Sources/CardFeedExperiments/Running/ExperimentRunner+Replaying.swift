internal import CardFeed
internal import CardFeedConfiguration

extension ExperimentRunner {
  /// What a prior depends on.
  private struct PriorKey: Hashable {
    let fingerprint: String
    let fold: Int
  }

  func replay(
    _ specification: ExperimentSpecification, data: SpeedDatingData, budgets: [Double],
    plugins: PluginSet, progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> Predicted {
    let waves = data.waves
    let parts = parts(specification, of: waves.count)
    let split = PredictionSplit.coldWaves(data)
    let priors = priors(of: specification, folds: split.parts.count)
    // A model that knew anybody of its evenings would know what the replay is about to find out.
    if !priors.isEmpty { try split.checkLeaks(data) }
    let folds = Dictionary(
      split.parts.enumerated().flatMap { fold, part in
        part.asked.map { (split.cases[$0].wave, fold) }
      }, uniquingKeysWith: { first, _ in first })

    let counter = ProgressCounter(total: priors.count + parts.count, progress)
    let files = try await parallelMap(
      priors.count, threads: threads, finished: counter.advance
    ) { index in
      let (key, arm) = priors[index]
      let known = split.parts[key.fold].known.map { data.decisions[$0] }
      return try await train(
        arm, known: known, data: data, plugins: plugins, seed: specification.seed)
    }
    let models = Dictionary(uniqueKeysWithValues: zip(priors.map(\.key), files))
    let results = try await parallelMap(
      parts.count, threads: threads, finished: counter.advance
    ) { index in
      let part = parts[index]
      let arm = specification.arms[part.arm]
      let wave = waves[part.index]
      let prior = arm.prior.flatMap { prior in
        folds[wave].flatMap { models[PriorKey(fingerprint: prior.fingerprint, fold: $0)] }
      }
      let replay = DeckReplay(
        data: data, wave: wave, prior: prior, refitsEachRound: arm.refitsEachRound)
      var results: [DeckReplay.Result] = []
      for budget in budgets {
        let deck = try deck(of: arm, in: plugins)
        results.append(
          try await replay.run(
            arm.feed, deck: deck, plugins: plugins, seed: seed(specification, part),
            budget: budget))
      }
      return results
    }
    return summary(of: specification, data: data, budgets: budgets) { arm in
      zip(parts, results).filter { $0.0.arm == arm }.map(\.1)
    }
  }

  /// Each prior once, whatever the number of arms that begin with it.
  private func priors(
    of specification: ExperimentSpecification, folds: Int
  ) -> [(key: PriorKey, arm: ExperimentSpecification.Arm)] {
    var known: Set<String> = []
    return specification.arms.flatMap { arm in
      guard let prior = arm.prior, known.insert(prior.fingerprint).inserted else {
        return [(key: PriorKey, arm: ExperimentSpecification.Arm)]()
      }
      return (0..<folds).map { (PriorKey(fingerprint: prior.fingerprint, fold: $0), arm) }
    }
  }

  private func train(
    _ arm: ExperimentSpecification.Arm, known: [SpeedDatingData.Decision], data: SpeedDatingData,
    plugins: PluginSet, seed: UInt64
  ) async throws -> ModelFile {
    guard !known.isEmpty else {
      throw FeedError(
        .badInput, "a prior has no evenings of other folds to be trained on",
        hint: "take \"prior\" out of the arms, or give data with more evenings")
    }
    let configuration = arm.prior ?? arm.feed
    func train<P: DeckPlugin>(_ deck: P) async throws -> ModelFile {
      let feed = try await configuration.openReplay(
        deck, seed: seed, plugins: plugins, people: data.persons, of: data)
      try await feed.tell(known)
      return try await feed.train().file
    }
    return try await train(try deck(of: arm, in: plugins))
  }

  private func summary(
    of specification: ExperimentSpecification, data: SpeedDatingData, budgets: [Double],
    results: (_ arm: Int) -> [[DeckReplay.Result]]
  ) -> Predicted {
    let waves = data.waves
    let later = Set(data.pairs.filter { $0.timeSplit == .test }.map(\.wave))
    let figures = specification.arms.enumerated().map { index, arm in
      ReplayFigures(
        budgets: budgets, totals: waves.map { DeckReplay(data: data, wave: $0).total },
        isLater: waves.map(later.contains), seeds: arm.seeds, results: results(index),
        resamples: specification.resamples, seed: specification.seed)
    }
    var predicted = Predicted()
    predicted.arms = zip(specification.arms, figures).map { arm, figures in
      ExperimentResult.Arm(
        name: arm.name, fingerprint: arm.feed.fingerprint, seeds: arm.seeds,
        figures: specification.metrics.map { ($0, figures.figure($0)) })
    }
    guard let other = specification.arms.firstIndex(where: { $0.name == specification.baseline })
    else { return predicted }
    for (index, arm) in specification.arms.enumerated() where index != other {
      for metric in specification.metrics {
        guard let figure = figures[index].difference(metric, to: figures[other]) else { continue }
        predicted.differences.append(
          ExperimentResult.Difference(
            arm: arm.name, against: specification.arms[other].name, metric: metric, figure: figure))
      }
    }
    return predicted
  }
}
