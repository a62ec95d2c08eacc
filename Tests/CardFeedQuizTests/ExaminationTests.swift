import CardFeed
import CardFeedConfiguration
import CardFeedPsychometrics
import CardFeedTesting
import Testing

@testable import CardFeedQuiz

@Suite("A test with known questions")
struct ExaminationTests {
  /// Difficulties from −2 to 2 and discriminations from .6 to 1.8.
  private static func bank(_ count: Int) -> [QuizCard] {
    (0..<count).map { index in
      QuizCard(
        id: CardID("c\(index)"), prompt: "p", answer: "a",
        difficulty: -2 + 4 * Double(index) / Double(max(1, count - 1)),
        discrimination: 0.6 + 0.3 * Double(index % 5))
    }
  }

  /// A feed that gives a test: one question at a time, each after the answer to the last.
  private static func test(
    _ cards: [QuizCard], length: JSONObject = [:], ranking: JSONObject = [:],
    clock: ManualClock = ManualClock()
  ) async throws -> QuizFeed {
    var filter: JSONObject = ["use": "test-length"]
    for member in length.members { filter[member.key] = member.value }
    var order: JSONObject = ["use": "maximum-information"]
    for member in ranking.members { order[member.key] = member.value }
    return try await quizFeed(
      cards,
      [
        "hand": ["size": 1, "refillBelow": 1], "sources": [["use": "all", "limit": 2000]],
        "filters": [JSONValue(filter)], "matchProbability": ["use": "item-response"],
        "ranking": JSONValue(order), "slate": [],
      ], clock: clock)
  }

  private static func reasons(
    _ feed: QuizFeed, _ cards: [CardID], by viewer: ViewerID = "v"
  ) async throws -> [[String: Double]] {
    try await feed.appraise(cards, for: viewer).map { one in
      Dictionary(
        uniqueKeysWithValues: one.reasons.compactMap { part in part.value.map { (part.name, $0) } })
    }
  }

