/// What a fit of memory parameters came to.
public struct MemoryFitResult: Hashable, Sendable {
  /// The parameters, within the model's bounds.
  public var parameters: [Double]
  /// The sum of the log losses of the answers it was fitted to, in nats; never above `defaultLoss`.
  public var loss: Double
  /// The same at the model's defaults.
  public var defaultLoss: Double
  /// How many answers were predicted.
  public var answers: Int
  /// Passes over the answers.
  public var passes: Int
}

extension FSRS6 {
  /// The same as `fit(_:strength:checkpoint:)`, without a way to stop it.
  public static func fit(_ log: ReviewLog, strength: Double = 1) -> MemoryFitResult {
    fit(log, strength: strength) { _ in }
  }

  /// Fits the parameters to one learner's answers, in whole days of the learner.
  ///
  /// - Parameters:
  ///   - log: The answers; with none the defaults come back.
  ///   - strength: How strongly the defaults are believed; 1 is a normal prior of .3 of each value.
  ///   - checkpoint: Called after each pass with their number; throws to stop.
  /// - Complexity: Some 20 passes over the answers.
  public static func fit(
    _ log: ReviewLog, strength: Double = 1, checkpoint: (Int) throws -> Void
  ) rethrows -> MemoryFitResult {
    try MemoryFit<FSRS6Kernel<DualNumber<SIMD8<Double>>>>(defaults: defaults, bounds: bounds)
      .fit(log, strength: strength, checkpoint: checkpoint)
  }
}

extension FSRS7 {
  /// The same as `fit(_:strength:checkpoint:)`, without a way to stop it.
  public static func fit(_ log: ReviewLog, strength: Double = 1) -> MemoryFitResult {
    fit(log, strength: strength) { _ in }
  }

  /// Fits the parameters to one learner's answers, days being fractions.
  ///
  /// - Parameters:
  ///   - log: The answers; with none the defaults come back.
  ///   - strength: How strongly the defaults are believed; 1 is a normal prior of .3 of each value.
  ///   - checkpoint: Called after each pass with their number; throws to stop.
  /// - Complexity: Some 40 passes over the answers.
  public static func fit(
    _ log: ReviewLog, strength: Double = 1, checkpoint: (Int) throws -> Void
  ) rethrows -> MemoryFitResult {
    try MemoryFit<FSRS7Kernel<DualNumber<SIMD8<Double>>>>(defaults: defaults, bounds: bounds)
      .fit(log, strength: strength, checkpoint: checkpoint)
  }
}
