import CardFeedConfiguration
import CardFeedPsychometrics
import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedQuiz

@Suite("Ratings of viewers and cards")
struct KnowledgeEloTests {
  /// Names that fall into different buckets of 32.
  private static let skills = ["sums", "products", "powers"]

  private static let cards = (0..<12).map { index in
    QuizCard(
      id: CardID("c\(index)"), prompt: "p", answer: "a",
      skills: index % 4 == 3 ? [] : [skills[index % 4]])
  }

  private func slate(_ cards: [QuizCard] = Self.cards, viewer: ViewerID = "v") -> Slate<QuizDeck> {
    StrategyConformance.slate(of: cards, deck: QuizDeck(), viewer: viewer)
  }

  private func event(
    _ slate: Slate<QuizDeck>, _ viewer: Int, _ card: Int, _ meaning: AnswerMeaning
  ) -> LearningEvent<QuizDeck> {
    LearningEvent(
      viewer: ViewerNumber(Int64(100 + viewer)), card: slate.table.number(at: Row(card)),
      viewerRow: nil, cardRow: Row(card), table: slate.table, meaning: meaning,
      time: Timestamp(milliseconds: 0))
  }

  /// Against the model itself, with skills by name.
  @Test func agreesWithThePlainModelAndIsTakenBackExactly() {
    let model = KnowledgeElo()
    let strategy = KnowledgeEloProbability(states: LearnerStates())
    let slate = slate()
    var learners = Array(repeating: KnowledgeElo.Learner(), count: 4)
    var questions = Array(repeating: KnowledgeElo.Rating(), count: Self.cards.count)
    var random = SplitMix64(seed: 3)
    var undo: [[Increment]] = []
    for _ in 0..<2000 {
      let viewer = random.index(below: 4)
      let card = random.index(below: Self.cards.count)
      let isRight = random.unitInterval() < 0.3 + 0.04 * Double(card)
      model.learn(
        &learners[viewer], &questions[card], skills: Self.cards[card].skills, isRight: isRight)
      let increments = strategy.increments(
        for: event(slate, viewer, card, isRight ? .positive : .negative))
      strategy.numbers.apply(increments)
      undo.append(increments)
    }
    strategy.numbers.read { numbers in
      for (card, question) in questions.enumerated() {
        let number = slate.table.number(at: Row(card))
        #expect(abs(Double(numbers(number, 0)) * 0x1p-32 - question.value) < 1e-5)
        #expect(numbers(number, 1) == Int64(question.answers))
      }
      for (viewer, learner) in learners.enumerated() {
        let number = CardNumber(Int64(100 + viewer))
        #expect(abs(Double(numbers(number, 0)) * 0x1p-32 - learner.ability.value) < 1e-5)
      }
    }
    // In another order than they came, as rewinds of different viewers do.
    for increments in undo.enumerated().sorted(by: { $0.offset % 7 < $1.offset % 7 }).map(\.element)
    {
      strategy.numbers.apply(increments, sign: -1)
    }
    #expect(strategy.numbers.nonzero().isEmpty)
  }

  @Test func whatIsNotKnownIsOneHalf() async throws {
    let strategy = KnowledgeEloProbability(states: LearnerStates())
    let slate = slate()
    #expect(await StrategyConformance.violations(of: strategy, on: slate).isEmpty)
    #expect(strategy.increments(for: event(slate, 0, 1, .neutral)).isEmpty)
    let estimates = try await strategy.estimates(for: slate)
    for index in 0..<slate.count {
      #expect(estimates[index].match?.value == 0.5)
      // ¼ · √ of the variances, 1 each of ability, difficulty and, where there is one, skill.
      let parts = Self.cards[index].skills.isEmpty ? 2.0 : 3
      #expect(abs(try #require(estimates[index].standardError) - parts.squareRoot() / 4) < 1e-12)
    }
  }

