import CardFeedRecommenders
import Testing

@Suite struct ItemModelTests {
  /// Four viewers and four cards, small enough to count by hand.
  static func small() throws -> ViewerHistories {
    try ViewerHistories(
      viewerCount: 4, cardCount: 4, viewers: [0, 0, 1, 1, 1, 2, 2, 3],
      cards: [0, 1, 0, 1, 2, 1, 3, 0])
  }

  @Test func `neighbours are shrunken cosines`() throws {
    let model = try ItemNeighbours(neighbours: 3, shrinkage: 1).fit(
      InteractionMatrix(Self.small()))
    // Cards 0 and 1 share two viewers and have three each.
    #expect(abs(model.weight(from: 0, to: 1) - 2 / (3 + 1)) < 1e-6)
    #expect(abs(Double(model.weight(from: 0, to: 2)) - 1 / (3.0.squareRoot() + 1)) < 1e-6)
    #expect(model.weight(from: 0, to: 3) == 0)
    #expect(model.weight(from: 0, to: 0) == 0)
  }

  @Test func `of many neighbours the largest are kept, equal ones by number`() throws {
    let model = try ItemNeighbours(neighbours: 1).fit(InteractionMatrix(Self.small()))
    #expect((0..<4).map { model.weight(from: $0, to: 2) > 0 } == [true, false, false, false])
    #expect(model.weight(from: 1, to: 3) > 0)
    #expect(model.entryCount == 4)
  }

  @Test func `a random walk goes from card to viewer to card`() throws {
    let model = try RandomWalk(alpha: 1, beta: 0.5, neighbours: 3).fit(
      InteractionMatrix(Self.small()))
    let expected = (1.0 / 3) * (1.0 / 2 + 1.0 / 3) / 3.0.squareRoot()
    #expect(abs(Double(model.weight(from: 0, to: 1)) - expected) < 1e-6)
  }

  @Test func `co-occurrence has a direction`() throws {
    let settings = DirectionalCooccurrence(window: 2, rate: 0.5, backward: 0.25, beta: 1)
    let model = try settings.fit(Self.small())
    // 0 → 1 twice side by side; 0 → 2 once at a distance of two.
    let from0 = 3.0.squareRoot()
    #expect(abs(Double(model.weight(from: 0, to: 1)) - 2 / from0 / 3) < 1e-6)
    #expect(abs(Double(model.weight(from: 0, to: 2)) - 0.5 / from0) < 1e-6)
    #expect(abs(Double(model.weight(from: 2, to: 0)) - 0.5 * 0.25 / 3) < 1e-6)
  }

  @Test func `swipe after swipe makes the same counts as all at once, and goes back`() throws {
    let histories = try World(swipes: 14, seed: 5).histories
    let settings = DirectionalCooccurrence(window: 4, rate: 0.7, backward: 0.3, beta: 0.4)
    let fitted = try settings.fit(histories)
    var counts = CooccurrenceCounts(settings, cardCount: histories.cardCount)
    for viewer in 0..<histories.viewerCount {
      var history = ViewerHistory(cards: [])
      for (index, card) in histories[viewer].cards.enumerated() {
        let before = counts
        counts.add(card, after: history)
        if index == 5 {
          #expect(counts != before)
          var back = counts
          back.remove(card, after: history)
          #expect(back == before)
        }
        history.append(card, at: Double(index))
      }
    }
    let history = histories[3]
    #expect(try counts.weights().scores(history) == fitted.scores(history))
    #expect(counts.scores(history).isClose(to: fitted.scores(history), within: 1e-6))
    #expect(counts.similar(to: 4, count: 5) == fitted.similar(to: 4, count: 5))
  }

  @Test func `fits are the same with one thread and two`() throws {
    let world = try World()
    func scores(_ threads: Int) throws -> [[Float]] {
      let models: [any Recommender] = [
        try ItemNeighbours(neighbours: 9, shrinkage: 2).fit(world.matrix, threads: threads),
        try RandomWalk(neighbours: 9).fit(world.matrix, threads: threads),
        try DirectionalCooccurrence().fit(world.histories, threads: threads),
      ]
      return models.map { $0.scores(world.histories[1]) }
    }
    #expect(try scores(1) == scores(2))
  }

  @Test func `contributions of the viewer's own cards add up to the score`() throws {
    let world = try World()
    let model = try DirectionalCooccurrence(decay: .perSwipe(0.9)).fit(world.histories)
    let history = world.histories[7]
    let scores = model.scores(history)
    for card in 0..<model.cardCount {
      let sum = model.contributions(to: card, history, now: 0).reduce(0, +)
      #expect(abs(sum - scores[card]) < 1e-5)
    }
  }

  @Test func `cards that the model does not know are left out`() throws {
    let model = try ItemNeighbours().fit(InteractionMatrix(Self.small()))
    let known = ViewerHistory(cards: [0])
    #expect(model.scores(ViewerHistory(cards: [0, 99, -3])) == model.scores(known))
    #expect(model.similar(to: 99, count: 3).isEmpty)
    #expect(model.top(9, known, excluding: [0, 77]).map(\.card) == [1, 2, 3])
  }

  @Test func `exponents that run away are a typed error`() throws {
    let error = try #require(throws: RecommenderError.self) {
      try RandomWalk(alpha: -1e6).fit(InteractionMatrix(Self.small()))
    }
    #expect(error.code == .diverged)
  }

  @Test func `lists hold exactly what is left, and nothing where all was seen`() throws {
    let world = try World()
    let history = world.histories[2]
    let models: [any Recommender] = [
      try ItemNeighbours(neighbours: 2).fit(world.matrix),
      try DirectionalCooccurrence(window: 1).fit(world.histories), Popularity(world.histories),
    ]
    let all = (0..<30).map { Int32($0) }
    for model in models {
      #expect(model.top(5, history, excluding: all).isEmpty)
      #expect(Set(model.top(5, history, excluding: Array(all.dropFirst(2))).map(\.card)) == [0, 1])
      // Every card that was not seen exactly once, with the score that it has by itself.
      let list = model.top(30, history, excluding: history.cards)
      #expect(Set(list.map(\.card)) == Set(0..<30).subtracting(history.cards.map { Int($0) }))
      #expect(list.count == 30 - history.count)
      let scores = model.scores(history)
      #expect(list.allSatisfy { $0.score == scores[$0.card] })
    }
  }
}
