import CardFeedRecommenders
import Testing

@Suite struct TrendAndRepurchaseTests {
  @Test func `a trend raises cards on the rise among those above the mean`() throws {
    // Card 0 was taken long ago by four viewers, card 1 now by four; card 2 by nobody.
    let histories = try ViewerHistories(
      viewerCount: 8, cardCount: 3, viewers: [0, 1, 2, 3, 4, 5, 6, 7],
      cards: [0, 0, 0, 0, 1, 1, 1, 1], times: [0, 0, 0, 0, 10, 10, 10, 10])
    let base = Fixed([1.1, 1, -2])
    let history = ViewerHistory(cards: [])
    let trend = Trend(base, histories: histories, rate: 0.5, exponent: 1)
    #expect(trend.top(3, history, excluding: []).map(\.card) == [1, 0, 2])
    let none = Trend(base, histories: histories, rate: 0.5, exponent: 0)
    #expect(none.top(3, history, excluding: []).map(\.card) == [0, 1, 2])
  }

  /// Card 0 is taken again by everybody who has it often, card 1 by nobody.
  private static func world() throws -> (before: ViewerHistories, after: InteractionMatrix) {
    let viewers = (0..<40).flatMap { viewer -> [Int32] in [Int32(viewer), Int32(viewer)] }
    let cards = (0..<40).flatMap { _ -> [Int32] in [0, 1] }
    let amounts = (0..<40).flatMap { viewer -> [Float] in
      [Float(1 + viewer % 5), Float(1 + viewer % 3)]
    }
    let times = (0..<40).flatMap { viewer -> [Double] in
      [Double(20 + viewer % 4), Double(10 + viewer % 7)]
    }
    let before = try ViewerHistories(
      viewerCount: 40, cardCount: 3, viewers: viewers, cards: cards, times: times,
      amounts: amounts)
    let buyers = (0..<40).filter { $0 % 5 >= 2 }.map { Int32($0) }
    let after = InteractionMatrix(
      try ViewerHistories(
        viewerCount: 40, cardCount: 3, viewers: buyers, cards: buyers.map { _ in 0 }))
    return (before, after)
  }

  @Test func `what is taken again comes first, and with the share that was seen`() throws {
    let (before, after) = try Self.world()
    let model = try Repurchase(fitting: before, now: 24, after: after, ridge: 0.1)
    let often = model.scores(before[4], now: 24)
    let seldom = model.scores(before[0], now: 24)
    #expect(often[0] > 0.8 && seldom[0] < 0.3)
    #expect(often[1] < 0.1 && often[2] < 0.01)
    // Summed over everybody the probabilities are the purchases.
    let sum = (0..<40).reduce(0.0) { $0 + Double(model.scores(before[$1], now: 24)[0]) }
    #expect(abs(sum - 24) < 1)
    // The same weights at a later time know the new times.
    let later = model.at(30, before).scores(before[4], now: 30)
    #expect(later[0] != often[0])
  }

  @Test func `repurchases need own cards and the same viewers`() throws {
    let (_, after) = try Self.world()
    let nobody = try ViewerHistories(viewerCount: 40, cardCount: 3, viewers: [], cards: [])
    #expect(throws: RecommenderError.self) {
      try Repurchase(fitting: nobody, now: 1, after: after)
    }
    let fewer = try ViewerHistories(viewerCount: 1, cardCount: 3, viewers: [0], cards: [0])
    #expect(throws: RecommenderError.self) {
      try Repurchase(fitting: fewer, now: 1, after: after)
    }
  }

  @Test func `both are kept in a file`() throws {
    let (before, after) = try Self.world()
    let repurchase = try Repurchase(fitting: before, now: 24, after: after)
    let trend = Trend(
      PersonalCounts(popularity: Popularity(before)), histories: before, rate: 0.5, exponent: 1)
    for model in [repurchase, trend] as [any Recommender] {
      let read = try RecommenderFile(bytes: try RecommenderFile.bytes(of: model), name: "a model")
      #expect(read.model.scores(before[7], now: 25) == model.scores(before[7], now: 25))
    }
  }

  #if OpenBLAS
    @Test func `transitions ask what a card adds to the other recent ones`() throws {
      // 0, 1 → 2 and 0, 3 → 4: the card before the last decides, not the last one alone.
      var (viewers, cards) = ([Int32](), [Int32]())
      for viewer in 0..<30 {
        viewers += [Int32(viewer), Int32(viewer), Int32(viewer)]
        cards += viewer % 2 == 0 ? [0, 1, 2] : [0, 3, 4]
      }
      let histories = try ViewerHistories(
        viewerCount: 30, cardCount: 5, viewers: viewers, cards: cards)
      let model = try LinearTransitions(
        window: 2, past: 0.8, future: 0.5, regularisation: 0.1
      ).fit(histories)
      let scores = model.scores(ViewerHistory(cards: [0, 1]))
      #expect(scores[2] > 0.8 && abs(scores[4]) < 0.1)
      #expect(throws: RecommenderError.self) {
        try LinearTransitions(regularisation: 0).fit(histories)
      }
    }
  #endif
}
