/// What the world outside a store should hear of: a match that was made or ended.
///
/// A store that keeps an outbox writes it in the same transaction as the change itself, and a relay
/// delivers it afterwards, at least once.
public struct OutboxEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Two likes made a match.
    case matchMade = "match-made"
    /// A rewind, a block, a report or an unmatch ended a match, or one of the two was erased.
    case matchEnded = "match-ended"
  }

  /// What happened.
  public let kind: Kind
  /// The event of the log that did it. With `low`, the identity by which a receiver drops what it
  /// got before.
  public let event: LogPosition
  /// The smaller number of the pair.
  public let low: CardNumber
  /// The greater number of the pair.
  public let high: CardNumber
  /// When it happened.
  public let time: Timestamp

  /// What the world outside should hear of.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - event: The event of the log that did it.
  ///   - one: One side of the pair.
  ///   - other: The other side, in either order.
  ///   - time: When it happened.
  public init(
    kind: Kind, event: LogPosition, between one: CardNumber, and other: CardNumber,
    time: Timestamp
  ) {
    self.kind = kind
    self.event = event
    low = min(one, other)
    high = max(one, other)
    self.time = time
  }
}

/// Where a relay delivers events: server-sent events, a file, a message queue, a push service. The
/// module `CardFeedEventSinks` has some.
public protocol EventSink: Sendable {
  /// Takes the events over. When this returns they count as delivered; when it throws, the same
  /// events come again later. They may come twice, and those of different pairs in any order.
  func deliver(_ events: [OutboxEvent]) async throws
}
