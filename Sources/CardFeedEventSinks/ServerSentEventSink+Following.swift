public import CardFeed

/// Following the log of a store: every process that shares the store tells of every match, whichever
/// made it, and a client resumes at any of them, also after a restart.
extension ServerSentEventSink {
  /// What a sink has counted.
  public struct Counts: Hashable, Sendable {
    /// Changes that came to the sink, whoever listens.
    public var changes: UInt64 = 0
    /// Streams that were ended because their reader was too slow.
    public var endedStreams: UInt64 = 0
    /// Streams that began with the message `reload`.
    public var reloads: UInt64 = 0
  }

  /// What was counted since the sink was made.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The place of the log up to which the sink has come; nil before it has come to any.
  public var place: LogPosition? { state.withLock { $0.window.cursor } }

  /// From now on the sink gets every change behind a place of the log, in order, and nothing else:
  /// by ``deliver(_:)-(MatchChanges)``. Call it once, before anything is delivered. Ids that name a
  /// place before it are too old.
  ///
  /// - Parameter place: Where following begins.
  public func follow(from place: LogPosition) {
    state.withLock { $0.window.follow(from: place) }
  }

  /// Hands what became of matches to those who subscribed. Of an erasure each viewer is told who had
  /// a match with that person, as far as ``events(of:after:matched:asOf:)`` was given it: as the end
  /// of a match with nobody. Changes that were delivered before are dropped.
  ///
  /// - Throws: What `names` throws, and ``ServerSentEventSinkClosed``; then nobody got anything.
  /// - Complexity: O(changes + messages to subscribers), and O(viewers who subscribed) for each
  ///   erasure.
  public func deliver(_ page: MatchChanges) async throws {
    var numbers: Set<CardNumber> = []
    for case .match(let event) in page.changes { numbers.formUnion([event.low, event.high]) }
    let sorted = numbers.sorted()
    let found = sorted.isEmpty ? [] : try await names(sorted)
    let named = Dictionary(zip(sorted, found)) { first, _ in first }
    let now = clock.now
    let wakes = try state.withLock { state in
      if state.isClosed { throw ServerSentEventSinkClosed() }
      let wakes = page.changes.flatMap { change in
        switch change {
        case .match(let event): tell(event, named, &state)
        case .erased(let person, let place): tell(erasureOf: person, at: place, now, &state)
        }
      }
      // A page that is cut may end between a swipe and the match that it made.
      if !page.hasMore { state.window.advance(to: page.end) }
      return wakes
    }
    wakes.forEach { $0.resume() }
  }

  private func tell(
    _ event: OutboxEvent, _ named: [CardNumber: CardID?], _ state: inout State
  ) -> [Mailbox.Wake] {
    let entry = state.window.append(
      event, low: named[event.low] ?? nil, high: named[event.high] ?? nil)
    guard let entry else { return [] }
    state.counts.changes += 1
    Self.note(event, of: event.low, &state)
    Self.note(event, of: event.high, &state)
    return offer(entry, to: [event.low, event.high, nil], &state)
  }

  private func tell(
    erasureOf person: CardNumber, at place: LogPosition, _ time: Timestamp, _ state: inout State
  ) -> [Mailbox.Wake] {
    let end = { (viewer: ViewerNumber) in
      OutboxEvent(kind: .matchEnded, event: place, between: viewer, and: person, time: time)
    }
    guard state.window.append(end(person), low: nil, high: nil, isErasure: true) != nil
    else { return [] }
    state.counts.changes += 1
    let viewers = state.matched.filter { $0.value.contains(person) }.keys
    return viewers.flatMap { viewer in
      state.matched[viewer]?.remove(person)
      let entry = ReplayWindow.Entry(
        event: end(viewer), low: nil, high: nil, isResumable: true)
      return offer(entry, to: [viewer], &state)
    }
  }

  /// Keeps in mind with whom a viewer has a match.
  private static func note(_ event: OutboxEvent, of viewer: ViewerNumber, _ state: inout State) {
    let other = event.low == viewer ? event.high : event.low
    switch event.kind {
    case .matchMade: state.matched[viewer]?.insert(other)
    case .matchEnded: state.matched[viewer]?.remove(other)
    }
  }

  /// A viewer's events of a sink that follows a log, from where it stood before the viewer's matches
  /// were read, or from the last event that was seen.
  ///
  /// - Parameters:
  ///   - viewer: The viewer's number.
  ///   - lastEventID: What the client sent as `Last-Event-ID`; nil or empty starts at `place`.
  ///   - matched: With whom the viewer has a match: erasures of these are told. Nil where matches are
  ///     not with people; then no erasure is.
  ///   - place: ``place`` as it was before `matched` was read.
  /// - Complexity: O(changes since the last event).
  public func events(
    of viewer: ViewerNumber, after lastEventID: String?, matched: Set<CardNumber>?,
    asOf place: LogPosition
  ) -> ServerSentEventStream {
    let id = lastEventID.flatMap { $0.isEmpty ? nil : $0 } ?? text.id(place)
    return subscribe(viewer) { state in
      if let matched, !state.isClosed {
        state.matched[viewer] = matched
        // What came while they were read. Where that is not known any more, the client is told so.
        for entry in state.window.entries(after: place) ?? [] where !entry.isErasure {
          guard entry.event.low == viewer || entry.event.high == viewer else { continue }
          Self.note(entry.event, of: viewer, &state)
        }
      }
      return first(viewer, id, isToldOfErasures: matched != nil, &state)
    }
  }
}
