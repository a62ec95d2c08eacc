internal import CardFeed
internal import CardFeedConfiguration
internal import CardFeedEventSinks

extension OpenFeed {
  /// The number of the streams' ids. The places in ids are those of the store's log, so every process
  /// over a durable store has the same, after a restart too; what is in memory is gone with it.
  ///
  /// Of the store only its kind is taken: where it is may hold a password.
  static func stream(of configuration: FeedConfiguration, _ store: Store) -> UInt64 {
    if store is InMemoryStore { return .random(in: .min ... .max) }
    var hash = StableHash()
    hash.combine("events/1/\(configuration.deck)/\(configuration.store.use)")
    return hash.value
  }

  func events(
    of viewer: ViewerID, after last: String?
  ) async throws -> ServerSentEventStream {
    let number = try await number(of: viewer)
    // The client may come from a process that has come further.
    if last != nil { try await follower.catchUp() }
    // Before the matches are read: what comes meanwhile is told.
    let place = sink.place ?? .start
    var matched: Set<CardNumber>?
    if deck.deck.policy.isMutual {
      matched = Set(
        try await store.matches(of: number).map { $0.low == number ? $0.high : $0.low })
    }
    return sink.events(of: number, after: last, matched: matched, asOf: place)
  }

  /// What the streams of events have done.
  var eventCounts: EventCounts {
    let counts = sink.counts
    return EventCounts(
      changes: counts.changes, endedStreams: counts.endedStreams, reloads: counts.reloads,
      failures: follower.failures)
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
