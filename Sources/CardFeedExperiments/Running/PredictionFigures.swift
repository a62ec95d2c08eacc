internal import CardFeed

/// The figures of one arm's predictions.
///
/// Definitions: AUC, of P(match) or of the ranking, is the mean over the groups of the split; log loss, Brier score and calibration
/// error are over all cases; each person's list holds the partners of the evening by score, equal
/// scores by the smaller number, and people without a positive case are left out of the means of
/// lists.
struct PredictionFigures {
  let split: PredictionSplit
  /// For each seed every case's prediction, by case.
  let predictions: [[PredictionPart.Prediction]]
  let resamples: Int
  let seed: UInt64

  func figure(_ metric: MetricName) -> ExperimentResult.Figure {
    switch metric.measure {
    case .ndcg:
      let cutoff = Int(metric.parameter ?? 5)
      return listFigure { $0.ndcg(at: cutoff) }
    case .hit:
      let cutoff = Int(metric.parameter ?? 1)
      return listFigure { $0.hit(at: cutoff) }
    default: return forecastFigure(metric)
    }
  }

  private func forecastFigure(_ metric: MetricName) -> ExperimentResult.Figure {
    let clusters = Clusters(split.cases.map(\.wave))
    return .bootstrap(clusters: clusters.count, resamples: resamples, seed: seed) { drawn in
      let rows = clusters.rows(of: drawn)
      let values = predictions.compactMap { value(metric, of: $0, rows: rows) }
      guard values.count == predictions.count, !values.isEmpty else { return nil }
      return values.reduce(0, +) / Double(values.count)
    }
  }

  private func value(
    _ metric: MetricName, of predictions: [PredictionPart.Prediction], rows: [Int]
  ) -> Double? {
    switch metric.measure {
    case .auc: auc(predictions, rows)
    case .withinWaveAUC: withinWaveAUC(predictions, rows)
    case .rankingAUC: rankingAUC(predictions, rows)
    case .logLoss: forecasts(predictions, rows)?.logLoss()
    case .brier: forecasts(predictions, rows)?.brierScore
    case .ece: forecasts(predictions, rows)?.expectedCalibrationError()
    default: nil
    }
  }

  /// Nil when a case has no probability: a figure over some of the cases would be another figure.
  private func forecasts(
    _ predictions: [PredictionPart.Prediction], _ rows: [Int]
  ) -> ProbabilityForecasts? {
    let probabilities = rows.compactMap { split.probability(predictions[$0]) }
    guard probabilities.count == rows.count else { return nil }
    return measured {
      try ProbabilityForecasts(
        outcomes: rows.map { split.cases[$0].outcome }, probabilities: probabilities)
    }
  }

  private func auc(_ predictions: [PredictionPart.Prediction], _ rows: [Int]) -> Double? {
    let folds = Dictionary(grouping: rows) { split.cases[$0].group }
    let values = folds.sorted { $0.key < $1.key }.compactMap { forecasts(predictions, $1)?.auc }
    guard values.count == folds.count, !values.isEmpty else { return nil }
    return values.reduce(0, +) / Double(values.count)
  }

  /// Each pair stands for both sides' lists, so that a ranking need not be symmetric.
  private func rankingAUC(
    _ predictions: [PredictionPart.Prediction], _ rows: [Int]
  ) -> Double? {
    let folds = Dictionary(grouping: rows) { split.cases[$0].group }
    let values = folds.sorted { $0.key < $1.key }.compactMap { _, rows -> Double? in
      var scores = rows.compactMap { predictions[$0].scoreForRater }
      var outcomes = rows.map { split.cases[$0].outcome }
      if split.unit == .pairs {
        scores += rows.compactMap { predictions[$0].scoreForTarget }
        outcomes += outcomes
      }
      guard scores.count == outcomes.count else { return nil }
      return measured { try ScoredOutcomes(outcomes: outcomes, scores: scores).auc }
    }
    guard values.count == folds.count, !values.isEmpty else { return nil }
    return values.reduce(0, +) / Double(values.count)
  }

  private func withinWaveAUC(
    _ predictions: [PredictionPart.Prediction], _ rows: [Int]
  ) -> Double? {
    guard let forecasts = forecasts(predictions, rows) else { return nil }
    let cells = rows.map { split.cell($0) }
    return measured { try forecasts.scored.withinGroupAUC(groups: cells) }
  }

  /// Means over people, from the sums of each evening, so that a draw of evenings costs nothing.
  private func listFigure(_ measure: (RankedList) -> Double?) -> ExperimentResult.Figure {
    let waves = Clusters(split.cases.map(\.wave))
    var sums = Array(repeating: 0.0, count: waves.count)
    var counts = Array(repeating: 0.0, count: waves.count)
    for predictions in predictions {
      for (wave, rows) in waves.rows.enumerated() {
        for list in lists(predictions, rows) where list.relevantCount > 0 {
          sums[wave] += measure(list) ?? 0
          counts[wave] += 1
        }
      }
    }
    let ratio = ClusterRatio(numerators: sums, denominators: counts)
    return .bootstrap(clusters: waves.count, resamples: resamples, seed: seed) {
      ratio.value(over: $0)
    }
  }

  private func lists(_ predictions: [PredictionPart.Prediction], _ rows: [Int]) -> [RankedList] {
    let cases = rows.map { split.cases[$0] }
    // An unscored card ranks last.
    let least = -Double.greatestFiniteMagnitude
    var users = cases.map(\.rater)
    var items = cases.map(\.target)
    var scores = rows.map { predictions[$0].scoreForRater ?? least }
    var relevant = cases.map(\.outcome)
    if split.unit == .pairs {
      users += cases.map(\.target)
      items += cases.map(\.rater)
      scores += rows.map { predictions[$0].scoreForTarget ?? least }
      relevant += cases.map(\.outcome)
    }
    return measured {
      try RankedList.perUser(users: users, items: items, scores: scores, relevant: relevant)
    }
  }

  /// The columns are made here and fit each other; a metric that refuses them is a fault of this
  /// file, and a figure without it would be wrong.
  private func measured<Value>(_ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      preconditionFailure("The figures hand a metric columns that do not fit: \(error)")
    }
  }
}

extension PredictionSplit {
  /// What is compared with the outcome of a case.
  func probability(_ prediction: PredictionPart.Prediction) -> Double? {
    unit == .pairs ? prediction.match : prediction.forward
  }

  /// The cases inside which an AUC is free of differences between evenings.
  struct Cell: Hashable {
    let group: Int
    let wave: Int
  }

  func cell(_ index: Int) -> Cell { Cell(group: cases[index].group, wave: cases[index].wave) }
}
