public import CardFeed

/// Turns the numbers of another match probability into calibrated ones: of the pairs that get 30 %,
/// about 30 % match.
///
/// A training predicts pairs that the other strategy has not seen and compares the predictions with
/// what became of the pairs. What a strategy says of pairs it was fitted to is too sure, so for
///
/// - a trainable strategy, five times a fifth of the pairs is held out and predicted by a fit to the
///   others,
/// - a learner, the last third of the answers is, after a replay of the others in the order of the
///   log,
/// - any other, all pairs are.
///
/// Outcomes are known of pairs in which both have answered; a match is two positive answers.
///
/// In a deck with one side an outcome is the viewer's own answer, as rates count it
/// (`DeckPolicy.outcome(of:)`). Cards return, so all answers that stand count, those of one viewer to
/// one card in one fold. Each is predicted as of its moment: with the viewer's answers before it, its
/// pair's among them, and with the sums that learners had then, also where folds are held out.
///
/// With fewer outcomes than `least`, or fewer than ten of either kind, there is not enough data:
/// estimates go through as they are, with the reason as their `note`. The same before the first
/// training.
///
/// The function never falls, so the order stays, but for the ties of an isotonic one. `forward` and
/// `backward` go through as they are; in a deck with one side `forward` is P(match) and becomes what
/// that becomes. The standard error is the other strategy's, carried through the
/// function, and wider by how well the function itself is known; a P(match) whose error the other
/// strategy does not know has none here either.
///
/// Sources: held-out predictions for a calibration, Platt 1999; the two functions, see
/// `IsotonicRegression` and `PlattScaling`.
///
/// When not to use it: over estimates that are calibrated already, such as those of
/// `social-relations`, it only adds noise. Over a learner where the last third of the log is about
/// people who were never met before, as in evenings one after the other, it is fitted to strangers
/// and does not fit regulars. Deliberately absent: time; a calibration of last year's
/// answers counts as one of today's until the next training; and impressions, of which a history has
/// none, so that a strategy that looks at them is calibrated as if there had been none.
public struct CalibratedProbability<D: Deck>: MatchProbabilityStrategy, TrainableStrategy {
  /// Builds the other strategy anew over learner states of its own.
  public typealias Maker = @Sendable (LearnerStates) throws -> any MatchProbabilityStrategy<D>

  private let inner: any MatchProbabilityStrategy<D>
  private let method: CalibrationMethod
  private let least: Int
  private let make: Maker
  /// Where the current function lies.
  public let slot: ModelSlot<CalibrationModel>

  /// Calibrates a strategy.
  ///
  /// - Parameters:
  ///   - inner: The other strategy.
  ///   - method: Which function.
  ///   - least: How many known outcomes a fit needs, of pairs or in a deck with one side of answers,
  ///     above 0; nil for the method's own number.
  ///   - slot: Where the function lies.
  ///   - make: Builds `inner` once more, for predictions of what was held out.
  public init(
    of inner: any MatchProbabilityStrategy<D>, method: CalibrationMethod, least: Int? = nil,
    slot: ModelSlot<CalibrationModel>, make: @escaping Maker
  ) {
    self.inner = inner
    self.method = method
    self.least = least ?? method.leastAnswers
    self.slot = slot
    self.make = make
  }

  /// Those of the other strategy.
  public var needs: ContextNeeds { inner.needs }

  /// Those of the other strategy.
  public var learners: [any Learner<D>] { inner.learners }

  /// Those of the other strategy, and itself.
  public var trainables: [any TrainableStrategy<D>] { inner.trainables + [self] }

  /// What the other strategy scores.
  public var scored: [String] { inner.scored }

  /// The other strategy's estimates with P(match) replaced. O(n log blocks), and the other strategy.
  public func estimates(for slate: Slate<D>) async throws -> MatchEstimates {
    var estimates = try await inner.estimates(for: slate)
    guard estimates.count == slate.count else {
      throw FeedError(
        .strategyFault,
        "the match probability inside 'calibrated' answered with \(estimates.count) values for a "
          + "slate of \(slate.count) cards",
        hint: "a strategy returns one value for each candidate, in the order of the slate")
    }
    guard let model = slot.model else {
      estimates.note = "not calibrated: there was no training yet"
      return estimates
    }
    let isMutual = slate.context.deck.policy.isMutual
    if let shortage = model.shortage(of: isMutual ? "pairs" : "answers") {
      estimates.note = "not calibrated: \(shortage)"
      return estimates
    }
    var calibrated = MatchEstimates(count: slate.count)
    calibrated.note = estimates.note
    for index in 0..<slate.count {
      let estimate = estimates[index]
      // A number that is no probability is what it is: only the function can be wrong about it.
      let error = estimate.match == nil ? 0 : estimate.standardError
      let match = estimate.order.flatMap(model.probability)
      calibrated[index] = MatchEstimate(
        match: match,
        forward: isMutual ? estimate.forward : estimate.forward.flatMap { _ in match },
        backward: estimate.backward,
        standardError: estimate.order.flatMap { order in
          error.flatMap { model.standardError(of: order, error: $0) }
        })
    }
    return calibrated
  }

