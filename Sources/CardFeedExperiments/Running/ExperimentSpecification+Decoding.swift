internal import CardFeed
public import CardFeedConfiguration

extension ExperimentSpecification {
  /// Reads an experiment. Its arms may use the strategies of `plugins` and those that only an
  /// experiment has (`oracle`).
  ///
  /// - Throws: A `ConfigurationError` with every problem at once.
  public init(
    parsing bytes: [UInt8], file: String, plugins: PluginSet
  ) throws(ConfigurationError) {
    let plugins = PluginSet(plugins.plugins + [ReplayPlugin(truth: nil)])
    self = try ConfigurationReader.read(parsing: bytes, file: file) { root, reader in
      Self.decode(root, plugins: plugins, &reader)
    }
  }

  private static func decode(
    _ root: JSONValue, plugins: PluginSet, _ reader: inout ConfigurationReader
  ) -> ExperimentSpecification? {
    guard let object = reader.object(root, at: .root) else { return nil }
    let frame = reader.frame(of: object, root, drawn: "evenings", otherKeys: ["feed"])
    let data = reader.choice("data", .source, of: object, root, among: dataDescriptions)
    let split = reader.choice("split", .slateRule, of: object, root, among: splitDescriptions)
    let metrics = metrics(object, root, split: split.map(self.split), &reader)
    let arms = arms(object, root, split: split.map(self.split), plugins: plugins, &reader)
    guard reader.hasBaseline(of: object, among: arms?.map(\.name)) else { return nil }
    guard let frame, let data, let split, let metrics, let arms else { return nil }
    return ExperimentSpecification(
      name: frame.name, summary: frame.summary, data: dataSet(data),
      split: self.split(split), metrics: metrics, seed: frame.seed, arms: arms,
      baseline: frame.baseline, resamples: frame.resamples,
      fingerprint: frame.fingerprint(
        data: data, split: split, metrics: metrics, arms: arms.map(\.deciding)))
  }