  @Test func probabilitiesAreThoseOfTheModel() async throws {
    var cards = Self.bank(9)
    cards.append(QuizCard(id: "unknown", prompt: "p", answer: "a"))
    cards.append(QuizCard(id: "plain", prompt: "p", answer: "a", difficulty: 0.7))
    let feed = try await Self.test(cards)
    var answers: [(item: ItemParameters, isRight: Bool)] = []
    for (index, card) in cards[..<6].enumerated() {
      let isRight = index % 3 != 0
      try await feed.note(
        card.id, isRight ? .right : .wrong, event: "\(index)",
        at: Timestamp(milliseconds: Int64(index)))
      answers.append(
        (
          ItemParameters(
            difficulty: try #require(card.difficulty),
            discrimination: try #require(card.discrimination)), isRight
        ))
    }
    // A second answer to a card says what was learned from it, and one to a card without a
    // difficulty nothing that a test counts.
    try await feed.note("c0", .right, event: "again", at: Timestamp(milliseconds: 900))
    try await feed.note("unknown", .right, event: "no item", at: Timestamp(milliseconds: 901))
    try await feed.note("c7", .suspend, event: "neutral", at: Timestamp(milliseconds: 902))
    let expected = AbilityEstimator.expected.estimate(answers)
    let found = try await feed.appraise(cards.map(\.id), for: "v")
    for (card, one) in zip(cards, found) {
      guard let difficulty = card.difficulty else {
        #expect(one.estimate == MatchEstimate(match: nil))
        continue
      }
      let item = ItemParameters(difficulty: difficulty, discrimination: card.discrimination ?? 1)
      let right = try #require(one.estimate.match).value
      #expect(abs(right - item.probability(at: expected.ability)) < 1e-12)
      let error = try #require(one.estimate.standardError)
      // The delta method.
      #expect(abs(error - item.discrimination * right * (1 - right) * expected.error) < 0.03)
      #expect(error > 0 && error <= 0.5)
    }
    let reasons = try await Self.reasons(feed, ["c8", "plain", "unknown"])
    #expect(abs(try #require(reasons[0]["ability"]) - expected.ability) < 1e-12)
    #expect(abs(try #require(reasons[0]["ability-error"]) - expected.error) < 1e-12)
    #expect(reasons[0]["difficulty"] == 2)
    #expect(reasons[1]["discrimination"] == 1)
    #expect(reasons[2].isEmpty)
  }

  /// The steps of the posterior follow the answers: with many, a coarse grid would claim to know an
  /// ability exactly.
  @Test func theErrorOfManyAnswersIsNotUnderestimated() async throws {
    let cards = (0..<3000).map { index in
      QuizCard(
        id: CardID("c\(index)"), prompt: "p", answer: "a", difficulty: 0.125, discrimination: 2)
    }
    let feed = try await Self.test(cards)
    for (index, card) in cards.enumerated() {
      try await feed.note(
        card.id, index % 2 == 0 ? .right : .wrong, event: "\(index)",
        at: Timestamp(milliseconds: Int64(index)))
    }
    let reasons = try await Self.reasons(feed, ["c0"])[0]
    #expect(abs(try #require(reasons["ability"]) - 0.125) < 1e-3)
    // Σ a² p (1 − p) = 3000, and 1 of the prior.
    #expect(abs(try #require(reasons["ability-error"]) * 3001.0.squareRoot() - 1) < 1e-3)
  }

  @Test func oneParameterIgnoresTheDiscrimination() async throws {
    let feed = try await quizFeed(
      Self.bank(5), ["matchProbability": ["use": "item-response", "model": "1pl", "guess": 0.25]])
    let found = try await feed.appraise(["c0", "c4"], for: "v").map { $0.estimate.match?.value }
    for (value, difficulty) in zip(found, [-2.0, 2]) {
      let expected = ItemParameters(difficulty: difficulty, guess: 0.25).probability(at: 0)
      #expect(abs(try #require(value) - expected) < 1e-12)
    }
  }

  /// With answers that are all wrong, or all right, the ability stays finite, moves with every one
  /// of them and comes back with a rewind; and the test ends.
  @Test(arguments: [QuizDeck.Answer.wrong, .right])
  func answersThatAreAllAlike(answer: QuizDeck.Answer) async throws {
    let clock = ManualClock()
    let feed = try await Self.test(
      Self.bank(40), length: ["standardError": 0.2, "least": 1, "most": 12], clock: clock)
    var last = 0.0
    var asked: Set<CardID> = []
    for index in 0..<12 {
      let card = try #require(try await feed.answer(answer, event: "\(index)"))
      #expect(asked.insert(card).inserted, "asked twice")
      let ability = try #require(try await Self.reasons(feed, ["c0"])[0]["ability"])
      #expect(answer == .wrong ? ability < last : ability > last)
      #expect(abs(ability) < 4)
      last = ability
    }
    #expect(try await feed.asked().isEmpty)
    guard case .exhausted(let why) = try await feed.hand(for: "v").shortfall else {
      Issue.record("the end of a test is not told")
      return
    }
    #expect(
      Set(why.removed.map { "\($0.filter): \($0.reason) (\($0.count))" }) == [
        "test-length: the test is over: 12 answers were given (28)",
        "test-length: asked in this test (12)",
      ])
    // Also long after.
    clock.advance(byMilliseconds: hour)
    guard case .applied = try await feed.rewind(for: "v", event: "undo") else {
      Issue.record("the last answer was not taken back")
      return
    }
    let back = try #require(try await Self.reasons(feed, ["c0"])[0]["ability"])
    #expect(answer == .wrong ? back > last : back < last)
    #expect(try await feed.asked().count == 1)
  }

