/// Ratings of questions that known students gave by their answers, one after the other, and of a new
/// student by the student's own: `KnowledgeElo` as a model among others.
///
/// Questions begin with the rating of their skill. What one student does to the rating of a question is
/// not kept: a prediction sees nothing of other students who are asked.
public struct KnowledgeRatings: KnowledgeModel {
  /// How far answers move ratings.
  public let steps: KnowledgeElo
  /// Of questions that known students answered, by number.
  public let questions: [Int: KnowledgeElo.Rating]
  /// Of a question that nobody has answered, by its leading skill.
  public let skills: [Int: Double]
  /// Of a question of an unknown skill.
  public let mean: Double

  /// Steps that predict answers of new students well; found on students that were held out.
  public static let usualSteps = KnowledgeElo(
    abilityStep: 0.4, skillStep: 0.2, learnerDecay: 0.03, difficultyStep: 0.6, questionDecay: 0.05)

  /// Ratings that were given before, such as those of a file.
  public init(
    steps: KnowledgeElo = usualSteps, questions: [Int: KnowledgeElo.Rating],
    skills: [Int: Double], mean: Double
  ) {
    (self.steps, self.questions, self.skills, self.mean) = (steps, questions, skills, mean)
  }

  /// Rates questions.
  ///
  /// - Parameters:
  ///   - students: Each student's answers in order.
  ///   - steps: How far answers move ratings.
  ///   - checkpoint: Called after each student with their number; throws to stop.
  /// - Complexity: O(answers · skills).
  public init(
    fitting students: [[KnowledgeAnswer]], steps: KnowledgeElo = usualSteps,
    checkpoint: (Int) throws -> Void
  ) rethrows {
    var all = (right: 1.0, count: 2.0)
    var shares: [Int: (right: Double, count: Double)] = [:]
    for answer in students.joined() {
      let right = answer.isRight ? 1.0 : 0
      all = (all.right + right, all.count + 1)
      guard let skill = answer.skills.first else { continue }
      let share = shares[skill] ?? (0, 0)
      shares[skill] = (share.right + right, share.count + 1)
    }
    let common = all.right / all.count
    let mean = -logOdds(common)
    let skills = shares.mapValues { share in
      -logOdds(((share.right + 20 * common) / (share.count + 20)).clamped(to: 0.01...0.99))
    }
    var questions: [Int: KnowledgeElo.Rating] = [:]
    for (number, history) in students.enumerated() {
      var learner = KnowledgeElo.Learner()
      for answer in history {
        var rating =
          questions[answer.question]
          ?? KnowledgeElo.Rating(value: answer.skills.first.flatMap { skills[$0] } ?? mean)
        steps.learn(
          &learner, &rating, skills: answer.skills.map(String.init), isRight: answer.isRight)
        questions[answer.question] = rating
      }
      try checkpoint(number + 1)
    }
    (self.steps, self.questions, self.skills, self.mean) = (steps, questions, skills, mean)
  }

  /// The same, without a way to stop it.
  public init(fitting students: [[KnowledgeAnswer]], steps: KnowledgeElo = usualSteps) {
    self.init(fitting: students, steps: steps) { _ in }
  }

  /// A new learner.
  public var initial: KnowledgeElo.Learner { KnowledgeElo.Learner() }

  /// The logistic function of the ratings' difference.
  public func probability(
    _ state: KnowledgeElo.Learner, question: Int, skills: [Int]
  ) -> Double {
    steps.probability(state, rating(question, skills), skills: skills.map(String.init))
      .clamped(to: 1e-6...(1 - 1e-6))
  }

  /// Moves the learner's ratings.
  public func learn(_ state: inout KnowledgeElo.Learner, _ answer: KnowledgeAnswer) {
    var rating = rating(answer.question, answer.skills)
    steps.learn(
      &state, &rating, skills: answer.skills.map(String.init), isRight: answer.isRight)
  }

  private func rating(_ question: Int, _ own: [Int]) -> KnowledgeElo.Rating {
    questions[question]
      ?? KnowledgeElo.Rating(value: own.first.flatMap { skills[$0] } ?? mean)
  }
}
