public import CardFeed
internal import CardFeedConfiguration

/// A sink that fans events out to subscribers as server-sent events, one stream each.
///
/// This module holds the sinks that a relay delivers to. Services and programs may call it; it must
/// never import a store, a plugin or anything with a network: whoever answers HTTP writes the chunks.
///
/// - A relay never waits for a subscriber. Whoever falls behind gets what fitted into its buffer, a
///   last message `closed`, and the end of the stream; its client connects again and resumes.
/// - A client resumes with the last id it saw (the header `Last-Event-ID`) from the events that were
///   delivered last. If they do not reach back that far, or the id is of another stream, it gets a
///   message `reload`: something may be missing, so it loads its matches anew. Nothing is lost in
///   silence.
/// - Delivery is at least once. An event that comes again while it is in the window is dropped;
///   later it is sent again with the same id.
/// - A viewer's stream shows of a match the other side's identifier, the moment, and nothing else of
///   anybody. Only ``allEvents(after:)`` has the numbers of the store.
/// - Of several relays of an outbox each event comes to one. Run the relay where the subscribers are,
///   or a queue between; or follow the log (``follow(from:)``), which any number of processes can.
///
/// | message | id | data |
/// | --- | --- | --- |
/// | `match-made`, `match-ended` | of the event | `{"kind":…,"event":…,"card":…,"time":…}`; `cardHex` for an identifier that is not UTF-8, `null` for somebody who is erased |
/// | `reload` | where the stream goes on | `{"reason":"too-old"}`, `{"reason":"other-stream"}` or, of a sink that follows a log, `{"reason":"erasure"}` |
/// | `closed` | of the last event before it | `{"reason":"slow"}` |
///
/// A stream begins with `retry` and an id; comments with an id, so that a quiet client can resume
/// too, keep connections alive.
public final class ServerSentEventSink: EventSink {
  /// How a sink behaves.
  public struct Options: Sendable, Equatable {
    /// Events that may wait for one subscriber, beside those it resumed with; 1 or more.
    public var buffer: Int
    /// Events of everybody that are kept for those who resume; 1 or more.
    public var window: Int
    /// After how long without a message a subscriber gets a comment, in milliseconds.
    public var heartbeatMilliseconds: Int64
    /// How long a client is to wait before it connects again, in milliseconds.
    public var retryMilliseconds: Int64

    /// The options with their defaults.
    ///
    /// - Parameters:
    ///   - buffer: Events that may wait for one subscriber.
    ///   - window: Events that are kept for those who resume.
    ///   - heartbeatMilliseconds: After how long without a message a comment is sent.
    ///   - retryMilliseconds: How long a client is to wait before it connects again.
    public init(
      buffer: Int = 256, window: Int = 10_000, heartbeatMilliseconds: Int64 = 15_000,
      retryMilliseconds: Int64 = 3000
    ) {
      self.buffer = buffer
      self.window = window
      self.heartbeatMilliseconds = heartbeatMilliseconds
      self.retryMilliseconds = retryMilliseconds
    }
  }

  /// The identifier of each number, in order; nil where there is none any more.
  public typealias Names = @Sendable (_ numbers: [CardNumber]) async throws -> [CardID?]

  struct State {
    var window: ReplayWindow
    var mailboxes: [Int: Mailbox] = [:]
    /// Of each viewer, and under nil of those who hear of everybody.
    var keys: [ViewerNumber?: Set<Int>] = [:]
    /// With whom each viewer who subscribed has a match, where erasures are to be told.
    var matched: [ViewerNumber: Set<CardNumber>] = [:]
    var counts = Counts()
    var nextKey = 0
    var isClosed = false
  }

  let text: ServerSentText
  let names: Names
  let clock: any FeedClock
  private let options: Options
  let state: Lock<State>

