internal import CardFeedConfiguration

extension QuizExperiment {
  /// The metrics that belong to a split.
  static func measures(of split: Split) -> [MetricName.Measure] {
    switch split {
    case .unseenStudents, .heldOutAnswers: [.logLoss, .calibration, .auc]
    case .laterReviews: [.logLoss, .binError, .calibration, .auc]
    case .adaptiveTest:
      [.testCorrelation, .medianItems, .reach, .unseenLogLoss, .greatestExposure, .unasked]
    }
  }

  static func metrics(
    _ object: JSONObject, _ root: JSONValue, split: Split?, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    let path = JSONPath.root.appending("metrics")
    let measures = split.map(measures) ?? []
    let names = measures.map { $0.isAtPlace ? $0.rawValue + "@K" : $0.rawValue }
    let allowed = "a list of " + names.joined(separator: ", ")
    guard let value = object["metrics"], let elements = value.array, !elements.isEmpty else {
      reader.report(
        "must be a list of metrics", at: path, object["metrics"]?.location ?? root.location,
        found: object["metrics"]?.kind.description ?? "nothing", allowed: allowed)
      return nil
    }
    guard split != nil else { return nil }
    var metrics: [MetricName] = []
    for (index, element) in elements.enumerated() {
      let found = element.string.map { "\"\($0)\"" } ?? element.kind.description
      let metric = element.string.flatMap { MetricName($0) }
      let problem: String? =
        switch metric {
        case nil: "unknown metric"
        case let metric? where !measures.contains(metric.measure):
          "the metric does not belong to the split"
        case let metric? where metrics.contains(metric): "the metric stands twice"
        default: nil
        }
      if let problem {
        reader.report(
          problem, at: path.appending(index), element.location, found: found, allowed: allowed)
      } else if let metric {
        metrics.append(metric)
      }
    }
    guard metrics.count == elements.count else { return nil }
    // Each of these alone can be made to look good: a loss by the level of a stream of answers, an
    // error over bins by saying what is usual in each, an area without any calibration.
    if case .adaptiveTest? = split { return metrics }
    let calibration: MetricName.Measure =
      measures.contains(.binError) ? .binError : .calibration
    let missing = [.logLoss, calibration, .auc].filter { measure in
      !metrics.contains { $0.measure == measure }
    }
    if !missing.isEmpty {
      reader.report(
        "predictions stand without \(missing.map(\.rawValue).joined(separator: " and "))",
        at: path, value.location,
        allowed: "log-loss, \(calibration.rawValue) and auc together")
      return nil
    }
    return metrics
  }
}
