public import CardFeed

/// How far people lie apart, and what else is not learned of single people: the hyperparameters.
struct Spreads: Hashable, Sendable {
  /// Standard deviation of the actor effect in log-odds; 0 for a model without people.
  var actor: Double
  /// Standard deviation of the partner effect in log-odds.
  var partner: Double
  /// Correlation of a person's actor and partner effect: generalised reciprocity.
  var correlation: Double
  /// Standard deviation of the weight of a standardised feature.
  var feature: Double
  /// Covariance of the two directions of a pair, given everything else: dyadic reciprocity.
  var dyad: Double

  /// The precision of (actor, partner), the inverse of their covariance: xx, xy, yy.
  var precision: SIMD3<Double> {
    let rest = 1 - correlation * correlation
    return SIMD3(
      1 / (actor * actor * rest), -correlation / (actor * partner * rest),
      1 / (partner * partner * rest))
  }

  /// The covariance of (actor, partner).
  var covariance: SIMD3<Double> {
    SIMD3(actor * actor, correlation * actor * partner, partner * partner)
  }
}

/// What a model knows of one person, in log-odds.
struct PersonEffects: Hashable, Sendable {
  /// How much more often than others of their gender the person says yes: the actor effect. A
  /// choosy person has a negative one.
  var actor = 0.0
  /// How much more often than others the person gets a yes: the partner effect.
  var partner = 0.0
  /// Their covariance given the data and everybody else: actor, both, partner.
  var covariance: SIMD3<Double>
  /// Answers by and about the person.
  var answers = 0
}

/// A fitted Social Relations Model.
///
/// logit P(a says yes to b) = base(gender of a) + actor(a) + partner(b) + Σ weight · feature(a, b)
///
/// Sources: Kenny and La Voie, "The Social Relations Model", Advances in Experimental Social
/// Psychology 18, 1984; as a mixed model with correlated effects, Snijders and Kenny, "The Social
/// Relations Model for Family Data", Personal Relationships 6, 1999.
public struct SocialRelationsModel: TrainedModel {
  var spreads: Spreads
  /// Base log-odds by gender, ascending by name; the empty name is "unknown".
  var bases: [(gender: String, value: Double)]
  var comparer: PairComparer
  /// Of each feature of the comparer.
  var weights: [Double]
  /// Of a model without people: how well weights and bases are known, as the factor of the negative
  /// second derivatives of the posterior; first the weights, then the bases.
  var globals: CholeskyFactor?
  /// Ascending.
  private(set) var ids: [CardID]
  private(set) var effects: [PersonEffects]
  private var index: [CardID: Int]

  init(
    spreads: Spreads, bases: [(gender: String, value: Double)], comparer: PairComparer,
    weights: [Double], people: [(id: CardID, effects: PersonEffects)],
    globals: CholeskyFactor? = nil
  ) {
    self.globals = globals
    self.spreads = spreads
    self.bases = bases.sorted { Array($0.gender.utf8).lexicographicallyPrecedes($1.gender.utf8) }
    self.comparer = comparer
    self.weights = weights
    let sorted = people.sorted { $0.id < $1.id }
    ids = sorted.map(\.id)
    effects = sorted.map(\.effects)
    index = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
  }

  /// How many people it knows.
  public var peopleCount: Int { ids.count }

  /// The features that it scores, as `difference(age)`.
  public var scored: [String] { comparer.features.map(\.name) }

  /// What is known of a person; nil for one without answers. O(length of the identifier).
  func effects(of id: CardID) -> PersonEffects? { index[id].map { effects[$0] } }

  /// The base of a gender; for one that the training did not have, the mean of those it had.
  func base(of gender: String?) -> Double {
    let name = gender ?? ""
    if let known = bases.first(where: { $0.gender == name }) { return known.value }
    return bases.isEmpty ? 0 : bases.reduce(0) { $0 + $1.value } / Double(bases.count)
  }

  /// The place of a gender among the bases; nil for one that the training did not have.
  func place(of gender: String?) -> Int? {
    let name = gender ?? ""
    return bases.firstIndex { $0.gender == name }
  }

  /// The model without one person. O(people).
  public func forgetting(_ id: CardID) -> SocialRelationsModel {
    guard index[id] != nil else { return self }
    return SocialRelationsModel(
      spreads: spreads, bases: bases, comparer: comparer, weights: weights,
      people: zip(ids, effects).filter { $0.0 != id }.map { ($0.0, $0.1) }, globals: globals)
  }

  private static let version: UInt64 = 1
  /// With how well weights and bases are known.
  private static let versionWithGlobals: UInt64 = 2

