import Foundation
import Testing

@testable import CardFeedDiversity

@Suite struct OrderPenaltiesTests {
  @Test func anyOrderComesAboutByLoweringAlone() {
    var draws = Draws(3)
    for _ in 0..<200 {
      let count = Int(draws.next() % 12) + 1
      let scores = (0..<count).map { _ -> Double? in
        draws.share() < 0.2 ? nil : (draws.share() - 0.5) * pow(10, draws.share() * 12 - 6)
      }
      let order = Array((0..<count).shuffled(using: &draws).prefix(Int(draws.next() % 13)))
      let penalties = OrderPenalties(order, scores: scores).penalties
      #expect(penalties.allSatisfy { $0 >= 0 && $0.isFinite })
      let scored = order.filter { scores[$0] != nil }
      let after = zip(scores, penalties).map { score, penalty in score.map { $0 - penalty } }
      let sorted = after.indices.filter { after[$0] != nil }
        .sorted { after[$0] ?? 0 > after[$1] ?? 0 }
      #expect(Array(sorted.prefix(scored.count)) == scored)
      // The others keep the order they had.
      let behind = sorted.dropFirst(scored.count).map { scores[$0] ?? 0 }
      #expect(behind == behind.sorted(by: >))
    }
  }

  @Test func anOrderThatStandsCostsNothing() {
    let penalties = OrderPenalties([0, 1, 2], scores: [5, -1, -7, -8, nil]).penalties
    #expect(penalties == [0, 0, 0, 0, 0])
  }
}

@Suite struct KeyWindowTests {
  private func order(_ spread: KeyWindow.Spread, _ scores: [Double?]) -> [Int] {
    let after = zip(scores, spread.penalties).map { ($0 ?? -.infinity) - $1 }
    return scores.indices.filter { !spread.withheld.contains($0) }
      .sorted { after[$0] > after[$1] }
  }

  @Test func noWindowHoldsTooMany() {
    var draws = Draws(4)
    for round in 0..<100 {
      let keys = (0..<30).map { _ in [Int32(draws.next() % 4)] }
      let scores: [Double?] = (0..<30).map { 5 - Double($0) * 0.5 }
      let (window, most) = (2 + round % 4, 1 + round % 2)
      let answered = (0..<5).map { _ in [Int32(draws.next() % 4)] }
      let spread = KeyWindow(window: window, most: most, answered: answered)
        .spread(scores: scores, keys: keys, places: 30, penalty: nil, mayBeEmpty: true)
      let line = answered + order(spread, scores).map { keys[$0] }
      for end in 5..<max(line.count, 5) {
        let start = max(0, end - window)
        let same = line[start..<end].count { $0 == line[end] }
        #expect(same < most)
      }
      #expect(spread.penalties.allSatisfy { $0 >= 0 })
    }
  }

  @Test func byHand() {
    let scores: [Double?] = [5, 4, 3, 2]
    let keys: [[Int32]] = [[1], [1], [2], []]
    let spread = KeyWindow(window: 1).spread(
      scores: scores, keys: keys, places: 4, penalty: nil, mayBeEmpty: false)
    #expect(order(spread, scores) == [0, 2, 1, 3])
    #expect(spread.withheld.isEmpty)
    // A card of the hand may be the last one; the first place then goes to another key.
    let held = KeyWindow(window: 1, held: [[1], [3]]).spread(
      scores: scores, keys: keys, places: 4, penalty: nil, mayBeEmpty: false)
    #expect(order(held, scores).first == 2)
    // Two of a key may come among three.
    let two = KeyWindow(window: 3, most: 2).spread(
      scores: [5, 4, 3, 2], keys: [[1], [1], [1], [2]], places: 4, penalty: nil,
      mayBeEmpty: false)
    #expect(order(two, scores) == [0, 1, 3])
    #expect(two.withheld == [2])
  }

  @Test func aPenaltyInsteadOfAWall() {
    let scores: [Double?] = [-1, -1.5, -9]
    let spread = KeyWindow(window: 2).spread(
      scores: scores, keys: [[1], [1], [2]], places: 3, penalty: 2, mayBeEmpty: false)
    #expect(spread.withheld.isEmpty)
    #expect(abs(spread.penalties[1] - 2) < 1e-6 && spread.penalties[2] == 0)
    #expect(order(spread, scores) == [0, 1, 2])
  }

