internal import CardFeed
internal import CardFeedOnlineLearning

/// Runs experiments on what learns while it is asked.
public struct OnlineExperimentRunner: Sendable {
  private let threads: Int

  /// A runner.
  ///
  /// - Parameter threads: How many arms and worlds are computed at a time; the figures do not
  ///   depend on it.
  public init(threads: Int) { self.threads = threads }

  /// Runs an experiment.
  ///
  /// - Parameters:
  ///   - experiment: What to compare.
  ///   - directory: The folder that holds `product/`; nil where nothing recorded is needed.
  ///   - progress: Told the parts done and their number.
  /// - Throws: ``DataProblems`` for files that cannot be read; `FeedError.Code.badInput` for a
  ///   folder that is missing, or a model that asks for a column that is not there.
  public func run(
    _ experiment: OnlineExperiment, directory: String?,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    let folder = (directory ?? ".") + "/product/"
    switch experiment.data {
    case .purchases(let set):
      try needs(directory, experiment)
      return try await run(
        experiment, purchases: PurchaseRows(folder: folder + set + "/"), progress: progress)
    case .tapes(let sets):
      try needs(directory, experiment)
      return try await run(experiment, groups: tapes(sets, folder + "tapes/"), progress)
    case .worlds(let count, let rounds, let arms, let numbers):
      let groups = [("stationary", false), ("drift", true)].map { name, drifts in
        let worlds = (0..<count).map { index in
          BanditWorld.made(
            seed: experiment.seed &* 1000 &+ UInt64(index), rounds: rounds, arms: arms,
            numbers: numbers, drifts: drifts)
        }
        return WorldGroup(name: name, worlds: worlds, checksum: "")
      }
      return try await run(experiment, groups: groups, progress)
    case .lists(let set, let categories):
      try needs(directory, experiment)
      let lists = try RatedLists(folder: folder + set + "/", categories: folder + categories)
      return try await run(experiment, lists: lists, progress: progress)
    }
  }

  private func needs(_ directory: String?, _ experiment: OnlineExperiment) throws {
    guard directory == nil else { return }
    throw FeedError(
      .badInput, "the experiment '\(experiment.name)' works on recorded data",
      hint: "give the folder that holds product/")
  }

