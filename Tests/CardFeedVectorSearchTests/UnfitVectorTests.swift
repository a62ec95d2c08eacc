import CardFeed
import CardFeedBaselines
import CardFeedTesting
import CardFeedVectorIndex
import CardFeedVectorSearch
import Testing

@Suite("Vectors that no search takes")
struct UnfitVectorTests {
  private static let opposite = [
    Thing("east", [1, 0]), Thing("west", [-1, 0]), Thing("north", [0, 1]),
  ]

  @Test("likes that point opposite ways are near to nothing, and the score says why")
  func noDirection() async throws {
    let on = slate(
      Self.opposite,
      seen: ["east": answered(.like, event: 1), "west": answered(.like, event: 2)])
    let evenly = VectorTarget.likes(decay: 1, latest: 50)
    let scores = try await VectorSimilarityRanking<ThingDeck>(to: evenly).scores(
      for: on, estimates: MatchEstimates(count: 3))
    #expect(scores.values.allSatisfy { $0.isNaN })
    #expect(
      scores.terms.map(\.name) == ["similarity (the vector looked for is not fit: no-direction)"])
    let page = try await VectorNearestSource<ThingDeck>(CardVectors(), to: evenly).page(
      from: .start, limit: 10, table: on.table, context: on.context)
    #expect(page.rows.map(\.index) == [0, 1, 2])
    #expect(page.failure == nil)
  }

  @Test("a viewer of whom nothing is known is told from one whose vector is not fit")
  func unknown() async throws {
    func name(_ target: VectorTarget, _ deck: ThingDeck) async throws -> String? {
      let on = slate(Self.opposite, viewer: "stranger", deck: deck)
      return try await VectorSimilarityRanking<ThingDeck>(to: target).scores(
        for: on, estimates: MatchEstimates(count: 3)
      ).terms.first?.name
    }
    #expect(try await name(likes, ThingDeck()) == "similarity (no like with a vector)")
    #expect(
      try await name(.viewer, ThingDeck(isMutual: true))
        == "similarity (the viewer has no vector)")
  }

  @Test("a vector beyond single precision is a failure of the source that the deal reports")
  func tooLong() async throws {
    let cards = [Thing("huge", [1e19, 0]), Thing("a", [1, 0]), Thing("b", [0, 1])]
    let on = slate(cards, seen: ["huge": answered(.like, event: 1)])
    let source = VectorNearestSource<ThingDeck>(CardVectors(metric: .innerProduct), to: likes)
    let page = try await source.page(
      from: .start, limit: 10, table: on.table, context: on.context)
    #expect(page.rows.map(\.index) == [0, 1, 2])
    #expect(page.failure == .failed)
    let scores = try await VectorSimilarityRanking<ThingDeck>(
      metric: .innerProduct, to: likes
    ).scores(for: on, estimates: MatchEstimates(count: 3))
    #expect(
      scores.terms.map(\.name) == ["similarity (the vector looked for is not fit: too-long)"])
  }

  @Test("a hand says so, is full all the same, and each card's explanation has the reason")
  func hand() async throws {
    let store = InMemoryStore()
    var builder = PipelineBuilder<ThingDeck>(safety: StoreSafety(store))
    builder.hand = HandPolicy(size: 2, refillBelow: 2, ties: .id, batches: 1000)
    builder.source(
      "vector-nearest", limit: 25,
      VectorNearestSource(CardVectors(metric: .euclidean), to: likes))
    builder.filter("already-swiped", AlreadySwipedFilter(policy: ThingDeck().policy))
    builder.ranking = VectorSimilarityRanking(metric: .euclidean, to: likes)
    builder.matchRule = LikeRule()
    let feed = try await ThingFeed.open(
      deck: ThingDeck(), store: store, pipelines: builder.buildSet(), states: LearnerStates(),
      clock: ManualClock())
    try await feed.put([Thing("0", [0, 1e19])] + circle(4).dropFirst())
    #expect(try await feed.hand(for: "viewer").degradations.isEmpty)
    _ = try await feed.swipe(Swipe(viewer: "viewer", card: "0", answer: .like, event: "1"))
    let hand = try await feed.redeal(for: "viewer")
    #expect(hand.degradations == [.source(name: "vector-nearest", failure: .failed)])
    #expect(hand.cards.map(\.id) == ["1", "2"])
    let reason = "similarity (the vector looked for is not fit: too-long)"
    #expect(hand.cards.allSatisfy { $0.reason.terms.map(\.name) == [reason] })
  }

  @Test("more like a card without a direction is a typed error, not an empty page")
  func moreLikeNothing() async throws {
    let feed = try await thingFeed()
    try await feed.put(circle(3) + [Thing("zero", [0, 0])])
    let error = await #expect(throws: FeedError.self) {
      _ = try await CardVectors<ThingDeck>().cards(like: "zero", limit: 3, in: feed.cards)
    }
    #expect(error?.code == .badInput)
    #expect(
      error?.message.contains("all components of the vector that is looked for are 0") == true)
  }
}
