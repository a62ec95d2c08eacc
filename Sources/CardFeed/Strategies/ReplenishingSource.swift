/// A source that can bring new cards into the deck: from another service, page by page.
public protocol ReplenishingSource<D>: CandidateSource {
  /// Called at the start of a deal, before the table of the deal is taken, with the cards that lie
  /// in the hand. May put cards into the deck with `put`. Must not throw: what goes wrong is
  /// reported by the failure of the next page, and the cards that are there stay.
  func replenish(
    for context: DealContext<D>, table: CardTable<D>, inHand: Set<CardNumber>,
    put: @Sendable ([D.Card]) async throws -> Void
  ) async
}

/// A question for one page of cards.
public struct PageRequest: Hashable, Sendable {
  /// For whom.
  public let viewer: ViewerID
  /// Which page, from 0.
  public let page: Int
  /// How many cards.
  public let size: Int

  /// A question for one page of cards.
  public init(viewer: ViewerID, page: Int, size: Int) {
    self.viewer = viewer
    self.page = page
    self.size = size
  }
}

/// Answers with the cards of one page; fewer than asked for when there are no more. Throws a
/// `SourceFailure` to say what went wrong.
public typealias PageLoader<Card> = @Sendable (PageRequest) async throws -> [Card]
