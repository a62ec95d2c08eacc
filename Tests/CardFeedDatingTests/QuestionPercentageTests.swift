import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedDating

/// The percentage once more, the plain way: texts in dictionaries.
private func plainPercentage(_ a: Person, _ b: Person, least: Int) -> Double? {
  let common = a.questions.keys.filter { b.questions[$0] != nil }
  func satisfaction(_ judge: Person, _ other: Person) -> Double? {
    var earned = 0
    var possible = 0
    for question in common {
      guard let own = judge.questions[question], let said = other.questions[question]
      else { continue }
      possible += own.importance.rawValue
      if own.accepts.contains(said.answer) { earned += own.importance.rawValue }
    }
    return possible == 0 ? nil : Double(earned) / Double(possible)
  }
  guard common.count >= least, let first = satisfaction(a, b), let second = satisfaction(b, a)
  else { return nil }
  return max(0, (first * second).squareRoot() - 1 / Double(common.count))
}

@Suite struct QuestionPercentageTests {
  private func numbers(
    _ people: [Person], viewer: ViewerID = "a", least: Int = 1
  ) async throws -> [Double?] {
    let slate = datingSlate(people, viewer: viewer)
    let estimates = try await QuestionPercentage(least: least).estimates(for: slate)
    return (0..<estimates.count).map { index in
      #expect(estimates[index].match == nil && estimates[index].forward == nil)
      return estimates[index].uncalibrated
    }
  }

  /// The published example: 50 of 51 points one way, 10 of 11 the other, two common questions.
  @Test func thePublishedExample() async throws {
    let a = Person(
      id: "a",
      questions: [
        "messy": QuestionAnswer(
          answer: "organized", accepts: ["average", "organized"], importance: .very),
        "cheated": QuestionAnswer(answer: "no", accepts: ["no"], importance: .little),
        "only a": QuestionAnswer(answer: "yes", accepts: ["no"], importance: .mandatory),
      ])
    let b = Person(
      id: "b",
      questions: [
        "messy": QuestionAnswer(answer: "average", accepts: ["average"], importance: .little),
        "cheated": QuestionAnswer(answer: "yes", accepts: ["no"], importance: .somewhat),
        "only b": QuestionAnswer(answer: "yes", accepts: ["no"], importance: .mandatory),
      ])
    let expected = (50.0 / 51 * (10.0 / 11)).squareRoot() - 0.5
    #expect(try await numbers([a, b])[1] == expected)
    #expect(try await numbers([a, b], viewer: "b")[0] == expected)
    #expect(try await numbers([a, b], least: 2)[1] == expected)
    #expect(try await numbers([a, b], least: 3)[1] == nil)
  }

