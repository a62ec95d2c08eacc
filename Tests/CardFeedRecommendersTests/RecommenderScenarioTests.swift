import CardFeedRecommenders
import Testing

/// Faults that public recommenders had, at the models themselves. The numbers are those of the list
/// of scenarios; what concerns a feed is tested with the deck of products and with the plugin.
@Suite("Faults that recommenders had, at the models")
struct RecommenderScenarioTests {
  static let names: [String] = {
    var names = [
      "neighbours", "walk", "co-occurrence", "pairwise", "personal", "popularity", "blend",
    ]
    #if OpenBLAS
      names += ["autoencoder", "transitions", "factors"]
    #endif
    return names
  }()

  static func fit(
    _ name: String, _ histories: ViewerHistories, threads: Int = 1
  ) throws -> any Recommender {
    let matrix = InteractionMatrix(histories)
    switch name {
    case "neighbours": return try ItemNeighbours(neighbours: 5).fit(matrix, threads: threads)
    case "walk": return try RandomWalk(neighbours: 5).fit(matrix, threads: threads)
    case "co-occurrence":
      return try DirectionalCooccurrence(window: 3).fit(histories, threads: threads)
    case "pairwise":
      return try PairwiseFactors(factors: 8, iterations: 6).fit(matrix, threads: threads)
    case "personal": return PersonalCounts(popularity: Popularity(histories))
    case "popularity": return Popularity(histories)
    case "blend":
      return try Blend([
        (try fit("neighbours", histories, threads: threads), 1),
        (try fit("pairwise", histories, threads: threads), 0.5),
      ])
    default: return try dense(name, histories, threads: threads)
    }
  }

  private static func dense(
    _ name: String, _ histories: ViewerHistories, threads: Int
  ) throws -> any Recommender {
    #if OpenBLAS
      let matrix = InteractionMatrix(histories)
      switch name {
      case "autoencoder":
        return try LinearAutoencoder(regularisation: 5).fit(matrix, threads: threads)
      case "transitions":
        return try LinearTransitions(window: 3, regularisation: 5).fit(histories, threads: threads)
      default:
        return try ImplicitFactors(factors: 8, iterations: 4).fit(matrix, threads: threads).model
      }
    #else
      throw RecommenderError(.unavailable, name)
    #endif
  }

  /// Five wanted and three filtered away gave eight, or the filtered ones.
  @Test(arguments: names) func p01ExactlyWhatIsWantedOrAvailable(name: String) throws {
    let histories = try World().histories
    let model = try Self.fit(name, histories)
    let excluded: [Int32] = [0, 7, 29]
    for wanted in [0, 1, 5, 26, 27, 28, 30, 1000] {
      let top = model.top(wanted, histories[3], excluding: excluded)
      #expect(top.count == min(wanted, 27), "\(wanted) wanted")
      #expect(Set(top.map(\.card)).count == top.count)
      #expect(!top.contains { excluded.contains(Int32($0.card)) })
    }
  }

  /// Who liked two cards that only each other's likers have was shown these two.
  @Test(arguments: names) func p02WhatWasLikedDoesNotComeBack(name: String) throws {
    let histories = try ViewerHistories(
      viewerCount: 4, cardCount: 6, viewers: [0, 0, 1, 1, 2, 2, 3], cards: [0, 1, 0, 1, 2, 3, 4])
    let model = try Self.fit(name, histories)
    let top = model.top(5, histories[0], excluding: histories[0].cards)
    #expect(Set(top.map(\.card)) == [2, 3, 4, 5])
  }

  /// Who liked all, or all but two, got what they had liked, with a score of -3.4e38.
  @Test(arguments: names) func p03WhoLikedAllGetsNothing(name: String) throws {
    let histories = try World().histories
    let model = try Self.fit(name, histories)
    for left in [0, 2] {
      let all = ViewerHistory(cards: (Int32(left)..<30).map { $0 })
      let top = model.top(5, all, excluding: all.cards)
      #expect(Set(top.map(\.card)) == Set(0..<left))
      #expect(top.allSatisfy { $0.score.isFinite })
    }
  }

  /// Of whom nothing was known got the cards with the greatest numbers. A model has nothing to say
  /// then, which shows: all scores are alike, or those of popularity, whatever cards are called.
  @Test(arguments: names) func p04NothingIsSaidOfWhomNothingIsKnown(name: String) throws {
    let world = try World().histories
    // The same swipes with the numbers of cards reversed.
    let viewers = (0..<world.viewerCount).flatMap { viewer in
      Array(repeating: Int32(viewer), count: world[viewer].count)
    }
    let reversed = try ViewerHistories(
      viewerCount: world.viewerCount, cardCount: 30, viewers: viewers,
      cards: world.cards.map { 29 - $0 }, times: world.times)
    let cold = ViewerHistory(cards: [])
    let scores = try Self.fit(name, world).scores(cold)
    switch name {
    // What begins at random depends on numbers; their order is that of their biases.
    case "pairwise", "blend": #expect(scores == (try Self.fit(name, world).scores(cold)))
    default:
      let other = try Self.fit(name, reversed).scores(cold)
      #expect(Array(other.reversed()) == scores)
    }
  }

