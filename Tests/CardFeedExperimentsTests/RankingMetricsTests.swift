import CardFeedExperiments
import Testing

@Suite("Ranking metrics")
struct RankingMetricsTests {
  @Test("a perfect list, an empty list, and a list with one card three times")
  func threeUsers() {
    let perfect = RankedList(items: ["a", "b", "c"], relevant: ["a", "b"])
    let empty = RankedList(items: [], relevant: ["a"])
    let repeated = RankedList(items: ["a", "a", "a", "b"], relevant: ["a", "c"])
    #expect(perfect.ndcg(at: 5) == 1)
    #expect(perfect.averagePrecision == 1)
    #expect(perfect.reciprocalRank == 1)
    #expect(perfect.recall(at: 2) == 1)
    #expect(empty.ndcg(at: 5) == 0)
    #expect(empty.hit(at: 1) == 0)
    #expect(empty.averagePrecision == 0)
    #expect(empty.reciprocalRank == 0)
    #expect(empty.recall(at: 3) == 0)
    #expect(repeated.hits == [true, false])
    #expect(repeated.recall(at: 5) == 0.5)
    #expect(repeated.averagePrecision == 0.5)
    // 1 over 1 + 1/log2(3).
    #expect(repeated.ndcg(at: 5).map { abs($0 - 0.6131471927654584) < 1e-12 } == true)

    let summary = RankingSummary(lists: [perfect, empty, repeated])
    #expect(summary.usersAveraged == 3)
    #expect(summary.coverage == 2.0 / 3)
    #expect(summary.hitRate == 2.0 / 3)
    #expect(summary.meanAveragePrecision == 0.5)
    #expect(summary.meanReciprocalRank == 2.0 / 3)
  }

  @Test("measures of a list by hand")
  func byHand() {
    let list = RankedList(items: [7, 3, 9, 4, 5, 6], relevant: [3, 4, 6])
    // Places 2, 4, 6.
    #expect(list.reciprocalRank == 0.5)
    #expect(list.averagePrecision == 0.5)
    #expect(list.hit(at: 1) == 0)
    #expect(list.hit(at: 2) == 1)
    // (1/log2 3 + 1/log2 5) / (1 + 1/log2 3 + 1/2).
    let gain = 0.6309297535714575 + 0.43067655807339306
    #expect(list.ndcg(at: 5).map { abs($0 - gain / 2.1309297535714578) < 1e-12 } == true)
  }

  @Test("a user with nothing relevant has no measure and is left out, or counts 0 when told to")
  func policies() {
    let nothing = RankedList(items: [1, 2], relevant: [])
    let found = RankedList(items: [1, 2], relevant: [1])
    #expect(nothing.ndcg(at: 5) == nil)
    #expect(nothing.averagePrecision == nil)
    #expect(nothing.reciprocalRank == nil)
    #expect(nothing.hit(at: 1) == nil)
    let some = RankingSummary(lists: [nothing, found])
    #expect(some.usersAveraged == 1 && some.users == 2 && some.usersWithRelevantItem == 1)
    #expect(some.hitRate == 1)
    let all = RankingSummary(lists: [nothing, found], policy: .all)
    #expect(all.usersAveraged == 2)
    #expect(all.hitRate == 0.5)
    #expect(all.ndcg == 0.5)
    let none = RankingSummary(lists: [nothing])
    #expect(none.ndcg == nil && none.hitRate == nil)
    #expect(RankingSummary(lists: []).coverage == nil)
  }

  @Test("higher scores come first, equal scores by the smaller item, whatever the row order")
  func tieRule() throws {
    let items = [5, 2, 9, 1]
    let scores = [0.5, 0.5, 0.7, 0.5]
    let relevant = [false, true, false, false]
    // 9, then 1, 2, 5.
    let expected = [false, false, true, false]
    for rotation in 0..<4 {
      let order = (0..<4).map { ($0 + rotation) % 4 }
      let list = try RankedList(
        items: order.map { items[$0] }, scores: order.map { scores[$0] },
        relevant: order.map { relevant[$0] })
      #expect(list.hits == expected)
    }
  }

