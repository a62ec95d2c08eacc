internal import CardFeed
public import CardFeedConfiguration
internal import CardFeedTwoSidedMarket

extension ListExperiment {
  private static let keys = [
    "version", "name", "summary", "data", "split", "metrics", "seed", "resamples", "arms",
  ]

  /// Whether a text is an experiment on lists; false for what cannot be read at all.
  public static func isDescribed(by bytes: [UInt8]) -> Bool {
    guard let root = (try? JSONDocument(parsing: bytes))?.root else { return false }
    return root.object?["split"]?.object?["use"]?.string == "lists"
  }

  /// Reads an experiment on lists.
  ///
  /// - Throws: A `ConfigurationError` with every problem at once.
  public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
    self = try ConfigurationReader.read(parsing: bytes, file: file) { root, reader in
      Self.decode(root, &reader)
    }
  }

  private static func decode(
    _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> ListExperiment? {
    guard let object = reader.object(root, at: .root) else { return nil }
    reader.checkKeys(of: object, at: .root, known: keys)
    let scalars = JSONObject(
      object.members.filter { member in scalarParameters.contains { $0.name == member.key } }
        .map { ($0.key, $0.value) })
    let decoded = reader.parameters(
      scalars, at: .root, root.location, by: scalarParameters, strategies: [])
    let data = choice("data", dataDescriptions, .source, object, root, &reader)
    let split = choice("split", splitDescriptions, .slateRule, object, root, &reader)
    let markets = data.map(self.data)
    let metrics = metrics(object, root, data: markets, &reader)
    let arms = arms(object, root, data: markets, &reader)
    guard let decoded, let data, let markets, let split, let metrics, let arms else { return nil }
    let seed = UInt64(decoded.parameters.integer("seed"))
    let resamples = decoded.parameters.integer("resamples")
    let decides: JSONValue = [
      "data": data.effective, "split": split.effective,
      "metrics": JSONValue(metrics.map { JSONValue($0.description) }), "seed": JSONValue(seed),
      "resamples": JSONValue(resamples),
      "arms": JSONValue(
        arms.map { ["name": JSONValue($0.name), "lists": JSONValue($0.fingerprint)] }),
    ]
    return ListExperiment(
      name: decoded.parameters.text("name"), summary: decoded.parameters.text("summary"),
      data: markets, examination: examination(split.parameters.text("examination")),
      metrics: metrics, seed: seed, arms: arms, resamples: resamples,
      fingerprint: fingerprint(of: decides))
  }

  private static func fingerprint(of value: JSONValue) -> String {
    var hash = StableHash()
    hash.combine(value.canonicalBytes())
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static let scalarParameters: [ParameterDescription] = [
    ParameterDescription("version", .integer(1...1), help: "The version of the format."),
    ParameterDescription("name", .text, help: "The name of the experiment."),
    ParameterDescription(
      "summary", .text, default: "no summary", help: "What it shows, as a sentence."),
    ParameterDescription(
      "seed", .integer(0...Int64.max), default: 1, help: "The seed of what is drawn."),
    ParameterDescription(
      "resamples", .integer(100...100_000), default: 500,
      help: "How often groups are drawn for an interval."),
  ]

  private static let dataDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "speed-dating", .source, summary: "The Columbia speed-dating evenings; needs --data DIR.",
      parameters: [
        ParameterDescription(
          "predictions", .text, default: .null,
          help: "A CSV file of predictions (pair_id, p_f, p_m), seen from the folder of --data."),
        ParameterDescription(
          "controls", .integer(1...1000), default: 5,
          help: "How many markets of random probabilities the methods are also run on."),
      ]),
    StrategyDescription(
      "synthetic-market", .source, summary: "Uniform tastes mixed with a popularity.",
      parameters: [
        ParameterDescription(
          "left", .integer(1...5000), unit: "people", default: 30, help: "People of one side."),
        ParameterDescription(
          "right", .integer(1...5000), unit: "people", default: 20,
          help: "People of the other side."),
        ParameterDescription(
          "lambda", .number(.share), default: 0.5, help: "How much popularity weighs."),
        ParameterDescription(
          "seed", .integer(0...1_000_000), default: 0, help: "The seed of the first market."),
        ParameterDescription(
          "markets", .integer(1...1000), default: 1, help: "How many markets, of seeds in a row."),
      ]),
  ]

  private static let splitDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "lists", .slateRule, summary: "Lists for everybody of a market at once.",
      parameters: [
        ParameterDescription(
          "examination", .choice(["reciprocal", "logarithmic", "exponential"]),
          default: "reciprocal", help: "How likely a place of a list is looked at.")
      ])
  ]

  private static func examination(_ name: String) -> Examination {
    switch name {
    case "logarithmic": .logarithmic
    case "exponential": .exponential
    default: .reciprocal
    }
  }

  private static func data(_ specification: StrategySpecification) -> Data {
    let parameters = specification.parameters
    guard specification.use == "synthetic-market" else {
      return .speedDating(
        predictions: parameters.optionalText("predictions"),
        controls: parameters.integer("controls"))
    }
    let first = UInt32(parameters.integer("seed"))
    return .synthetic(
      SyntheticMarket(
        left: parameters.integer("left"), right: parameters.integer("right"),
        lambda: parameters.number("lambda")),
      seeds: first..<first + UInt32(parameters.integer("markets")))
  }

  private static func choice(
    _ key: String, _ descriptions: [StrategyDescription], _ kind: StrategyKind,
    _ object: JSONObject, _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> StrategySpecification? {
    let path = JSONPath.root.appending(key)
    guard let value = object[key] else {
      let names = descriptions.map { "\"\($0.use)\"" }.joined(separator: " or ")
      reader.report(
        "missing key \"\(key)\"", at: .root, root.location,
        allowed: "an object with \"use\": \(names)")
      return nil
    }
    return reader.strategy(value, kind, at: path, strategies: descriptions)
  }

  private static func metrics(
    _ object: JSONObject, _ root: JSONValue, data: Data?, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    let path = JSONPath.root.appending("metrics")
    let allowed =
      "a list of expected-matches, expected-matches-test, control-matches, gain-over-control, "
      + "envies-left, envies-right, gini@B"
    guard let value = object["metrics"], let elements = value.array, !elements.isEmpty else {
      reader.report(
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
        case let metric? where !metric.isOfLists: "the metric does not belong to lists"
        case let metric? where metrics.contains(metric): "the metric stands twice"
        case let metric?: complaint(about: metric, of: metrics, data: data)
        }
      if let problem {
        reader.report(
          problem, at: path.appending(index), element.location, found: found, allowed: allowed)
      } else if let metric {
        metrics.append(metric)
      }
    }
    // A figure on predictions without its control is half the truth.
    if case .speedDating = data,
      metrics.contains(where: { $0.measure == .expectedMatches }),
      !metrics.contains(where: { $0.measure == .controlMatches })
    {
      reader.report(
        "expected matches of predictions stand without their control", at: path, value.location,
        allowed: "\"control-matches\" beside \"expected-matches\"")
      return nil
    }
    return metrics.count == elements.count ? metrics : nil
  }

  private static func complaint(
    about metric: MetricName, of metrics: [MetricName], data: Data?
  ) -> String? {
    if metric.measure == .gini, metrics.contains(where: { $0.measure == .gini }) {
      return "exposure is counted at one budget only"
    }
    guard case .synthetic = data else { return nil }
    switch metric.measure {
    case .controlMatches, .gainOverControl, .expectedMatchesTest:
      return "the metric needs recorded decisions"
    default: return nil
    }
  }

  private static func arms(
    _ object: JSONObject, _ root: JSONValue, data: Data?, _ reader: inout ConfigurationReader
  ) -> [Arm]? {
    return reader.arms(of: object, root) { reader, object, element, place in
      let parameters = reader.parameters(
        object, at: place, element.location,
        by: [
          ParameterDescription("name", .text, help: "The name in the table."),
          ParameterDescription(
            "oracle", .bool, default: false, help: "Whether it sees the true decisions."),
        ], otherKeys: ["lists"], strategies: [])
      let method = choice("lists", ListMethod.descriptions, .ranking, object, element, &reader)
      guard let parameters, let method else { return nil }
      let isOracle = parameters.parameters.bool("oracle")
      return Arm(
        name: parameters.parameters.text("name"), method: ListMethod(method),
        isOracle: isOracle,
        fingerprint: fingerprint(
          of: ["lists": method.effective, "oracle": JSONValue(isOracle)]))
    }
  }
}
