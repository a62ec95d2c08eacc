/// A logistic regression on how hard the question is, how able the student is in everything and in the
/// question's skills, what was right and wrong lately, and how often the question was asked before.
///
/// Sources: performance factors (Pavlik et al. 2009), counts with decays (Galyardt and Goldin 2015),
/// DAS3H (Choffin et al. 2019), best features (Gervet et al. 2020). Difficulties that a student's own
/// answers went into would look better than they are: while the weights are fitted, each student is
/// described with difficulties of other students only.
public struct LogisticKnowledgeTracing: KnowledgeModel {
  /// Difficulties and abilities.
  public let filter: KnowledgeFilter
  /// Of the features.
  public let weights: [Double]

  /// How many weights a model has.
  public static var weightCount: Int { width }

  /// A model that was fitted before, such as that of a file.
  ///
  /// - Parameters:
  ///   - filter: Difficulties and abilities.
  ///   - weights: `weightCount` of them.
  public init(filter: KnowledgeFilter, weights: [Double]) {
    precondition(weights.count == Self.width, "A model has \(Self.width) weights.")
    (self.filter, self.weights) = (filter, weights)
  }

  /// Nothing is known yet.
  public var initial: StudentHistory { StudentHistory(abilities: filter.initial) }

  /// The logistic function of the weighted features.
  public func probability(_ state: StudentHistory, question: Int, skills: [Int]) -> Double {
    var row = Self.emptyRow
    Self.describe(state, filter: filter, question: question, skills: skills, &row)
    var sum = 0.0
    for index in row.indices { sum += row[index] * weights[index] }
    return logistic(sum).clamped(to: 1e-6...(1 - 1e-6))
  }

  /// Moves counts and abilities.
  public func learn(_ state: inout StudentHistory, _ answer: KnowledgeAnswer) {
    state.append(answer, filter: filter)
  }

  static let plain = 34
  static let skillPatterns = 1 << (StudentHistory.skillLength + 1)
  static let allPatterns = 1 << (StudentHistory.allLength + 1)
  static let width = plain + skillPatterns + allPatterns
  static let emptyRow = Array(repeating: 0.0, count: width)

  /// The features of a question for a student.
  static func describe(
    _ state: StudentHistory, filter: KnowledgeFilter, question: Int, skills: [Int],
    _ row: inout [Double]
  ) {
    for index in row.indices { row[index] = 0 }
    var next = 0
    func put(_ value: Double) {
      row[next] = value
      next += 1
    }
    let difficulties = filter.difficulties
    let difficulty = difficulties.difficulty(of: question, skills: skills)
    let expected = filter.logOdds(state.abilities, question: question, skills: skills)
    let ability = state.abilities.ability.mean
    let number = state.all.right + state.all.wrong
    let experience = log1p(number)
    let leading = skills.first.flatMap { state.skills[$0] } ?? StudentHistory.Tally()
    let inSkill = leading.right + leading.wrong
    let skillDifficulty = difficulties.difficulty(of: -1, skills: skills)
    put(1)
    put(-difficulty)
    put(ability)
    put(expected.mean - ability + difficulty)
    put(expected.mean / (1 + 0.39 * expected.variance).squareRoot())
    put(expected.variance)
    put(-skillDifficulty)
    put(log1p(difficulties.count(of: question)))
    put(difficulties.count(of: question) == 0 ? 1 : 0)
    // What is known of the student.
    put(experience)
    put(logOdds(state.all.short.mean(prior: 0.66, weight: 1)))
    put(logOdds(state.all.long.mean(prior: 0.66, weight: 2)))
    put(
      logOdds((Double(state.all.right) + 2) / (Double(number) + 3)))
    put(state.all.surprise.mean(prior: 0, weight: 2))
    // What is known of the student and the skill.
    put(log1p(leading.right))
    put(log1p(leading.wrong))
    put(logOdds(leading.short.mean(prior: 0.66, weight: 1)))
    put(logOdds(leading.long.mean(prior: 0.66, weight: 2)))
    put(leading.surprise.mean(prior: 0, weight: 2))
    put(inSkill == 0 ? 0 : log1p(number - leading.last))
    put(state.lastSkill == skills.first && inSkill > 0 ? 1 : 0)
    put(log1p(state.run))
    put(Double(min(skills.count, 4) - 1))
    // What is known of the student and the question.
    let own = state.questions[question] ?? StudentHistory.Repeats()
    let asked = own.right + own.wrong
    put(log1p(own.right))
    put(log1p(own.wrong))
    put(asked > 0 && own.wasRight ? 1 : 0)
    put(asked > 0 && !own.wasRight ? 1 : 0)
    put(asked == 0 ? 0 : log1p(number - own.last))
    // Products.
    put(experience * expected.mean)
    put(leading.surprise.mean(prior: 0, weight: 2) * log1p(inSkill))
    put(asked > 0 && own.wasRight ? expected.mean : 0)
    put(asked > 0 && !own.wasRight ? expected.mean : 0)
    put(expected.mean * expected.mean)
    put(log1p(difficulties.count(of: question)) * difficulty)
    row[plain + leading.recent.index] = 1
    row[plain + skillPatterns + state.all.recent.index] = 1
  }
}

