internal import CardFeed
public import CardFeedConfiguration

extension RankingExperiment {
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
    let frame = reader.frame(of: object, root, drawn: "viewers")
    let data = reader.choice("data", .source, of: object, root, among: dataDescriptions)
    let split = reader.choice("split", .slateRule, of: object, root, among: splitDescriptions)
    let metrics = metrics(object, root, &reader)
    let arms = arms(object, root, &reader)
    guard reader.hasBaseline(of: object, among: arms?.map(\.name)) else { return nil }
    guard let frame, let data, let split, let metrics, let arms else { return nil }
    return RankingExperiment(
      name: frame.name, summary: frame.summary,
      data: Data(
        set: data.parameters.text("set"), known: data.parameters.optionalText("known")),
      repeats: split.parameters.bool("repeats"),
      tuningViewers: split.parameters.integer("tuningViewers"), metrics: metrics, seed: frame.seed,
      arms: arms, baseline: frame.baseline, resamples: frame.resamples,
      fingerprint: frame.fingerprint(
        data: data, split: split, metrics: metrics,
        arms: arms.map { ["name": JSONValue($0.name), "model": JSONValue($0.fingerprint)] }))
  }

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

  static let measures: [MetricName.Measure] = [
    .ndcg, .hit, .recall, .reciprocalRank, .coverage, .novelty,
  ]

  private static func metrics(
    _ object: JSONObject, _ root: JSONValue, _ reader: inout ConfigurationReader
  ) -> [MetricName]? {
    reader.metrics(
      of: object, root,
      allowed: "a list of ndcg@K, hit@K, recall@K, mrr, coverage@K, novelty@K, each K up to 20"
    ) { metric, _ in
      guard measures.contains(metric.measure) else {
        return "the metric does not belong to rankings of cards"
      }
      return (metric.parameter ?? 1) > Double(RankingFigures.listLength)
        ? "lists are not that long" : nil
    }
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
      let model = reader.model(
        of: object, element, at: place, .ranking, among: RankingModel.descriptions)
      guard let parameters, let model else { return nil }
      let ranking = RankingModel(model)
      guard ranking.kind.isInThisBuild else {
        reader.report(
          "the model \"\(model.use)\" is not in this build", at: place.appending("model"),
          object["model"]?.location, allowed: "a build with the trait OpenBLAS, or another model")
        return nil
      }
      var decides = [model.effective]
      for part in ranking.parts {
        guard let own = earlier[part], !own.isBlend else {
          let names = earlier.filter { !$0.value.isBlend }.keys.sorted()
          reader.report(
            "\"\(part)\" cannot be blended",
            at: place.appending("model").appending(
              ranking.kind == .trend ? "of" : "parts"), object["model"]?.location,
            allowed: names.isEmpty
              ? "arms that stand before" : names.map { "\"\($0)\"" }.joined(separator: ", "),
            nearest: nearestName(to: part, in: names))
          return nil
        }
        decides.append(JSONValue(own.fingerprint))
      }
      if ranking.kind == .blend, ranking.parts.isEmpty {
        reader.report(
          "a blend has no parts", at: place.appending("model").appending("parts"),
          object["model"]?.location,
          allowed: "the names of arms that stand before")
        return nil
      }
      let arm = Arm(
        name: parameters.parameters.text("name"), model: ranking,
        fingerprint: FeedConfiguration.fingerprint(of: JSONValue(decides)))
      earlier[arm.name] = (arm.fingerprint, ranking.kind == .blend)
      return arm
    }
  }
}