  /// Of a card with two skills the weaker one counts, and both move.
  @Test func theWeakestSkillDecides() async throws {
    var cards = Self.cards
    cards.append(QuizCard(id: "both", prompt: "p", answer: "a", skills: ["sums", "products"]))
    let feed = try await quizFeed(cards, ["matchProbability": ["use": "knowledge-elo"]])
    for index in 0..<6 {
      try await feed.note(
        "c0", .wrong, event: "s\(index)", at: Timestamp(milliseconds: Int64(index)))
      try await feed.note(
        "c1", .right, event: "p\(index)", at: Timestamp(milliseconds: Int64(index)))
    }
    let reasons = try await feed.appraise(["both", "c0", "c1", "c3"], for: "v").map(\.reasons)
    func value(_ card: Int, _ name: String) -> Double? {
      reasons[card].first { $0.name == name }?.value
    }
    #expect(value(0, "skill") == value(1, "skill"))
    #expect(try #require(value(0, "skill")) < 0)
    #expect(try #require(value(2, "skill")) > 0)
    #expect(value(3, "skill") == nil)
    #expect(value(0, "viewer-answers") == 12)
    #expect(value(0, "card-answers") == 0)
    try await feed.note("both", .right, event: "b", at: Timestamp(milliseconds: 99))
    let after = try await feed.appraise(["c0", "c1"], for: "v").map { one in
      one.reasons.first { $0.name == "skill-answers" }?.value
    }
    #expect(after == [7, 7])
  }

  /// A rewind takes the answer out of both people's estimates; another viewer's answers stay.
  @Test func aRewindIsExact() async throws {
    let feed = try await quizFeed(
      Self.cards,
      ["matchProbability": ["use": "knowledge-elo"], "sources": [["use": "all"]], "filters": []])
    let ids = Self.cards.map(\.id)
    try await feed.answer(.wrong, event: "0")
    let before = try await feed.appraise(ids, for: "v").map(\.estimate)
    let card = try #require(await feed.answer(.right, event: "1"))
    let changed = try await feed.appraise(ids, for: "v").map(\.estimate)
    #expect(changed != before)
    #expect(
      try #require(changed[ids.firstIndex(of: card) ?? 0].standardError)
        < #require(before[ids.firstIndex(of: card) ?? 0].standardError))
    guard case .applied = try await feed.rewind(for: "v", event: "undo") else {
      Issue.record("the answer was not taken back")
      return
    }
    #expect(try await feed.appraise(ids, for: "v").map(\.estimate) == before)
  }

  /// Each answer is predicted before it is learned. The constant is the best there is, in hindsight.
  @Test func predictsAPopulationBetterThanAnyConstant() async throws {
    let strategy = KnowledgeEloProbability(states: LearnerStates())
    let all = slate()
    var random = SplitMix64(seed: 8)
    let abilities = (0..<40).map { _ in random.unitInterval() * 4 - 2 }
    var loss = 0.0
    var right = 0.0
    let answers = 4000
    for _ in 0..<answers {
      let viewer = random.index(below: abilities.count)
      let card = random.index(below: Self.cards.count)
      let isRight =
        random.unitInterval() < logistic(abilities[viewer] + 1.5 - 0.25 * Double(card))
      let context = DealContext<QuizDeck>(
        viewer: "v", number: ViewerNumber(Int64(100 + viewer)), row: nil, deck: QuizDeck(),
        now: Timestamp(milliseconds: 0), seed: 1, seen: [:], answersReceived: [],
        unansweredLikes: { cards, _ in cards.map { _ in 0 } })
      let one = Slate(table: all.table, rows: [Row(card)], context: context)
      let p = try #require(try await strategy.estimates(for: one)[0].match).value
      loss -= naturalLogarithm(isRight ? p : 1 - p)
      right += isRight ? 1 : 0
      strategy.numbers.apply(
        strategy.increments(for: event(all, viewer, card, isRight ? .positive : .negative)))
    }
    let share = right / Double(answers)
    let constant = -share * naturalLogarithm(share) - (1 - share) * naturalLogarithm(1 - share)
    #expect(loss / Double(answers) < constant - 0.08, "\(loss / Double(answers)) \(constant)")
  }

  /// What changes what an answer adds, changes the identity.
  @Test func theIdentityNamesEveryParameter() {
    let base = KnowledgeEloProbability(states: LearnerStates()).identity
    #expect(base == "knowledge-elo/1 steps=0.4,0.5,0.6 decays=0.1,0.05 skills=32")
    let others = [
      KnowledgeElo(abilityStep: 1), KnowledgeElo(skillStep: 1), KnowledgeElo(difficultyStep: 1),
      KnowledgeElo(learnerDecay: 1), KnowledgeElo(questionDecay: 1),
    ].map { KnowledgeEloProbability(model: $0, states: LearnerStates()).identity }
    #expect(Set(others + [base]).count == 6)
    // The most buckets that a row has slots for.
    let most = KnowledgeEloProbability(buckets: 84, states: LearnerStates())
    #expect(most.numbers.stride == 255)
  }
}
