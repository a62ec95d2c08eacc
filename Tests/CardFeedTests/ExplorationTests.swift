import CardFeed
import CardFeedTesting
import Testing

@Suite("Exploration: the stored propensities are the true probabilities")
struct ExplorationTests {
  private static let viewers = 2500

  struct Plan: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let exploration: Exploration
    let size: Int
    let scores: [CardID: Double]
  }

  static let scores: [CardID: Double] = ["1": 0.9, "2": 0.5, "3": 0.1, "4": -0.3]
  static let plans = [
    Plan(testDescription: "ε = 0.3, one card", exploration: .epsilon(0.3), size: 1, scores: scores),
    Plan(
      testDescription: "ε = 0.3, two cards", exploration: .epsilon(0.3), size: 2, scores: scores),
    Plan(testDescription: "ε = 1, two cards", exploration: .epsilon(1), size: 2, scores: scores),
    Plan(
      testDescription: "softmax, two cards", exploration: .softmax(temperature: 0.5), size: 2,
      scores: scores),
    Plan(
      testDescription: "softmax with an unscored card, three cards",
      exploration: .softmax(temperature: 1), size: 3,
      scores: ["1": 0.9, "2": 0.5, "3": 0.1, "4": .nan]),
    Plan(
      testDescription: "softmax, infinitely hot", exploration: .softmax(temperature: .infinity),
      size: 1, scores: scores),
  ]

  @Test("Propensities sum to 1 over all hands and agree with the frequencies", arguments: plans)
  func frequencies(plan: Plan) async throws {
    let bench = try await TestBench(
      InMemoryStore(), cards: ToyCard.numbered(4), options: FeedOptions(seed: 11)
    ) {
      $0.hand = HandPolicy(size: plan.size, refillBelow: 1, ties: .id)
      $0.ranking = FixedScores(plan.scores)
      $0.rule("explore", ClosureRule(plan.exploration))
    }
    // The probability of an ordered hand is the product of its cards' propensities.
    var probability: [[CardID]: Double] = [:]
    var count: [[CardID]: Int] = [:]
    for viewer in 0..<Self.viewers {
      let hand = try await bench.feed.hand(for: CardID("viewer-\(viewer)"))
      let product = hand.cards.map(\.reason.propensity).reduce(1, *)
      if let known = probability[hand.ids] {
        #expect(abs(known - product) < 1e-12, "the same hand has the same probability")
      }
      probability[hand.ids] = product
      count[hand.ids, default: 0] += 1
    }
    let total = probability.values.reduce(0, +)
    #expect(abs(total - 1) < 1e-9, "every possible hand came, and together they are certain")
    for (hand, expected) in probability {
      let trials = Double(Self.viewers)
      let deviation = (expected * (1 - expected) / trials).squareRoot()
      let found = Double(count[hand] ?? 0) / trials
      #expect(abs(found - expected) <= 4.5 * deviation, "\(hand): \(found), not \(expected)")
    }
  }

  @Test("Without exploration every propensity is 1")
  func greedy() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 1)
    }
    #expect(try await bench.feed.hand(for: "v").cards.map(\.reason.propensity) == [1, 1, 1])
  }

  @Test("ε of 0 is greedy")
  func epsilonZero() async throws {
    let bench = try await TestBench(InMemoryStore(), cards: ToyCard.numbered(4)) {
      $0.hand = HandPolicy(size: 4, refillBelow: 1)
      $0.ranking = ClosureRanking.weight
      $0.rule("explore", ClosureRule(.epsilon(0)))
    }
    for viewer in 0..<50 {
      let hand = try await bench.feed.hand(for: CardID("viewer-\(viewer)"))
      #expect(hand.ids == ["4", "3", "2", "1"])
      #expect(hand.cards.map(\.reason.propensity) == [1, 1, 1, 1])
    }
  }

  @Test("The same seed, viewer and deal explore alike; another deal explores anew")
  func seeds() async throws {
    func hands(seed: UInt64) async throws -> [[CardID]] {
      let bench = try await TestBench(
        InMemoryStore(), cards: ToyCard.numbered(40), options: FeedOptions(seed: seed)
      ) {
        $0.hand = HandPolicy(size: 5, refillBelow: 1)
        $0.rule("explore", ClosureRule(.epsilon(1)))
      }
      var hands = [try await bench.hand()]
      for _ in 0..<3 { hands.append(try await bench.feed.redeal(for: "viewer").ids) }
      return hands
    }
    let first = try await hands(seed: 1)
    #expect(try await hands(seed: 1) == first)
    #expect(try await hands(seed: 2) != first)
    #expect(Set(first).count == 4)
  }
}
