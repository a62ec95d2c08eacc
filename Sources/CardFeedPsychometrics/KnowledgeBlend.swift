/// The weighted log-odds of several models of knowledge: what one of them misses another may see.
///
/// The weights are fitted to students whom the blended models had not seen (stacking, Wolpert 1992), so
/// that a model that fits its own students too well gets no more weight than it deserves, and the
/// blend is as calibrated for new students as for those. Then the models are fitted again to all.
public struct KnowledgeBlend: KnowledgeModel {
  /// What is known of a student.
  public struct State: Hashable, Sendable {
    /// By the model of skills that are known or not.
    public internal(set) var tracing: BayesianKnowledgeTracing.State
    /// By the logistic model, with the student's abilities.
    public internal(set) var history: StudentHistory
    /// By the ratings.
    public internal(set) var ratings: KnowledgeElo.Learner
  }

  /// Skills that are known or not.
  public let tracing: BayesianKnowledgeTracing
  /// The logistic model.
  public let logistic: LogisticKnowledgeTracing
  /// Ratings.
  public let ratings: KnowledgeRatings
  /// Of 1 and the log-odds by `tracing`, by `logistic.filter`, by `logistic` and by `ratings`.
  public let weights: [Double]

  /// How many weights a blend has.
  public static var weightCount: Int { Models.width }

  /// A blend that was fitted before, such as that of a file.
  ///
  /// - Parameters:
  ///   - tracing: Skills that are known or not.
  ///   - logistic: The logistic model.
  ///   - ratings: Ratings.
  ///   - weights: `weightCount` of them.
  public init(
    tracing: BayesianKnowledgeTracing, logistic: LogisticKnowledgeTracing,
    ratings: KnowledgeRatings, weights: [Double]
  ) {
    precondition(weights.count == Models.width, "A blend has \(Models.width) weights.")
    (self.tracing, self.logistic) = (tracing, logistic)
    (self.ratings, self.weights) = (ratings, weights)
  }

  /// Nothing is known yet.
  public var initial: State { models.initial }

  /// The logistic function of the weighted log-odds.
  public func probability(_ state: State, question: Int, skills: [Int]) -> Double {
    let row = models.row(state, question: question, skills: skills)
    let sum = zip(row, weights).reduce(0) { $0 + $1.0 * $1.1 }
    return CardFeedPsychometrics.logistic(sum).clamped(to: 1e-6...(1 - 1e-6))
  }

  /// Moves the states of the blended models.
  public func learn(_ state: inout State, _ answer: KnowledgeAnswer) {
    models.learn(&state, answer)
  }

  private var models: Models {
    Models(tracing: tracing, logistic: logistic, ratings: ratings)
  }

  /// What is blended.
  private struct Models {
    let tracing: BayesianKnowledgeTracing
    let logistic: LogisticKnowledgeTracing
    let ratings: KnowledgeRatings

    static let width = 5

    var initial: State {
      State(tracing: tracing.initial, history: logistic.initial, ratings: ratings.initial)
    }

    func learn(_ state: inout State, _ answer: KnowledgeAnswer) {
      tracing.learn(&state.tracing, answer)
      logistic.learn(&state.history, answer)
      ratings.learn(&state.ratings, answer)
    }

    func row(_ state: State, question: Int, skills: [Int]) -> [Double] {
      let filtered = logistic.filter.probability(
        state.history.abilities, question: question, skills: skills)
      return [
        1, logOdds(tracing.probability(state.tracing, question: question, skills: skills)),
        logOdds(filtered),
        logOdds(logistic.probability(state.history, question: question, skills: skills)),
        logOdds(ratings.probability(state.ratings, question: question, skills: skills)),
      ]
    }
  }

  /// Fits.
  ///
  /// - Parameters:
  ///   - students: Each student's answers in order.
  ///   - questionCount: Questions are numbered 0 ..< `questionCount`.
  ///   - skillCount: Skills are numbered 0 ..< `skillCount`.
  ///   - folds: In how many parts the students are put, each of which is predicted by the others.
  ///   - checkpoint: Called after each fit with the share that is done; throws to stop.
  /// - Complexity: `folds` + 1 fits of each model.
  public init(
    fitting students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int, folds: Int = 3,
    checkpoint: (Double) throws -> Void
  ) rethrows {
    var done = 0.0
    func fitted(_ students: [[KnowledgeAnswer]]) throws -> Models {
      let parts = Double(folds + 1) * 2
      let tracing = try BayesianKnowledgeTracing(fitting: students, skillCount: skillCount) {
        try checkpoint((done + $0) / parts)
      }
      done += 1
      let logistic = try LogisticKnowledgeTracing(
        fitting: students, questionCount: questionCount, skillCount: skillCount
      ) {
        try checkpoint((done + $0) / parts)
      }
      done += 1
      return Models(
        tracing: tracing, logistic: logistic, ratings: KnowledgeRatings(fitting: students))
    }
    var fit = LogisticFit(width: Models.width)
    for fold in 0..<folds {
      let others = students.indices.filter { $0 % folds != fold }.map { students[$0] }
      let models = try fitted(others)
      for index in stride(from: fold, to: students.count, by: folds) {
        var state = models.initial
        for answer in students[index] {
          fit.append(
            models.row(state, question: answer.question, skills: answer.skills), answer.isRight)
          models.learn(&state, answer)
        }
      }
    }
    // Without evidence it is the best of its models.
    weights = fit.weights(
      precision: Array(repeating: 10, count: Models.width), center: [0, 0, 0, 1, 0]
    ) { _ in }
    let models = try fitted(students)
    (tracing, logistic, ratings) = (models.tracing, models.logistic, models.ratings)
  }

  /// The same, without a way to stop it.
  public init(
    fitting students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int, folds: Int = 3
  ) {
    self.init(
      fitting: students, questionCount: questionCount, skillCount: skillCount, folds: folds
    ) { _ in }
  }
}
