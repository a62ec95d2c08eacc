internal import CardFeedPsychometrics

/// P(right) of every answer of students who are asked, each from the student's own earlier answers.
struct StudentPredictions {
  let known: [[KnowledgeAnswer]]
  let asked: [[KnowledgeAnswer]]
  private let questionCount: Int
  private let skillCount: Int

  init(known: [[KnowledgeAnswer]], asked: [[KnowledgeAnswer]]) {
    self.known = known
    self.asked = asked
    var (questions, skills) = (0, 0)
    for answer in known.joined() {
      questions = max(questions, answer.question + 1)
      skills = max(skills, (answer.skills.max() ?? -1) + 1)
    }
    (questionCount, skillCount) = (questions, skills)
  }

  /// What was asked.
  var questions: QuizForecasts.Questions {
    var questions = QuizForecasts.Questions()
    questions.clusterCount = asked.count
    for (student, history) in asked.enumerated() {
      for answer in history {
        questions.outcomes.append(answer.isRight)
        questions.clusters.append(student)
      }
    }
    return questions
  }

  /// - Parameter checkpoint: Throws to stop.
  func probabilities(_ model: QuizModel, _ checkpoint: () throws -> Void) throws -> [Double] {
    switch model {
    case .elo: return elo()
    case .bayesianKnowledgeTracing:
      return predict(
        try BayesianKnowledgeTracing(fitting: known, skillCount: skillCount) { _ in
          try checkpoint()
        })
    case .abilityFilter:
      let difficulties = try QuestionDifficulties(
        fitting: known, questionCount: questionCount, skillCount: skillCount
      ) { _ in try checkpoint() }
      return predict(KnowledgeFilter(difficulties: difficulties))
    case .logisticKnowledgeTracing:
      return predict(
        try LogisticKnowledgeTracing(
          fitting: known, questionCount: questionCount, skillCount: skillCount
        ) { _ in try checkpoint() })
    case .blend:
      return predict(
        try KnowledgeBlend(
          fitting: known, questionCount: questionCount, skillCount: skillCount
        ) { _ in try checkpoint() })
    default:
      let mean = self.mean
      return asked.joined().map { _ in mean }
    }
  }

  private func predict(_ model: some KnowledgeModel) -> [Double] {
    asked.flatMap { model.probabilities(of: $0) }
  }

  private var mean: Double {
    let count = known.reduce(0) { $0 + $1.count }
    return (Double(known.joined().count { $0.isRight }) + 1) / (Double(count) + 2)
  }

  /// Steps were chosen among students of the known ones that were held out.
  private static let ratings = KnowledgeElo(
    abilityStep: 0.4, skillStep: 0.2, learnerDecay: 0.03, difficultyStep: 0.6, questionDecay: 0.05)

  /// Questions are rated by the known students in their order, beginning with the rating of their
  /// skill; what an asked student does to the rating of a question is gone with the student.
  private func elo() -> [Double] {
    let model = Self.ratings
    let mean = self.mean
    var shares: [Int: (right: Double, all: Double)] = [:]
    for answer in known.joined() {
      shares[answer.skills.first ?? -1, default: (20 * mean, 20)].all += 1
      if answer.isRight { shares[answer.skills.first ?? -1]?.right += 1 }
    }
    func new(_ answer: KnowledgeAnswer) -> KnowledgeElo.Rating {
      let share = shares[answer.skills.first ?? -1].map { $0.right / $0.all } ?? mean
      return KnowledgeElo.Rating(value: -PortableMath.logit(min(max(share, 0.01), 0.99)))
    }
    var ratings: [Int: KnowledgeElo.Rating] = [:]
    for history in known {
      var learner = KnowledgeElo.Learner()
      for answer in history {
        model.learn(
          &learner, &ratings[answer.question, default: new(answer)],
          skills: answer.skills.map(String.init), isRight: answer.isRight)
      }
    }
    return asked.flatMap { history in
      var learner = KnowledgeElo.Learner()
      return history.map { answer in
        let skills = answer.skills.map(String.init)
        var rating = ratings[answer.question] ?? new(answer)
        let right = model.probability(learner, rating, skills: skills)
        model.learn(&learner, &rating, skills: skills, isRight: answer.isRight)
        return right
      }
    }
  }
}