  /// A sink without subscribers.
  ///
  /// - Parameters:
  ///   - stream: A number that no sink of this service had before, a random one for example: places
  ///     to resume from are valid within one stream.
  ///   - clock: The time by which comments fall due.
  ///   - options: How it behaves.
  ///   - names: Asked once for each batch. What it throws is thrown to the relay.
  public init(
    stream: UInt64, clock: any FeedClock, options: Options = Options(), names: @escaping Names
  ) {
    text = ServerSentText(stream: stream)
    self.names = names
    self.clock = clock
    self.options = options
    state = Lock(State(window: ReplayWindow(capacity: options.window)))
  }

  /// A sink that names people and cards by the identifiers of a store.
  ///
  /// - Parameters:
  ///   - stream: A number that no sink of this service had before, a random one for example.
  ///   - store: Where the identifiers are.
  ///   - clock: The time by which comments fall due.
  ///   - options: How it behaves.
  public convenience init(
    stream: UInt64, store: some FeedStore, clock: any FeedClock, options: Options = Options()
  ) {
    self.init(stream: stream, clock: clock, options: options) { try await store.ids(for: $0) }
  }

  deinit { close() }

  // MARK: Subscribing

  /// How many subscribers there are.
  public var subscribers: Int { state.withLock { $0.mailboxes.count } }

  /// A viewer's events, from now on or from the last one that was seen. May be subscribed to any
  /// number of times. O(window) when it resumes.
  ///
  /// - Parameters:
  ///   - viewer: The viewer's number.
  ///   - lastEventID: What the client sent as `Last-Event-ID`; nil or empty starts now.
  public func events(
    of viewer: ViewerNumber, after lastEventID: String? = nil
  ) -> ServerSentEventStream { subscribe(viewer, lastEventID) }

  /// Everybody's events with the numbers of the store, for whoever runs the service. O(window) when
  /// it resumes.
  ///
  /// - Parameter lastEventID: What the client sent as `Last-Event-ID`; nil or empty starts now.
  public func allEvents(after lastEventID: String? = nil) -> ServerSentEventStream {
    subscribe(nil, lastEventID)
  }

  private func subscribe(_ viewer: ViewerNumber?, _ id: String?) -> ServerSentEventStream {
    subscribe(viewer) { state in
      first(viewer, id.flatMap { $0.isEmpty ? nil : $0 }, isToldOfErasures: false, &state)
    }
  }

  func subscribe(
    _ viewer: ViewerNumber?, first: (inout State) -> [Mailbox.Item]
  ) -> ServerSentEventStream {
    let (mailbox, key) = state.withLock { state in
      let first = first(&state)
      let mailbox = Mailbox(viewer: viewer, limit: options.buffer, clock: clock, first: first)
      state.nextKey += 1
      let key = state.nextKey
      if state.isClosed {
        _ = mailbox.end(discarding: false)
      } else {
        state.mailboxes[key] = mailbox
        state.keys[viewer, default: []].insert(key)
      }
      return (mailbox, key)
    }
    return ServerSentEventStream(
      subscription: ServerSentEventStream.Subscription(
        mailbox, text: { [text] in text.message($0, for: viewer) },
        leave: { [weak self] in self?.remove(key) }))
  }

  /// What a subscriber gets before anything new.
  func first(
    _ viewer: ViewerNumber?, _ id: String?, isToldOfErasures: Bool, _ state: inout State
  ) -> [Mailbox.Item] {
    guard let id else { return [beginning(at: state.window.cursor)] }
    guard let place = text.place(id) else { return reload(.otherStream, &state) }
    guard let missed = state.window.entries(after: place) else { return reload(.tooOld, &state) }
    // With whom the person had a match is not known any more.
    if isToldOfErasures, missed.contains(where: \.isErasure) { return reload(.erasure, &state) }
    let own = missed.filter {
      !$0.isErasure && (viewer == nil || $0.event.low == viewer || $0.event.high == viewer)
    }
    return [beginning(at: place)] + own.map { .event($0) }
  }

  private func beginning(at place: LogPosition?) -> Mailbox.Item {
    .text(text.beginning(retry: options.retryMilliseconds, at: place))
  }

  private func reload(_ reason: ServerSentText.Reload, _ state: inout State) -> [Mailbox.Item] {
    state.counts.reloads += 1
    return [beginning(at: nil), .text(text.reload(reason, at: state.window.cursor))]
  }

