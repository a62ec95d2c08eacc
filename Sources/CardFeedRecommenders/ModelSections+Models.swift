// How each model lies in a file: one list says the kind, the others follow.
extension ModelSections {
  private enum Kind: UInt8 {
    case items = 1
    case denseItems = 2
    case factors = 3
    case popularity = 4
    case personal = 5
    case blend = 6
    case trend = 7
    case repurchase = 8
  }

  /// How deep models may stand in one another.
  private static let depthLimit = 4

  mutating func add(
    _ model: any Recommender, prefix: String, depth: Int = 0
  ) throws(RecommenderError) {
    guard depth < Self.depthLimit else {
      throw RecommenderError(
        .badInput,
        "models stand \(depth + 1) deep in one another; allowed: \(Self.depthLimit). Blend fewer")
    }
    func kind(_ kind: Kind) -> [UInt8] { [kind.rawValue] }
    switch model {
    case let model as ItemWeights:
      add(prefix + "kind", kind(.items))
      add(prefix + "decay", model.decay.numbers)
      add(prefix + "offsets", model.offsets)
      add(prefix + "targets", model.targets)
      add(prefix + "weights", model.weights)
    case let model as CooccurrenceCounts:
      try add(try model.weights(), prefix: prefix)
    case let model as DenseItemWeights:
      add(prefix + "kind", kind(.denseItems))
      add(prefix + "decay", model.decay.numbers)
      add(prefix + "size", [model.cardCount])
      add(prefix + "weights", model.weights)
    case let model as FactorModel:
      add(prefix + "kind", kind(.factors))
      add(prefix + "decay", model.decay.numbers)
      add(prefix + "size", [model.factorCount])
      add(prefix + "foldIn", model.foldIn.numbers)
      add(prefix + "factors", model.factors)
      add(prefix + "biases", model.biases)
      add(prefix + "summary", model.summary)
    case let model as Popularity:
      add(prefix + "kind", kind(.popularity))
      add(prefix + "counts", model.counts)
    case let model as PersonalCounts:
      add(prefix + "kind", kind(.personal))
      add(prefix + "settings", [model.exponent, model.rate])
      add(prefix + "popularity", model.scaledPopularity)
    case let model as Trend:
      add(prefix + "kind", kind(.trend))
      add(prefix + "factors", model.factors)
      try add(model.base, prefix: prefix + "0.", depth: depth + 1)
    case let model as Repurchase:
      add(prefix + "kind", kind(.repurchase))
      add(prefix + "weights", model.weights)
      add(prefix + "means", model.means)
      add(prefix + "deviations", model.deviations)
      add(prefix + "span", [model.period, model.facts.span])
      let facts = model.facts
      add(
        prefix + "facts",
        facts.viewers + facts.total + facts.recent + facts.again + facts.fading)
    case let model as Blend:
      add(prefix + "kind", kind(.blend))
      add(prefix + "blend", model.parts.map(\.weight))
      for (index, part) in model.parts.enumerated() {
        try add(part.model, prefix: "\(prefix)\(index).", depth: depth + 1)
      }
    default:
      throw RecommenderError(
        .badInput, "a \(type(of: model)) has no form in a file; allowed: models of this library")
    }
  }

