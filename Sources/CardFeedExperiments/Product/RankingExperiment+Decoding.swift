internal import CardFeed
public import CardFeedConfiguration

extension RankingExperiment {
  private static let keys = [
    "version", "name", "summary", "data", "split", "metrics", "seed", "resamples", "baseline",
    "arms",
  ]

  /// Whether a text is an experiment on rankings; false for what cannot be read at all.
  public static func isDescribed(by bytes: [UInt8]) -> Bool {
    guard let root = (try? JSONDocument(parsing: bytes))?.root else { return false }
    return root.object?["split"]?.object?["use"]?.string == "next-cards"
  }

  /// Reads an experiment on rankings.
  ///
  /// - Throws: A `ConfigurationError` with every problem at once.
  public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
    self = try ConfigurationReader.read(parsing: bytes, file: file) { root, reader in
      Self.decode(root, &reader)
    }
  }

  private static func decode(
    _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> RankingExperiment? {
    guard let object = reader.object(root, at: .root) else { return nil }
    reader.checkKeys(of: object, at: .root, known: keys)
    let scalars = JSONObject(
      object.members.filter { member in scalarParameters.contains { $0.name == member.key } }
        .map { ($0.key, $0.value) })
    let decoded = reader.parameters(
      scalars, at: .root, root.location, by: scalarParameters, strategies: [])
    let data = choice("data", dataDescriptions, .source, object, root, &reader)
    let split = choice("split", splitDescriptions, .slateRule, object, root, &reader)
    let metrics = metrics(object, root, &reader)
    let arms = arms(object, root, &reader)
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
    guard let decoded, let data, let split, let metrics, let arms else { return nil }
    let seed = UInt64(decoded.parameters.integer("seed"))
    let resamples = decoded.parameters.integer("resamples")
    let decides: JSONValue = [
      "data": data.effective, "split": split.effective,
      "metrics": JSONValue(metrics.map { JSONValue($0.description) }), "seed": JSONValue(seed),
      "resamples": JSONValue(resamples),
      "arms": JSONValue(
        arms.map { ["name": JSONValue($0.name), "model": JSONValue($0.fingerprint)] }),
    ]
    return RankingExperiment(
      name: decoded.parameters.text("name"), summary: decoded.parameters.text("summary"),
      data: Data(
        set: data.parameters.text("set"), known: data.parameters.optionalText("known")),
      repeats: split.parameters.bool("repeats"),
      tuningViewers: split.parameters.integer("tuningViewers"), metrics: metrics, seed: seed,
      arms: arms, baseline: decoded.parameters.optionalText("baseline"), resamples: resamples,
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
      help: "How often viewers are drawn for an interval."),
    ParameterDescription(
      "baseline", .text, default: .null, help: "The arm that all others are compared with."),
  ]

  private static let dataDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "swipes", .source, summary: "Swipes in three parts; needs --data DIR.",
      parameters: [
        ParameterDescription("set", .text, help: "The folder under DIR/product."),
        ParameterDescription(
          "known", .text, default: .null,
          help: "The set whose validation part is learned from for the test; its own without."),
      ])
  ]

  private static let splitDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "next-cards", .slateRule, summary: "Ranks all cards for each viewer of the test part.",
      parameters: [
        ParameterDescription(
          "repeats", .bool, default: false, help: "Whether cards that a viewer has may come again."),
        ParameterDescription(
          "tuningViewers", .integer(1...10_000_000), unit: "viewers", default: 3000,
          help: "On how many viewers at most parameters are chosen."),
      ])
  ]

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

  static let measures: [MetricName.Measure] = [
    .ndcg, .hit, .recall, .reciprocalRank, .coverage, .novelty,
  ]

  private static func metrics(
    _ object: JSONObject, _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    let path = JSONPath.root.appending("metrics")
    let allowed = "a list of ndcg@K, hit@K, recall@K, mrr, coverage@K, novelty@K, each K up to 20"
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
        case let metric? where !measures.contains(metric.measure):
          "the metric does not belong to rankings of cards"
        case let metric? where (metric.parameter ?? 1) > Double(RankingFigures.listLength):
          "lists are not that long"
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
    return metrics.count == elements.count ? metrics : nil
  }

  private static func arms(
    _ object: JSONObject, _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> [Arm]? {
    var earlier: [String: (fingerprint: String, isBlend: Bool)] = [:]
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
      let model = reader.strategy(
        value, .ranking, at: place.appending("model"), strategies: RankingModel.descriptions)
      guard let parameters, let model else { return nil }
      let ranking = RankingModel(model)
      guard ranking.kind.isInThisBuild else {
        reader.report(
          "the model \"\(model.use)\" is not in this build", at: place.appending("model"),
          value.location, allowed: "a build with the trait OpenBLAS, or another model")
        return nil
      }
      var decides = [model.effective]
      for part in ranking.parts {
        guard let own = earlier[part], !own.isBlend else {
          let names = earlier.filter { !$0.value.isBlend }.keys.sorted()
          reader.report(
            "\"\(part)\" cannot be blended",
            at: place.appending("model").appending(
              ranking.kind == .trend ? "of" : "parts"), value.location,
            allowed: names.isEmpty
              ? "arms that stand before" : names.map { "\"\($0)\"" }.joined(separator: ", "),
            nearest: nearestName(to: part, in: names))
          return nil
        }
        decides.append(JSONValue(own.fingerprint))
      }
      if ranking.kind == .blend, ranking.parts.isEmpty {
        reader.report(
          "a blend has no parts", at: place.appending("model").appending("parts"), value.location,
          allowed: "the names of arms that stand before")
        return nil
      }
      let arm = Arm(
        name: parameters.parameters.text("name"), model: ranking,
        fingerprint: fingerprint(of: JSONValue(decides)))
      earlier[arm.name] = (arm.fingerprint, ranking.kind == .blend)
      return arm
    }
  }
}
