public import CardFeed

/// Brings cards from elsewhere into the deck, page by page for each viewer, and proposes them in
/// the order in which they came.
///
/// At the start of a deal the source looks at the cards that it has brought for the viewer. While
/// fewer than `refillBelow` of them are left — neither answered nor in the hand — it asks for the
/// next page. A deal that took none of the cards that lay ready is followed by one more page even
/// so: filters may be keeping all of them away. Cards it has brought stay, whatever happens.
///
/// When a page cannot be had, its number is not lost: the next deal asks for it again, and until
/// that succeeds every page of candidates says why (`SourceFailure`). A page with fewer cards than
/// asked for is the last one.
///
/// The state of a viewer is kept for the `viewers` most recent ones. A viewer who returns after
/// that, or after a restart, is served from page 0 again, which does no harm: what was answered
/// is still answered.
public final class PageSource<D: Deck>: ReplenishingSource {
  /// Pages asked for in one deal at most, so that a viewer who returns after long cannot hold a
  /// deal up; the next deal goes on from there.
  static var pagesPerDeal: Int { 32 }

  private let loader: PageLoader<D.Card>
  private let pageSize: Int
  private let refillBelow: Int
  private let timeoutMilliseconds: Int
  private let states: Lock<RecentValues<ViewerID, PagedViewer>>

  /// A source over another service.
  ///
  /// - Parameters:
  ///   - pageSize: Cards asked for at a time, 1 or more.
  ///   - refillBelow: A viewer with fewer cards left is given another page, 1 or more.
  ///   - timeoutMilliseconds: How long a page may take, 1 or more. A loader that takes longer is
  ///     cancelled, and not waited for even if it does not heed that.
  ///   - viewers: How many viewers' places are remembered, 1 or more.
  ///   - loader: Answers with the cards of a page.
  public init(
    pageSize: Int = 20, refillBelow: Int = 10, timeoutMilliseconds: Int = 2000,
    viewers: Int = 10_000, loader: @escaping PageLoader<D.Card>
  ) {
    precondition(pageSize > 0, "A page holds at least one card; got pageSize \(pageSize).")
    precondition(refillBelow > 0, "refillBelow is 1 or more; got \(refillBelow).")
    precondition(
      timeoutMilliseconds > 0, "A page needs some time; got \(timeoutMilliseconds) milliseconds.")
    precondition(viewers > 0, "At least one viewer is remembered; got \(viewers).")
    self.pageSize = pageSize
    self.refillBelow = refillBelow
    self.timeoutMilliseconds = timeoutMilliseconds
    self.loader = loader
    states = Lock(RecentValues(capacity: viewers))
  }

  /// How many viewers' places are remembered now.
  package var viewerCount: Int { states.withLock { $0.count } }

  /// The cards that were brought for the viewer, from `cursor` on, which counts them. O(limit).
  public func page(
    from cursor: SourceCursor, limit: Int, table: CardTable<D>, context: DealContext<D>
  ) async throws -> SourcePage {
    let state = state(of: context.viewer)
    let start = min(max(cursor.rawValue, 0), state.cards.count)
    let end = start + min(limit, state.cards.count - start)
    return SourcePage(
      rows: state.cards[start..<end].compactMap { table.row(of: $0) },
      next: end < state.cards.count ? SourceCursor(end) : nil, failure: state.failure)
  }

  /// Asks for pages until enough cards are left, there are no more, or one fails.
  public func replenish(
    for context: DealContext<D>, table: CardTable<D>, inHand: Set<CardNumber>,
    put: @Sendable ([D.Card]) async throws -> Void
  ) async {
    var state = state(of: context.viewer)
    func countLeft() -> Int {
      state.cards.count { id in
        guard let row = table.row(of: id) else { return true }
        let number = table.number(at: row)
        return context.seen[number]?.answer == nil && !inHand.contains(number)
      }
    }
    var left = countLeft()
    var pages = 0
    let tookNone = state.leftAfterLastDeal.map { left > 0 && left >= $0 } ?? false
    while !state.isAtEnd, pages < Self.pagesPerDeal,
      left < refillBelow || (tookNone && pages == 0)
    {
      pages += 1
      let known = state.cards.count
      do throws(SourceFailure) {
        let cards = try await load(state.nextPage, for: context.viewer)
        try await store(cards, by: put)
        state.append(cards.map { context.deck.id(of: $0) })
        state.nextPage += 1
        state.isAtEnd = cards.count < pageSize
        state.failure = nil
      } catch {
        state.failure = error
        break
      }
      left = countLeft()
      // A service that repeats itself must not hold the deal up; the next deal goes on.
      if state.cards.count == known { break }
    }
    state.leftAfterLastDeal = left
    states.withLock { $0[context.viewer] = state }
  }

  private func state(of viewer: ViewerID) -> PagedViewer {
    states.withLock { $0[viewer] } ?? PagedViewer()
  }

  private func load(_ page: Int, for viewer: ViewerID) async throws(SourceFailure) -> [D.Card] {
    let request = PageRequest(viewer: viewer, page: page, size: pageSize)
    let result = await firstResult(withinMilliseconds: timeoutMilliseconds) { [loader] in
      try await loader(request)
    }
    switch result {
    case nil: throw .timeOut
    case .success(let cards): return cards
    case .failure(let failure): throw failure as? SourceFailure ?? .failed
    }
  }

  private func store(
    _ cards: [D.Card], by put: ([D.Card]) async throws -> Void
  ) async throws(SourceFailure) {
    guard !cards.isEmpty else { return }
    do {
      try await put(cards)
    } catch {
      throw error as? SourceFailure ?? .failed
    }
  }
}

/// How far a viewer has come in the pages.
struct PagedViewer: Sendable {
  /// The page that is asked for next.
  var nextPage = 0
  /// Whether the last page has come.
  var isAtEnd = false
  /// Why the last page asked for did not come.
  var failure: SourceFailure?
  /// The cards left when the last deal began; nil before the first deal.
  var leftAfterLastDeal: Int?
  /// What came, in order, each card once.
  private(set) var cards: [CardID] = []
  private var known: Set<CardID> = []

  mutating func append(_ ids: [CardID]) {
    for id in ids where known.insert(id).inserted { cards.append(id) }
  }
}