  /// That of the other strategy, wider by how well the function is known.
  public var uncertainty: MatchUncertainty {
    let own = "how well the calibration is known from what was held out"
    switch inner.uncertainty {
    case .standardError(let covers): return .standardError(covers: covers + "; and " + own)
    case .noProbability: return .standardError(covers: own)
    case .unknown: return inner.uncertainty
    }
  }

  /// The number that is calibrated, and what it is made of.
  public func reasons(for slate: Slate<D>) async throws -> [EstimatePart] {
    let estimates = try await inner.estimates(for: slate)
    let orders = (0..<estimates.count).map { estimates[$0].order ?? .nan }
    return [EstimatePart(name: "before-calibration", values: orders)]
      + (try await inner.reasons(for: slate))
  }

  /// Predicts what is held out and fits the function to it. As many fits of the other strategy as
  /// there are parts (five, if it is trainable), and O(pairs · log pairs); in a deck with one side also
  /// one estimate for each answer.
  public func fit(
    _ history: TrainingHistory<D>, progress: TrainingProgress
  ) async throws -> CalibrationModel {
    history.deck.policy.isMutual
      ? try await fitToPairs(history, progress) : try await fitToAnswers(history, progress)
  }

  private func fitToPairs(
    _ history: TrainingHistory<D>, _ progress: TrainingProgress
  ) async throws -> CalibrationModel {
    let pairs = AnsweredPairs(history)
    guard pairs.pairs.count >= least else {
      return CalibrationModel(
        state: .notEnoughData(needed: least), answers: pairs.pairs.count,
        positives: pairs.pairs.count { $0.isMatch })
    }
    let split = HeldOutSplit(pairs, history: history, for: try make(LearnerStates()))
    var predicted = Predicted()
    for (index, part) in split.parts.enumerated() {
      let predictor = HeldOutPredictor(try make(LearnerStates()), history: history)
      let predictions = try await predictor.predictions(
        part, progress: progress.part(index, of: split.parts.count))
      for (pair, estimate) in zip(part.asked, predictions) {
        predicted.add(estimate, outcome: pair.isMatch)
      }
    }
    return predicted.model(method, least: least)
  }

  private func fitToAnswers(
    _ history: TrainingHistory<D>, _ progress: TrainingProgress
  ) async throws -> CalibrationModel {
    let answers = OwnAnswers(history)
    guard answers.count >= least else {
      return CalibrationModel(
        state: .notEnoughData(needed: least), answers: answers.count, positives: answers.positives)
    }
    let parts = answers.parts(for: try make(LearnerStates()))
    var predicted = Predicted()
    for (index, part) in parts.enumerated() {
      let walk = LogWalk(try make(LearnerStates()), history: history)
      let estimates = try await walk.estimates(
        part, progress: progress.part(index, of: parts.count))
      for (place, estimate) in zip(part.asked, estimates) {
        if let outcome = answers.outcomes[place] { predicted.add(estimate, outcome: outcome) }
      }
    }
    return predicted.model(method, least: least)
  }
}

/// What was predicted of what was held out, and what became of it.
private struct Predicted {
  private var scores: [Double] = []
  private var outcomes: [Bool] = []
  private var areProbabilities = true

  mutating func add(_ estimate: MatchEstimate, outcome: Bool) {
    guard let score = estimate.order, score.isFinite else { return }
    scores.append(score)
    outcomes.append(outcome)
    areProbabilities = areProbabilities && estimate.match != nil
  }

  func model(_ method: CalibrationMethod, least: Int) -> CalibrationModel {
    CalibrationModel(
      method, scores: scores, outcomes: outcomes, areProbabilities: areProbabilities, least: least)
  }
}