  /// Simulated people are asked what says most of them: the test ends with the wanted error, after
  /// fewer questions than in a random order, and finds their abilities.
  @Test func mostInformationNeedsFewQuestions() async throws {
    let abilities = [-1.5, -0.5, 0, 0.8, 1.6]
    var counts: [String: Int] = [:]
    for order in ["maximum-information", "random"] {
      let cards = (0..<150).map { index in
        QuizCard(
          id: CardID("c\(index)"), prompt: "p", answer: "a",
          difficulty: -3 + 6 * Double(index) / 149, discrimination: 1.5)
      }
      let feed = try await Self.test(
        cards, length: ["standardError": 0.4, "least": 3, "most": 150],
        ranking: ["use": JSONValue(order)])
      var random = SplitMix64(seed: 5)
      for (person, ability) in abilities.enumerated() {
        let viewer = ViewerID("p\(person)")
        while let top = try await feed.asked(viewer).first {
          let card = try #require(cards.first { $0.id == top })
          let item = ItemParameters(difficulty: try #require(card.difficulty), discrimination: 1.5)
          let isRight = random.unitInterval() < item.probability(at: ability)
          counts[order, default: 0] += 1
          try await feed.answer(
            isRight ? .right : .wrong, event: "\(person) \(counts[order] ?? 0)", by: viewer)
        }
        let reasons = try await Self.reasons(feed, ["c0"], by: viewer)[0]
        #expect(try #require(reasons["ability-error"]) <= 0.4)
        #expect(abs(try #require(reasons["ability"]) - ability) < 1.3)
      }
    }
    let best = try #require(counts["maximum-information"])
    let random = try #require(counts["random"])
    #expect(Double(best) < 0.7 * Double(random), "\(best) and \(random) questions")
  }

  @Test func aTestCanBeTakenAgain() async throws {
    let clock = ManualClock()
    let hours: JSONObject = ["hours": 24, "most": 2, "least": 1]
    let feed = try await Self.test(
      Self.bank(6), length: hours, ranking: ["hours": 24], clock: clock)
    let first = try #require(await feed.answer(.right, event: "1"))
    clock.advance(byMilliseconds: hour)
    try await feed.answer(.right, event: "2")
    guard case .exhausted(let why) = try await feed.hand(for: "v").shortfall else {
      Issue.record("the end of a test is not told")
      return
    }
    #expect(why.nextDue == clock.now.advanced(byMilliseconds: 23 * hour))
    clock.advance(byMilliseconds: 24 * hour)
    #expect(try await feed.asked() == [first])
  }

  @Test func theBestFewTakeTurns() async throws {
    var first: [CardID: Int] = [:]
    let plain = try #require(try await Self.test(Self.bank(30)).asked().first)
    let feed = try await Self.test(
      Self.bank(30), ranking: ["exposure": "randomesque", "among": 3])
    for person in 0..<90 {
      let viewer = ViewerID("p\(person)")
      let card = try #require(try await feed.asked(viewer).first)
      #expect(try await feed.asked(viewer) == [card])
      first[card, default: 0] += 1
    }
    #expect(first.count == 3)
    #expect(first[plain] != nil)
    // Each 30 times on the average, with a deviation of 4.5.
    #expect(first.values.allSatisfy { $0 > 12 && $0 < 48 }, "\(first)")
  }

  @Test func ordersKeepWhatStrategiesPromise() async throws {
    var cards = Self.bank(12)
    cards.append(QuizCard(id: "unknown", prompt: "p", answer: "a"))
    let slate = StrategyConformance.slate(of: cards, deck: QuizDeck(), viewer: "v")
    let examination = Examination()
    for candidates in [1, 4, 100] {
      let ranking = InformationRanking(examination: examination, candidates: candidates)
      #expect(await StrategyConformance.violations(of: ranking, on: slate).isEmpty)
      let scores = try await ranking.scores(
        for: slate, estimates: MatchEstimates(count: slate.count))
      #expect(scores.values[12].isNaN)
      for index in 0..<12 {
        let sum = scores.terms.reduce(0) { $0 + $1.values[index] }
        #expect(abs(sum - scores.values[index]) < 1e-12)
      }
      // The same scores, whoever has them.
      let plain = try await InformationRanking(examination: examination, candidates: 1).scores(
        for: slate, estimates: MatchEstimates(count: slate.count))
      #expect(scores.values[..<12].sorted() == plain.values[..<12].sorted())
    }
    let probability = ItemResponseProbability(examination: examination)
    #expect(await StrategyConformance.violations(of: probability, on: slate).isEmpty)
    let filter = TestLengthFilter(
      examination: examination, standardError: 0.3, least: 1, most: 5)
    #expect(await StrategyConformance.violations(of: filter, on: slate).isEmpty)
    #expect(try await filter.verdicts(for: slate, relaxation: 0)[12] == .remove(reason: 1))
  }

  @Test func aTestThatCannotEndRightlyIsRefused() async throws {
    await #expect {
      _ = try await Self.test([], length: ["least": 9, "most": 8])
    } throws: { "\($0)".contains("\"most\": 8, which is below \"least\": 9") }
  }
}
