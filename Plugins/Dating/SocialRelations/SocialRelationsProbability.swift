public import CardFeed

/// P(match) by a Social Relations Model that is fitted to the whole log.
///
/// Four strategies are settings of it: `additive` (two numbers of each person, independent, their
/// most likely values), `social-relations` (correlated, averaged over what is not known of them),
/// `profile-logistic` (features of the two profiles only) and `hybrid` (both).
///
/// The fit gives everybody's numbers at the time of the training. In a deal the viewer's own two are
/// computed anew from all answers by and about them, given everybody else's: a newcomer's first
/// swipes count at once, and a rewind is exact, since nothing is kept.
///
/// With averages P(match) is the expectation of the product of the two sides, which is not the
/// product of the two expectations: what is not known of a person lies in both, and the two
/// directions of a pair agree more often than their parts say (dyadic reciprocity). The standard
/// error covers what is not known of the two people; bases and weights count as known.
///
/// When not to use it: before the first training it knows nothing and answers so. Where nobody can
/// train, `elo-two-scale` needs none.
///
/// Deliberately absent: time. An answer of last year counts as one of today.
public struct SocialRelationsProbability: MatchProbabilityStrategy, TrainableStrategy {
  /// The deck with the columns `gender`, `traits` and those of the age.
  public typealias D = DatingDeck

  /// What becomes of a pair of which nothing is known on one side.
  enum Unknown: String, CaseIterable {
    /// The estimate of somebody of that gender.
    case prior
    /// No estimate.
    case unscored
  }

  /// What becomes of the answer that the card gave about the viewer.
  enum KnownAnswers: String, CaseIterable {
    /// It counts for the viewer's numbers, as anybody's, and is not told.
    case ignore
    /// It takes the place of the probability.
    case use
  }

  let settings: SocialRelationsSettings
  let unknown: Unknown
  let knownAnswers: KnownAnswers
  /// Where the current model lies.
  public let slot: ModelSlot<SocialRelationsModel>

  init(
    _ settings: SocialRelationsSettings, unknown: Unknown = .prior,
    knownAnswers: KnownAnswers = .ignore, slot: ModelSlot<SocialRelationsModel>
  ) {
    self.settings = settings
    self.unknown = unknown
    self.knownAnswers = knownAnswers
    self.slot = slot
  }

  /// What others said of the viewer.
  public var needs: ContextNeeds { .answersReceived }

  /// Fits the model; O(answers · features) for each of some hundred passes, and twenty times that
  /// where spreads are chosen by a holdout.
  public func fit(
    _ history: TrainingHistory<DatingDeck>, progress: TrainingProgress
  ) async throws -> SocialRelationsModel {
    let earlier = settings.refitsPeopleOnly ? slot.model : nil
    guard !settings.refitsPeopleOnly || earlier != nil else {
      throw FeedError(
        .training, "'\(settings.name)' with \"refit\": \"people\" has no model to begin with",
        hint: "name one with \"model\", or train with \"refit\": \"all\" first")
    }
    var steps = 0
    let pause = {
      steps += 1
      // Conjugate gradients take as many steps as they need; the number is a guess.
      try await progress.step(steps, of: max(steps, 600))
    }
    let data = SocialRelationsData(
      history, comparisons: settings.comparisons, keeping: earlier?.comparer)
    if let earlier {
      return try await SocialRelationsFit.refit(data, people: earlier, pause: pause)
    }
    let spreads = try await SocialRelationsSearch(data, settings: settings)
      .spreads(progress: pause)
    let fit = SocialRelationsFit(data, spreads: spreads, gram: data.gram())
    return try await fit.model(pause: pause)
  }

  /// P(match), both sides and the standard error. Without a model all are unknown.
  /// O(candidates · features + answers by and about the viewer); without people O(candidates ·
  /// features²), for the standard errors.
  public func estimates(for slate: Slate<DatingDeck>) async throws -> MatchEstimates {
    var estimates = MatchEstimates(count: slate.count)
    guard let model = slot.model else { return estimates }
    let reader = SocialRelationsReader(model, table: slate.table, now: slate.context.now)
    let viewer = reader.viewer(slate.context)
    let received = knownAnswers == .use ? slate.context.latestReceived : [:]
    for (index, row) in slate.rows.enumerated() {
      let card = reader.person(row)
      if unknown == .unscored, !viewer.isKnown || !card.isKnown { continue }
      var estimate = pair(reader, viewer, card)
      if let said = received[slate.table.number(at: row)], said != .neutral {
        estimate = conditioned(estimate, on: said == .positive, reader, viewer, card)
      }
      estimates[index] = estimate
    }
    return estimates
  }

