import CardFeed
import CardFeedConfiguration
import CardFeedTesting
import Testing

@testable import CardFeedBaselines

/// Another service with pages of cards, which can be told to fail.
private final class Service: Sendable {
  private struct State {
    var requests: [PageRequest] = []
    var failures: [any Error] = []
  }

  private let cards: [ToyCard]
  private let state = Lock(State())

  init(cards: Int) { self.cards = .numbered(cards) }

  var requests: [PageRequest] { state.withLock { $0.requests } }
  var pages: [Int] { requests.map(\.page) }

  func failNext(with failures: any Error...) { state.withLock { $0.failures += failures } }

  func load(_ request: PageRequest) throws -> [ToyCard] {
    let failure: (any Error)? = state.withLock { state in
      state.requests.append(request)
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
    if let failure { throw failure }
    let start = min(request.page * request.size, cards.count)
    return Array(cards[start..<min(start + request.size, cards.count)])
  }
}

/// The deck that a source puts cards into, without an engine around it.
private final class Tray: Sendable {
  private let cards = Lock([ToyCard]())

  func put(_ new: [ToyCard]) {
    cards.withLock { cards in
      cards += new.filter { card in !cards.contains { $0.id == card.id } }
    }
  }

  func slate(answered: [CardID] = [], viewer: ViewerID = "viewer") -> Slate<ToyDeck> {
    let entries = answered.map { ($0, CardFeedBaselinesTests.answered(.pass, daysAgo: 0)) }
    return toySlate(
      cards.withLock { $0 }, viewer: viewer, seen: Dictionary(uniqueKeysWithValues: entries))
  }
}

@Suite struct PageSourceTests {
  private let service = Service(cards: 7)
  private let tray = Tray()

  private func source(
    pageSize: Int = 3, refillBelow: Int = 2, viewers: Int = 10
  ) -> PageSource<ToyDeck> {
    PageSource(pageSize: pageSize, refillBelow: refillBelow, viewers: viewers) { [service] in
      try service.load($0)
    }
  }

  /// One deal: refills, then says what is proposed. `inHand` are cards by identifier.
  private func deal(
    _ source: PageSource<ToyDeck>, answered: [CardID] = [], inHand: [CardID] = [],
    viewer: ViewerID = "viewer"
  ) async throws -> (ids: [CardID], failure: SourceFailure?) {
    let before = tray.slate(answered: answered, viewer: viewer)
    let hand = inHand.compactMap { before.table.row(of: $0) }.map { before.table.number(at: $0) }
    await source.replenish(for: before.context, table: before.table, inHand: Set(hand)) {
      [tray] in tray.put($0)
    }
    let after = tray.slate(answered: answered, viewer: viewer)
    let page = try await source.page(
      from: .start, limit: 100, table: after.table, context: after.context)
    #expect(page.next == nil)
    return (page.rows.map { after.table.id(at: $0) }, page.failure)
  }

  @Test func asksForAPageWhenFewAreLeftAndStopsAtTheShortOne() async throws {
    let source = source()
    #expect(try await deal(source).ids == ["1", "2", "3"])
    #expect(service.requests == [PageRequest(viewer: "viewer", page: 0, size: 3)])
    _ = try await deal(source, answered: ["1"])
    #expect(service.pages == [0])
    // Two answered and none but one left.
    #expect(try await deal(source, answered: ["1", "2"]).ids.count == 6)
    #expect(service.pages == [0, 1])
    // Cards in the hand are not left.
    #expect(try await deal(source, answered: ["1", "2", "3"], inHand: ["4", "5"]).ids.count == 7)
    #expect(service.pages == [0, 1, 2])
    _ = try await deal(source, answered: ["1", "2", "3", "4", "5", "6", "7"])
    #expect(service.pages == [0, 1, 2])
  }

  @Test func asksForSeveralPagesWhenOneIsNotEnough() async throws {
    #expect(try await deal(source(pageSize: 2, refillBelow: 5)).ids.count == 6)
    #expect(service.pages == [0, 1, 2])
  }

  @Test func aFullLastPageIsFollowedByAnEmptyOne() async throws {
    let source = source(pageSize: 7, refillBelow: 8)
    #expect(try await deal(source).ids.count == 7)
    #expect(service.pages == [0, 1])
    _ = try await deal(source)
    #expect(service.pages == [0, 1])
  }

  @Test(arguments: SourceFailure.allCases)
  func aFailureIsReportedUntilAPageComesAndLosesNoPage(failure: SourceFailure) async throws {
    let source = source()
    _ = try await deal(source)
    service.failNext(with: failure, failure)
    for _ in 0..<2 {
      let (ids, reported) = try await deal(source, answered: ["1", "2"])
      #expect(ids == ["1", "2", "3"])
      #expect(reported == failure)
    }
    let (ids, reported) = try await deal(source, answered: ["1", "2"])
    #expect(ids.count == 6)
    #expect(reported == nil)
    #expect(service.pages == [0, 1, 1, 1])
  }

  @Test func anUnknownErrorIsAFailureOfNoKind() async throws {
    service.failNext(with: SomeError())
    #expect(try await deal(source()).failure == .failed)
  }

  @Test func aDeckThatTakesNoCardsLosesNoPage() async throws {
    let source = source()
    let empty = toySlate([])
    await source.replenish(for: empty.context, table: empty.table, inHand: []) { _ in
      throw SomeError()
    }
    let (ids, failure) = try await deal(source)
    #expect(ids == ["1", "2", "3"])
    #expect(failure == nil)
    #expect(service.pages == [0, 0])
  }

