internal import CardFeed

extension FeedConfiguration {
  /// Decodes what decides. `value` finds the value of a key.
  static func pipeline(
    _ value: (String) -> JSONValue?, at path: JSONPath, strategies: [StrategyDescription],
    _ reader: inout ConfigurationReader
  ) -> PipelineSpecification? {
    func list(_ key: String, _ kind: StrategyKind) -> [StrategySpecification]? {
      guard let value = value(key) else { return [] }
      let place = path.appending(key)
      guard let elements = value.array else {
        reader.report(
          "must be a list", at: place, value.location, found: value.kind.description,
          allowed: "a list of \(kind.noun)s")
        return nil
      }
      let found = elements.enumerated().compactMap { index, element in
        reader.strategy(element, kind, at: place.appending(index), strategies: strategies)
      }
      // Those that could be read are compared even if others could not.
      if kind == .filter { reportRepeated(found, &reader) }
      return found.count == elements.count ? found : nil
    }
    func one(_ key: String, _ kind: StrategyKind) -> StrategySpecification? {
      guard let value = value(key) else {
        reader.report(
          "missing key \"\(key)\"", at: path, nil, allowed: "a \(kind.noun)")
        return nil
      }
      return reader.strategy(value, kind, at: path.appending(key), strategies: strategies)
    }

    let hand = hand(value("hand") ?? [:], at: path.appending("hand"), &reader)
    let sources = list("sources", .source)
    if let sources, sources.isEmpty {
      reader.report(
        "a feed needs at least one source", at: path.appending("sources"),
        value("sources")?.location, found: "none", allowed: "a list of one or more sources")
    }
    let filters = list("filters", .filter)
    let probability = one("matchProbability", .matchProbability)
    let ranking = one("ranking", .ranking)
    let slate = list("slate", .slateRule)
    let match = one("match", .matchRule)
    let quotas = list("quotas", .quota)
    guard let hand, let sources, let filters, let probability, let ranking, let slate, let match,
      let quotas
    else { return nil }
    let pipeline = JSONObject([
      ("hand", hand.effective), ("sources", JSONValue(sources.map(\.effective))),
      ("filters", JSONValue(filters.map(\.effective))),
      ("matchProbability", probability.effective), ("ranking", ranking.effective),
      ("slate", JSONValue(slate.map(\.effective))), ("match", match.effective),
    ])
    // Quotas decide nothing of what is dealt; they are spelled out where there are any.
    let limits = quotas.isEmpty ? [] : [("quotas", JSONValue(quotas.map(\.effective)))]
    let effective = JSONObject(pipeline.members.map { ($0.key, $0.value) } + limits)
    return PipelineSpecification(
      hand: hand.policy, sources: sources, filters: filters, matchProbability: probability,
      ranking: ranking, slate: slate, match: match, quotas: quotas, effective: effective,
      fingerprint: fingerprint(of: JSONValue(effective)))
  }

  private static func hand(
    _ value: JSONValue, at path: JSONPath, _ reader: inout ConfigurationReader
  ) -> (policy: HandPolicy, effective: JSONValue)? {
    guard let object = reader.object(value, at: path),
      let (parameters, effective) = reader.parameters(
        object, at: path, value.location, by: handParameters, strategies: [])
    else { return nil }
    let size = parameters.integer("size")
    var refillBelow = parameters.integer("refillBelow")
    if refillBelow > size {
      guard object["refillBelow"] == nil else {
        reader.report(
          "a hand cannot be refilled below more cards than it holds",
          at: path.appending("refillBelow"), object["refillBelow"]?.location,
          found: "\(refillBelow)", allowed: "1 … \(size), the size of the hand")
        return nil
      }
      refillBelow = size
    }
    guard let ties = HandPolicy.TieBreak(rawValue: parameters.text("ties")),
      let unscored = HandPolicy.UnscoredPolicy(rawValue: parameters.text("unscored"))
    else { return nil }
    let policy = HandPolicy(
      size: size, refillBelow: refillBelow, rewind: parameters.integer("rewind"), ties: ties,
      unscored: unscored, batches: parameters.integer("batches"),
      timeBudget: parameters.optionalInteger("timeBudgetMilliseconds"))
    let spelledOut = effective.map { key, value in
      (key, key == "refillBelow" ? JSONValue(refillBelow) : value)
    }
    return (policy, JSONValue(JSONObject(spelledOut)))
  }