  @Test("a repeated candidate counts once, at its best score")
  func repeatedCandidate() throws {
    let list = try RankedList(
      items: [1, 2, 1], scores: [0.1, 0.5, 0.9], relevant: [true, false, true])
    #expect(list.hits == [true, false])
    #expect(list.relevantCount == 1)
    #expect(throws: MetricInputError.self) {
      try RankedList(items: [1, 1], scores: [1, 2], relevant: [true, false])
    }
  }

  @Test("users without a list do not vanish, and lists of strangers are refused")
  func allUsers() throws {
    let lists = try RankedList.perUser(
      ["ann", "bob"], shown: ["ann": [1]], relevant: ["ann": [1], "bob": [2]])
    let summary = RankingSummary(lists: lists)
    #expect(summary.hitRate == 0.5)
    #expect(summary.coverage == 0.5)
    #expect(throws: MetricInputError.self) {
      try RankedList.perUser(["ann"], shown: ["eve": [1]], relevant: [:])
    }
    #expect(throws: MetricInputError.self) {
      try RankedList.perUser(["ann", "ann"], shown: ["ann": [1]], relevant: [:])
    }
  }

  @Test("flat columns become one list per user")
  func flat() throws {
    let lists = try RankedList.perUser(
      users: [2, 1, 2, 1], items: [8, 8, 9, 9], scores: [0.1, 0.9, 0.2, 0.3],
      relevant: [true, true, false, false])
    #expect(lists.map(\.hits) == [[true, false], [false, true]])
  }

  @Test("Gini: equal 0, one has all (n − 1)/n, nothing to spread 0, nobody undefined")
  func gini() {
    #expect(Concentration.gini([3, 3, 3]) == 0)
    #expect(Concentration.gini([0, 0, 0, 8]) == 0.75)
    #expect(Concentration.gini([0, 0]) == 0)
    #expect(Concentration.gini([Int]()) == nil)
    #expect(Concentration.gini([1, -1]) == nil)
    #expect(Concentration.gini([1.0, .infinity]) == nil)
    // 1, 2, 3, 4: Σ(2i − 5)x = −3 − 2 + 3 + 12 = 10; 10/(4·10).
    #expect(Concentration.gini([4, 1, 3, 2]) == 0.25)
    #expect(Concentration.gini(withinGroups: [[1, 1], [0, 0, 0, 8], []]) == 0.5)
    #expect(Concentration.gini(withinGroups: [[], []]) == nil)
  }

  @Test("match shares pool counts; no match to find is undefined")
  func matchShare() {
    let parts = [MatchShare(found: 1, total: 2), MatchShare(found: 0, total: 6)]
    #expect(MatchShare.pooled(parts).share == 0.125)
    #expect(MatchShare(found: 0, total: 0).share == nil)
    #expect(MatchShare.mean(parts) == 0.25)
    #expect(MatchShare.mean(parts + [MatchShare(found: 0, total: 0)]) == nil)
    #expect(MatchShare.people(in: [(1, 11), (1, 12), (2, 11)]) == 4)
  }

  @Test("a budget rounds up, but not because of binary fractions")
  func cards() {
    #expect(MatchShare.cards(budget: 0.7, opposite: 10) == 7)
    #expect(MatchShare.cards(budget: 0.1, opposite: 10) == 1)
    #expect(MatchShare.cards(budget: 0.25, opposite: 10) == 3)
    #expect(MatchShare.cards(budget: 0, opposite: 10) == 0)
    #expect(MatchShare.cards(budget: 1, opposite: 22) == 22)
  }

  @Test("counts and cutoffs that make no sense trap")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = MatchShare(found: 3, total: 2) }
    await #expect(processExitsWith: .failure) { _ = MatchShare.cards(budget: 1.5, opposite: 3) }
    await #expect(processExitsWith: .failure) {
      _ = RankedList(items: [1], relevant: [1]).ndcg(at: 0)
    }
  }
}
