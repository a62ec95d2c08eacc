import Testing

@testable import CardFeedRecommenders

/// Lists that come from a part of the cards, against those of all cards.
@Suite struct FactorListTests {
  /// Factors in eighths, so that every way of adding them up gives the same number, and many cards
  /// score alike.
  private static func model(
    cards: Int, factors: Int, falling: Bool, biased: Bool, seed: UInt64
  ) -> FactorModel {
    var generator = SeededGenerator(seed: seed)
    var numbers: [Float] = []
    for card in 0..<cards {
      // Long vectors are rare and lie anywhere.
      let reach = falling ? (card * 37 % cards < cards / 20 ? 24 : 1) : 4
      for _ in 0..<factors {
        numbers.append(generator.eighths(reach))
      }
    }
    let biases =
      biased ? (0..<cards).map { _ in generator.eighths(3) } : []
    return FactorModel(
      factors: Numbers(numbers), biases: Numbers(biases), factorCount: factors,
      foldIn: .pairwise(regularisation: 1), decay: .none)
  }

  @Test(arguments: [(true, false), (true, true), (false, false), (false, true)])
  func `a list is the one of all scores, ties and all`(falling: Bool, biased: Bool) {
    for seed in UInt64(0)..<12 {
      let (cards, factors) = (3000, 19)
      let model = Self.model(
        cards: cards, factors: factors, falling: falling, biased: biased, seed: seed)
      var generator = SeededGenerator(seed: seed + 100)
      let viewer = (0..<factors).map { _ in generator.eighths(6) }
      var scores = [Float](repeating: 0, count: cards)
      scores.withUnsafeMutableBufferPointer { model.score(into: $0, viewer: viewer) }
      // The best of all are left out, and numbers that are no card.
      let best = scores.withUnsafeBufferPointer { TopCards.select(30, of: $0) }
      let excluded = best.prefix(9).map { Int32($0.card) } + [-1, Int32(cards), .max, .min]
      for card in excluded where 0..<cards ~= Int(card) { scores[Int(card)] = -.infinity }
      for count in [1, 20, 300, cards + 5] {
        let expected = scores.withUnsafeBufferPointer { TopCards.select(count, of: $0) }
        #expect(model.top(count, viewer: viewer, excluding: excluded) == expected)
      }
    }
  }

  @Test func `a vector of zeros, of infinities or of no number ends in a list too`() {
    let model = Self.model(cards: 600, factors: 5, falling: true, biased: false, seed: 3)
    #expect(
      model.top(3, viewer: [0, 0, 0, 0, 0], excluding: [1]).map(\.card) == [0, 2, 3])
    #expect(model.top(3, viewer: [.nan, 0, 0, 0, 0], excluding: []).isEmpty)
    #expect(model.top(3, viewer: [.infinity, 0, 0, 0, 0], excluding: []).isEmpty)
    #expect(model.top(0, viewer: [1, 0, 0, 0, 0], excluding: []).isEmpty)
  }

  @Test func `only cards that are long enough are in reach`() {
    let order = LengthOrder(
      factors: Numbers([3, 4, 0, 0, 6, 8, .nan, 1]), biases: Numbers([]), factorCount: 2)
    #expect(Array(order.cards) == [3, 2, 0, 1])
    #expect(order.reach(of: 6) == 2)
    #expect(order.reach(of: 5) == 3)
    #expect(order.reach(of: 0) == 4)
    #expect(order.reach(of: -1) == 4)
  }
}

extension SeededGenerator {
  /// −`reach` … `reach` eighths.
  fileprivate mutating func eighths(_ reach: Int) -> Float {
    Float(index(below: 2 * reach + 1) - reach) / 8
  }
}
