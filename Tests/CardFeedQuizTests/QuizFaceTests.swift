import CardFeed
import CardFeedConfiguration
import CardFeedQuiz
import Testing

/// What a learner sees of a question.
@Suite struct QuizFaceTests {
  @Test func theAnswerIsOnTheBack() throws {
    let deck = QuizDeckPlugin()
    let card = try deck.card(from: [
      "id": "q1", "prompt": "2 + 2", "answer": "4", "remark": "Count.", "tags": ["sums"],
      "skills": ["addition"], "difficulty": 1.5,
    ])
    #expect(
      deck.face(of: card, at: Timestamp(milliseconds: 0))
        == CardFace(title: "2 + 2", tags: ["addition", "sums"], back: ["4", "Count."]))
  }
}
