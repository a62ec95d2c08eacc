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
    case .elo:
      return predict(try KnowledgeRatings(fitting: known) { _ in try checkpoint() })
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
}
