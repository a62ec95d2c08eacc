internal import CardFeed

/// Probabilities of one arm beside what happened, for figures over drawn students or cards.
struct QuizForecasts: Sendable {
  /// What was asked; the same for all arms.
  struct Questions: Sendable {
    var outcomes: [Bool] = []
    /// The student or card of each, 0 ..< `clusterCount`.
    var clusters: [Int] = []
    var clusterCount = 0
    /// For reviews the bin of delay, number and lapses of each, 0 and more.
    var bins: [Int] = []
  }

  let questions: Questions
  let probabilities: [Double]
  /// In nats; probabilities are kept 10⁻⁴ off 0 and 1.
  private let losses: [Double]
  /// Rows by probability, for the area under the curve.
  private let order: [Int]

  init(_ questions: Questions, _ probabilities: [Double]) {
    precondition(
      questions.outcomes.count == probabilities.count, "Every answer has a probability.")
    self.questions = questions
    self.probabilities = probabilities
    losses = zip(questions.outcomes, probabilities).map { outcome, probability in
      let right = min(max(probability, 1e-4), 1 - 1e-4)
      return -PortableMath.log(outcome ? right : 1 - right)
    }
    order = probabilities.indices.sorted {
      (probabilities[$0], $0) < (probabilities[$1], $1)
    }
  }

  /// The figure where each cluster counts as often as it was drawn. O(answers).
  func value(_ measure: MetricName.Measure, drawn: [Int]) -> Double? {
    var weights = Array(repeating: 0.0, count: questions.clusterCount)
    for cluster in drawn { weights[cluster] += 1 }
    switch measure {
    case .logLoss: return logLoss(weights)
    case .auc: return area(weights)
    case .calibration:
      return distance(weights, bins: 20) { min(Int(probabilities[$0] * 20), 19) }
    case .binError:
      let count = (questions.bins.max() ?? -1) + 1
      return distance(weights, bins: count) { questions.bins[$0] }
    case .massError: return massError(weights, bins: 15)
    default: return nil
    }
  }

  private func logLoss(_ weights: [Double]) -> Double? {
    var sum = 0.0
    var count = 0.0
    for row in losses.indices {
      let weight = weights[questions.clusters[row]]
      sum += weight * losses[row]
      count += weight
    }
    return count > 0 ? sum / count : nil
  }

  /// Equal probabilities count half.
  private func area(_ weights: [Double]) -> Double? {
    var wins = 0.0
    var right = 0.0
    var wrong = 0.0
    var start = 0
    while start < order.count {
      var end = start
      var (rightHere, wrongHere) = (0.0, 0.0)
      while end < order.count, probabilities[order[end]] == probabilities[order[start]] {
        let weight = weights[questions.clusters[order[end]]]
        if questions.outcomes[order[end]] { rightHere += weight } else { wrongHere += weight }
        end += 1
      }
      wins += rightHere * (wrong + wrongHere / 2)
      right += rightHere
      wrong += wrongHere
      start = end
    }
    return right > 0 && wrong > 0 ? wins / (right * wrong) : nil
  }

  /// The root of the mean square distance of shares from mean forecasts, bins weighted by answers.
  private func distance(_ weights: [Double], bins: Int, _ bin: (Int) -> Int) -> Double? {
    var sums = Array(repeating: (count: 0.0, distance: 0.0), count: bins)
    for row in probabilities.indices {
      let weight = weights[questions.clusters[row]]
      guard weight > 0 else { continue }
      let index = bin(row)
      sums[index].count += weight
      sums[index].distance +=
        weight * (probabilities[row] - (questions.outcomes[row] ? 1 : 0))
    }
    let total = sums.reduce(0) { $0 + $1.count }
    guard total > 0 else { return nil }
    let squares = sums.reduce(0.0) { sum, bin in
      bin.count > 0 ? sum + bin.distance * bin.distance / bin.count : sum
    }
    return (squares / total).squareRoot()
  }

  /// The mean distance of shares from mean forecasts, over bins of forecasts in a row that hold as many
  /// answers each.
  private func massError(_ weights: [Double], bins: Int) -> Double? {
    let total = questions.clusters.reduce(0) { $0 + weights[$1] }
    guard total > 0 else { return nil }
    var sums = Array(repeating: 0.0, count: bins)
    var before = 0.0
    for row in order {
      let weight = weights[questions.clusters[row]]
      guard weight > 0 else { continue }
      let bin = min(Int(before / total * Double(bins)), bins - 1)
      sums[bin] += weight * (probabilities[row] - (questions.outcomes[row] ? 1 : 0))
      before += weight
    }
    return sums.reduce(0) { $0 + abs($1) } / total
  }

  /// With the interval over drawn clusters.
  func figure(
    _ metric: MetricName, resamples: Int, seed: UInt64
  ) -> ExperimentResult.Figure {
    .bootstrap(clusters: questions.clusterCount, resamples: resamples, seed: seed) {
      value(metric.measure, drawn: $0)
    }
  }

  /// This arm's figure minus that of another, over clusters drawn for both.
  func difference(
    _ metric: MetricName, to other: QuizForecasts, resamples: Int, seed: UInt64
  ) -> ExperimentResult.Figure {
    var generator = SplitMix64(seed: seed)
    let difference = ClusterBootstrap(resamples: resamples).pairedDifference(
      clusterCount: questions.clusterCount, using: &generator,
      a: { value(metric.measure, drawn: $0) }, b: { other.value(metric.measure, drawn: $0) })
    let interval = difference?.interval
    return .init(
      value: interval?.estimate, interval: interval.map { min($0.lower, $0.upper)...$0.upper })
  }
}
