import CardFeedRecommenders
import Testing

@Suite struct CounterAndBlendTests {
  static func histories() throws -> ViewerHistories {
    try ViewerHistories(
      viewerCount: 2, cardCount: 4, viewers: [0, 0, 0, 1], cards: [1, 2, 1, 1],
      times: [1, 2, 3, 1], amounts: [2, 1, 1, 5])
  }

  @Test func `popularity counts viewers, the recent more`() throws {
    #expect(Popularity(try Self.histories()).counts == [0, 2, 1, 0])
    #expect(Popularity(try Self.histories(), rate: 0.5, now: 3).counts == [0, 1.25, 0.5, 0])
    var changed = Popularity(cardCount: 3)
    changed.change(2, by: 1)
    changed.change(9, by: 1)
    #expect(changed.scores(ViewerHistory(cards: [])) == [0, 0, 1])
  }

  @Test func `own cards come first, by amount and recency, then the popular ones`() throws {
    let histories = try Self.histories()
    let model = PersonalCounts(exponent: 1, rate: 0.5, popularity: Popularity(histories))
    let scores = model.scores(histories[0], now: 4)
    // Card 1: amount 3, one unit ago; card 2: amount 1, two units ago.
    #expect(scores.isClose(to: [0, 1.5 + 1e-3, 0.25 + 5e-4, 0]))
  }

  @Test func `a blend adds scores of mean 0 and deviation 1`() throws {
    let (a, b) = (Fixed([1, 2, 3, 4]), Fixed([0, 0, 0, .infinity]))
    let blend = try Blend([(a, 1), (b, 0.5)])
    // The score that is not finite counts as the least, so that b says nothing.
    let deviation = Float(1.25).squareRoot()
    #expect(
      blend.scores(ViewerHistory(cards: [])).isClose(
        to: [-1.5, -0.5, 0.5, 1.5].map { $0 / deviation }))
  }

  @Test func `parts of different cards are no blend`() {
    #expect(throws: RecommenderError.self) { try Blend([(Fixed([1]), 1), (Fixed([1, 2]), 1)]) }
    #expect(throws: RecommenderError.self) { try Blend([]) }
    #expect(throws: RecommenderError.self) { try Blend([(Fixed([1]), .nan)]) }
  }

  @Test func `a cold card scores as the known cards of its features do`() {
    let cold = ColdCards(
      Fixed([4, 2, 0, 0, 0]), features: [[0], [0, 1], [1], [0], []], counts: [9, 9, 9, 0, 0],
      strength: 1)
    let scores = cold.scores(ViewerHistory(cards: []))
    // Known cards keep their scores; the mean of all is 2, that of feature 0 (4 + 2 + 2) / 3.
    #expect(scores.isClose(to: [4, 2, 0, 8.0 / 3, 2]))
    var list = [4, 2, .nan, .nan]
    ColdCards.fill(&list, features: [[7], [9], [7, 8], []], strength: 1)
    // The mean is 3, that of feature 7 (4 + 3) / 2, that of the unknown feature 8 the mean.
    #expect(list[2] == 3.25 && list[3].isNaN)
  }
}

/// Scores that are what they are.
struct Fixed: Recommender {
  let values: [Float]
  var cardCount: Int { values.count }

  init(_ values: [Float]) { self.values = values }

  func score(
    into scores: UnsafeMutableBufferPointer<Float>, _ history: ViewerHistory, now: Double
  ) {
    for index in values.indices { scores[index] = values[index] }
  }
}
