import CardFeed
import CardFeedTesting
import Testing

@Suite("Scenario 3: filters never shorten the answer")
struct BackfillTests {
  @Test("An excluded best card is made up for: four of five items, the first one excluded")
  func excludeBest() async throws {
    let ids: [CardID] = ["1", "2", "3", "4", "5"]
    let scores = Dictionary(
      uniqueKeysWithValues: zip(ids, [0.9, 0.8, 0.7, 0.6, 0.5]))
    for order in [ids, ids.reversed()] {
      let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
        $0.hand = HandPolicy(size: 4, refillBelow: 1)
        $0.source("list", ListSource(order))
        $0.ranking = FixedScores(scores)
        $0.filter("exclude", ClosureFilter { card, _, _ in card.id == "1" ? .remove() : .keep })
      }
      let hand = try await bench.feed.hand(for: "viewer")
      #expect(hand.ids == ["2", "3", "4", "5"])
      #expect(hand.shortfall == nil)
    }
  }

  @Test(
    "Twenty cards dropped by the last filter run are made up for from the reserve, in order",
    arguments: [35, 50])
  func lateFilter(size: Int) async throws {
    // The best 50 would be chosen, 20 are in reserve; every third of the best is dropped late.
    let best = (1...70).reversed().map { CardID("\($0)") }
    let dropped = best.prefix(50).enumerated().filter { $0.offset % 5 < 2 }.map(\.element)
    #expect(dropped.count == 20)
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(70)) {
      $0.hand = HandPolicy(size: size, refillBelow: 1)
      $0.ranking = ClosureRanking.weight
      $0.filter("changing", ChangingFilter(dropping: dropped))
    }
    let hand = try await bench.feed.hand(for: "viewer")
    let expected = best.filter { !dropped.contains($0) }.prefix(size)
    #expect(hand.ids == Array(expected))
    #expect(hand.ids.count == size)
    #expect(hand.shortfall == nil)
  }

  @Test("Backfill after the last filter run goes on over further pages of the sources")
  func lateFilterOverPages() async throws {
    let dropped = (1...40).map { CardID("\($0)") }
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(60)) {
      $0.hand = HandPolicy(size: 10, refillBelow: 1, ties: .id)
      $0.source("pages", limit: 7, ListSource())
      $0.filter("changing", ChangingFilter(dropping: dropped))
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids.count == 10)
    #expect(Set(hand.ids).count == 10)
    #expect(Set(hand.ids).isDisjoint(with: dropped))
  }

  @Test("When every card is excluded the hand is empty and names the filter, reason and count")
  func allExcluded() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(5)) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1)
      $0.filter("exclude", ClosureFilter(reasons: ["not today"]) { _, _, _ in .remove() })
    }
    let hand = try await bench.feed.hand(for: "viewer")
    #expect(hand.ids.isEmpty)
    let removed = try #require(hand.shortfall?.exhaustion?.removed)
    #expect(removed.map { "\($0.filter): \($0.reason), \($0.count)" } == ["exclude: not today, 5"])
  }

  @Test("A deal holds exactly min(wanted, eligible) cards, for every number of excluded ones")
  func exactCount() async throws {
    for excluded in 0...8 {
      let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(8)) {
        $0.hand = HandPolicy(size: 5, refillBelow: 1)
        $0.source("pages", limit: 3, ListSource())
        $0.filter(
          "exclude",
          ClosureFilter { card, _, _ in
            (card.weight ?? 0) <= Double(excluded) ? .remove() : .keep
          })
      }
      let hand = try await bench.feed.hand(for: "viewer")
      #expect(hand.ids.count == min(5, 8 - excluded), "\(excluded) excluded")
      #expect((hand.shortfall == nil) == (8 - excluded >= 5), "\(excluded) excluded")
    }
  }
}