  @Test func oneCommonQuestionLeavesNothingAndAMandatoryNoOutweighsTheRest() async throws {
    func person(_ id: String, _ answers: [String], _ points: QuestionAnswer.Importance) -> Person {
      var person = Person(id: id)
      for (place, answer) in answers.enumerated() {
        person.questions["q\(place)"] = QuestionAnswer(
          answer: answer, accepts: ["yes"], importance: place == 0 ? points : .little)
      }
      return person
    }
    // 1 − 1/1 is nothing at all.
    #expect(
      try await numbers([person("a", ["yes"], .very), person("b", ["yes"], .very)])[1] == 0)
    let others = Array(repeating: "yes", count: 9)
    let strict = person("a", ["yes"] + others, .mandatory)
    let wrong = person("b", ["no"] + others, .mandatory)
    #expect(try await numbers([strict, wrong])[1] == (9.0 / 259).squareRoot() - 0.1)
  }

  @Test func whoAsksForNothingIsNotSatisfied() async throws {
    let indifferent = Person(id: "a", questions: ["q": QuestionAnswer(answer: "yes")])
    let eager = Person(
      id: "b", questions: ["q": QuestionAnswer(answer: "yes", accepts: ["yes"], importance: .very)])
    #expect(try await numbers([indifferent, eager, Person(id: "c")]) == [nil, nil, nil])
    #expect(try await numbers([indifferent, eager], viewer: "nobody") == [nil, nil])
    #expect(try await numbers([]) == [])
  }

  @Test func agreesWithThePlainComputationOnManyPeople() async throws {
    var generator = SplitMix64(seed: 5)
    let options = ["a", "b", "a=b", "e\u{301}", "\u{e9}x"]
    let importances = QuestionAnswer.Importance.allCases
    let people = (0..<60).map { index in
      var person = Person(id: "\(index)")
      for question in 0..<12 where generator.unitInterval() < 0.6 {
        let importance = importances[generator.index(below: importances.count)]
        person.questions["q\(question)"] = QuestionAnswer(
          answer: options[generator.index(below: options.count)],
          accepts: options.filter { _ in generator.unitInterval() < 0.5 }, importance: importance)
      }
      return person
    }
    var known = 0
    for viewer in 0..<people.count {
      let found = try await numbers(people, viewer: ViewerID("\(viewer)"), least: 3)
      for card in people.indices where card != viewer {
        #expect(found[card] == plainPercentage(people[viewer], people[card], least: 3))
        known += found[card] == nil ? 0 : 1
      }
    }
    #expect(known > 1000)
    let violations = await StrategyConformance.violations(
      of: QuestionPercentage(least: 3), on: datingSlate(people, viewer: "7"))
    #expect(violations.isEmpty)
  }

  @Test func ordersAHandAndIsShownToNobody() async throws {
    func person(_ id: String, _ answer: String) -> Person {
      var person = Person(id: id, age: 30)
      for question in 0..<6 {
        person.questions["secret-question-\(question)"] = QuestionAnswer(
          answer: question == 0 ? answer : "secret-yes", accepts: ["secret-yes"],
          importance: .somewhat)
      }
      return person
    }
    let feed = try await datingFeed(
      [person("a", "secret-yes"), person("b", "secret-no"), person("c", "secret-yes")],
      [
        "matchProbability": ["use": "question-percentage"],
        "ranking": ["use": "weighted", "terms": ["match-probability": 1]],
      ])
    let cards = try await feed.hand(for: "a").cards
    #expect(cards.map(\.id) == ["c", "b"])
    #expect(cards[0].reason.score.value == 1 - 1.0 / 6)
    for card in cards {
      let shown = card.reason.forViewer
      #expect(shown.estimate == MatchEstimate(match: nil))
      #expect(shown.terms.isEmpty && shown.score == .unscored)
      #expect(!"\(card.reason)".utf8.contains("secret"))
    }
  }

  @Test(
    arguments: [
      ([], "found an array; allowed: an object with \"answer\", \"accepts\" and \"importance\""),
      (
        ["secret": 1],
        "a key is unknown; allowed: an object with \"answer\", \"accepts\" and \"importance\""
      ),
      (
        ["accepts": ["secret"], "importance": 1],
        "the answer is missing or not a text; allowed: a text that is not empty"
      ),
      (
        ["answer": "secret", "importance": 10],
        "no answer is accepted; allowed: a list of at least one in \"accepts\", or the importance 0"
      ),
      (
        ["answer": "secret", "accepts": ["secret"], "importance": 2],
        "the importance is not one of the points; allowed: 0, 1, 10, 50, 250"
      ),
      (
        ["answer": "secret", "accepts": ["secret", 1], "importance": 1],
        "the accepted answers are not a list of texts; allowed: a list of texts that are not empty"
      ),
      (
        ["answer": "secret", "accepts": ["secret", "secret"], "importance": 1],
        "an accepted answer stands there twice; allowed: each once"
      ),
      (
        ["answer": "secret\u{e9}", "accepts": ["secrete\u{301}"], "importance": 1],
        "two answers differ in their Unicode form only; allowed: one of the forms"
      ),
    ] as [(JSONValue, String)])
  func aBrokenAnswerSaysWhatIsWrongAndNotWhatWasAnswered(json: JSONValue, message: String) {
    let problem = #expect(throws: CardProblem.self) {
      try Person(json: ["id": "a", "questions": ["q": json]])
    }
    #expect(problem?.description == "$.questions.q: " + message)
  }
}

extension String.UTF8View {
  fileprivate func contains(_ text: String) -> Bool {
    let sought = Array(text.utf8)
    let bytes = Array(self)
    guard sought.count <= bytes.count else { return false }
    return (0...bytes.count - sought.count).contains { start in
      bytes[start..<start + sought.count].elementsEqual(sought)
    }
  }
}
