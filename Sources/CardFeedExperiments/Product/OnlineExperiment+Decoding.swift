internal import CardFeed
public import CardFeedConfiguration

extension OnlineExperiment {
  private static let keys = [
    "version", "name", "summary", "data", "split", "metrics", "seed", "resamples", "baseline",
    "arms",
  ]

  /// Whether a text is an experiment of this kind; false for what cannot be read at all.
  public static func isDescribed(by bytes: [UInt8]) -> Bool {
    guard let root = (try? JSONDocument(parsing: bytes))?.root,
      let use = root.object?["split"]?.object?["use"]?.string
    else { return false }
    return Split(rawValue: use) != nil
  }

  /// Reads an experiment.
  ///
  /// - Throws: A `ConfigurationError` with every problem at once.
  public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
    self = try ConfigurationReader.read(parsing: bytes, file: file) { root, reader in
      Self.decode(root, &reader)
    }
  }

  private static func decode(
    _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> OnlineExperiment? {
    guard let object = reader.object(root, at: .root) else { return nil }
    reader.checkKeys(of: object, at: .root, known: keys)
    let scalars = JSONObject(
      object.members.filter { member in scalarParameters.contains { $0.name == member.key } }
        .map { ($0.key, $0.value) })
    let decoded = reader.parameters(
      scalars, at: .root, root.location, by: scalarParameters, strategies: [])
    let data = choice("data", dataDescriptions, .source, object, root, &reader)
    let part = choice("split", splitDescriptions, .slateRule, object, root, &reader)
    let split = part.flatMap { Split(rawValue: $0.use) }
    if let data, let split { check(data, split, object, &reader) }
    let metrics = metrics(object, root, split, &reader)
    let arms = arms(object, root, split, &reader)
    if let baseline = object["baseline"], let name = baseline.string, let arms,
      !arms.contains(where: { $0.name == name })
    {
      let names = arms.map(\.name)
      reader.report(
        "no arm is called \"\(name)\"", at: JSONPath.root.appending("baseline"),
        baseline.location, allowed: names.map { "\"\($0)\"" }.joined(separator: ", "),
        nearest: nearestName(to: name, in: names))
      return nil
    }
    guard let decoded, let data, let part, let split, let metrics, let arms else { return nil }
    let seed = UInt64(decoded.parameters.integer("seed"))
    let resamples = decoded.parameters.integer("resamples")
    let decides: JSONValue = [
      "data": data.effective, "split": part.effective,
      "metrics": JSONValue(metrics.map { JSONValue($0.description) }), "seed": JSONValue(seed),
      "resamples": JSONValue(resamples),
      "arms": JSONValue(
        arms.map { ["name": JSONValue($0.name), "model": JSONValue($0.fingerprint)] }),
    ]
    return OnlineExperiment(
      name: decoded.parameters.text("name"), summary: decoded.parameters.text("summary"),
      data: self.data(data), split: split, metrics: metrics, seed: seed, arms: arms,
      baseline: decoded.parameters.optionalText("baseline"), resamples: resamples,
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
      "seed", .integer(0...Int64.max), default: 1, help: "The seed of everything random."),
    ParameterDescription(
      "resamples", .integer(100...100_000), default: 500,
      help: "How often households, worlds or viewers are drawn for an interval."),
    ParameterDescription(
      "baseline", .text, default: .null, help: "The arm that all others are compared with."),
  ]

  private static let dataDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "purchase-rows", .source, summary: "What households buy again; needs --data DIR.",
      parameters: [ParameterDescription("set", .text, help: "The folder in product/.")]),
    StrategyDescription(
      "bandit-tapes", .source, summary: "Recorded worlds of arms; needs --data DIR.",
      parameters: [
        ParameterDescription("sets", .names, help: "What folders in product/tapes/ begin with.")
      ]),
    StrategyDescription(
      "bandit-worlds", .source, summary: "Made worlds of arms, stationary and drifting.",
      parameters: [
        ParameterDescription(
          "worlds", .integer(1...1000), default: 12, help: "How many of each kind."),
        ParameterDescription(
          "rounds", .integer(2...1_000_000), default: 10_000, help: "Rounds of each."),
        ParameterDescription("arms", .integer(2...1000), default: 20, help: "Arms of each."),
        ParameterDescription(
          "numbers", .integer(1...100), default: 8, help: "Numbers of a context."),
      ]),
    StrategyDescription(
      "rated-lists", .source, summary: "Ratings, and the categories of cards; needs --data DIR.",
      parameters: [
        ParameterDescription("set", .text, help: "The folder in product/."),
        ParameterDescription(
          "categories", .text,
          help: "The file in product/ with a card and its categories in each line."),
      ]),
  ]

  private static let splitDescriptions: [StrategyDescription] = [
    StrategyDescription(
      Split.onePass.rawValue, .slateRule,
      summary: "Learns each row of the training part once and forecasts the test part."),
    StrategyDescription(
      Split.rounds.rawValue, .slateRule, summary: "Plays every world from its first round."),
    StrategyDescription(
      Split.reranked.rawValue, .slateRule,
      summary: "Puts the best hundred cards of each viewer in another order."),
  ]

  private static func data(_ specification: StrategySpecification) -> Data {
    let parameters = specification.parameters
    return switch specification.use {
    case "purchase-rows": .purchases(set: parameters.text("set"))
    case "bandit-tapes": .tapes(sets: parameters.texts("sets"))
    case "bandit-worlds":
      .worlds(
        count: parameters.integer("worlds"), rounds: parameters.integer("rounds"),
        arms: parameters.integer("arms"), numbers: parameters.integer("numbers"))
    default: .lists(set: parameters.text("set"), categories: parameters.text("categories"))
    }
  }

  /// Each split has its own kind of data.
  private static func check(
    _ data: StrategySpecification, _ split: Split, _ object: JSONObject,
    _ reader: inout ConfigurationReader
  ) {
    let fitting: [String]
    switch split {
    case .onePass: fitting = ["purchase-rows"]
    case .rounds: fitting = ["bandit-tapes", "bandit-worlds"]
    case .reranked: fitting = ["rated-lists"]
    }
    guard !fitting.contains(data.use) else { return }
    reader.report(
      "the data do not belong to the split \"\(split.rawValue)\"",
      at: JSONPath.root.appending("data"), object["data"]?.location,
      allowed: "an object with \"use\": "
        + fitting.map { "\"\($0)\"" }.joined(separator: " or "))
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

  private static func arms(
    _ object: JSONObject, _ root: JSONValue, _ split: Split?, _ reader: inout ConfigurationReader
  ) -> [Arm]? {
    return reader.arms(of: object, root) { reader, object, element, place in
      let parameters = reader.parameters(
        object, at: place, element.location,
        by: [ParameterDescription("name", .text, help: "The name in the table.")],
        otherKeys: ["model"], strategies: [])
      guard let value = object["model"] else {
        reader.report(
          "missing key \"model\"", at: place, element.location,
          allowed: "an object with \"use\" and the parameters of a model")
        return nil
      }
      let path = place.appending("model")
      let specification = reader.strategy(
        value, .matchProbability, at: path, strategies: OnlineModel.descriptions(of: split))
      guard let parameters, let specification else { return nil }
      do throws(OnlineModelProblem) {
        return Arm(
          name: parameters.parameters.text("name"), model: try OnlineModel(specification),
          fingerprint: fingerprint(of: specification.effective))
      } catch {
        reader.report(
          error.text, at: path, value.location, allowed: "a model that can be made")
        return nil
      }
    }
  }

  private static func measures(of split: Split) -> [MetricName.Measure] {
    switch split {
    case .onePass: [.logLoss, .massError, .auc]
    case .rounds: [.regret]
    case .reranked: [.ndcg, .hit, .diversity]
    }
  }

  private static func metrics(
    _ object: JSONObject, _ root: JSONValue, _ split: Split?, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    let path = JSONPath.root.appending("metrics")
    let measures = split.map(measures) ?? []
    let names = measures.map { measure in
      [.ndcg, .hit, .diversity].contains(measure) ? measure.rawValue + "@K" : measure.rawValue
    }
    let allowed = "a list of " + names.joined(separator: ", ")
    guard let value = object["metrics"], let elements = value.array, !elements.isEmpty else {
      reader.report(
        "must be a list of metrics", at: path, object["metrics"]?.location ?? root.location,
        found: object["metrics"]?.kind.description ?? "nothing", allowed: allowed)
      return nil
    }
    guard let split else { return nil }
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
    // Each of them alone can be made to look good: a diverse list by dealing anything, a calibrated
    // forecast by saying what is usual.
    let together: [MetricName.Measure] =
      switch split {
      case .onePass: [.logLoss, .massError]
      case .rounds: []
      case .reranked: [.ndcg, .diversity]
      }
    let missing = together.filter { measure in !metrics.contains { $0.measure == measure } }
    guard missing.isEmpty else {
      reader.report(
        "figures stand without \(missing.map(\.rawValue).joined(separator: " and "))", at: path,
        value.location, allowed: together.map(\.rawValue).joined(separator: " and ") + " together")
      return nil
    }
    return metrics
  }
}
