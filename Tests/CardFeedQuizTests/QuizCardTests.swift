import CardFeed
import CardFeedConfiguration
import Testing

@testable import CardFeedQuiz

@Suite("The record of a question")
struct QuizCardTests {
  @Test func aRecordIsReadAndWrittenBack() throws {
    let card = QuizCard(
      id: "q1", prompt: "2 + 2", answer: "4", note: "n", skills: ["sums"], tags: ["easy", ""],
      order: 12, difficulty: -0.5, discrimination: 1.25, remark: "")
    let deck = QuizDeck()
    var written = card
    written.tags = ["easy"]
    #expect(try deck.decode(deck.encode(written)) == written)
    let least = QuizCard(id: "q2", prompt: "p", answer: "a")
    #expect(try deck.decode(deck.encode(least)) == least)
    #expect(least.json == ["id": "q2", "prompt": "p", "answer": "a"])
  }

  @Test(arguments: [
    (#"{"id": "q", "prompt": "p"}"#, "answer"),
    (#"{"id": "q", "prompt": "", "answer": "a"}"#, "prompt"),
    (#"{"id": "q", "prompt": "p", "answer": "a", "skill": []}"#, "did you mean \"skills\"?"),
    (#"{"id": "q", "prompt": "p", "answer": "a", "discrimination": 0}"#, "above 0"),
    (#"{"id": "q", "prompt": "p", "answer": "a", "tags": "x"}"#, "tags"),
    (#"[]"#, "a question"),
  ]) func whatIsWrongIsSaid(text: String, expected: String) throws {
    let json = try JSONDocument(parsing: Array(text.utf8)).root
    let problem = #expect(throws: CardProblem.self) { _ = try QuizCard(json: json) }
    #expect("\(try #require(problem))".contains(expected))
  }

  @Test func meaningsOfAnswers() {
    let deck = QuizDeck()
    let positive: Set<QuizDeck.Answer> = [.hard, .good, .easy, .right]
    let negative: Set<QuizDeck.Answer> = [.again, .wrong]
    for answer in QuizDeck.Answer.allCases {
      let meaning: AnswerMeaning =
        positive.contains(answer) ? .positive : negative.contains(answer) ? .negative : .neutral
      #expect(deck.meaning(of: answer) == meaning)
    }
  }
}
