/// Who was kept apart in a part of the log: what processes that share a store tell each other.
public struct Partings: Hashable, Sendable {
  /// Two who must not meet any more.
  public struct Pair: Hashable, Sendable {
    /// Whose event it was.
    public let viewer: ViewerNumber
    /// The other one.
    public let card: CardNumber

    /// Two who must not meet any more.
    public init(viewer: ViewerNumber, card: CardNumber) {
      self.viewer = viewer
      self.card = card
    }
  }

  /// The pairs, in the order of the log.
  public let pairs: [Pair]
  /// The place up to which the log was read.
  public let end: LogPosition
  /// Whether there may be more right behind it.
  public let hasMore: Bool

  /// A part of the log.
  public init(pairs: [Pair], end: LogPosition, hasMore: Bool) {
    self.pairs = pairs
    self.end = end
    self.hasMore = hasMore
  }
}

extension EventKind {
  /// Whether an event of this kind keeps two apart from then on.
  public var keepsApart: Bool {
    switch self {
    case .block, .report, .unmatch: true
    case .deal, .impression, .swipe, .rewind, .match, .erasure, .ageOut: false
    }
  }
}

extension FeedStore {
  /// Reads the log and leaves out the rest of it. `limit` is how many events are read at most.
  /// O(events read).
  public func partings(after position: LogPosition, limit: Int) async throws -> Partings {
    let events = try await events(after: position, limit: limit)
    let pairs = events.compactMap { event in
      event.kind.keepsApart
        ? event.card.map { Partings.Pair(viewer: event.viewer, card: $0) } : nil
    }
    return Partings(
      pairs: pairs, end: events.last?.position ?? position, hasMore: events.count >= limit)
  }
}
