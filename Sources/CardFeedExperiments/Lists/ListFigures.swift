internal import CardFeed
internal import CardFeedTwoSidedMarket

/// What one method came to on one market.
struct ListCase: Sendable {
  /// Expected matches, judged by the truth.
  let matches: Double
  /// The same on random probabilities, mean over the controls; nil without controls.
  var control: Double?
  let envies: TwoSidedMarket.Envies
  /// How often each person of either side stands in the first places of somebody's list.
  let exposures: [[Double]]

  init(_ outcome: ListMethod.Outcome, truth: TwoSidedMarket) {
    matches = truth.expectedMatches(outcome.examination)
    envies = truth.envies(outcome.examination)
    exposures = [outcome.left, outcome.right].compactMap { $0 }.map { places in
      var sums = Array(repeating: 0.0, count: places.columns)
      for row in 0..<places.rows {
        for column in sums.indices { sums[column] += places[row, column] }
      }
      return sums
    }
  }
}

/// The figures of one method.
struct ListFigures {
  let cases: [ListCase]
  /// Whether each market belongs to the later evenings.
  let isTest: [Bool]
  /// Sums over evenings, means over invented markets.
  let areSums: Bool
  let resamples: Int
  let seed: UInt64

  func figure(_ metric: MetricName) -> ExperimentResult.Figure {
    switch metric.measure {
    case .expectedMatches: figure { $0.matches }
    case .expectedMatchesTest: figure(over: isTest) { $0.matches }
    case .controlMatches: figure { $0.control }
    case .gainOverControl: figure { one in one.control.map { one.matches - $0 } }
    case .enviesLeft: figure { Double($0.envies.left) }
    case .enviesRight: figure { Double($0.envies.right) }
    case .gini: bootstrap { gini(of: $0) }
    default: .init(value: nil, interval: nil)
    }
  }

  private func figure(
    over included: [Bool]? = nil, _ value: (ListCase) -> Double?
  ) -> ExperimentResult.Figure {
    bootstrap { drawn in
      let values = drawn.filter { included?[$0] ?? true }.map { value(cases[$0]) }
      guard values.allSatisfy({ $0 != nil }) else { return nil }
      let sum = values.compactMap { $0 }.reduce(0, +)
      return areSums ? sum : sum / Double(values.count)
    }
  }

  /// Inside each side of each market, weighted by people.
  private func gini(of drawn: [Int]) -> Double? {
    var weighted = 0.0
    var people = 0
    for exposures in drawn.flatMap({ cases[$0].exposures }) where !exposures.isEmpty {
      guard let coefficient = Concentration.gini(exposures) else { return nil }
      weighted += coefficient * Double(exposures.count)
      people += exposures.count
    }
    return people == 0 ? nil : weighted / Double(people)
  }

  private func bootstrap(_ statistic: ([Int]) -> Double?) -> ExperimentResult.Figure {
    guard cases.count > 1 else {
      // One market says nothing about how markets vary.
      return .init(value: statistic(Array(cases.indices)), interval: nil)
    }
    return .bootstrap(clusters: cases.count, resamples: resamples, seed: seed, statistic)
  }
}
