import CardFeedRecommenders
import Testing

@Suite struct InteractionTests {
  @Test func `swipes are sorted by viewer and time, equal times keep their order`() throws {
    let histories = try ViewerHistories(
      viewerCount: 3, cardCount: 5, viewers: [2, 0, 2, 0, 2], cards: [4, 1, 3, 0, 2],
      times: [5, 9, 1, 2, 5], amounts: [1, 2, 3, 4, 5])
    #expect(histories[0] == ViewerHistory(cards: [0, 1], times: [2, 9], amounts: [4, 2]))
    #expect(histories[1].count == 0)
    #expect(
      histories[2] == ViewerHistory(cards: [3, 4, 2], times: [1, 5, 5], amounts: [3, 1, 5]))
    #expect(histories.popularity() == [1, 1, 1, 1, 1])
  }

  @Test func `a matrix holds each card of a viewer once, and its transposed the viewers`() throws {
    let histories = try ViewerHistories(
      viewerCount: 2, cardCount: 3, viewers: [0, 0, 0, 1], cards: [2, 0, 2, 2])
    let matrix = InteractionMatrix(histories)
    #expect(matrix.offsets == [0, 2, 3] && matrix.columns == [0, 2, 2])
    let byCard = matrix.transposed()
    #expect(byCard.offsets == [0, 1, 1, 3] && byCard.columns == [0, 0, 1])
    #expect(byCard.transposed() == matrix)
    #expect(matrix.has(0, 2) && !matrix.has(1, 0))
    #expect(histories.popularity() == [1, 0, 2])
  }

  @Test func `offsets go past 32 bits and are refused past the limit`() throws {
    let rows = [Int(Int32.max), Int(Int32.max), 7]
    #expect(try InteractionMatrix.offsets(of: rows).last == 4_294_967_301)
    let error = try #require(throws: RecommenderError.self) {
      try InteractionMatrix.offsets(of: [InteractionMatrix.entryLimit, 1])
    }
    #expect(error.code == .tooLarge)
    #expect(
      error.description
        == "a matrix of 2 × 0 with 17179869185 entries is too large; allowed: 2147483647 rows and "
        + "columns and 17179869184 entries. Fit on fewer swipes, for example on the latest")
    #expect(throws: RecommenderError.self) { try InteractionMatrix.offsets(of: [.max, .max]) }
    #expect(throws: RecommenderError.self) {
      try ViewerHistories(viewerCount: 1 << 40, cardCount: 1, viewers: [], cards: [])
    }
  }

  @Test func `swipes out of range, without a length or with a wild time are refused`() {
    func refused(
      _ viewers: [Int32], _ cards: [Int32], times: [Double]? = nil, amounts: [Float]? = nil
    ) -> RecommenderError.Code? {
      do {
        _ = try ViewerHistories(
          viewerCount: 2, cardCount: 2, viewers: viewers, cards: cards, times: times,
          amounts: amounts)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(refused([0], [0]) == nil)
    #expect(refused([2], [0]) == .badInput)
    #expect(refused([0], [-1]) == .badInput)
    #expect(refused([0], [0, 1]) == .badInput)
    #expect(refused([0], [0], times: [.nan]) == .badInput)
    #expect(refused([0], [0], amounts: [0]) == .badInput)
  }

  @Test func `a decay counts swipes or time since`() {
    let history = ViewerHistory(cards: [0, 1, 2], times: [0, 8, 10])
    #expect(HistoryDecay.none.weights(of: history, now: 10) == [1, 1, 1])
    #expect(HistoryDecay.perSwipe(0.5).weights(of: history, now: 10).isClose(to: [0.25, 0.5, 1]))
    #expect(
      HistoryDecay.perTime(0.5).weights(of: history, now: 11).isClose(to: [0.000488, 0.125, 0.5]))
  }

  @Test(arguments: [1, 7, 16, 40]) func `the best cards are those of a sorted list`(_ count: Int) {
    var scores = (0..<100).map { Float(($0 * 37) % 23) }
    scores[3] = .nan
    scores[50] = -.infinity
    scores[51] = .infinity
    let sorted = scores.indices.filter { scores[$0].isFinite }
      .sorted { (-scores[$0], $0) < (-scores[$1], $1) }.prefix(count)
    let chosen = scores.withUnsafeBufferPointer { TopCards.select(count, of: $0) }
    #expect(chosen.map(\.card) == Array(sorted))
    #expect([Float]().withUnsafeBufferPointer { TopCards.select(5, of: $0) }.isEmpty)
  }
}
