@testable import CardFeedPsychometrics

/// Students whose answers come from known rules.
struct SimulatedStudents {
  var draws: PsychometricsTests.Draws
  init(seed: UInt64) { draws = .init(seed) }

  /// Abilities, difficulties and a step up with each answer in a skill.
  ///
  /// - Returns: The answers and the probabilities that they were drawn from.
  mutating func learning(
    _ count: Int, answers: Int, questions: Int = 40, skills: Int = 4
  ) -> (students: [[KnowledgeAnswer]], truth: [[Double]]) {
    var students: [[KnowledgeAnswer]] = []
    var truth: [[Double]] = []
    for _ in 0..<count {
      let ability = draws.normal() * 0.8
      var known = (0..<skills).map { _ in draws.normal() * 0.5 }
      var history: [KnowledgeAnswer] = []
      var probabilities: [Double] = []
      for _ in 0..<answers {
        let question = Int(draws.share() * Double(questions))
        let skill = question % skills
        let difficulty = 2 * Double(question) / Double(questions) - 1.3
        let right = logistic(ability + known[skill] - 1.5 * difficulty)
        history.append(
          .init(question: question, skills: [skill], isRight: draws.share() < right))
        probabilities.append(right)
        known[skill] += 0.08
      }
      students.append(history)
      truth.append(probabilities)
    }
    return (students, truth)
  }

  /// Answers of one skill that is known or not.
  mutating func tracing(
    _ skill: BayesianKnowledgeTracing.Skill, students: Int, answers: Int
  ) -> [[KnowledgeAnswer]] {
    (0..<students).map { _ in
      var isKnown = draws.share() < skill.known
      return (0..<answers).map { _ in
        let right = isKnown ? 1 - skill.slip : skill.guess
        let isRight = draws.share() < right
        isKnown = isKnown ? draws.share() >= skill.forget : draws.share() < skill.learn
        return KnowledgeAnswer(question: 0, skills: [0], isRight: isRight)
      }
    }
  }
}

/// The mean log loss of probabilities, in nats.
func loss(_ students: [[KnowledgeAnswer]], _ probabilities: [[Double]]) -> Double {
  var sum = 0.0
  var count = 0.0
  for (history, own) in zip(students, probabilities) {
    for (answer, right) in zip(history, own) {
      sum -= (answer.isRight ? right : 1 - right).logarithm()
      count += 1
    }
  }
  return sum / count
}

extension KnowledgeModel {
  func loss(of students: [[KnowledgeAnswer]]) -> Double {
    CardFeedPsychometricsTests.loss(students, students.map(probabilities))
  }
}