private func log1p(_ count: Int) -> Double { (1 + Double(count)).logarithm() }

extension LogisticKnowledgeTracing {
  /// Fits difficulties, then the weights.
  ///
  /// - Parameters:
  ///   - students: Each student's answers in order.
  ///   - questionCount: Questions are numbered 0 ..< `questionCount`.
  ///   - skillCount: Skills are numbered 0 ..< `skillCount`.
  ///   - spread: The priors of difficulties.
  ///   - drift: How abilities drift.
  ///   - folds: In how many parts the students are put, for difficulties of others.
  ///   - ridge: The precision of each weight's prior.
  ///   - checkpoint: Called now and then with the share that is done; throws to stop.
  /// - Complexity: O(folds · answers) for difficulties, O(answers · features²) for weights.
  public init(
    fitting students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    spread: QuestionDifficulties.Spread = .init(), drift: KnowledgeFilter.Drift = .init(),
    folds: Int = 5, ridge: Double = 3, checkpoint: (Double) throws -> Void
  ) rethrows {
    var fit = LogisticFit(width: Self.width)
    fit.reserve(students.reduce(0) { $0 + $1.count })
    var row = Self.emptyRow
    let parts = Double(folds + 2)
    for fold in 0..<folds {
      let others = students.indices.filter { $0 % folds != fold }.map { students[$0] }
      let filter = KnowledgeFilter(
        difficulties: QuestionDifficulties(
          fitting: others, questionCount: questionCount, skillCount: skillCount, spread: spread),
        drift: drift)
      for index in stride(from: fold, to: students.count, by: folds) {
        var state = StudentHistory(abilities: filter.initial)
        for answer in students[index] {
          Self.describe(
            state, filter: filter, question: answer.question, skills: answer.skills, &row)
          fit.append(row, answer.isRight)
          state.append(answer, filter: filter)
        }
      }
      try checkpoint(Double(fold + 1) / parts)
    }
    var precision = Array(repeating: ridge, count: Self.width)
    precision[0] = 0
    weights = try fit.weights(
      precision: precision, center: Array(repeating: 0, count: Self.width)
    ) { round in
      try checkpoint((Double(folds) + Double(round) / 15) / parts)
    }
    filter = KnowledgeFilter(
      difficulties: QuestionDifficulties(
        fitting: students, questionCount: questionCount, skillCount: skillCount, spread: spread),
      drift: drift)
    try checkpoint(1)
  }

  /// The same, without a way to stop it.
  public init(
    fitting students: [[KnowledgeAnswer]], questionCount: Int, skillCount: Int,
    spread: QuestionDifficulties.Spread = .init(), drift: KnowledgeFilter.Drift = .init(),
    folds: Int = 5, ridge: Double = 3
  ) {
    self.init(
      fitting: students, questionCount: questionCount, skillCount: skillCount, spread: spread,
      drift: drift, folds: folds, ridge: ridge
    ) { _ in }
  }
}