  /// Whether offsets begin at 0, never fall and end at `end`.
  func isRising(_ offsets: Numbers<Int>, upTo end: Int) -> Bool {
    guard offsets.first == 0, offsets.last == end else { return false }
    return zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 }
  }

  func model(prefix: String, depth: Int = 0) throws(RecommenderError) -> any Recommender {
    let kinds = try numbers(prefix + "kind", UInt8.self)
    guard let kind = kinds.first.flatMap({ Kind(rawValue: $0) }), depth < Self.depthLimit else {
      throw damaged("the file holds an unknown kind of model")
    }
    switch kind {
    case .items:
      let offsets = try numbers(prefix + "offsets", Int.self)
      let targets = try numbers(prefix + "targets", Int32.self)
      let weights = try numbers(prefix + "weights", Float.self)
      guard isRising(offsets, upTo: targets.count), weights.count == targets.count,
        targets.allSatisfy({ 0..<(offsets.count - 1) ~= Int($0) })
      else { throw damaged("the weights between cards do not fit together") }
      return ItemWeights(
        offsets: offsets, targets: targets, weights: weights, decay: try decay(prefix))
    case .denseItems:
      let weights = try numbers(prefix + "weights", Float.self)
      let size = try numbers(prefix + "size", Int.self).first ?? -1
      guard 0...Int(Int32.max) ~= size, size * size == weights.count else {
        throw damaged("the weights between cards do not fit together")
      }
      return DenseItemWeights(cardCount: size, weights: weights, decay: try decay(prefix))
    case .factors:
      return try factors(prefix)
    case .popularity:
      return Popularity(counts: Array(try numbers(prefix + "counts", Double.self)))
    case .personal:
      let settings = try numbers(prefix + "settings", Double.self)
      guard settings.count == 2 else { throw damaged("the settings of counters are not two") }
      return PersonalCounts(
        exponent: settings[0], rate: settings[1],
        scaled: Array(try numbers(prefix + "popularity", Float.self)))
    case .repurchase: return try repurchase(prefix)
    case .trend:
      let factors = Array(try numbers(prefix + "factors", Float.self))
      let base = try model(prefix: prefix + "0.", depth: depth + 1)
      guard base.cardCount == factors.count else {
        throw damaged("the trend does not know the cards of its base")
      }
      return Trend(base, factors: factors)
    case .blend:
      var parts: [(model: any Recommender, weight: Double)] = []
      for (index, weight) in try numbers(prefix + "blend", Double.self).enumerated() {
        parts.append((try model(prefix: "\(prefix)\(index).", depth: depth + 1), weight))
      }
      return try Blend(parts)
    }
  }

  private func repurchase(_ prefix: String) throws(RecommenderError) -> Repurchase {
    let weights = Array(try numbers(prefix + "weights", Double.self))
    let means = Array(try numbers(prefix + "means", Double.self))
    let deviations = Array(try numbers(prefix + "deviations", Double.self))
    let span = Array(try numbers(prefix + "span", Double.self))
    let facts = Array(try numbers(prefix + "facts", Double.self))
    let count = facts.count / 5
    guard weights.count == RepurchaseFacts.count + 1, means.count == RepurchaseFacts.count,
      deviations.count == means.count, span.count == 2, facts.count == count * 5
    else { throw damaged("the weights of repurchases do not fit together") }
    func column(_ index: Int) -> [Double] { Array(facts[index * count..<(index + 1) * count]) }
    return Repurchase(
      weights: weights, means: means, deviations: deviations, period: span[0],
      facts: RepurchaseFacts(
        viewers: column(0), total: column(1), recent: column(2), again: column(3),
        fading: column(4), span: span[1]))
  }

  private func factors(_ prefix: String) throws(RecommenderError) -> FactorModel {
    let factors = try numbers(prefix + "factors", Float.self)
    let biases = try numbers(prefix + "biases", Float.self)
    let summary = try numbers(prefix + "summary", Double.self)
    let size = try numbers(prefix + "size", Int.self).first ?? 0
    guard 1...4096 ~= size, factors.count % size == 0,
      let foldIn = FactorModel.FoldIn(try numbers(prefix + "foldIn", Double.self)),
      summary.count == foldIn.summaryCount(size),
      biases.isEmpty || biases.count == factors.count / size
    else { throw damaged("the factors do not fit together") }
    return FactorModel(
      factors: factors, biases: biases, summary: summary, factorCount: size, foldIn: foldIn,
      decay: try decay(prefix))
  }
}

extension FactorModel.FoldIn {
  fileprivate var numbers: [Double] {
    switch self {
    case .leastSquares(let unobserved, let regularisation, let exponent):
      [0, unobserved, regularisation, exponent]
    case .pairwise(let regularisation): [1, regularisation, 0, 0]
    }
  }

  fileprivate init?(_ numbers: Numbers<Double>) {
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
    switch numbers[0] {
    case 0:
      self = .leastSquares(
        unobserved: numbers[1], regularisation: numbers[2], exponent: numbers[3])
    case 1: self = .pairwise(regularisation: numbers[1])
    default: return nil
    }
  }

  fileprivate func summaryCount(_ size: Int) -> Int {
    switch self {
    case .leastSquares: size * size
    case .pairwise: size
    }
  }
}