  /// A filter that stands twice with the same parameters does nothing the second time.
  private static func reportRepeated(
    _ filters: [StrategySpecification], _ reader: inout ConfigurationReader
  ) {
    for (index, filter) in filters.enumerated()
    where filters[..<index].contains(where: { $0.effective == filter.effective }) {
      reader.report(
        "the filter \"\(filter.use)\" stands twice with the same parameters", at: filter.path,
        filter.location, allowed: "each filter once")
    }
  }

  /// Decodes the variants: each is the base with some keys replaced.
  static func variants(
    _ value: JSONValue, base: (String) -> JSONValue?, strategies: [StrategyDescription],
    _ reader: inout ConfigurationReader
  ) -> [Variant]? {
    let path = JSONPath.root.appending("variants")
    guard let elements = value.array else {
      reader.report(
        "must be a list", at: path, value.location, found: value.kind.description,
        allowed: "a list of variants")
      return nil
    }
    let variants = elements.enumerated().compactMap { index, element in
      variant(
        element, at: path.appending(index), base: base, strategies: strategies, &reader)
    }
    reportConflicts(between: elements, in: value, at: path, &reader)
    return variants.count == elements.count ? variants : nil
  }

  /// Reports what only shows when variants are looked at together, also when some of them are wrong.
  private static func reportConflicts(
    between elements: [JSONValue], in list: JSONValue, at path: JSONPath,
    _ reader: inout ConfigurationReader
  ) {
    var names = Set<String>()
    for (index, element) in elements.enumerated() {
      guard let name = element["name"], let text = name.string, !names.insert(text).inserted
      else { continue }
      reader.report(
        "two variants are called \"\(text)\"", at: path.appending(index).appending("name"),
        name.location, allowed: "a name of its own for each variant")
    }
    let total = elements.compactMap { $0["share"]?.double }.filter { (0...1).contains($0) }
      .reduce(0, +)
    if total > 1 + 1e-9 {
      reader.report(
        "the shares add up to more than everybody", at: path, list.location, found: "\(total)",
        allowed: "a sum of 1 at most; the rest of the viewers get the base")
    }
  }

  private static func variant(
    _ value: JSONValue, at path: JSONPath, base: (String) -> JSONValue?,
    strategies: [StrategyDescription], _ reader: inout ConfigurationReader
  ) -> Variant? {
    guard let object = reader.object(value, at: path) else { return nil }
    let own = reader.parameters(
      object, at: path, value.location, by: variantParameters, otherKeys: ["set"], strategies: [])
    let setPath = path.appending("set")
    guard let setValue = object["set"] ?? Optional([:]),
      let set = reader.object(setValue, at: setPath)
    else { return nil }
    reader.checkKeys(of: set, at: setPath, known: pipelineKeys)
    // Problems of the base are reported once, at the base; a variant reports what it sets.
    var inherited = ConfigurationReader()
    var replaced = ConfigurationReader()
    let pipeline = pipeline(
      { set[$0] ?? base($0) }, at: setPath, strategies: strategies, &replaced)
    _ = self.pipeline(base, at: setPath, strategies: strategies, &inherited)
    let known = Set(inherited.problems)
    for problem in replaced.problems where !known.contains(problem) {
      reader.report(
        problem.message, at: problem.path, problem.location, found: problem.found,
        allowed: problem.allowed, nearest: problem.nearest)
    }
    guard let own, let pipeline else { return nil }
    return Variant(
      name: own.parameters.text("name"), share: own.parameters.number("share"),
      pipeline: pipeline)
  }
}
