/// What became of matches in a part of the log: what processes that share a store tell their viewers.
///
/// Reading takes nothing away, so any number of readers may follow the log, each from its own place;
/// an outbox that a relay empties is not touched.
public struct MatchChanges: Hashable, Sendable {
  /// One thing that happened.
  public enum Change: Hashable, Sendable {
    /// A match was made or ended.
    case match(OutboxEvent)
    /// A person was erased, and with them every event about them: nothing says any more with whom
    /// they had a match.
    case erased(CardNumber, at: LogPosition)

    /// The place in the log of what did it. Places of later changes are greater.
    public var place: LogPosition {
      switch self {
      case .match(let event): event.event
      case .erased(_, let place): place
      }
    }
  }

  /// What happened, in the order of the log.
  public let changes: [Change]
  /// The place up to which the log was read.
  public let end: LogPosition
  /// Whether there may be more right behind it.
  public let hasMore: Bool

  /// What became of matches in a part of the log.
  public init(changes: [Change], end: LogPosition, hasMore: Bool) {
    self.changes = changes
    self.end = end
    self.hasMore = hasMore
  }
}

extension MatchChanges.Change {
  /// What an event of the log did to matches; nil if nothing.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - position: Where it stands in the log.
  ///   - viewer: Whose event it is.
  ///   - card: The other one, where there is one.
  ///   - time: When it happened.
  ///   - about: The event it is about: of a match, the swipe that made it.
  ///   - endedMatch: The match that ended with it.
  public init?(
    kind: EventKind, position: LogPosition, viewer: ViewerNumber, card: CardNumber?,
    time: Timestamp, about: LogPosition?, endedMatch: LogPosition?
  ) {
    switch kind {
    case .match:
      guard let card, let about else { return nil }
      self = .match(
        OutboxEvent(kind: .matchMade, event: about, between: viewer, and: card, time: time))
    case .rewind, .block, .report, .unmatch:
      guard let card, endedMatch != nil else { return nil }
      self = .match(
        OutboxEvent(kind: .matchEnded, event: position, between: viewer, and: card, time: time))
    case .erasure: self = .erased(viewer, at: position)
    case .deal, .impression, .swipe, .ageOut: return nil
    }
  }
}

extension EventKind {
  /// Whether an event of this kind may make or end a match.
  public var mayChangeMatches: Bool {
    switch self {
    case .match, .rewind, .block, .report, .unmatch, .erasure: true
    case .deal, .impression, .swipe, .ageOut: false
    }
  }
}

extension FeedStore {
  /// Reads the log and leaves out the rest of it. `limit` is how many events are read at most.
  /// O(events read).
  public func matchChanges(
    after position: LogPosition, limit: Int
  ) async throws -> MatchChanges {
    let events = try await events(after: position, limit: limit)
    let changes = events.compactMap { event in
      MatchChanges.Change(
        kind: event.kind, position: event.position, viewer: event.viewer, card: event.card,
        time: event.time, about: event.about, endedMatch: event.endedMatch)
    }
    return MatchChanges(
      changes: changes, end: events.last?.position ?? position, hasMore: events.count >= limit)
  }
}