  private func pair(
    _ reader: SocialRelationsReader, _ viewer: SocialRelationsReader.Person,
    _ card: SocialRelationsReader.Person
  ) -> MatchEstimate {
    let means = reader.logOdds(viewer, card)
    guard settings.averages else {
      let (forward, backward) = (logistic(means.x), logistic(means.y))
      let variances = variances(reader, viewer, card)
      let relative = variances.map {
        (1 - forward) * (1 - forward) * $0.x + (1 - backward) * (1 - backward) * $0.z
          + 2 * (1 - forward) * (1 - backward) * $0.y
      }
      return MatchEstimate(
        match: Probability(forward * backward), forward: Probability(forward),
        backward: Probability(backward),
        standardError: relative.map { forward * backward * max(0, $0).squareRoot() })
    }
    let variances = reader.variances(viewer, card)
    let match = MatchQuadrature.match(
      means, variances: variances,
      covariance: viewer.effects.covariance.y + card.effects.covariance.y + reader.dyad)
    return MatchEstimate(
      match: Probability(match.probability),
      forward: Probability(MatchQuadrature.probability(means.x, variance: variances.x)),
      backward: Probability(MatchQuadrature.probability(means.y, variance: variances.y)),
      standardError: match.deviation)
  }

  /// How well the two log-odds are known: of the first, of both together, of the second. Without people
  /// what is not known lies in the weights, and so in both sides.
  private func variances(
    _ reader: SocialRelationsReader, _ viewer: SocialRelationsReader.Person,
    _ card: SocialRelationsReader.Person
  ) -> SIMD3<Double>? {
    if settings.hasPeople {
      let variances = reader.variances(viewer, card)
      return SIMD3(variances.x, 0, variances.y)
    }
    guard let globals = reader.globals else { return nil }
    let forward = globals.whitened(reader.derivatives(viewer, card))
    let backward = globals.whitened(reader.derivatives(card, viewer))
    func product(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    }
    return SIMD3(
      product(forward, forward), product(forward, backward), product(backward, backward))
  }

  /// The estimate when the card's answer about the viewer is known: what surprises about it moves
  /// the viewer's log-odds by the dyadic reciprocity.
  private func conditioned(
    _ estimate: MatchEstimate, on liked: Bool, _ reader: SocialRelationsReader,
    _ viewer: SocialRelationsReader.Person, _ card: SocialRelationsReader.Person
  ) -> MatchEstimate {
    let means = reader.logOdds(viewer, card)
    let surprise = (liked ? 1 : 0) - logistic(means.y)
    let shifted = means.x + reader.dyad * surprise
    let variance = settings.averages ? reader.variances(viewer, card).x : 0
    let forward = MatchQuadrature.probability(shifted, variance: variance)
    return MatchEstimate(
      match: Probability(liked ? forward : 0), forward: Probability(forward),
      backward: Probability(liked ? 1 : 0),
      standardError: liked
        ? forward * (1 - forward) * variance.squareRoot() : 0)
  }
}

extension DealContext {
  /// What each person last said of the viewer.
  var latestReceived: [CardNumber: AnswerMeaning] {
    var latest: [CardNumber: AnswerMeaning] = [:]
    for answer in answersReceived where latest[answer.from] == nil {
      latest[answer.from] = answer.meaning
    }
    return latest
  }
}

extension SocialRelationsFit {
  /// The mode as a model.
  func model(pause: () async throws -> Void) async throws -> SocialRelationsModel {
    let mode = try await mode(pause: pause)
    return try model(
      mode, globals: globals(at: mode), bases: zip(data.genders, mode.bases).map { ($0, $1) },
      weights: (0..<data.comparer.features.count).map { mode.weights[$0 / 4][$0 % 4] })
  }

  /// The people of some answers under bases, weights and spreads of an earlier model.
  static func refit(
    _ data: SocialRelationsData, people earlier: SocialRelationsModel,
    pause: () async throws -> Void
  ) async throws -> SocialRelationsModel {
    var weights = Array(repeating: SIMD4<Double>.zero, count: data.width)
    for (place, weight) in earlier.weights.enumerated() { weights[place / 4][place % 4] = weight }
    let fit = SocialRelationsFit(
      data, spreads: earlier.spreads,
      scope: .people(bases: data.genders.map { earlier.base(of: $0) }, weights: weights), gram: [])
    let mode = try await fit.mode(pause: pause)
    return try fit.model(mode, bases: earlier.bases, weights: earlier.weights)
  }

  private func model(
    _ mode: Vector, globals matrix: [Double]? = nil, bases: [(gender: String, value: Double)],
    weights: [Double]
  ) throws -> SocialRelationsModel {
    var counts = Array(repeating: 0, count: data.peopleCount)
    for row in 0..<data.count {
      counts[Int(data.raters[row])] += 1
      counts[Int(data.targets[row])] += 1
    }
    let covariances = covariances(at: mode)
    let people = covariances.indices.map { place in
      (
        id: data.ids[place],
        effects: PersonEffects(
          actor: mode.people[place].x, partner: mode.people[place].y,
          covariance: covariances[place], answers: counts[place])
      )
    }
    return SocialRelationsModel(
      spreads: spreads, bases: bases, comparer: data.comparer, weights: weights, people: people,
      globals: try matrix.map {
        try CholeskyFactor($0, size: data.comparer.features.count + data.genders.count)
      })
  }
}
