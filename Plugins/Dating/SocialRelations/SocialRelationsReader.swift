internal import CardFeed

/// A model over one table: looks people up, compares them, and computes the viewer's numbers anew.
struct SocialRelationsReader {
  /// What is known of one person.
  struct Person {
    var effects: PersonEffects
    let base: Double
    /// The place of the base; nil where it is the mean of all.
    let gender: Int?
    let traits: [Double]
    /// Whether the model knows more of them than their gender.
    var isKnown: Bool
  }

  private let model: SocialRelationsModel
  private let table: CardTable<DatingDeck>
  private let traits: TraitTable
  private let genders: GenderNames
  private let stranger: PersonEffects

  init(_ model: SocialRelationsModel, table: CardTable<DatingDeck>, now: Timestamp) {
    self.model = model
    self.table = table
    traits = TraitTable(table, traits: model.comparer.traits, now: now)
    genders = GenderNames(table)
    stranger = PersonEffects(
      covariance: model.spreads.actor > 0 ? model.spreads.covariance : .zero)
  }

  var dyad: Double { model.spreads.dyad }

  /// A person as of the last training.
  func person(_ row: Row) -> Person {
    let known = model.effects(of: table.id(at: row))
    let values = traits.values(of: row)
    return Person(
      effects: known ?? stranger, base: model.base(of: genders.name(of: row)),
      gender: model.place(of: genders.name(of: row)), traits: values,
      isKnown: known != nil || values.contains { !$0.isNaN })
  }

  /// What features add to the log-odds that one likes the other.
  func comparison(_ one: Person, _ other: Person) -> Double {
    model.comparer.sum(model.weights, one.traits, other.traits)
  }

  /// The log-odds of both sides.
  func logOdds(_ viewer: Person, _ card: Person) -> SIMD2<Double> {
    SIMD2(
      viewer.base + viewer.effects.actor + card.effects.partner + comparison(viewer, card),
      card.base + card.effects.actor + viewer.effects.partner + comparison(card, viewer))
  }

  /// How well weights and bases are known; nil where the model does not say.
  var globals: CholeskyFactor? { model.globals }

  /// What the log-odds of one side are made of, a number for each weight and each base.
  func derivatives(_ one: Person, _ other: Person) -> [Double] {
    let features = model.weights.count
    var values = Array(repeating: 0.0, count: features + model.bases.count)
    model.comparer.compare(one.traits, other.traits) { values[$0] = $1 }
    for base in model.bases.indices {
      values[features + base] =
        one.gender.map { $0 == base ? 1 : 0 } ?? 1 / Double(model.bases.count)
    }
    return values
  }

  /// How well the log-odds of both sides are known.
  func variances(_ viewer: Person, _ card: Person) -> SIMD2<Double> {
    SIMD2(
      viewer.effects.covariance.x + card.effects.covariance.z,
      card.effects.covariance.x + viewer.effects.covariance.z)
  }

  /// The viewer with effects that follow from all answers by and about them, given everybody else's
  /// as of the training.
  func viewer(_ context: DealContext<DatingDeck>) -> Person {
    guard let row = context.row else {
      return Person(
        effects: stranger, base: model.base(of: nil), gender: model.place(of: nil),
        traits: Array(repeating: .nan, count: traits.count), isKnown: false)
    }
    var viewer = person(row)
    guard model.spreads.actor > 0 else { return viewer }
    var evidence: [Evidence] = []
    // In the order of the numbers: sums of fractions depend on the order of their parts.
    for (number, entry) in context.seen.sorted(by: { $0.key < $1.key }) {
      guard let answer = entry.answer, answer.meaning != .neutral, number != context.number,
        let other = table.row(of: number).map(person)
      else { continue }
      evidence.append(
        Evidence(
          isOwn: true, liked: answer.meaning == .positive,
          offset: viewer.base + other.effects.partner
            + model.comparer.sum(model.weights, viewer.traits, other.traits),
          variance: variance(of: other, entry: \.z)))
    }
    for (number, meaning) in context.latestReceived.sorted(by: { $0.key < $1.key }) {
      guard meaning != .neutral, number != context.number,
        let other = table.row(of: number).map(person)
      else { continue }
      evidence.append(
        Evidence(
          isOwn: false, liked: meaning == .positive,
          offset: other.base + other.effects.actor
            + model.comparer.sum(model.weights, other.traits, viewer.traits),
          variance: variance(of: other, entry: \.x)))
    }
    viewer.effects = Evidence.effects(evidence, spreads: model.spreads)
    viewer.isKnown = viewer.isKnown || !evidence.isEmpty
    return viewer
  }

  /// Of people whom the training knew the effects count as known, as they did there.
  private func variance(
    of person: Person, entry: KeyPath<SIMD3<Double>, Double>
  ) -> Double {
    person.effects.answers > 0 ? 0 : stranger.covariance[keyPath: entry]
  }
}

/// One answer by or about a person whose two effects are sought.
private struct Evidence {
  /// Whether the person gave the answer; else it is about them.
  let isOwn: Bool
  let liked: Bool
  /// The log-odds but for the person's effect.
  let offset: Double
  /// Of the other's effect.
  let variance: Double

  /// The mode of the two effects and their covariance, by Newton's method.
  static func effects(_ evidence: [Evidence], spreads: Spreads) -> PersonEffects {
    let prior = SymmetricPair(spreads.precision)
    var x = SIMD2<Double>.zero
    var covariance = prior.inverse.entries
    for _ in 0..<20 {
      var gradient = -1 * prior.times(x)
      var negativeHessian = prior
      for one in evidence {
        // An uncertain effect flattens the curve; MacKay 1992, "The Evidence Framework Applied to
        // Classification Networks", equation 4.7.
        let flat = 1 / (1 + Double.pi / 8 * one.variance).squareRoot()
        let p = logistic(flat * (one.offset + (one.isOwn ? x.x : x.y)))
        let slope = flat * ((one.liked ? 1 : 0) - p)
        let information = flat * flat * p * (1 - p)
        if one.isOwn {
          gradient.x += slope
          negativeHessian.entries.x += information
        } else {
          gradient.y += slope
          negativeHessian.entries.z += information
        }
      }
      let inverse = negativeHessian.inverse
      covariance = inverse.entries
      let step = inverse.times(gradient)
      let size = max(abs(step.x), abs(step.y))
      // Far from the mode the curve is nearly straight, and a whole step would go much too far.
      x += step * min(1, 2 / max(size, 1e-300))
      if size < 1e-9 { break }
    }
    return PersonEffects(
      actor: x.x, partner: x.y, covariance: covariance, answers: evidence.count)
  }
}