  /// Runs an experiment on purchases.
  ///
  /// - Parameters:
  ///   - experiment: An experiment with the split `one-pass`.
  ///   - purchases: The rows.
  ///   - progress: Told the arms done and their number.
  /// - Throws: A ``SplitLeak`` when nothing is asked; `FeedError.Code.badInput` for a column that
  ///   is not there.
  public func run(
    _ experiment: OnlineExperiment, purchases: PurchaseRows,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    let predictions = PurchasePredictions(rows: purchases, seed: experiment.seed)
    let questions = predictions.questions
    guard !questions.outcomes.isEmpty else { throw SplitLeak(kind: .coverage, count: 0) }
    let arms = experiment.arms
    let counter = ProgressCounter(total: arms.count, progress)
    let forecasts = try await parallelMap(
      arms.count, threads: threads, finished: counter.advance
    ) { index in
      QuizForecasts(questions, try predictions.probabilities(arms[index].model))
    }
    var result = ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint,
      dataSet: experiment.data.name, dataChecksum: purchases.checksum,
      people: questions.clusterCount, pairs: purchases.training.outcomes.count,
      matches: questions.outcomes.count { $0 }, seed: experiment.seed,
      arms: zip(arms, forecasts).map { arm, own in
        ExperimentResult.Arm(
          name: arm.name, fingerprint: arm.fingerprint, seeds: 1,
          figures: experiment.metrics.map {
            ($0, own.figure($0, resamples: experiment.resamples, seed: experiment.seed))
          })
      })
    if let baseline = arms.firstIndex(where: { $0.name == experiment.baseline }) {
      for (arm, own) in zip(arms, forecasts) where arm.name != experiment.baseline {
        for metric in experiment.metrics {
          result.differences.append(
            ExperimentResult.Difference(
              arm: arm.name, against: arms[baseline].name, metric: metric,
              figure: own.difference(
                metric, to: forecasts[baseline], resamples: experiment.resamples,
                seed: experiment.seed)))
        }
      }
    }
    return result
  }

  /// Runs an experiment on lists.
  ///
  /// - Parameters:
  ///   - experiment: An experiment with the split `reranked`.
  ///   - lists: Candidates, and what they are judged by.
  ///   - progress: Told the arms done and their number.
  /// - Throws: A ``SplitLeak`` when nobody is asked, or a viewer is tested on a card that is known.
  public func run(
    _ experiment: OnlineExperiment, lists: RatedLists,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    let leaks = lists.viewers.count { !$0.relevant.isDisjoint(with: $0.known) }
    guard leaks == 0 else { throw SplitLeak(kind: .answer, count: leaks) }
    guard !lists.viewers.isEmpty else { throw SplitLeak(kind: .coverage, count: 0) }
    let arms = experiment.arms
    let counter = ProgressCounter(total: arms.count, progress)
    let columns = try await parallelMap(
      arms.count, threads: threads, finished: counter.advance
    ) { index in
      try experiment.metrics.map { metric in
        try Task.checkCancellation()
        return lists.viewers.map { lists.value(metric, of: $0, by: arms[index].model) }
      }
    }
    func mean(_ values: [Double]) -> ExperimentResult.Figure {
      .bootstrap(
        clusters: values.count, resamples: experiment.resamples, seed: experiment.seed
      ) { drawn in drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count) }
    }
    var result = ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint,
      dataSet: experiment.data.name, dataChecksum: lists.checksum, people: lists.viewers.count,
      pairs: lists.viewers.reduce(0) { $0 + $1.cards.count }, matches: nil,
      seed: experiment.seed,
      arms: zip(arms, columns).map { arm, own in
        ExperimentResult.Arm(
          name: arm.name, fingerprint: arm.fingerprint, seeds: 1,
          figures: zip(experiment.metrics, own).map { ($0, mean($1)) })
      })
    guard let baseline = arms.firstIndex(where: { $0.name == experiment.baseline }) else {
      return result
    }
    for (index, arm) in arms.enumerated() where index != baseline {
      for (place, metric) in experiment.metrics.enumerated() {
        let values = zip(columns[index][place], columns[baseline][place]).map { $0 - $1 }
        result.differences.append(
          ExperimentResult.Difference(
            arm: arm.name, against: arms[baseline].name, metric: metric, figure: mean(values)))
      }
    }
    return result
  }

  /// Worlds of one kind.
  private struct WorldGroup: Sendable {
    let name: String
    let worlds: [BanditWorld]
    let checksum: String
  }

  private func tapes(_ sets: [String], _ folder: String) throws -> [WorldGroup] {
    try sets.map { set in
      var worlds: [BanditWorld] = []
      var digests = ""
      while (try? ByteFile(path: "\(folder)\(set)_\(worlds.count)/X.npy")) != nil {
        let read = try BanditWorld.load(folder: "\(folder)\(set)_\(worlds.count)")
        worlds.append(read.world)
        digests += read.checksum
      }
      guard !worlds.isEmpty else {
        throw DataProblem(
          file: "\(folder)\(set)_0/X.npy", reason: "there is no such world", found: "no file",
          allowed: "X.npy, P.npy and U.npy in a folder for each world")
      }
      return WorldGroup(name: set, worlds: worlds, checksum: digests)
    }
  }

  private func run(
    _ experiment: OnlineExperiment, groups: [WorldGroup],
    _ progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> ExperimentResult {
    let arms = experiment.arms
    let plays = groups.indices.flatMap { group in
      arms.indices.flatMap { arm in
        groups[group].worlds.indices.map { (group: group, arm: arm, world: $0) }
      }
    }
    let counter = ProgressCounter(total: plays.count, progress)
    let outcomes = try await parallelMap(
      plays.count, threads: threads, finished: counter.advance
    ) { index in
      let play = plays[index]
      var hash = StableHash()
      hash.combine(experiment.seed)
      hash.combine(play.world)
      return try groups[play.group].worlds[play.world].play(
        arms[play.arm].model, seed: hash.value
      ) { try Task.checkCancellation() }
    }
    var made: [ExperimentResult.Arm] = []
    var differences: [ExperimentResult.Difference] = []
    var start = 0
    for group in groups {
      let count = group.worlds.count
      let columns = arms.indices.map { arm in
        outcomes[start + arm * count..<start + (arm + 1) * count].map(\.regret)
      }
      start += arms.count * count
      func mean(_ values: [Double]) -> ExperimentResult.Figure {
        .bootstrap(clusters: count, resamples: experiment.resamples, seed: experiment.seed) {
          drawn in drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)
        }
      }
      let baseline = arms.firstIndex { $0.name == experiment.baseline }
      for (index, arm) in arms.enumerated() {
        let name = "\(group.name) \(arm.name)"
        made.append(
          ExperimentResult.Arm(
            name: name, fingerprint: arm.fingerprint, seeds: 1,
            figures: experiment.metrics.map { ($0, mean(columns[index])) }))
        guard let baseline, baseline != index else { continue }
        for metric in experiment.metrics {
          differences.append(
            ExperimentResult.Difference(
              arm: name, against: "\(group.name) \(arms[baseline].name)", metric: metric,
              figure: mean(zip(columns[index], columns[baseline]).map { $0 - $1 })))
        }
      }
    }
    let worlds = groups.reduce(0) { $0 + $1.worlds.count }
    return ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint,
      dataSet: experiment.data.name,
      dataChecksum: SHA256.hexadecimal(Array(groups.map(\.checksum).joined().utf8)),
      people: worlds, pairs: groups.reduce(0) { $0 + $1.worlds.reduce(0) { $0 + $1.rounds } },
      matches: nil, seed: experiment.seed, arms: made, differences: differences)
  }
}
