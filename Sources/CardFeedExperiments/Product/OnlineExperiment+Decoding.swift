internal import CardFeed
public import CardFeedConfiguration

extension OnlineExperiment {
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
    let frame = reader.frame(of: object, root, drawn: "households, worlds or viewers")
    let data = reader.choice("data", .source, of: object, root, among: dataDescriptions)
    let part = reader.choice("split", .slateRule, of: object, root, among: splitDescriptions)
    let split = part.flatMap { Split(rawValue: $0.use) }
    if let data, let split { check(data, split, object, &reader) }
    let metrics = metrics(object, root, split, &reader)
    let arms = arms(object, root, split, &reader)
    guard reader.hasBaseline(of: object, among: arms?.map(\.name)) else { return nil }
    guard let frame, let data, let part, let split, let metrics, let arms else { return nil }
    return OnlineExperiment(
      name: frame.name, summary: frame.summary,
      data: self.data(data), split: split, metrics: metrics, seed: frame.seed, arms: arms,
      baseline: frame.baseline, resamples: frame.resamples,
      fingerprint: frame.fingerprint(
        data: data, split: part, metrics: metrics,
        arms: arms.map { ["name": JSONValue($0.name), "model": JSONValue($0.fingerprint)] }))
  }

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

  private static func arms(
    _ object: JSONObject, _ root: JSONValue, _ split: Split?, _ reader: inout ConfigurationReader
  ) -> [Arm]? {
    return reader.arms(of: object, root) { reader, object, element, place in
      let parameters = reader.parameters(
        object, at: place, element.location,
        by: [ParameterDescription("name", .text, help: "The name in the table.")],
        otherKeys: ["model"], strategies: [])
      let path = place.appending("model")
      let specification = reader.model(
        of: object, element, at: place, .matchProbability,
        among: OnlineModel.descriptions(of: split))
      guard let parameters, let specification else { return nil }
      do throws(OnlineModelProblem) {
        return Arm(
          name: parameters.parameters.text("name"), model: try OnlineModel(specification),
          fingerprint: FeedConfiguration.fingerprint(of: specification.effective))
      } catch {
        reader.report(
          error.text, at: path, object["model"]?.location, allowed: "a model that can be made")
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
    let measures = split.map(measures) ?? []
    let names = measures.map { measure in
      [.ndcg, .hit, .diversity].contains(measure) ? measure.rawValue + "@K" : measure.rawValue
    }
    let allowed = "a list of " + names.joined(separator: ", ")
    let read = reader.metrics(of: object, root, allowed: allowed) { metric, _ in
      // Without a split nobody can tell, and that it is missing is reported already.
      split == nil || measures.contains(metric.measure)
        ? nil : "the metric does not belong to the split"
    }
    guard let metrics = read, let split else { return nil }
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
        "figures stand without \(missing.map(\.rawValue).joined(separator: " and "))",
        at: JSONPath.root.appending("metrics"),
        object["metrics"]?.location,
        allowed: together.map(\.rawValue).joined(separator: " and ") + " together")
      return nil
    }
    return metrics
  }
}