  // Data sets and splits have names and parameters as strategies do; the same descriptions serve.
  private static let dataDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "speed-dating", .source, summary: "The Columbia speed-dating decisions; needs --data DIR."),
    StrategyDescription(
      "generated-dating", .source, summary: "A generated population in evenings.",
      parameters: [
        ParameterDescription(
          "waves", .integer(5...500), unit: "evenings", default: 12, help: "How many evenings."),
        ParameterDescription(
          "peoplePerSide", .integer(2...400), unit: "people", default: 14,
          help: "Women and men of each evening."),
        ParameterDescription(
          "seed", .integer(0...Int64.max), default: 1, help: "The seed of the population."),
      ]),
  ]

  private static let splitDescriptions: [StrategyDescription] = [
    StrategyDescription(
      "deck-replay", .slateRule, summary: "Deals each evening card by card.",
      parameters: [
        ParameterDescription(
          "budgets", .ascending(Double.leastNonzeroMagnitude...1), unit: "shares of the deck",
          default: [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
          help: "How much of the other side each person gets to see.")
      ]),
    StrategyDescription(
      "warm-pairs", .slateRule, summary: "Predicts a fifth of the pairs from the others."),
    StrategyDescription(
      "warm-decisions", .slateRule,
      summary: "Predicts a fifth of the single decisions from the others."),
    StrategyDescription(
      "cold-waves", .slateRule,
      summary: "Predicts the pairs of a fifth of the evenings from the others."),
    StrategyDescription(
      "cold-time", .slateRule, summary: "Predicts the later evenings from the earlier ones."),
  ]

  private static func dataSet(_ specification: StrategySpecification) -> DataSet {
    guard specification.use == "generated-dating" else { return .speedDating }
    return .generatedDating(
      waves: specification.parameters.integer("waves"),
      peoplePerSide: specification.parameters.integer("peoplePerSide"),
      seed: UInt64(specification.parameters.integer("seed")))
  }

  private static func split(_ specification: StrategySpecification) -> Split {
    switch specification.use {
    case "warm-pairs": .warmPairs
    case "warm-decisions": .warmDecisions
    case "cold-waves": .coldWaves
    case "cold-time": .coldTime
    default: .deckReplay(budgets: specification.parameters.numbers("budgets"))
    }
  }

  private static func metrics(
    _ object: JSONObject, _ root: JSONValue, split: Split?, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    let path = JSONPath.root.appending("metrics")
    let names = MetricName.Measure.allCases.map(\.rawValue)
    let allowed =
      "a list of auc, within-wave-auc, ranking-auc, log-loss, brier, ece, ndcg@K, hit@K for "
      + "predictions, matches@B, matches-train@B, matches-test@B, mean-matches, gini@B, "
      + "matched-people@B for replays"
    guard let value = object["metrics"], let elements = value.array, !elements.isEmpty else {
      reader.report(
        "must be a list of metrics", at: path, object["metrics"]?.location ?? root.location,
        found: object["metrics"]?.kind.description ?? "nothing", allowed: allowed)
      return nil
    }
    var metrics: [MetricName] = []
    for (index, element) in elements.enumerated() {
      let place = path.appending(index)
      guard let text = element.string, let metric = MetricName(text) else {
        let given = element.string.map { String($0.prefix { $0 != "@" }) } ?? ""
        // A known name with a bad parameter needs no other name.
        let nearest = names.contains(given) ? nil : nearestName(to: given, in: names)
        reader.report(
          "unknown metric", at: place, element.location,
          found: element.string.map { "\"\($0)\"" } ?? element.kind.description,
          allowed: allowed, nearest: nearest)
        continue
      }
      if metrics.contains(metric) {
        reader.report(
          "the metric stands twice", at: place, element.location, found: "\"\(text)\"",
          allowed: "each metric once")
        continue
      }
      if let complaint = complaint(about: metric, split: split) {
        reader.report(complaint, at: place, element.location, found: "\"\(text)\"")
        continue
      }
      metrics.append(metric)
    }
    return metrics.count == elements.count ? metrics : nil
  }

  private static func complaint(about metric: MetricName, split: Split?) -> String? {
    switch split {
    case nil: return nil
    case _ where metric.isOfQuiz: return "the metric belongs to answers to questions"
    case _ where metric.isOfOnline: return "the metric belongs to online learning"
    case _ where metric.isOfRankings: return "the metric belongs to rankings of cards"
    case _ where metric.isOfLists && !metric.isOfReplay:
      return "the metric belongs to the split \"lists\""
    case .warmPairs, .warmDecisions, .coldWaves, .coldTime:
      return metric.isOfReplay ? "the metric belongs to the split \"deck-replay\"" : nil
    case .deckReplay(let budgets):
      guard metric.isOfReplay else { return "the metric belongs to splits that predict" }
      if metric.measure == .meanMatches, budgets.allSatisfy({ $0 == 0.25 }) {
        return "the metric needs a budget other than 0.25"
      }
      guard let budget = metric.parameter, !budgets.contains(budget) else { return nil }
      return "the budget of the metric is none of the split's"
    }
  }

  private static func arms(
    _ object: JSONObject, _ root: JSONValue, split: Split?, plugins: PluginSet,
    _ reader: inout ConfigurationReader
  ) -> [Arm]? {
    let common = object["feed"].flatMap {
      reader.object($0, at: JSONPath.root.appending("feed"))
    }
    if let common { reportUnused(in: common, at: JSONPath.root.appending("feed"), &reader) }
    return reader.arms(of: object, root) { reader, object, element, place in
      let parameters = reader.parameters(
        object, at: place, element.location,
        by: [
          ParameterDescription("name", .text, help: "The name in the table."),
          ParameterDescription(
            "seeds", .integer(1...1000), default: 1, help: "How many seeds it is run with."),
        ] + trainingParameters, otherKeys: ["feed"], strategies: [])
      let feed = feed(object["feed"], common: common, at: place, plugins: plugins, &reader)
      if let split, let parameters {
        reportTraining(parameters.parameters, object, at: place, split: split, &reader)
      }
      guard let parameters, let feed else { return nil }
      let prior =
        parameters.parameters.text("prior") == "none"
        ? nil : priorFeed(object["feed"], common: common, plugins: plugins)
      return Arm(
        name: parameters.parameters.text("name"), seeds: parameters.parameters.integer("seeds"),
        feed: feed, prior: prior,
        refitsEachRound: parameters.parameters.text("refit") == "each-round")
    }
  }

  /// Keys of a feed that decide nothing in an experiment. Left in silently, they would look as if
  /// they did.
  private static func reportUnused(
    in feed: JSONObject, at path: JSONPath, _ reader: inout ConfigurationReader
  ) {
    for member in feed.members where ["store", "seed", "trace"].contains(member.key) {
      reader.report(
        "the key \"\(member.key)\" decides nothing in an experiment",
        at: path.appending(member.key), member.keyLocation,
        allowed: "no such key; an arm has an empty store in memory and the experiment's seed")
    }
  }

  /// An arm's feed: the experiment's own, with the keys that the arm replaces.
  private static func feed(
    _ value: JSONValue?, common: JSONObject?, at path: JSONPath, plugins: PluginSet,
    _ reader: inout ConfigurationReader
  ) -> FeedConfiguration? {
    let place = path.appending("feed")
    guard let own = reader.object(value ?? [:], at: place) else { return nil }
    reportUnused(in: own, at: place, &reader)
    do {
      return try FeedConfiguration(merged(own, into: common), file: "", plugins: plugins)
    } catch {
      for problem in error.problems {
        report(problem, ofFeedAt: place, own: own, common: common, &reader)
      }
      return nil
    }
  }

  static func merged(_ own: JSONObject, into common: JSONObject?) -> JSONValue {
    var merged = common ?? JSONObject()
    for member in own.members { merged[member.key] = member.value }
    if merged["version"] == nil { merged["version"] = 1 }
    return JSONValue(merged)
  }

  /// Reports a problem of an arm's feed where it stands: in the arm, or once in the common feed.
  private static func report(
    _ problem: ConfigurationProblem, ofFeedAt path: JSONPath, own: JSONObject,
    common: JSONObject?, _ reader: inout ConfigurationReader
  ) {
    var place = path
    if case .key(let key)? = problem.path.components.first, own[key] == nil,
      common?[key] != nil
    {
      place = JSONPath.root.appending("feed")
    }
    let moved = ConfigurationProblem(
      path: JSONPath(place.components + problem.path.components), location: problem.location,
      message: problem.message, found: problem.found, allowed: problem.allowed,
      nearest: problem.nearest)
    guard !reader.problems.contains(moved) else { return }
    reader.report(
      moved.message, at: moved.path, moved.location, found: moved.found, allowed: moved.allowed,
      nearest: moved.nearest)
  }
}
