/// A fit whose belief in the defaults was chosen on answers that were held out.
public struct HeldOutMemoryFit: Hashable, Sendable {
  /// The parameters, fitted to all answers; the model's defaults where nothing beat them.
  public var parameters: [Double]
  /// How strongly the defaults were believed; nil where they were kept as they are.
  public var strength: Double?
  /// The log loss of a held-out answer, in nats, by what was fitted to earlier ones; not a number
  /// where none was held out.
  public var heldOutLoss: Double
  /// The same by the defaults.
  public var defaultHeldOutLoss: Double
  /// How many answers were predicted in the final fit.
  public var answers: Int

  /// The strengths that are tried, from the most trusting to the least.
  static let strengths = [4, 2, 1, 0.5, 0.25]
  /// Predicted answers below which the defaults are kept: what somebody's first weeks say of the
  /// weeks after is less than what everybody's do.
  static let least = 512
}

extension FSRS6 {
  /// Fits the parameters, with the strength that predicts later answers best from earlier ones.
  ///
  /// The last fifth of the answers in time is predicted from those before; where no fit beats the
  /// defaults there, and with fewer than 512 predicted answers, the defaults are kept.
  ///
  /// - Parameters:
  ///   - log: The answers, each with its time.
  ///   - checkpoint: Called after each pass with the share that is done; throws to stop.
  /// - Complexity: Six fits.
  public static func fitHeldOut(
    _ log: ReviewLog, checkpoint: (Double) throws -> Void
  ) rethrows -> HeldOutMemoryFit {
    try MemoryFit<FSRS6Kernel<DualNumber<SIMD8<Double>>>>(defaults: defaults, bounds: bounds)
      .fitHeldOut(log, checkpoint: checkpoint) { FSRS6(unchecked: $0).loss(of: $1) }
  }
}

extension FSRS7 {
  /// Fits the parameters, with the strength that predicts later answers best from earlier ones.
  ///
  /// The last fifth of the answers in time is predicted from those before; where no fit beats the
  /// defaults there, and with fewer than 512 predicted answers, the defaults are kept.
  ///
  /// - Parameters:
  ///   - log: The answers, each with its time.
  ///   - checkpoint: Called after each pass with the share that is done; throws to stop.
  /// - Complexity: Six fits.
  public static func fitHeldOut(
    _ log: ReviewLog, checkpoint: (Double) throws -> Void
  ) rethrows -> HeldOutMemoryFit {
    try MemoryFit<FSRS7Kernel<DualNumber<SIMD8<Double>>>>(defaults: defaults, bounds: bounds)
      .fitHeldOut(log, checkpoint: checkpoint) { FSRS7(unchecked: $0).loss(of: $1) }
  }
}

extension MemoryFit {
  func fitHeldOut(
    _ log: ReviewLog, checkpoint: (Double) throws -> Void,
    loss: (_ parameters: [Double], _ log: ReviewLog) -> Double
  ) rethrows -> HeldOutMemoryFit {
    let times = log.predictedTimes
    var result = HeldOutMemoryFit(
      parameters: defaults, strength: nil, heldOutLoss: .nan, defaultHeldOutLoss: .nan,
      answers: times.count)
    guard times.count >= HeldOutMemoryFit.least else { return result }

    let strengths = HeldOutMemoryFit.strengths
    var done = 0.0
    func fitted(_ log: ReviewLog, _ strength: Double) throws -> [Double] {
      let limit = 60
      let result = try fit(log, strength: strength, passes: limit) { pass in
        let share = Double(pass) / Double(limit + 1)
        try checkpoint((done + share) / Double(strengths.count + 1))
      }
      done += 1
      return result.parameters
    }
    let cut = times[times.count * 4 / 5]
    let known = log.before(cut)
    let asked = log.counting(from: cut)
    let count = Double(asked.predictedCount)
    result.defaultHeldOutLoss = loss(defaults, asked) / count
    result.heldOutLoss = result.defaultHeldOutLoss
    for strength in strengths {
      let found = loss(try fitted(known, strength), asked) / count
      if found < result.heldOutLoss { (result.strength, result.heldOutLoss) = (strength, found) }
    }
    if let strength = result.strength { result.parameters = try fitted(log, strength) }
    return result
  }
}

extension MemoryModel {
  /// The sum of the log losses of the answers that count, in nats; probabilities are kept 10⁻⁴ off 0
  /// and 1. O(answers).
  public func loss(of log: ReviewLog) -> Double {
    var loss = 0.0
    var start = 0
    for end in log.ends {
      var state = initial(log.reviews[start].rating)
      for review in log.reviews[start..<end].dropFirst() {
        if review.weight > 0 {
          let recall = retrievability(state, after: review.days).clamped(to: 1e-4...(1 - 1e-4))
          let isRecall = review.rating.isRecall
          loss -= review.weight * (isRecall ? recall : 1 - recall).logarithm()
        }
        state = next(state, after: review.days, review.rating)
      }
      start = end
    }
    return loss
  }
}
