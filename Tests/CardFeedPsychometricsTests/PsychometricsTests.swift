import Foundation
import Testing

@testable import CardFeedPsychometrics

/// Item response theory against printed values where they are at hand, and against known truths.
@Suite struct PsychometricsTests {
  struct Draws {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func share() -> Double {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = state
      z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
    }
    /// A sum of twelve draws, which is nearly normal.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + share() } }
  }

  private static let printed = try? Data(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared/data/quiz/cat_vectors.json"))

  @Test(.enabled(if: printed != nil, "skipped: no ../shared"))
  func printedEstimates() throws {
    let data = try #require(Self.printed)
    let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let bank = try #require(document["bank"] as? [[String: Double]]).map { item in
      ItemParameters(
        difficulty: item["b"] ?? 0, discrimination: item["a"] ?? 1, guess: item["c"] ?? 0,
        slip: 1 - (item["d"] ?? 1))
    }
    #expect(bank.count == 40)
    for row in try #require(document["irf"] as? [[String: Double]]) {
      let index = try #require(row["item"])
      let item = bank[Int(index)]
      let ability = try #require(row["theta"])
      #expect(abs(item.probability(at: ability) - (row["P"] ?? 0)) < 1e-9)
      #expect(abs(item.information(at: ability) - (row["I"] ?? 0)) < 1e-9)
    }
    for row in try #require(document["estimates"] as? [[String: Any]]) {
      let items = try #require(row["items"] as? [Int])
      let rights = try #require(row["x"] as? [Int])
      let answers = zip(items, rights).map { (item: bank[$0], isRight: $1 == 1) }
      for (name, estimator) in [
        ("EAP", AbilityEstimator.expected), ("BM", .mode), ("ML", .likelihood), ("WL", .weighted),
      ] {
        let expected = try #require(row[name] as? [String: Double])
        let found = estimator.estimate(answers)
        #expect(abs(found.ability - (expected["theta"] ?? 0)) < 1e-4, "\(name) of \(items.count)")
        if estimator == .expected || estimator == .mode {
          #expect(abs(found.error - (expected["sem"] ?? 0)) < 1e-4, "\(name) of \(items.count)")
        }
      }
    }
    let test = AdaptiveTest()
    for row in try #require(document["next_item_MFI"] as? [[String: Any]]) {
      let used = try #require(row["out"] as? [Int])
      let ability = try #require(row["theta"] as? Double)
      #expect(test.next(in: bank, ability: ability, used: Set(used)) == row["item"] as? Int)
    }
  }

  @Test func informationIsTheSquareOfTheSlopeOverTheSpread() {
    let item = ItemParameters(difficulty: 0.3, discrimination: 1.4, guess: 0.2, slip: 0.05)
    for ability in [-3.0, -0.5, 0.3, 1.2, 4] {
      let width = 1e-5
      let slope =
        (item.probability(at: ability + width) - item.probability(at: ability - width))
        / (2 * width)
      let right = item.probability(at: ability)
      let expected = slope * slope / (right * (1 - right))
      #expect(abs(item.information(at: ability) - expected) < 1e-6)
    }
  }

  @Test(
    "Scenario 16: a wrong answer never raises an ability; all right and all wrong are finite",
    arguments: AbilityEstimator.allCases)
  func abilityNeverMovesAgainstTheAnswer(_ estimator: AbilityEstimator) {
    let bank = (0..<12).map { ItemParameters(difficulty: 2 + Double($0) / 10, discrimination: 1.3) }
    var answers: [(item: ItemParameters, isRight: Bool)] = []
    var last = 5.0
    for item in bank {
      answers.append((item, false))
      let ability = estimator.estimate(answers).ability
      #expect(ability >= -4 && ability <= last + 1e-9)
      last = ability
    }
    let right = estimator.estimate(answers.map { ($0.item, true) }).ability
    #expect(right <= 4 && right > 1)
  }

  @Test func calibrationFindsTheItemsThatMadeTheAnswers() {
    var draws = Draws(5)
    let truth = (0..<20).map { index in
      ItemParameters(
        difficulty: Double(index) / 5 - 2, discrimination: 0.7 + 0.1 * Double(index % 8))
    }
    let people = 2_000
    var answers: [ItemCalibration.Answer] = []
    for person in 0..<people {
      let ability = draws.normal()
      for (index, item) in truth.enumerated() where draws.share() < 0.8 {
        answers.append(
          .init(
            person: person, item: index, isRight: draws.share() < item.probability(at: ability)))
      }
    }
    let fit = ItemCalibration(answers, items: truth.count, people: people, model: .twoPL)
    for (found, item) in zip(fit.items, truth) {
      #expect(abs(found.difficulty - item.difficulty) < 0.35, "\(item)")
      #expect(abs(found.discrimination - item.discrimination) < 0.3, "\(item)")
    }
    let one = ItemCalibration(
      answers, items: truth.count, people: people, model: .onePL, rounds: 20)
    #expect(Set(one.items.map(\.discrimination)).count == 1)
  }

  @Test func ratingsMoveTowardsWhatHappens() {
    let model = KnowledgeElo()
    var learner = KnowledgeElo.Learner()
    var question = KnowledgeElo.Rating()
    let before = model.probability(learner, question, skills: ["sums"])
    #expect(before == 0.5)
    model.learn(&learner, &question, skills: ["sums", "carry"], isRight: true)
    #expect(model.probability(learner, question, skills: ["sums"]) > 0.5)
    #expect(question.value == -0.3)
    #expect(learner.ability.value == 0.2)
    #expect(learner.skills["carry"]?.value == 0.25)
    #expect(learner.skills["sums"]?.answers == 1)
  }

  @Test func aTestEndsByErrorOrLength() {
    let test = AdaptiveTest(targetError: 0.4, length: 3)
    #expect(!test.isOver(AbilityEstimate(ability: 0, error: 1), asked: 0))
    #expect(test.isOver(AbilityEstimate(ability: 0, error: 0.39), asked: 1))
    #expect(test.isOver(AbilityEstimate(ability: 0, error: 1), asked: 3))
    #expect(test.next(in: [ItemParameters(difficulty: 0)], ability: 0, used: [0]) == nil)
  }

  @Test func exposureIsSharedAmongTheBestFew() {
    let bank = (0..<10).map { ItemParameters(difficulty: Double($0) / 10) }
    let test = AdaptiveTest(candidates: 3)
    let chosen = Set(
      (0..<30).map { step in
        test.next(in: bank, ability: 0, used: [], draw: Double(step) / 30) ?? -1
      })
    #expect(chosen == [0, 1, 2])
  }
}
