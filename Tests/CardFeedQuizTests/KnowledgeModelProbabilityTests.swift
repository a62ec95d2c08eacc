import CardFeed
import CardFeedConfiguration
import CardFeedPsychometrics
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

@Suite("Models of knowledge in a feed")
struct KnowledgeModelProbabilityTests {
  private static let skills = ["adding", "dividing", "graphs"]

  private static let cards: [QuizCard] = (0..<24).map { number in
    QuizCard(
      id: id(number), prompt: "p", answer: "a",
      skills: number % 4 == 3
        ? [skills[number % 3], skills[(number + 1) % 3]] : [skills[number % 3]])
  }

  /// In the order of their names.
  private static func id(_ number: Int) -> CardID {
    CardID(number < 10 ? "q0\(number)" : "q\(number)")
  }

  private static func viewer(_ number: Int) -> ViewerID {
    ViewerID(number < 10 ? "v0\(number)" : "v\(number)")
  }

  /// Answers of students of different abilities, each in order.
  private static let students: [[KnowledgeAnswer]] = {
    var random = SplitMix64(seed: 3)
    return (0..<30).map { student in
      (0..<20).map { _ in
        let question = Int.random(in: 0..<24, using: &random)
        let odds = Double(student % 5) / 2 - 1 + Double(12 - question) / 8
        return KnowledgeAnswer(
          question: question, skills: cards[question].skills.compactMap(skills.firstIndex),
          isRight: random.unitInterval() < logistic(odds))
      }
    }
  }()

  private func feed(
    _ use: String, _ answers: [[KnowledgeAnswer]], _ clock: ManualClock
  ) async throws -> QuizFeed {
    let feed = try await quizFeed(
      Self.cards,
      [
        "sources": [["use": "all"]], "filters": [], "ranking": ["use": "match-probability"],
        "slate": [], "matchProbability": ["use": JSONValue(use)],
      ], clock: clock)
    for (student, history) in answers.enumerated() {
      for (place, answer) in history.enumerated() {
        try await feed.note(
          Self.id(answer.question), answer.isRight ? .right : .wrong,
          event: "\(student) \(place)",
          at: clock.now.advanced(byMilliseconds: Int64(place - 1000) * minute),
          by: Self.viewer(student))
      }
    }
    return feed
  }

  private func check(_ use: String, _ model: some KnowledgeModel) async throws {
    let clock = ManualClock(now: Timestamp(milliseconds: 1_767_268_800_000))
    let feed = try await feed(use, Self.students, clock)
    let ids = Self.cards.map(\.id)
    #expect(try await feed.recall(ids).allSatisfy { $0 == nil })
    try await feed.train()
    for student in [0, 7] {
      var state = model.initial
      for answer in Self.students[student] { model.learn(&state, answer) }
      let found = try await feed.recall(ids, by: Self.viewer(student))
      for (number, right) in found.enumerated() {
        let expected = model.probability(
          state, question: number,
          skills: Self.cards[number].skills.compactMap(Self.skills.firstIndex))
        #expect(abs(try #require(right) - expected) < 1e-9, "\(use) \(number)")
      }
    }
    // Somebody new, and an answer of theirs that is taken back.
    let before = try await feed.recall(ids, by: "new")
    #expect(
      abs(
        try #require(before[0])
          - model.probability(model.initial, question: 0, skills: [0])) < 1e-9)
    try await feed.answer(.right, event: "one", by: "new")
    #expect(try await feed.recall(ids, by: "new") != before)
    _ = try await feed.rewind(for: "new", event: "back")
    #expect(try await feed.recall(ids, by: "new") == before)
    // A question that came after the training is judged by its skills.
    try await feed.put([QuizCard(id: "z", prompt: "p", answer: "a", skills: ["adding"])])
    let late = try #require(try await feed.recall(["z"], by: "new")[0])
    #expect(abs(late - model.probability(model.initial, question: -1, skills: [0])) < 1e-9)
  }

  @Test func predictionsAreThoseOfTheExperiments() async throws {
    try await check(
      "bayesian-knowledge-tracing",
      BayesianKnowledgeTracing(fitting: Self.students, skillCount: 3))
    try await check(
      "logistic-knowledge-tracing",
      LogisticKnowledgeTracing(fitting: Self.students, questionCount: 24, skillCount: 3))
    try await check(
      "knowledge-blend",
      KnowledgeBlend(fitting: Self.students, questionCount: 24, skillCount: 3))
  }

  private func history() -> TrainingHistory<QuizDeck> {
    let table = CardTable<QuizDeck>.make(
      Self.cards.enumerated().map { ($0.element, CardNumber(Int64($0.offset + 1))) },
      deck: QuizDeck())
    var answers: [TrainingAnswer] = []
    var viewers: [ViewerNumber: CardID] = [:]
    for (student, history) in Self.students.enumerated() {
      let viewer = ViewerNumber(Int64(100 + student))
      viewers[viewer] = CardID("\(Self.viewer(student))")
      for answer in history {
        answers.append(
          TrainingAnswer(
            viewer: viewer, card: CardNumber(Int64(answer.question + 1)),
            meaning: answer.isRight ? .positive : .negative,
            time: Timestamp(milliseconds: Int64(answers.count)),
            event: LogPosition(Int64(answers.count + 1))))
      }
    }
    return TrainingHistory(
      answers: answers, viewers: viewers, table: table, deck: QuizDeck(),
      now: Timestamp(milliseconds: 1_000_000))
  }

  private struct Stop: Error {}

  private func checkFile<Model: FittedKnowledgeModel>(_ kind: Model.Type) throws {
    let file = try KnowledgeModelFile<Model>(fitting: history()) {}
    #expect(file.numbers.questions == Self.cards.map(\.id))
    #expect(file.numbers.skills == Self.skills)
    let bytes = file.bytes
    #expect(try KnowledgeModelFile<Model>(bytes: bytes).bytes == bytes)
    for end in [0, 1, bytes.count / 2, bytes.count - 1] {
      #expect(throws: (any Error).self) {
        try KnowledgeModelFile<Model>(bytes: Array(bytes.prefix(end)))
      }
    }
    // What is left after a question is forgotten says the same of the others.
    let left = file.forgetting("q05")
    #expect(left.numbers.questions == Self.cards.map(\.id).filter { $0 != "q05" })
    let state = file.model.initial
    #expect(
      file.model.probability(state, question: 9, skills: [0])
        == left.model.probability(left.model.initial, question: 8, skills: [0]))
    #expect(left.forgetting("q05").bytes == left.bytes)
    #expect(throws: Stop.self) {
      _ = try KnowledgeModelFile<Model>(fitting: history()) { throw Stop() }
    }
  }

  @Test func aModelIsReadBackAndForgetsAQuestion() throws {
    try checkFile(BayesianKnowledgeTracing.self)
    try checkFile(LogisticKnowledgeTracing.self)
    try checkFile(KnowledgeBlend.self)
  }
}
