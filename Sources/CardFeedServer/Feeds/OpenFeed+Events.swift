internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedEventSinks

extension OpenFeed {
  func events(
    of viewer: ViewerID, after last: String?
  ) async throws -> ServerSentEventStream {
    sink.events(of: try await number(of: viewer), after: last)
  }

  /// Tells those who listen, after the event is durable. What cannot be told is not: whoever comes
  /// back loads the matches anew.
  func tell(
    _ kind: OutboxEvent.Kind, _ event: LogPosition, _ viewer: ViewerID, _ card: CardID
  ) async {
    let table = feed.cards
    // Whoever has just swiped is in memory, so that the answer to the swipe waits for no read.
    var known = feed.numberInMemory(of: viewer)
    if known == nil { known = try? await number(of: viewer) }
    guard let row = table.row(of: card), let known else { return }
    let identity = ViewerIdentity.stored(viewer, isMutual: deck.deck.policy.isMutual)
    let event = OutboxEvent(
      kind: kind, event: event, between: known, and: table.number(at: row),
      time: SystemClock().now)
    let isLow = event.low == known
    try? sink.deliver(event, low: isLow ? identity : card, high: isLow ? card : identity)
  }

  private func number(of viewer: ViewerID) async throws -> ViewerNumber {
    let isMutual = deck.deck.policy.isMutual
    let table = feed.cards
    if isMutual, let row = table.row(of: viewer) { return table.number(at: row) }
    let identity = ViewerIdentity.stored(viewer, isMutual: isMutual)
    guard let number = try await store.numbers(for: [identity]).first else {
      throw FeedError(.store, "the store gave no number for a viewer")
    }
    return number
  }
}
