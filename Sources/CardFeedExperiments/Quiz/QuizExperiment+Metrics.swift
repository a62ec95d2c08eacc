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
    let measures = split.map(measures) ?? []
    let names = measures.map { $0.isAtPlace ? $0.rawValue + "@K" : $0.rawValue }
    let allowed = "a list of " + names.joined(separator: ", ")
    let read = reader.metrics(of: object, root, allowed: allowed) { metric, _ in
      // Without a split nobody can tell, and that it is missing is reported already.
      split == nil || measures.contains(metric.measure)
        ? nil : "the metric does not belong to the split"
    }
    guard let metrics = read, let split else { return nil }
    // Each of these alone can be made to look good: a loss by the level of a stream of answers, an
    // error over bins by saying what is usual in each, an area without any calibration.
    if case .adaptiveTest = split { return metrics }
    let calibration: MetricName.Measure =
      measures.contains(.binError) ? .binError : .calibration
    let missing = [.logLoss, calibration, .auc].filter { measure in
      !metrics.contains { $0.measure == measure }
    }
    if !missing.isEmpty {
      reader.report(
        "predictions stand without \(missing.map(\.rawValue).joined(separator: " and "))",
        at: JSONPath.root.appending("metrics"), object["metrics"]?.location,
        allowed: "log-loss, \(calibration.rawValue) and auc together")
      return nil
    }
    return metrics
  }
}
