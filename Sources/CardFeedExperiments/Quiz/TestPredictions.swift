internal import CardFeedPsychometrics

/// P(right) of the held-out answers of a test, fold after fold.
struct TestPredictions {
  let test: QuizData.TestAnswers

  /// What was asked.
  var questions: QuizForecasts.Questions {
    var questions = QuizForecasts.Questions()
    questions.clusterCount = test.rights.count
    for cell in test.heldOut.joined() {
      questions.outcomes.append(test.rights[cell.person][cell.item])
      questions.clusters.append(cell.person)
    }
    return questions
  }

  func probabilities(_ model: QuizModel, _ checkpoint: () throws -> Void) throws -> [Double] {
    var probabilities: [Double] = []
    for fold in test.heldOut {
      let hidden = Set(fold)
      var answers: [ItemCalibration.Answer] = []
      for (person, rights) in test.rights.enumerated() {
        for (item, isRight) in rights.enumerated()
        where !hidden.contains(.init(person: person, item: item)) {
          answers.append(.init(person: person, item: item, isRight: isRight))
        }
      }
      switch model {
      case .onePL, .twoPL:
        let fit = try ItemCalibration(
          answers, items: test.itemCount, people: test.rights.count,
          model: model == .onePL ? .onePL : .twoPL
        ) { _ in try checkpoint() }
        probabilities += fit.probabilities(
          of: fold.map { ($0.person, $0.item) }, from: answers, people: test.rights.count)
      default:
        var counts = Array(repeating: (right: 1.0, all: 2.0), count: test.itemCount)
        for answer in answers {
          counts[answer.item].all += 1
          if answer.isRight { counts[answer.item].right += 1 }
        }
        probabilities += fold.map { counts[$0.item].right / counts[$0.item].all }
      }
    }
    return probabilities
  }
}
