import CardFeedTesting

@testable import CardFeed

extension TestBench<InMemoryStore> {
  /// A feed of small hands in which nobody returns, for what two people do to each other.
  static func ofPeople(_ store: InMemoryStore, cards: Int) async throws -> Self {
    try await Self(store, cards: ToyCard.numbered(cards)) {
      $0.hand = HandPolicy(size: 3, refillBelow: 2, rewind: 10, ties: .id)
      $0.filter("already-swiped", AnsweredFilter())
    }
  }

  /// A like that was given elsewhere.
  func like(_ viewer: ViewerID, _ card: CardID) async throws {
    let swipe = Swipe(
      viewer: viewer, card: card, answer: ToyAnswer.like, event: EventID("\(viewer) \(card)"))
    _ = try await feed.record([RecordedSwipe(swipe)])
  }
}
