internal import CardFeed

/// The figures of one arm of a replay.
struct ReplayFigures {
  let budgets: [Double]
  /// Matches of each evening.
  let totals: [Int]
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
    switch metric.measure {
    case .matches:
      guard let budget = budgets.firstIndex(of: metric.parameter ?? 0) else { break }
      return interval { share(budget, of: $0) }
    case .meanMatches:
      let others = budgets.indices.filter { budgets[$0] != 0.25 }
      return interval { waves in
        let shares = others.compactMap { share($0, of: waves) }
        return shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
      }
    case .gini:
      guard let budget = budgets.firstIndex(of: metric.parameter ?? 0) else { break }
      return interval { waves in
        let values = (0..<seeds).compactMap { seed in
          Concentration.gini(
            withinGroups: waves.flatMap { result(seed, $0, budget).impressions })
        }
        return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
      }
    case .matchedPeople:
      guard let budget = budgets.firstIndex(of: metric.parameter ?? 0) else { break }
      return interval { waves in
        let people = (0..<seeds).reduce(0) { sum, seed in
          waves.reduce(sum) { $0 + result(seed, $1, budget).matchedPeople }
        }
        return Double(people) / Double(seeds)
      }
    default: break
    }
    return .init(value: nil, interval: nil)
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

  private func interval(_ statistic: ([Int]) -> Double?) -> ExperimentResult.Figure {
    .bootstrap(clusters: waves, resamples: resamples, seed: seed, statistic)
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
