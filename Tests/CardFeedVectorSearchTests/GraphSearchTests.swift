import CardFeed
import CardFeedBaselines
import CardFeedConfiguration
import CardFeedTesting
import CardFeedVectorSearch
import Testing

@Suite("Nearest cards along a graph")
struct GraphSearchTests {
  private func build(_ index: String) throws -> Pipeline<ThingDeck> {
    let plugins = PluginSet([BaselinesPlugin(), VectorSearchPlugin(), ThingPlugin()])
    let configuration = try FeedConfiguration(
      [
        "version": 1, "deck": "things",
        "sources": [["use": "vector-nearest", "index": JSONValue(index), "effort": 99]],
      ], file: "test.json", plugins: plugins)
    return try configuration.pipelines(
      BuildContext(
        deck: ThingDeck(), states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
        registry: plugins.registry(for: ThingPlugin()))
    ).base
  }

  @Test("a configuration asks for it; without the trait it is refused")
  func configured() throws {
    #expect(try build("exact").sources.count == 1)
    #if HNSW
      #expect(try build("graph").sources[0].strategy is VectorNearestSource<ThingDeck>)
    #else
      let error = #expect(throws: (any Error).self) { try build("graph") }
      #expect("\(error.map { "\($0)" } ?? "")".contains("build with the trait HNSW"))
    #endif
  }

  #if HNSW
    private func page(
      _ vectors: CardVectors<ThingDeck>, from cursor: Int = 0, limit: Int,
      on: Slate<ThingDeck>, _ table: CardTable<ThingDeck>? = nil
    ) async throws -> SourcePage {
      try await VectorNearestSource(vectors, to: likes).page(
        from: SourceCursor(cursor), limit: limit, table: table ?? on.table, context: on.context)
    }

    @Test("before the graph is made searches are exact, and then nearly so, with filters inside")
    func recall() async throws {
      let cards = circle(3000, step: 0.002)
      // The cards around the liked one are answered, so that the search has to look past them.
      var seen: [CardID: SeenEntry] = ["1500": answered(.like, event: 1)]
      for place in 1450..<1550 where place != 1500 {
        seen[CardID("\(place)")] = answered(.pass, event: Int64(place))
      }
      let on = slate(cards, seen: seen)
      let exact = try await page(CardVectors(), limit: 100, on: on).rows
      let vectors = CardVectors<ThingDeck>(search: .graph(effort: 200))
      #expect(try await page(vectors, limit: 100, on: on).rows == exact)
      try await vectors.prepare(for: on.table)
      let found = try await page(vectors, limit: 100, on: on)
      #expect(found.failure == nil)
      #expect(found.rows.count == 100 && Set(found.rows).count == 100)
      #expect(Set(found.rows).intersection(exact).count >= 95)
      let passed = Set(seen.keys.compactMap { on.table.row(of: $0) })
      #expect(passed.isDisjoint(with: found.rows))
      // Pages that lie in one answer are parts of it.
      var rows: [Row] = []
      for start in stride(from: 0, to: 100, by: 20) {
        rows += try await page(vectors, from: start, limit: 20, on: on).rows
      }
      #expect(rows == found.rows)
      // More like a card takes the graph as well.
      let similar = try await vectors.cards(like: "700", limit: 20, in: on.table)
      #expect(similar.count == 20 && !similar.contains { $0.id == "700" })
    }

    @Test("cards that come, move and go while deals are served count at once")
    func follows() async throws {
      let feed = try await thingFeed()
      try await feed.put(circle(800, step: 0.005))
      let vectors = CardVectors<ThingDeck>(search: .graph(effort: 400))
      try await vectors.prepare(for: feed.cards)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for step in 0..<60 {
            try await feed.put([
              Thing(CardID("\(step * 7)"), angle(Double(step) * 0.09)),
              Thing(CardID("new\(step)"), angle(Double(step) * 0.05)),
            ])
            try await feed.withdraw([CardID("\(step * 11 + 1)")])
          }
        }
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<60 {
              let similar = try await vectors.cards(like: "799", limit: 50, in: feed.cards)
              #expect(similar.count == 50 && Set(similar.map(\.id)).count == 50)
            }
          }
        }
        try await group.waitForAll()
      }
      let table = feed.cards
      let gone = Set((0..<60).map { CardID("\($0 * 11 + 1)") })
      let exact = CardVectors<ThingDeck>()
      for id in ["new30", "7", "400", "798"] as [CardID] {
        let similar = try await vectors.cards(like: id, limit: 40, in: table)
        let nearest = try await exact.cards(like: id, limit: 40, in: table)
        #expect(!similar.contains { gone.contains($0.id) })
        // Of cards that are equally near either is right.
        let least = nearest.map(\.score).min() ?? 1
        #expect(similar.count { $0.score >= least } >= 36)
      }
    }

    @Test("what changes while a graph is made is in it afterwards")
    func changesMeanwhile() async throws {
      let feed = try await thingFeed()
      try await feed.put(circle(2000, step: 0.002))
      let vectors = CardVectors<ThingDeck>(search: .graph(effort: 100))
      _ = try await vectors.index(of: feed.cards)
      try await feed.put([Thing("late", angle(0.0501))])
      try await feed.withdraw(["25"])
      _ = try await vectors.index(of: feed.cards)
      try await vectors.prepare(for: feed.cards)
      let similar = try await vectors.cards(like: "24", limit: 10, in: feed.cards).map(\.id)
      #expect(similar.contains("late") && !similar.contains("25"))
    }

    @Test("a feed deals every card once, whatever the graph misses")
    func everything() async throws {
      let store = InMemoryStore()
      let vectors = CardVectors<ThingDeck>(search: .graph(effort: 16))
      var builder = PipelineBuilder<ThingDeck>(safety: StoreSafety(store))
      builder.hand = HandPolicy(size: 20, refillBelow: 1, ties: .id, batches: 1000)
      builder.source("vector-nearest", limit: 25, VectorNearestSource(vectors, to: likes))
      builder.filter("already-swiped", AlreadySwipedFilter(policy: ThingDeck().policy))
      builder.ranking = VectorSimilarityRanking(to: likes)
      builder.matchRule = LikeRule()
      let feed = try await ThingFeed.open(
        deck: ThingDeck(), store: store, pipelines: builder.buildSet(), states: LearnerStates(),
        clock: ManualClock())
      try await feed.put(circle(1500, step: 0.004))
      try await vectors.prepare(for: feed.cards)
      var met: [CardID] = []
      while let top = try await feed.hand(for: "viewer").cards.first, met.count < 1600 {
        met.append(top.id)
        _ = try await feed.swipe(
          Swipe(
            viewer: "viewer", card: top.id, answer: met.count % 40 == 1 ? .like : .pass,
            event: EventID("\(met.count)")))
      }
      #expect(met.count == 1500 && Set(met).count == 1500)
    }
  #endif
}