  private func remove(_ key: Int) {
    state.withLock { Self.remove(key, &$0) }
  }

  private static func remove(_ key: Int, _ state: inout State) {
    guard let viewer = state.mailboxes.removeValue(forKey: key)?.viewer else {
      state.keys[nil]?.remove(key)
      return
    }
    state.keys[viewer]?.remove(key)
    if state.keys[viewer]?.isEmpty == true {
      state.keys[viewer] = nil
      state.matched[viewer] = nil
    }
  }

  // MARK: Delivering

  /// Hands the events to those who subscribed to them. Waits for the names, never for a subscriber.
  ///
  /// - Throws: What `names` throws, and ``ServerSentEventSinkClosed``; then nobody got anything.
  /// - Complexity: O(events + messages to subscribers).
  public func deliver(_ events: [OutboxEvent]) async throws {
    guard !events.isEmpty else { return }
    let numbers = Set(events.flatMap { [$0.low, $0.high] }).sorted()
    let named = Dictionary(zip(numbers, try await names(numbers))) { first, _ in first }
    let wakes = try state.withLock { state in
      if state.isClosed { throw ServerSentEventSinkClosed() }
      return events.flatMap { event in
        state.window.append(
          event, low: named[event.low] ?? nil, high: named[event.high] ?? nil
        ).map { offer($0, &state) } ?? []
      }
    }
    wakes.forEach { $0.resume() }
  }

  private func offer(_ entry: ReplayWindow.Entry, _ state: inout State) -> [Mailbox.Wake] {
    offer(entry, to: [entry.event.low, entry.event.high, nil], &state)
  }

  func offer(
    _ entry: ReplayWindow.Entry, to viewers: [ViewerNumber?], _ state: inout State
  ) -> [Mailbox.Wake] {
    let keys = viewers.flatMap { state.keys[$0] ?? [] }
    var wakes: [Mailbox.Wake] = []
    for key in keys {
      switch state.mailboxes[key]?.offer(entry, closing: text.closed) {
      case .taken(let wake?): wakes.append(wake)
      case .overflow:
        state.counts.endedStreams += 1
        Self.remove(key, &state)
      case .taken(nil), nil: break
      }
    }
    return wakes
  }

  // MARK: Staying alive

  /// Sends a comment to each subscriber that got nothing for `heartbeatMilliseconds`. O(subscribers).
  public func beat() {
    let (mailboxes, cursor) = state.withLock { (Array($0.mailboxes.values), $0.window.cursor) }
    let sign = text.heartbeat(at: cursor)
    let quiet = UInt64(max(0, options.heartbeatMilliseconds)) * 1_000_000
    for mailbox in mailboxes { mailbox.offer(sign: sign, afterNanoseconds: quiet)?.resume() }
  }

  /// Calls ``beat()`` four times in `heartbeatMilliseconds`, until the task is cancelled.
  public func keepAlive() async {
    let pause = Duration.milliseconds(max(1, options.heartbeatMilliseconds / 4))
    while !Task.isCancelled {
      beat()
      // Cancelled while it waits: the loop ends by itself.
      try? await Task.sleep(for: pause)
    }
  }

  /// Ends every stream behind what waits in it. Later subscribers get an ended stream, and no more
  /// is taken over from a relay. Closing twice is allowed.
  public func close() {
    let mailboxes = state.withLock { state in
      state.isClosed = true
      state.keys = [:]
      state.matched = [:]
      defer { state.mailboxes = [:] }
      return Array(state.mailboxes.values)
    }
    for mailbox in mailboxes { mailbox.end(discarding: false)?.resume() }
  }
}

/// A relay delivered to a sink that was closed.
public struct ServerSentEventSinkClosed: Error, Sendable, CustomStringConvertible {
  /// What was found, and what to do.
  public var description: String {
    "the sink of server-sent events is closed. Its events stay in the outbox; "
      + "end the relay before the sink, or open another sink."
  }
}
