/// That a client showed a card to a viewer.
public struct Impression: Hashable, Sendable {
  /// The card.
  public let card: CardNumber
  /// When, on the feed's clock.
  public let time: Timestamp
  /// Its place in the log.
  public let event: LogPosition
  /// For how long; nil where the client did not say.
  public let dwell: Dwell?

  /// That a client showed a card.
  public init(card: CardNumber, time: Timestamp, event: LogPosition, dwell: Dwell? = nil) {
    self.card = card
    self.time = time
    self.event = event
    self.dwell = dwell
  }
}

extension FeedStore {
  /// Reads the whole log. A store that can find a viewer's events reads those.
  public func impressions(of viewer: ViewerNumber) async throws -> [Impression] {
    var found: [Impression] = []
    var position = LogPosition.start
    while true {
      let events = try await events(after: position, limit: 4096)
      guard let last = events.last else { return found }
      for event in events where event.kind == .impression && event.viewer == viewer {
        guard let card = event.card else { continue }
        found.append(
          Impression(
            card: card, time: event.time, event: event.position, dwell: event.dwell))
      }
      position = last.position
    }
  }
}