  /// Version 1: spreads, bases, features with their numbers, people. Version 2: after them the triangle
  /// of the factor.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(globals == nil ? Self.version : Self.versionWithGlobals)
    for value in [
      spreads.actor, spreads.partner, spreads.correlation, spreads.feature, spreads.dyad,
    ] {
      writer.double(value)
    }
    writer.count(bases.count)
    for base in bases {
      writer.text(base.gender)
      writer.double(base.value)
    }
    writer.count(comparer.features.count)
    for (place, feature) in comparer.features.enumerated() {
      writer.text(feature.comparison.rawValue)
      writer.count(feature.traits.count)
      for trait in feature.traits { writer.text(trait) }
      for column in [comparer.medians, comparer.means, comparer.scales, weights] {
        writer.double(column[place])
      }
    }
    writer.count(comparer.centers.count)
    for center in comparer.centers { writer.double(center) }
    writer.count(ids.count)
    for (id, person) in zip(ids, effects) {
      writer.blob(id.bytes)
      writer.count(person.answers)
      for value in [
        person.actor, person.partner, person.covariance.x, person.covariance.y,
        person.covariance.z,
      ] {
        writer.double(value)
      }
    }
    for entry in globals?.triangle ?? [] { writer.double(entry) }
    return writer.bytes
  }

  /// Reads what `bytes` wrote.
  ///
  /// - Throws: `FeedError.Code.model` for another version, for damaged bytes, and for numbers that
  ///   no fit makes.
  /// - Complexity: O(bytes).
  public init(bytes: [UInt8]) throws {
    do {
      var reader = ByteReader(bytes)
      let hasGlobals = bytes.first.map(UInt64.init) == Self.versionWithGlobals
      try reader.modelVersion(
        hasGlobals ? Self.versionWithGlobals : Self.version, of: "a social relations model")
      func number() throws -> Double {
        let value = try reader.double()
        guard value.isFinite else {
          throw FeedError(.model, "a social relations model holds a number that is not finite")
        }
        return value
      }
      let spreads = Spreads(
        actor: try number(), partner: try number(), correlation: try number(),
        feature: try number(), dyad: try number())
      var bases: [(gender: String, value: Double)] = []
      for _ in 0..<(try reader.count()) { bases.append((try reader.text(), try number())) }
      var features: [PairFeature] = []
      var columns: [[Double]] = [[], [], [], []]
      for _ in 0..<(try reader.count()) {
        let name = try reader.text()
        var traits: [String] = []
        for _ in 0..<(try reader.count()) { traits.append(try reader.text()) }
        guard let comparison = PairFeature.Comparison(rawValue: name),
          traits.count == comparison.traitCount
            || comparison.traitCount == 0 && !traits.isEmpty
        else {
          throw FeedError(
            .model, "a social relations model compares traits in a way that is not known")
        }
        features.append(PairFeature(comparison: comparison, traits: traits))
        for column in columns.indices { columns[column].append(try number()) }
      }
      var centers: [Double] = []
      for _ in 0..<(try reader.count()) { centers.append(try number()) }
      guard centers.count == PairComparer.traits(of: features).count else {
        throw FeedError(.model, "a social relations model has a wrong number of trait means")
      }
      var people: [(id: CardID, effects: PersonEffects)] = []
      for _ in 0..<(try reader.count()) {
        let id = CardID(bytes: try reader.blob())
        let answers = Int(truncatingIfNeeded: try reader.unsigned())
        people.append(
          (
            id,
            PersonEffects(
              actor: try number(), partner: try number(),
              covariance: SIMD3(try number(), try number(), try number()), answers: answers)
          ))
      }
      var globals: CholeskyFactor?
      if hasGlobals {
        let size = features.count + bases.count
        var triangle: [Double] = []
        for _ in 0..<size * (size + 1) / 2 { triangle.append(try number()) }
        globals = CholeskyFactor(triangle: triangle, size: size)
        guard globals != nil, spreads.actor == 0 else {
          throw FeedError(.model, "a social relations model holds errors that no fit makes")
        }
      }
      guard Set(people.map(\.id)).count == people.count, reader.isAtEnd else {
        throw FeedError(
          .model, "a social relations model names a person twice, or has bytes after its end")
      }
      self.init(
        spreads: spreads, bases: bases,
        comparer: PairComparer(
          features, centers: centers, medians: columns[0], means: columns[1], scales: columns[2]),
        weights: columns[3], people: people, globals: globals)
    } catch let damage as ByteReader.Damage {
      throw FeedError(.model, "a social relations model cannot be read: \(damage)")
    }
  }
}

extension PairFeature.Comparison {
  /// How many traits it compares; 0 for any number.
  fileprivate var traitCount: Int {
    switch self {
    case .own, .other, .difference, .same: 1
    case .product: 2
    case .alike: 0
    }
  }
}
