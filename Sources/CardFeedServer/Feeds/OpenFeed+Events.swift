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
    guard let row = table.row(of: card), let number = try? await number(of: viewer) else { return }
    try? await sink.deliver([
      OutboxEvent(
        kind: kind, event: event, between: number, and: table.number(at: row),
        time: SystemClock().now)
    ])
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
