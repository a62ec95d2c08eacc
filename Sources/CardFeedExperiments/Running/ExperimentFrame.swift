internal import CardFeed
internal import CardFeedConfiguration

/// What every kind of experiment says in the same keys: name, summary, seed, resamples, baseline.
///
/// Data, split, metrics and arms have their own types in each kind; the readers beside this type
/// read them by the same rules and report mistakes in the same words.
struct ExperimentFrame {
  let name: String
  let summary: String
  let seed: UInt64
  let resamples: Int
  let baseline: String?

  /// Of everything that decides figures: 16 hexadecimal digits.
  func fingerprint(
    data: StrategySpecification, split: StrategySpecification, metrics: [MetricName],
    arms: [JSONValue]
  ) -> String {
    FeedConfiguration.fingerprint(of: [
      "data": data.effective, "split": split.effective,
      "metrics": JSONValue(metrics.map { JSONValue($0.description) }), "seed": JSONValue(seed),
      "resamples": JSONValue(resamples), "arms": JSONValue(arms),
    ])
  }
}

extension ConfigurationReader {
  /// Reads the keys that all experiments share, and reports those that none has.
  ///
  /// - Parameters:
  ///   - object: The experiment.
  ///   - root: Its document.
  ///   - drawn: What is drawn for an interval, for the help of `resamples`.
  ///   - others: Keys that only this kind of experiment has.
  ///   - hasBaseline: Whether arms are compared with one of them.
  mutating func frame(
    of object: JSONObject, _ root: JSONValue, drawn: String, otherKeys others: [String] = [],
    hasBaseline: Bool = true
  ) -> ExperimentFrame? {
    var scalars: [ParameterDescription] = [
      ParameterDescription("version", .integer(1...1), help: "The version of the format."),
      ParameterDescription("name", .text, help: "The name of the experiment."),
      ParameterDescription(
        "summary", .text, default: "no summary", help: "What it shows, as a sentence."),
      ParameterDescription(
        "seed", .integer(0...Int64.max), default: 1, help: "The seed of everything random."),
      ParameterDescription(
        "resamples", .integer(100...100_000), default: 500,
        help: "How often \(drawn) are drawn for an interval."),
    ]
    if hasBaseline {
      scalars.append(
        ParameterDescription(
          "baseline", .text, default: .null, help: "The arm that all others are compared with."))
    }
    let names = scalars.map(\.name)
    // In the order of the documentation.
    checkKeys(
      of: object, at: .root,
      known: ["version", "name", "summary", "data", "split", "metrics", "seed", "resamples"]
        + others + ["arms"] + (hasBaseline ? ["baseline"] : []))
    let given = JSONObject(
      object.members.filter { names.contains($0.key) }.map { ($0.key, $0.value) })
    let decoded = parameters(given, at: .root, root.location, by: scalars, strategies: [])
    guard let parameters = decoded?.parameters else { return nil }
    return ExperimentFrame(
      name: parameters.text("name"), summary: parameters.text("summary"),
      seed: UInt64(parameters.integer("seed")), resamples: parameters.integer("resamples"),
      baseline: hasBaseline ? parameters.optionalText("baseline") : nil)
  }

  /// Reads a part of an experiment that is chosen by name, as strategies are.
  mutating func choice(
    _ key: String, _ kind: StrategyKind, of object: JSONObject, _ root: JSONValue,
    among descriptions: [StrategyDescription]
  ) -> StrategySpecification? {
    guard let value = object[key] else {
      let names = descriptions.map { "\"\($0.use)\"" }.joined(separator: " or ")
      report(
        "missing key \"\(key)\"", at: .root, root.location,
        allowed: "an object with \"use\": \(names)")
      return nil
    }
    return strategy(value, kind, at: JSONPath.root.appending(key), strategies: descriptions)
  }

  /// Reads the model of an arm, which its key `model` names.
  mutating func model(
    of arm: JSONObject, _ element: JSONValue, at place: JSONPath, _ kind: StrategyKind,
    among descriptions: [StrategyDescription]
  ) -> StrategySpecification? {
    guard let value = arm["model"] else {
      report(
        "missing key \"model\"", at: place, element.location,
        allowed: "an object with \"use\" and the parameters of a model")
      return nil
    }
    return strategy(value, kind, at: place.appending("model"), strategies: descriptions)
  }

  /// Reads metrics, each once.
  ///
  /// - Parameters:
  ///   - object: The experiment.
  ///   - root: Its document.
  ///   - allowed: What is allowed, in words.
  ///   - complaint: What is wrong with a metric after those before it; nil if nothing is.
  mutating func metrics(
    of object: JSONObject, _ root: JSONValue, allowed: String,
    complaint: (MetricName, [MetricName]) -> String?
  ) -> [MetricName]? {
    let path = JSONPath.root.appending("metrics")
    guard let value = object["metrics"], let elements = value.array, !elements.isEmpty else {
      report(
        "must be a list of metrics", at: path, object["metrics"]?.location ?? root.location,
        found: object["metrics"]?.kind.description ?? "nothing", allowed: allowed)
      return nil
    }
    var metrics: [MetricName] = []
    for (index, element) in elements.enumerated() {
      let found = element.string.map { "\"\($0)\"" } ?? element.kind.description
      let metric = element.string.flatMap { MetricName($0) }
      let problem: String? =
        switch metric {
        case nil: "unknown metric"
        case let metric?:
          complaint(metric, metrics)
            ?? (metrics.contains(metric) ? "the metric stands twice" : nil)
        }
      if let problem {
        report(
          problem, at: path.appending(index), element.location, found: found, allowed: allowed)
      } else if let metric {
        metrics.append(metric)
      }
    }
    return metrics.count == elements.count ? metrics : nil
  }

  /// Reports a baseline that is no arm. Returns whether there is nothing to report.
  mutating func hasBaseline(of object: JSONObject, among arms: [String]?) -> Bool {
    guard let baseline = object["baseline"], let name = baseline.string, let arms,
      !arms.contains(name)
    else { return true }
    report(
      "no arm is called \"\(name)\"", at: JSONPath.root.appending("baseline"),
      baseline.location, allowed: arms.map { "\"\($0)\"" }.joined(separator: ", "),
      nearest: nearestName(to: name, in: arms))
    return false
  }
}
