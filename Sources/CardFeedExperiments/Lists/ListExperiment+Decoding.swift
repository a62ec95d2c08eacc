internal import CardFeed
public import CardFeedConfiguration
internal import CardFeedTwoSidedMarket

extension ListExperiment {
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
    let frame = reader.frame(
      of: object, root, drawn: "groups", hasBaseline: false)
    let data = reader.choice("data", .source, of: object, root, among: dataDescriptions)
    let split = reader.choice("split", .slateRule, of: object, root, among: splitDescriptions)
    let markets = data.map(self.data)
    let metrics = metrics(object, root, data: markets, &reader)
    let arms = arms(object, root, data: markets, &reader)
    guard let frame, let data, let markets, let split, let metrics, let arms else { return nil }
    return ListExperiment(
      name: frame.name, summary: frame.summary,
      data: markets, examination: examination(split.parameters.text("examination")),
      metrics: metrics, seed: frame.seed, arms: arms, resamples: frame.resamples,
      fingerprint: frame.fingerprint(
        data: data, split: split, metrics: metrics,
        arms: arms.map { ["name": JSONValue($0.name), "lists": JSONValue($0.fingerprint)] }))
  }

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

  private static func metrics(
    _ object: JSONObject, _ root: JSONValue, data: Data?, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    let allowed =
      "a list of expected-matches, expected-matches-test, control-matches, gain-over-control, "
      + "envies-left, envies-right, gini@B"
    let read = reader.metrics(of: object, root, allowed: allowed) { metric, metrics in
      metric.isOfLists
        ? complaint(about: metric, of: metrics, data: data)
        : "the metric does not belong to lists"
    }
    guard let metrics = read else { return nil }
    // A figure on predictions without its control is half the truth.
    if case .speedDating = data,
      metrics.contains(where: { $0.measure == .expectedMatches }),
      !metrics.contains(where: { $0.measure == .controlMatches })
    {
      reader.report(
        "expected matches of predictions stand without their control",
        at: JSONPath.root.appending("metrics"),
        object["metrics"]?.location, allowed: "\"control-matches\" beside \"expected-matches\"")
      return nil
    }
    return metrics
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
      let method = reader.choice(
        "lists", .ranking, of: object, element, among: ListMethod.descriptions)
      guard let parameters, let method else { return nil }
      let isOracle = parameters.parameters.bool("oracle")
      return Arm(
        name: parameters.parameters.text("name"), method: ListMethod(method),
        isOracle: isOracle,
        fingerprint: FeedConfiguration.fingerprint(
          of: ["lists": method.effective, "oracle": JSONValue(isOracle)]))
    }
  }
}
