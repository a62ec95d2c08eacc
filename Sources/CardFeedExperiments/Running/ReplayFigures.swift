internal import CardFeed

/// The figures of one arm of a replay.
struct ReplayFigures {
  let budgets: [Double]
  /// Matches of each evening.
  let totals: [Int]
  /// Whether each evening is one of the later ones.
  let isLater: [Bool]
  let seeds: Int
  /// For each seed and evening, the results by budget.
  let results: [[DeckReplay.Result]]
  let resamples: Int
  let seed: UInt64

  private var waves: Int { totals.count }

  private func result(_ seed: Int, _ wave: Int, _ budget: Int) -> DeckReplay.Result {
    results[seed * waves + wave][budget]
  }

  func figure(_ metric: MetricName) -> ExperimentResult.Figure {
    guard let statistic = statistic(metric) else { return .init(value: nil, interval: nil) }
    return .bootstrap(
      clusters: statistic.waves.count, resamples: resamples, seed: seed, statistic.value)
  }

  /// The figure minus that of another arm, over evenings drawn for both at once; nil for figures
  /// that are no shares of matches.
  func difference(
    _ metric: MetricName, to other: ReplayFigures
  ) -> ExperimentResult.Figure? {
    guard [.matches, .matchesTrain, .matchesTest, .meanMatches].contains(metric.measure),
      let own = statistic(metric), let others = other.statistic(metric)
    else { return nil }
    var generator = SplitMix64(seed: seed)
    let interval = ClusterBootstrap(resamples: resamples).pairedDifference(
      clusterCount: own.waves.count, using: &generator, a: own.value, b: others.value
    )?.interval
    return .init(
      value: interval?.estimate, interval: interval.map { min($0.lower, $0.upper)...$0.upper })
  }

  /// A figure as a function of drawn evenings: places in `waves`, some may stand repeatedly.
  private struct Statistic {
    let waves: [Int]
    let of: ([Int]) -> Double?

    func value(_ drawn: [Int]) -> Double? { of(drawn.map { waves[$0] }) }
  }

  private func statistic(_ metric: MetricName) -> Statistic? {
    let all = Array(totals.indices)
    let budget = metric.parameter.flatMap { budgets.firstIndex(of: $0) }
    switch (metric.measure, budget) {
    case (.matches, let budget?): return Statistic(waves: all) { share(budget, of: $0) }
    case (.matchesTrain, let budget?):
      return Statistic(waves: all.filter { !isLater[$0] }) { share(budget, of: $0) }
    case (.matchesTest, let budget?):
      return Statistic(waves: all.filter { isLater[$0] }) { share(budget, of: $0) }
    case (.meanMatches, _):
      let others = budgets.indices.filter { budgets[$0] != 0.25 }
      return Statistic(waves: all) { waves in
        let shares = others.compactMap { share($0, of: waves) }
        return shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
      }
    case (.gini, let budget?):
      return Statistic(waves: all) { waves in
        let values = (0..<seeds).compactMap { seed in
          Concentration.gini(
            withinGroups: waves.flatMap { result(seed, $0, budget).impressions })
        }
        return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
      }
    case (.matchedPeople, let budget?):
      return Statistic(waves: all) { waves in
        let people = (0..<seeds).reduce(0) { sum, seed in
          waves.reduce(sum) { $0 + result(seed, $1, budget).matchedPeople }
        }
        return Double(people) / Double(seeds)
      }
    default: return nil
    }
  }

  /// The share of the matches of `waves` (some may stand repeatedly) found, mean over seeds.
  private func share(_ budget: Int, of waves: [Int]) -> Double? {
    let total = waves.reduce(0) { $0 + totals[$1] }
    guard total > 0 else { return nil }
    var found = 0
    for seed in 0..<seeds {
      for wave in waves { found += result(seed, wave, budget).found }
    }
    return Double(found) / Double(seeds) / Double(total)
  }
}

extension ExperimentResult.Figure {
  /// A statistic over all clusters, with its percentile interval over drawn clusters.
  static func bootstrap(
    clusters: Int, resamples: Int, seed: UInt64, _ statistic: ([Int]) -> Double?
  ) -> ExperimentResult.Figure {
    var generator = SplitMix64(seed: seed)
    let interval = ClusterBootstrap(resamples: resamples).interval(
      clusterCount: clusters, using: &generator, statistic: statistic)
    guard let interval else { return .init(value: nil, interval: nil) }
    let isRange = interval.lower <= interval.upper
    return .init(
      value: interval.estimate, interval: isRange ? interval.lower...interval.upper : nil)
  }
}
