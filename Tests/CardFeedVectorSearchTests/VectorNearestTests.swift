import CardFeed
import CardFeedTesting
import CardFeedVectorIndex
import CardFeedVectorSearch
import Testing

@Suite("The source vector-nearest and the ranking vector-similarity")
struct VectorNearestTests {
  private func pages(
    of source: some CandidateSource<ThingDeck>, limit: Int, on slate: Slate<ThingDeck>
  ) async throws -> [[Int]] {
    var pages: [[Int]] = []
    var cursor: SourceCursor? = .start
    while let now = cursor {
      let page = try await source.page(
        from: now, limit: limit, table: slate.table, context: slate.context)
      #expect(page.rows.count <= limit)
      pages.append(page.rows.map(\.index))
      cursor = page.next
    }
    return pages
  }

  @Test(
    "pages hold new cards by nearness, then answered ones, then those without a vector, each once",
    arguments: [1, 2, 3, 7, 100])
  func order(limit: Int) async throws {
    let cards = circle(8, step: 0.3) + [Thing("none", nil), Thing("nil", [0, 0])]
    let on = slate(
      cards, seen: ["2": answered(.like, event: 1), "4": answered(.pass, event: 2)])
    let source = VectorNearestSource<ThingDeck>(CardVectors(), to: likes)
    let pages = try await pages(of: source, limit: limit, on: on)
    #expect(pages.flatMap(\.self) == [1, 3, 0, 5, 6, 7, 2, 4, 8, 9])
  }

  @Test("a viewer of whom nothing is known gets the cards in their order")
  func cold() async throws {
    let on = slate(circle(5), seen: ["3": answered(.pass, event: 1)])
    let source = VectorNearestSource<ThingDeck>(CardVectors(), to: likes)
    #expect(try await pages(of: source, limit: 2, on: on).flatMap(\.self) == [0, 1, 2, 3, 4])
    let scores = try await VectorSimilarityRanking<ThingDeck>(to: likes).scores(
      for: on, estimates: MatchEstimates(count: 5))
    #expect(scores.values.allSatisfy { $0.isNaN })
  }

  @Test("the viewer's own vector counts in a deck of people, and their own card is not proposed")
  func viewer() async throws {
    let on = slate(circle(4, step: 0.3), viewer: "1", deck: ThingDeck(isMutual: true))
    let source = VectorNearestSource<ThingDeck>(CardVectors(), to: .viewer)
    // The second is a little nearer than the first in single precision, or as near and later.
    #expect(try await Set(pages(of: source, limit: 2, on: on)[0]) == [0, 2])
    #expect(try await Set(pages(of: source, limit: 2, on: on).flatMap(\.self)) == [0, 2, 3])
  }

  @Test("newer likes count more, and beyond the latest none")
  func decay() async throws {
    let cards = [
      Thing("old", [1, 0]), Thing("new", [0, 1]), Thing("east", [1, 0.1]),
      Thing("north", [0.1, 1]),
    ]
    let on = slate(
      cards, seen: ["old": answered(.like, event: 1), "new": answered(.like, event: 2)])
    func best(_ target: VectorTarget) async throws -> Int? {
      try await pages(of: VectorNearestSource(CardVectors(), to: target), limit: 1, on: on)[0].first
    }
    #expect(try await best(.likes(decay: 0.5, latest: 50)) == 3)
    #expect(try await best(.likes(decay: 1, latest: 1)) == 3)
    // Equal weights: both are as near, and the earlier one comes first.
    #expect(try await best(.likes(decay: 1, latest: 50)) == 2)
  }

  @Test("both interfaces give the same score, to the bit", arguments: VectorMetric.allCases)
  func sameScores(metric: VectorMetric) async throws {
    let cards = circle(300, step: 0.013)
    let on = slate(
      cards,
      seen: ["7": answered(.like, event: 1), "90": answered(.like, event: 2)])
    let ranking = VectorSimilarityRanking<ThingDeck>(metric: metric, to: likes)
    let scores = try await ranking.scores(for: on, estimates: MatchEstimates(count: 300)).values
    #expect(scores.allSatisfy { $0.isFinite })
    let source = VectorNearestSource<ThingDeck>(CardVectors(metric: metric), to: likes)
    let proposed = try await pages(of: source, limit: 50, on: on).flatMap(\.self)
    let new = (0..<300).filter { $0 != 7 && $0 != 90 }
    let sorted = new.sorted { (scores[$1], $0) < (scores[$0], $1) }
    #expect(Array(proposed.prefix(298)) == sorted)
  }

  @Test("the ranking keeps what every ranking promises")
  func conformance() async {
    let on = slate(
      circle(40) + [Thing("none", nil)],
      seen: ["7": answered(.like, event: 1), "20": answered(.like, event: 2)])
    let ranking = VectorSimilarityRanking<ThingDeck>(to: likes)
    let violations = await StrategyConformance.violations(of: ranking, on: on)
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test("similarity is private in a deck of people")
  func privacy() async throws {
    for isMutual in [true, false] {
      let on = slate(
        circle(4), viewer: "1", seen: ["0": answered(.like, event: 1)],
        deck: ThingDeck(isMutual: isMutual))
      let scores = try await VectorSimilarityRanking<ThingDeck>(to: likes).scores(
        for: on, estimates: MatchEstimates(count: 4))
      #expect(scores.terms.map(\.isPrivate) == [isMutual])
    }
  }
}
