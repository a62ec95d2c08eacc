import CardFeed
import CardFeedBaselines
import CardFeedTesting
import Testing

@Suite struct SourceTests {
  /// Every page of a source, and the cursors between them.
  private func pages(
    of source: some CandidateSource<ToyDeck>, limit: Int, on slate: Slate<ToyDeck>
  ) async throws -> [[Int]] {
    var pages: [[Int]] = []
    var cursor: SourceCursor? = .start
    while let now = cursor {
      let page = try await source.page(
        from: now, limit: limit, table: slate.table, context: slate.context)
      pages.append(page.rows.map(\.index))
      #expect(page.next != now)
      cursor = page.next
    }
    return pages
  }

  @Test(arguments: [1, 2, 3, 7, 8, 100])
  func allProposesEveryRowOnceInOrder(limit: Int) async throws {
    let pages = try await pages(of: AllSource(), limit: limit, on: toySlate(.numbered(7)))
    #expect(pages.flatMap(\.self) == Array(0..<7))
    #expect(pages.allSatisfy { $0.count <= limit })
    #expect(pages.count == (7 + limit - 1) / limit)
  }

  @Test func allOfAnEmptyTableIsNothing() async throws {
    #expect(try await pages(of: AllSource(), limit: 5, on: toySlate([])) == [[]])
  }

  @Test func allClampsACursorFromALongerTable() async throws {
    let slate = toySlate(.numbered(3))
    let page = try await AllSource<ToyDeck>().page(
      from: SourceCursor(9), limit: 5, table: slate.table, context: slate.context)
    #expect(page.rows.isEmpty)
    #expect(page.next == nil)
  }

  @Test(arguments: [1, 2, 3, 10])
  func likesReceivedProposesThoseWhoLikeNewestFirst(limit: Int) async throws {
    let slate = toySlate(
      .numbered(6),
      received: [
        ("5", .positive, noon), ("2", .negative, noon), ("1", .positive, noon),
        ("6", .neutral, noon), ("4", .positive, noon),
      ])
    let source = LikesReceivedSource<ToyDeck>()
    #expect(source.needs == .answersReceived)
    let pages = try await pages(of: source, limit: limit, on: slate)
    #expect(pages.flatMap(\.self) == [4, 0, 3])
    #expect(pages.allSatisfy { $0.count <= limit })
  }

  @Test func likesReceivedDealsWhoLikesTheViewerAndNotWhoTookItBack() async throws {
    let store = InMemoryStore()
    var builder = PipelineBuilder<ToyDeck>(safety: StoreSafety(store))
    builder.source("likes-received", LikesReceivedSource())
    let feed = try await FeedEngine<ToyDeck, InMemoryStore, ManualClock, SplitMix64>.open(
      deck: ToyDeck(), store: store, pipelines: builder.buildSet(), states: LearnerStates(),
      clock: ManualClock())
    try await feed.put(.numbered(4))
    func answer(_ viewer: ViewerID, _ answer: ToyAnswer, _ event: EventID) async throws {
      let swipe = Swipe(viewer: viewer, card: "1", answer: answer, event: event)
      #expect(try await feed.record([RecordedSwipe(swipe)]) == 1)
    }
    try await answer("2", .like, "a")
    try await answer("3", .like, "a")
    try await answer("4", .pass, "a")
    try await answer("2", .pass, "b")
    #expect(try await feed.hand(for: "1").cards.map(\.id) == ["3"])
  }
}
