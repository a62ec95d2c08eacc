internal import CardFeed

/// What waits for one subscriber: at most `limit` events beside those it resumed with, and at most
/// one sign of life. One reader; offers never wait for it.
final class Mailbox: Sendable {
  /// What a reader gets. Events become bytes on the reader's side, not on the relay's.
  enum Item: Sendable {
    case text([UInt8])
    case event(ReplayWindow.Entry)
  }

  /// A reader that was waiting, and what it is to get.
  struct Wake: Sendable {
    let reader: CheckedContinuation<Item?, Never>
    let item: Item?

    func resume() { reader.resume(returning: item) }
  }

  enum Offer: Sendable {
    case taken(Wake?)
    /// There was no room; the mailbox ends behind what it holds.
    case overflow
  }

  private struct State {
    var backlog: ArraySlice<Item>
    var queue: [Item] = []
    var head = 0
    var sign: [UInt8]?
    var last: [UInt8]?
    var isEnding = false
    var reader: CheckedContinuation<Item?, Never>?
    var quietSince: UInt64

    mutating func pop() -> Item? {
      if let item = backlog.popFirst() { return item }
      if head < queue.count {
        defer {
          head += 1
          if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            head = 0
          } else if head * 2 > queue.count {
            queue.removeFirst(head)
            head = 0
          }
        }
        return queue[head]
      }
      if let text = sign ?? last {
        if sign != nil { sign = nil } else { last = nil }
        return .text(text)
      }
      return nil
    }
  }

  /// Whose events these are; nil for those of everybody.
  let viewer: ViewerNumber?
  private let limit: Int
  private let clock: any FeedClock
  private let state: Lock<State>

  init(viewer: ViewerNumber?, limit: Int, clock: any FeedClock, first: [Item]) {
    self.viewer = viewer
    self.limit = max(1, limit)
    self.clock = clock
    state = Lock(State(backlog: first[...], quietSince: clock.uptimeNanoseconds))
  }

  // MARK: Offering

  /// - Parameter closing: The last text of a mailbox without room.
  func offer(
    _ entry: ReplayWindow.Entry, closing: (_ last: ReplayWindow.Entry) -> [UInt8]
  ) -> Offer {
    let now = clock.uptimeNanoseconds
    return state.withLock { state in
      if state.isEnding { return .taken(nil) }
      // An event is a sign of life, and a newer place to resume from.
      state.sign = nil
      if let reader = state.reader {
        state.reader = nil
        state.quietSince = now
        return .taken(Wake(reader: reader, item: .event(entry)))
      }
      if state.queue.count - state.head >= limit, case .event(let last) = state.queue.last {
        state.last = closing(last)
        state.isEnding = true
        return .overflow
      }
      state.queue.append(.event(entry))
      return .taken(nil)
    }
  }

  /// Offers a sign of life if nothing was handed out for a while and nothing waits.
  func offer(sign: [UInt8], afterNanoseconds quiet: UInt64) -> Wake? {
    let now = clock.uptimeNanoseconds
    return state.withLock { state in
      guard !state.isEnding, now >= state.quietSince + quiet, state.backlog.isEmpty,
        state.queue.isEmpty
      else { return nil }
      guard let reader = state.reader else {
        state.sign = sign
        return nil
      }
      state.reader = nil
      state.quietSince = now
      return Wake(reader: reader, item: .text(sign))
    }
  }

  /// Ends behind what waits, or at once.
  func end(discarding isDiscarding: Bool) -> Wake? {
    state.withLock { state in
      state.isEnding = true
      if isDiscarding {
        state.backlog = []
        state.queue = []
        state.head = 0
        state.sign = nil
        state.last = nil
      }
      guard let reader = state.reader else { return nil }
      state.reader = nil
      return Wake(reader: reader, item: nil)
    }
  }

  // MARK: Reading

  /// The next item; nil behind the last one. Cancelling does not end the wait: ``end(discarding:)``
  /// does.
  func next() async -> Item? {
    let now = clock.uptimeNanoseconds
    return await withCheckedContinuation { continuation in
      let outcome: (isDecided: Bool, item: Item?) = state.withLock { state in
        if let item = state.pop() {
          state.quietSince = now
          return (true, item)
        }
        if state.isEnding { return (true, nil) }
        precondition(
          state.reader == nil,
          "A stream of server-sent events has one reader; subscribe once for each.")
        state.reader = continuation
        return (false, nil)
      }
      if outcome.isDecided { continuation.resume(returning: outcome.item) }
    }
  }
}
