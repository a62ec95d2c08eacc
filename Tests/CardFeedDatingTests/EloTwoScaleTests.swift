import CardFeedTesting
import Testing

@testable import CardFeed
@testable import CardFeedDating

/// The model once more, the plain way: fractions in dictionaries.
private struct PlainElo {
  var prior = 0.6
  var sums: [String: Double] = [:]
  var precisions: [String: Double] = [:]
  var likes: [String: Double] = [:]
  var swipes: [String: Double] = [:]

  func number(_ key: String) -> Double {
    sums[key, default: 0] / (prior + precisions[key, default: 0])
  }

  func p(_ rater: String, _ gender: String, _ target: String) -> Double {
    let share = (likes[gender, default: 0] + 4) / (swipes[gender, default: 0] + 10)
    let z = logOdds(share) + number("wanted \(target)") - number("choosy \(rater)")
    return 1 / (1 + exponential(-z))
  }

  mutating func swipe(_ rater: String, _ gender: String, _ target: String, _ isLike: Bool) {
    let p = p(rater, gender, target)
    let y = isLike ? 1.0 : 0
    let choosy = number("choosy \(rater)")
    let wanted = number("wanted \(target)")
    sums["choosy \(rater)", default: 0] += p * (1 - p) * choosy - (y - p)
    sums["wanted \(target)", default: 0] += p * (1 - p) * wanted + (y - p)
    precisions["choosy \(rater)", default: 0] += p * (1 - p)
    precisions["wanted \(target)", default: 0] += p * (1 - p)
    likes[gender, default: 0] += y
    swipes[gender, default: 0] += 1
  }
}

@Suite struct EloTwoScaleTests {
  private let people = (0..<24).map { index in
    Person(id: "\(index)", gender: index == 23 ? nil : index % 2 == 0 ? "woman" : "man")
  }

  private func event(
    _ slate: Slate<DatingDeck>, _ viewer: Int, _ card: Int, _ meaning: AnswerMeaning
  ) -> LearningEvent<DatingDeck> {
    LearningEvent(
      viewer: slate.table.number(at: Row(viewer)), card: slate.table.number(at: Row(card)),
      viewerRow: Row(viewer), cardRow: Row(card), table: slate.table, meaning: meaning,
      time: Timestamp(milliseconds: 0))
  }

  @Test(arguments: [0.6, 3])
  func agreesWithThePlainModelAndIsTakenBackExactly(prior: Double) async throws {
    let model = EloTwoScale(prior: prior, states: LearnerStates())
    var plain = PlainElo(prior: prior)
    let slate = datingSlate(people, viewer: "0")
    var generator = SplitMix64(seed: 11)
    var undo: [[Increment]] = []
    for _ in 0..<3000 {
      let viewer = generator.index(below: people.count)
      let card = generator.index(below: people.count)
      let isLike = generator.unitInterval() < 0.2 + 0.02 * Double(card) - 0.005 * Double(viewer)
      plain.swipe("\(viewer)", people[viewer].gender ?? "", "\(card)", isLike)
      let increments = model.increments(
        for: event(slate, viewer, card, isLike ? .positive : .negative))
      model.numbers.apply(increments)
      undo.append(increments)
    }
    for viewer in [0, 7, 23] {
      let slate = datingSlate(people, viewer: CardID("\(viewer)"))
      #expect(await StrategyConformance.violations(of: model, on: slate).isEmpty)
      let estimates = try await model.estimates(for: slate)
      for card in people.indices {
        let forward = plain.p("\(viewer)", people[viewer].gender ?? "", "\(card)")
        let backward = plain.p("\(card)", people[card].gender ?? "", "\(viewer)")
        let estimate = estimates[card]
        #expect(abs(try #require(estimate.forward).value - forward) < 1e-7)
        #expect(abs(try #require(estimate.backward).value - backward) < 1e-7)
        #expect(abs(try #require(estimate.match).value - forward * backward) < 1e-7)
      }
    }
    // In another order than they came, as rewinds of different viewers do.
    for increments in undo.enumerated().sorted(by: { $0.offset % 7 < $1.offset % 7 }).map(\.element)
    {
      model.numbers.apply(increments, sign: -1)
    }
    #expect(model.numbers.nonzero().isEmpty)
  }