  /// The same seed gave other factors at two threads.
  @Test(arguments: names) func p05TheSameSeedIsTheSameModelAtAnyNumberOfThreads(name: String) throws
  {
    // As many as make several blocks of pairwise factors.
    let histories = try World(viewers: 90, cards: 300, swipes: 20).histories
    let one = try RecommenderFile.bytes(of: Self.fit(name, histories))
    for threads in [1, 2, 3, 2] {
      #expect(try RecommenderFile.bytes(of: Self.fit(name, histories, threads: threads)) == one)
    }
  }

  /// More than 2³¹ interactions overflowed 32-bit offsets.
  @Test func p06OffsetsAreSixtyFourBitsAndHaveALimit() throws {
    let rows = Array(repeating: Int(Int32.max), count: 4)
    #expect(try InteractionMatrix.offsets(of: rows).last == 8_589_934_588)
    let error = #expect(throws: RecommenderError.self) {
      try InteractionMatrix.check(
        rows: 10, columns: 10, entries: InteractionMatrix.entryLimit + 1)
    }
    #expect(error?.code == .tooLarge)
    #if OpenBLAS
      // A square of cards that would not fit into memory is refused before it is asked for.
      let many = try ViewerHistories(
        viewerCount: 1, cardCount: Int(Int32.max), viewers: [0], cards: [7])
      let refused = #expect(throws: RecommenderError.self) {
        try LinearTransitions().fit(many)
      }
      #expect(refused?.code == .tooLarge)
    #endif
  }

  /// A number beyond the matrix was an IndexError.
  @Test(arguments: names) func p07CardsBeyondTheModelAreLeftOut(name: String) throws {
    let histories = try World().histories
    let model = try Self.fit(name, histories)
    let known = ViewerHistory(cards: [3, 4], times: [1, 2])
    let more = ViewerHistory(
      cards: [-1, 3, 30, 4, .max, .min], times: [0, 1, 1, 2, 2, 2])
    #expect(model.scores(more, now: 2).allSatisfy { $0.isFinite })
    let unknown = model.scores(ViewerHistory(cards: [30, -1], times: [1, 2]), now: 2)
    #expect(unknown == model.scores(ViewerHistory(cards: []), now: 2))
    // By time the others weigh as before; by swipe they count as swipes.
    if var fading = model as? any DecayingRecommender {
      fading.decay = .perTime(0.9)
      #expect(fading.scores(more, now: 2) == fading.scores(known, now: 2))
    }
    #expect(
      model.top(30, more, excluding: [-1, 30, .max, .min]).count == 30)
  }

  /// As many wanted as there are gave fewer, and two ways to ask gave two scores.
  @Test(arguments: names) func p10AllComeOnceWithTheScoreThatIsAskedFor(name: String) throws {
    let histories = try World().histories
    let model = try Self.fit(name, histories)
    let scores = model.scores(histories[8])
    let top = model.top(30, histories[8], excluding: [])
    #expect(top.map(\.card).sorted() == Array(0..<30))
    #expect(top.allSatisfy { $0.score == scores[$0.card] })
    #expect(zip(top, top.dropFirst()).allSatisfy { ($1.score, $0.card) <= ($0.score, $1.card) })
    if let exact = model as? any ExplainableRecommender {
      for card in [0, 11, 29] {
        let parts = exact.contributions(to: card, histories[8], now: histories[8].times.last ?? 0)
        #expect(abs(parts.reduce(0, +) - scores[card]) < 1e-5)
      }
    }
  }

  /// One viewer got 22 lists with a padding item in them.
  @Test(arguments: names) func p11TheFirstCardIsACardLikeOthers(name: String) throws {
    // Card 0 and card 4 are liked by the same viewers, at the same places.
    var (viewers, cards) = ([Int32](), [Int32]())
    for viewer in 0..<12 {
      viewers += Array(repeating: Int32(viewer), count: 3)
      cards += viewer % 2 == 0 ? [1, 0, 2] : [1, 4, 2]
    }
    let histories = try ViewerHistories(
      viewerCount: 12, cardCount: 5, viewers: viewers, cards: cards)
    let top = try Self.fit(name, histories).top(
      10, ViewerHistory(cards: [1, 2]), excluding: [1, 2])
    #expect(top.map(\.card).sorted() == [0, 3, 4])
    let (first, last) = (top.first { $0.card == 0 }, top.first { $0.card == 4 })
    if !["pairwise", "blend", "factors"].contains(name) { #expect(first?.score == last?.score) }
  }

  /// To score one user all 23,000 were scored: a model holds nothing of viewers, so that what a
  /// request costs cannot depend on how many there are.
  @Test(arguments: names) func p12AModelHoldsNothingOfViewers(name: String) throws {
    func bytes(times: Int) throws -> Int {
      let world = try World(viewers: 30, cards: 30, swipes: 12).histories
      var (viewers, cards) = ([Int32](), [Int32]())
      for copy in 0..<times {
        for viewer in 0..<world.viewerCount {
          let own = world[viewer].cards
          viewers += Array(repeating: Int32(copy * world.viewerCount + viewer), count: own.count)
          cards += own
        }
      }
      let histories = try ViewerHistories(
        viewerCount: times * world.viewerCount, cardCount: 30, viewers: viewers, cards: cards)
      return try RecommenderFile.bytes(of: Self.fit(name, histories)).count
    }
    #expect(try bytes(times: 8) == bytes(times: 1))
  }
}
