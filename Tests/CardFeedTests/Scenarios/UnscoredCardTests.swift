import CardFeed
import CardFeedTesting
import Testing

@Suite("Scenarios 1 and 2: cards without a usable score")
struct UnscoredCardTests {
  private let cards = [ToyCard("a"), ToyCard("b"), ToyCard("c")]

  private func bench(
    _ scores: [CardID: Double], order: [CardID], unscored: HandPolicy.UnscoredPolicy = .last,
    ties: HandPolicy.TieBreak = .id, size: Int = 2
  ) async throws -> TestBench<InMemoryStore> {
    try await TestBench(InMemoryStore(), cards: cards) {
      $0.hand = HandPolicy(size: size, refillBelow: 1, ties: ties, unscored: unscored)
      $0.source("list", ListSource(order))
      $0.ranking = FixedScores(scores)
    }
  }

  @Test(
    "A NaN or infinite score never pushes a good card out of the hand, in any input order",
    arguments: [Double.nan, .infinity, -.infinity, .signalingNaN, -.nan])
  func nonFinite(bad: Double) async throws {
    for order in permutations(["a", "b", "c"] as [CardID]) {
      for unscored in HandPolicy.UnscoredPolicy.allCases {
        for ties in HandPolicy.TieBreak.allCases {
          let bench = try await bench(
            ["a": bad, "b": 0.9, "c": 0.8], order: order, unscored: unscored, ties: ties)
          let hand = try await bench.feed.hand(for: "viewer")
          #expect(hand.ids == ["b", "c"], "order \(order)")
          #expect(hand.cards.map(\.reason.score.value) == [0.9, 0.8])
        }
      }
    }
  }

  @Test("A card without a usable score ranks below every finite score, the lowest included")
  func belowEverything() async throws {
    for order in permutations(["a", "b", "c"] as [CardID]) {
      let bench = try await bench(
        ["a": .infinity, "b": -.greatestFiniteMagnitude, "c": 0], order: order, size: 3)
      #expect(try await bench.hand() == ["c", "b", "a"], "order \(order)")
    }
  }

  @Test(
    "When no card has a score, the tie-break alone decides and the reasons say unscored",
    arguments: HandPolicy.TieBreak.allCases)
  func allUnscored(ties: HandPolicy.TieBreak) async throws {
    var hands = Set<[CardID]>()
    for order in permutations(["a", "b", "c"] as [CardID]) {
      let bench = try await bench(
        ["a": .nan, "b": .nan, "c": .nan], order: order, ties: ties)
      let hand = try await bench.feed.hand(for: "viewer")
      hands.insert(hand.ids)
      #expect(hand.cards.map(\.reason.score) == [.unscored, .unscored])
    }
    #expect(hands.count == 1)
    if ties == .id { #expect(hands == [["a", "b"]]) }
  }

  @Test("When no card has a score and unscored cards are excluded, the hand says so")
  func allExcluded() async throws {
    for order in permutations(["a", "b", "c"] as [CardID]) {
      let bench = try await bench(
        ["a": .nan, "b": .nan, "c": .infinity], order: order, unscored: .exclude)
      let hand = try await bench.feed.hand(for: "viewer")
      #expect(hand.ids.isEmpty)
      let removed = try #require(hand.shortfall?.exhaustion?.removed)
      #expect(removed.map(\.filter) == ["ranking"])
      #expect(removed.map(\.reason) == ["unscored"])
      #expect(removed.map(\.count) == [3])
    }
  }

  @Test("Unscored cards are counted in the trace, and slate rules see nil instead of NaN")
  func countedAndKeptOutOfStatistics() async throws {
    let means = Lock([Double]())
    let bench = try await TestBench(InMemoryStore(), cards: cards + [ToyCard("d")]) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1, ties: .id)
      $0.ranking = FixedScores(["a": .nan, "b": 0.9, "c": 0.7, "d": .infinity])
      $0.rule(
        "mean",
        ClosureRule { ranked in
          let known = ranked.scores.compactMap(\.self)
          means.withLock { $0.append(known.reduce(0, +) / Double(known.count)) }
          return SlateAdjustment()
        })
    }
    let traces = try await bench.traces { _ = try await bench.hand() }
    let ranking = try #require(traces.first?.stages.first { $0.kind == .ranking })
    #expect(ranking.unscored == 2)
    #expect(ranking.entered == 4)
    #expect(means.withLock { $0.first } == 0.8)
  }

  @Test("Zero is a score; a missing score is not zero and is excluded when the policy says so")
  func zeroIsAScore() async throws {
    for order in permutations(["a", "b", "c"] as [CardID]) {
      let bench = try await bench(
        ["a": 0.2, "c": 0.0], order: order, unscored: .exclude, size: 3)
      let hand = try await bench.feed.hand(for: "viewer")
      #expect(hand.ids == ["a", "c"])
      #expect(hand.cards.map(\.reason.score.value) == [0.2, 0.0])
      let removed = try #require(hand.shortfall?.exhaustion?.removed)
      #expect(removed.map { "\($0.filter) \($0.reason) \($0.count)" } == ["ranking unscored 1"])
      guard
        case .notDealt(.unscored, let numbers) = try await bench.feed.explain(
          "b", for: "viewer")
      else { throw TestFailure("the explanation does not say unscored") }
      #expect(numbers?.score == .unscored)
    }
  }

  @Test("A missing score comes last, behind zero and below, when the policy keeps such cards")
  func missingComesLast() async throws {
    let bench = try await bench(["a": -0.2, "c": 0.0], order: ["b", "a", "c"], size: 3)
    #expect(try await bench.hand() == ["c", "a", "b"])
  }
}