  @Test(.timeLimit(.minutes(5))) func aSlowPageTimesOut() async throws {
    let source = PageSource<ToyDeck>(timeoutMilliseconds: 1) { _ in
      try await Task.sleep(for: .seconds(3600))
      return []
    }
    #expect(try await deal(source).failure == .timeOut)
  }

  @Test(.timeLimit(.minutes(5))) func aLoaderThatHeedsNoCancellationTimesOutToo() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let source = PageSource<ToyDeck>(timeoutMilliseconds: 1) { _ in
      // A task of its own is not cancelled with the loader.
      await Task { for await _ in gate { break } }.value
      return .numbered(1)
    }
    let (ids, failure) = try await deal(source)
    #expect(failure == .timeOut)
    #expect(ids.isEmpty)
    opening.finish()
  }

  @Test func cardsThatNobodyMayTakeAreFollowedByMore() async throws {
    let source = source()
    _ = try await deal(source)
    #expect(service.pages == [0])
    // The three cards lie ready and none of them was dealt.
    #expect(try await deal(source).ids.count == 6)
    #expect(service.pages == [0, 1])
  }

  @Test func aServiceThatRepeatsItselfIsAskedOnceADeal() async throws {
    let asked = Lock(0)
    let source = PageSource<ToyDeck>(pageSize: 3, refillBelow: 100) { _ in
      asked.withLock { $0 += 1 }
      return .numbered(3)
    }
    #expect(try await deal(source).ids == ["1", "2", "3"])
    #expect(asked.withLock { $0 } == 2)
    #expect(try await deal(source).ids == ["1", "2", "3"])
    #expect(asked.withLock { $0 } == 3)
  }

  @Test func aDealAsksForABoundedNumberOfPages() async throws {
    let source = PageSource<ToyDeck>(pageSize: 1, refillBelow: 1000) { request in
      [ToyCard(CardID("\(request.page)"))]
    }
    #expect(try await deal(source).ids.count == 32)
    #expect(try await deal(source).ids.count == 64)
  }

  @Test func viewersAreForgottenAndServedAgain() async throws {
    let source = source(viewers: 4)
    for index in 0..<20 {
      #expect(try await deal(source, viewer: CardID("viewer \(index)")).ids.count == 3)
      #expect(source.viewerCount <= 4)
    }
    #expect(try await deal(source, viewer: "viewer 0").ids == ["1", "2", "3"])
    #expect(service.requests.last?.page == 0)
  }

  @Test func pagesInAHand() async throws {
    let slate = toySlate(.numbered(7))
    let source = source(pageSize: 7, refillBelow: 1)
    await source.replenish(for: slate.context, table: slate.table, inHand: []) { _ in }
    let first = try await source.page(
      from: .start, limit: 5, table: slate.table, context: slate.context)
    #expect(first.rows == (0..<5).map(Row.init))
    let next = try #require(first.next)
    let second = try await source.page(
      from: next, limit: 5, table: slate.table, context: slate.context)
    #expect(second.rows == (5..<7).map(Row.init))
    #expect(second.next == nil)
  }

  @Test func withoutALoaderItCannotBeBuilt() throws {
    let configuration = try FeedConfiguration(
      ["version": 1, "deck": "toy", "sources": [["use": "page"]]], file: "t", plugins: toyPlugins)
    let context = BuildContext(
      deck: ToyDeck(), states: LearnerStates(), safety: StoreSafety(InMemoryStore()),
      registry: toyPlugins.registry(for: ToyPlugin()))
    let error = #expect(throws: FeedError.self) { try configuration.pipelines(context) }
    #expect(error?.code == .badInput)
    #expect(
      error?.description
        == "the source 'page' has nowhere to bring cards from; give the host program's page "
        + "loader when the feed is opened, or take the source out of the configuration")
  }

  /// 40 people elsewhere, pages of 10, and a viewer who asks again after every few cards: each is
  /// dealt once, and the feed is not empty before the last.
  @Test func everyCardElsewhereIsDealtOnce() async throws {
    let service = Service(cards: 40)
    let configuration = try FeedConfiguration(
      [
        "version": 1, "deck": "toy",
        "sources": [["use": "page", "pageSize": 10, "refillBelow": 3]],
        "filters": [["use": "already-swiped"]],
      ], file: "t", plugins: toyPlugins)
    let feed = try await FeedBuilder.open(
      configuration, deck: ToyPlugin(), store: InMemoryStore(), plugins: toyPlugins,
      clock: ManualClock(), pageLoader: { try service.load($0) })
    var dealt: [CardID] = []
    while let top = try await feed.hand(for: "viewer").cards.first, dealt.count < 100 {
      dealt.append(top.id)
      let event = EventID("\(dealt.count)")
      _ = try await feed.swipe(
        Swipe(viewer: "viewer", card: top.id, answer: .pass, event: event))
    }
    #expect(dealt == [ToyCard].numbered(40).map(\.id))
  }
}

@Suite struct RecentValuesTests {
  @Test func theLeastRecentlyUsedLeave() {
    var values = RecentValues<Int, String>(capacity: 4)
    for key in 0..<4 { values[key] = "\(key)" }
    #expect(values[0] == "0")
    values[4] = "4"
    #expect(values[0] == "0")
    #expect(values[4] == "4")
    #expect(values[1] == nil)
    #expect(values.count == 2)
    values[0] = nil
    #expect(values.count == 1)
  }

  @Test func aCapacityOfOneKeepsTheNewest() {
    var values = RecentValues<Int, Int>(capacity: 1)
    for key in 0..<10 {
      values[key] = key
      #expect(values[key] == key)
      #expect(values.count == 1)
    }
  }
}