  @Test func whatWouldEmptyAHandIsKept() {
    let held = KeyWindow(window: 2, answered: [[1]])
    let kept = held.spread(
      scores: [1, 0], keys: [[1], [1]], places: 2, penalty: nil, mayBeEmpty: false)
    #expect(kept.withheld == [1])
    let none = held.spread(
      scores: [1, 0], keys: [[1], [1]], places: 2, penalty: nil, mayBeEmpty: true)
    #expect(none.withheld == [0, 1])
  }
}

@Suite struct CategoryTests {
  @Test func categoriesComeInTurn() {
    #expect(CategoryTurns.order(categories: [1, 1, 2, nil, 1, 3, 2]) == [0, 2, 3, 5, 1, 6, 4])
    #expect(CategoryTurns.order(categories: []).isEmpty)
  }

  @Test func aFloorKeepsPlaces() {
    let scores: [Double?] = [9, 8, 7, 6, -1, -2, nil]
    let isNew = [false, false, false, false, true, true, true]
    let penalties = PlaceFloor(kept: 2).penalties(scores: scores, isFavoured: isNew, wanted: 3)
    let after = zip(scores, penalties).map { ($0 ?? -100) - $1 }
    let order = after.indices.sorted { after[$0] > after[$1] }
    #expect(order == [0, 4, 5, 1, 2, 3, 6])
    #expect(penalties.allSatisfy { $0 >= 0 })
    #expect(PlaceFloor(kept: 0).penalties(scores: scores, isFavoured: isNew, wanted: 3).isEmpty)
    #expect(PlaceFloor(kept: 2).penalties(scores: scores, isFavoured: isNew, wanted: 9).isEmpty)
    let shares = [(0.34, 0.0, 2), (0.34, 0.9, 1), (0, 0, 0), (1, 0.5, 5)]
    for (share, draw, kept) in shares {
      #expect(PlaceFloor(share: share, of: 5, draw: draw).kept == kept)
    }
  }

  @Test func divergenceByHand() {
    let rule = CalibratedCategories(lambda: 0.5, alpha: 0.01)
    let target: [Int32: Double] = [1: 0.7, 2: 0.3]
    #expect(abs(rule.divergence(of: target, from: target)) < 1e-12)
    let off = rule.divergence(of: [1: 1], from: target)
    let known = 0.7 * log(0.7 / (0.99 + 0.007)) + 0.3 * log(0.3 / 0.003)
    #expect(abs(off - known) < 1e-12)
    #expect(CalibratedCategories.shares(of: [[1], [1, 2], []]) == [1: 0.75, 2: 0.25])
    let weighed = CalibratedCategories.shares(of: [[1], [2]], weights: [3, 1])
    #expect(weighed == [1: 0.75, 2: 0.25])
    #expect(CalibratedCategories.shares(of: [[]]).isEmpty)
  }

  @Test func proportionsAreReached() {
    let categories: [[Int32]] = (0..<20).map { [$0 < 14 ? 1 : 2] }
    let relevance = (0..<20).map { 1 - Double($0) / 20 }
    let target: [Int32: Double] = [1: 0.7, 2: 0.3]
    func count(_ lambda: Double) -> Int {
      CalibratedCategories(lambda: lambda)
        .choose(10, relevance: relevance, categories: categories, target: target)
        .count { categories[$0] == [2] }
    }
    #expect(count(0) == 0)
    #expect(count(0.99) == 3)
    // What lies in the hand counts.
    let held = CalibratedCategories(lambda: 0.99).choose(
      5, relevance: relevance, categories: categories, target: target,
      held: Array(repeating: [1], count: 5))
    #expect(held.count { categories[$0] == [2] } == 3)
  }

  /// Each step by the formula, with the divergence of the whole list.
  @Test func everyStepIsTheBest() {
    let candidates = Candidates(25, seed: 9)
    let categories = candidates.tags.map { $0.map(Int32.init) }
    let target: [Int32: Double] = [0: 0.4, 3: 0.3, 5: 0.2, 7: 0.1]
    let rule = CalibratedCategories(lambda: 0.4)
    let chosen = rule.choose(
      6, relevance: candidates.relevance, categories: categories, target: target)
    func value(_ cards: [Int]) -> Double {
      let shares = CalibratedCategories.shares(of: cards.map { categories[$0] })
      return 0.6 * cards.reduce(0) { $0 + candidates.relevance[$1] }
        - 0.4 * rule.divergence(of: shares, from: target)
    }
    for place in chosen.indices {
      let before = Array(chosen[..<place])
      let taken = value(before + [chosen[place]])
      for other in 0..<25 where !before.contains(other) {
        #expect(value(before + [other]) <= taken + 1e-9)
      }
    }
  }
}