  @Test func neutralAnswersAddNothing() {
    let model = EloTwoScale(states: LearnerStates())
    let slate = datingSlate(people, viewer: "0")
    #expect(model.increments(for: event(slate, 0, 1, .neutral)).isEmpty)
  }

  @Test func withoutSwipesEverybodyIsTheBase() async throws {
    let estimates = try await EloTwoScale(states: LearnerStates()).estimates(
      for: datingSlate(people, viewer: "0"))
    let first = estimates[1]
    #expect(abs(try #require(first.forward).value - 0.4) < 1e-12)
    #expect(abs(try #require(first.match).value - 0.16) < 1e-12)
    #expect((0..<24).allSatisfy { estimates[$0] == first })
    // Two sides of 0.4 with variances 2 / 0.6 each: 0.16 · 0.6 · √(2 · 2 / 0.6).
    let error = try #require(first.standardError)
    #expect(abs(error - 0.16 * 0.6 * (4 / 0.6).squareRoot()) < 1e-12)
  }

  @Test func swipesMakeTheErrorSmaller() async throws {
    let model = EloTwoScale(states: LearnerStates())
    let slate = datingSlate(people, viewer: "0")
    let before = try await model.estimates(for: slate)[1]
    for index in 0..<20 {
      let meaning: AnswerMeaning = index % 2 == 0 ? .positive : .negative
      model.numbers.apply(model.increments(for: event(slate, 0, 1, meaning)))
      model.numbers.apply(model.increments(for: event(slate, 1, 0, meaning)))
    }
    let after = try await model.estimates(for: slate)[1]
    #expect(try #require(after.standardError) < #require(before.standardError))
  }

  @Test func theIdentityNamesThePrior() {
    #expect(EloTwoScale(states: LearnerStates()).identity == "elo-two-scale/1 prior=0.6")
    #expect(EloTwoScale(prior: 3, states: LearnerStates()).identity == "elo-two-scale/1 prior=3.0")
  }

  @Test(arguments: [
    ["woman", "man", "non-binary", "other"], ["female", "male", "non-binary", "other"],
    ["f", "m", "x"], ["w", "m", "d"], ["0", "1", "2"], ["women", "men"],
  ])
  func namesInCommonUseHaveBasesOfTheirOwn(names: [String]) {
    let buckets = [nil] + names
    #expect(Set(buckets.map { EloBase.bucket(of: $0) }).count == names.count + 1)
    #expect(buckets.allSatisfy { (0..<EloBase.buckets).contains(EloBase.bucket(of: $0)) })
  }

  /// A population that is as the model believes: each swipe is predicted before it is learned. The
  /// constant is the best one there is, chosen in hindsight.
  @Test func predictsATwoTraitPopulationBetterThanAnyConstant() async throws {
    let count = 60
    let people = (0..<count).map { Person(id: "\($0)", gender: $0 < count / 2 ? "woman" : "man") }
    var generator = SplitMix64(seed: 2024)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + generator.unitInterval() } }
    let choosy = people.map { _ in normal() }
    let wanted = people.map { _ in normal() }
    let model = EloTwoScale(states: LearnerStates())
    let slate = datingSlate(people, viewer: "0")
    var loss = 0.0
    var likes = 0.0
    let swipes = 6000
    for _ in 0..<swipes {
      let viewer = generator.index(below: count)
      let card = (viewer < count / 2 ? count / 2 : 0) + generator.index(below: count / 2)
      let base = viewer < count / 2 ? -1.0 : 0
      let isLike = generator.unitInterval() < logistic(base + wanted[card] - choosy[viewer])
      let context = datingSlate(people, viewer: CardID("\(viewer)")).context
      let one = Slate(table: slate.table, rows: [Row(card)], context: context)
      let p = try #require(try await model.estimates(for: one)[0].forward).value
      loss -= naturalLogarithm(isLike ? p : 1 - p)
      likes += isLike ? 1 : 0
      model.numbers.apply(
        model.increments(for: event(slate, viewer, card, isLike ? .positive : .negative)))
    }
    let share = likes / Double(swipes)
    let constant = -share * naturalLogarithm(share) - (1 - share) * naturalLogarithm(1 - share)
    #expect(loss / Double(swipes) < constant - 0.08, "\(loss / Double(swipes)) \(constant)")
  }
}
