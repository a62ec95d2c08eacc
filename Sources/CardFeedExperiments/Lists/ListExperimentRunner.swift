internal import CardFeed
internal import CardFeedTwoSidedMarket

/// Runs experiments on lists: makes every method's lists and judges them.
public struct ListExperimentRunner: Sendable {
  private let threads: Int

  /// A runner.
  ///
  /// - Parameter threads: How many markets are computed at a time; the figures do not depend on it.
  public init(threads: Int) { self.threads = threads }

  /// Runs an experiment on invented markets.
  ///
  /// - Parameters:
  ///   - experiment: An experiment whose data are synthetic.
  ///   - progress: Told the parts done and their number.
  public func run(
    _ experiment: ListExperiment,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    guard case .synthetic(let kind, let seeds) = experiment.data else {
      throw FeedError(
        .badInput, "the experiment '\(experiment.name)' works on recorded decisions",
        hint: "run it with a data set and a source of probabilities")
    }
    let markets = seeds.map { kind.market(seed: $0) }
    let cases = try await judge(
      experiment, believed: [markets], truth: markets, progress: progress)
    var digest = SHA256()
    for market in markets {
      for value in market.likes.values + market.likesBack.values {
        digest.update(withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) })
      }
    }
    return ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint,
      dataSet: "synthetic-market", dataChecksum: digest.hexadecimal,
      people: markets.count * (kind.left + kind.right),
      pairs: markets.count * kind.left * kind.right, matches: nil, seed: experiment.seed,
      arms: arms(experiment, cases, isTest: markets.map { _ in false }, areSums: false))
  }

  /// Runs an experiment on recorded evenings.
  ///
  /// - Parameters:
  ///   - experiment: An experiment whose data are recorded.
  ///   - data: The decisions.
  ///   - source: Where the probabilities come from.
  ///   - progress: Told the parts done and their number.
  /// - Throws: What the source throws.
  public func run(
    _ experiment: ListExperiment, data: SpeedDatingData, source: some PairProbabilitySource,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    guard case .speedDating(_, let controls) = experiment.data else {
      throw FeedError(
        .badInput, "the experiment '\(experiment.name)' works on invented markets",
        hint: "run it without a data set")
    }
    let evenings = EveningMarkets(data)
    var believed = [evenings.markets(try await source.probabilities(of: data))]
    for seed in 0..<UInt32(controls) {
      let random = RandomPairProbabilities(seed: seed).probabilities(of: data)
      believed.append(evenings.markets(random))
    }
    let cases = try await judge(
      experiment, believed: believed, truth: evenings.truth(), progress: progress)
    return ExperimentResult(
      experiment: experiment.name, fingerprint: experiment.fingerprint, dataSet: "speed-dating",
      dataChecksum: data.checksum, predictionsChecksum: source.checksum,
      people: data.persons.count, pairs: data.pairs.count,
      matches: data.pairs.count(where: \.match), seed: experiment.seed,
      arms: arms(experiment, cases, isTest: evenings.isTest, areSums: true))
  }

  /// For each arm what it came to on each market, and on the controls: the beliefs after the first.
  private func judge(
    _ experiment: ListExperiment, believed: [[TwoSidedMarket]], truth: [TwoSidedMarket],
    progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> [[ListCase]] {
    let budget = experiment.metrics.first { $0.measure == .gini }?.parameter
    let arms = experiment.arms
    let counter = ProgressCounter(total: arms.count * truth.count, progress)
    let results = try await parallelMap(
      arms.count * truth.count, threads: threads, finished: counter.advance
    ) { index in
      let (arm, market) = (arms[index / truth.count], index % truth.count)
      func outcome(_ belief: TwoSidedMarket) -> ListMethod.Outcome {
        arm.method.outcome(
          for: arm.isOracle ? truth[market] : belief, experiment.examination, budget: budget)
      }
      var result = ListCase(outcome(believed[0][market]), truth: truth[market])
      let controls = believed.dropFirst().map { beliefs in
        truth[market].expectedMatches(outcome(beliefs[market]).examination)
      }
      if !controls.isEmpty {
        result.control = controls.reduce(0, +) / Double(controls.count)
      }
      return result
    }
    return arms.indices.map { Array(results[$0 * truth.count..<($0 + 1) * truth.count]) }
  }

  private func arms(
    _ experiment: ListExperiment, _ cases: [[ListCase]], isTest: [Bool], areSums: Bool
  ) -> [ExperimentResult.Arm] {
    zip(experiment.arms, cases).map { arm, cases in
      let figures = ListFigures(
        cases: cases, isTest: isTest, areSums: areSums, resamples: experiment.resamples,
        seed: experiment.seed)
      return ExperimentResult.Arm(
        name: arm.name, fingerprint: arm.fingerprint, seeds: 1,
        figures: experiment.metrics.map { ($0, figures.figure($0)) })
    }
  }
}
