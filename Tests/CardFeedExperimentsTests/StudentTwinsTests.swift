import CardFeedPsychometrics
import Testing

@testable import CardFeedExperiments

@Suite struct StudentTwinsTests {
  /// Right where a multiple of the student's number says so.
  private func history(_ number: Int, questions: Range<Int>) -> [KnowledgeAnswer] {
    questions.map { question in
      KnowledgeAnswer(
        question: question, skills: [0], isRight: (question * number) % 7 > 2)
    }
  }

  @Test func theSameAnswersInAnotherOrderAreFound() {
    let known = [history(1, questions: 0..<40), history(2, questions: 0..<40)]
    var again = Array(known[1].reversed())
    again[3].isRight.toggle()
    let twins = StudentTwins(known: known, asked: [again])
    #expect(twins.asked == [1])
    #expect(twins.repeated == [])
    #expect(StudentTwins(known: known + [again], asked: []).repeated == [2])
  }

  @Test func whoAgreesOnEasyQuestionsOnlyIsNobodysTwin() {
    let right = (0..<60).map { KnowledgeAnswer(question: $0, skills: [0], isRight: true) }
    #expect(StudentTwins(known: [right], asked: [right]).asked == [])
    // Few shared questions say little, however alike the answers are.
    let few = history(1, questions: 0..<15)
    #expect(StudentTwins(known: [few], asked: [few]).asked == [])
    let other = history(3, questions: 0..<40)
    #expect(StudentTwins(known: [history(1, questions: 0..<40)], asked: [other]).asked == [])
  }
}
