internal import CardFeed
internal import CardFeedEventSinks

/// Carries what became of matches from a store's log to the streams of events.
///
/// Each process that serves the store has one, with a place of its own: reading takes nothing away,
/// so neither another process nor a relay of an outbox goes without. What this process did itself is
/// carried at once (`nudge`), what others did within `interval`, unless the store fails: then it is
/// read again from the same place.
final class MatchFollower<Store: FeedStore>: Sendable {
  /// How long a match of another process may wait.
  static var interval: Duration { .milliseconds(250) }
  /// How many places of the log a start reads anew, so that clients go on where they were.
  static var reach: Int64 { 200_000 }

  private struct State {
    var place: LogPosition
    var asked = 0
    var served = 0
    var failures: UInt64 = 0
    var isNudged = false
    var isClosed = false
  }

  private let store: Store
  private let sink: ServerSentEventSink
  private let lane = SerialLane()
  private let state: Lock<State>

  /// Reads the latest part of the log, before anybody listens.
  ///
  /// - Throws: What the store throws.
  init(_ store: Store, to sink: ServerSentEventSink) async throws {
    self.store = store
    self.sink = sink
    let end = try await store.lastPosition()
    let start = LogPosition(max(0, end.rawValue - Self.reach))
    sink.follow(from: start)
    state = Lock(State(place: start))
    try await read()
  }

  /// How often the log could not be read.
  var failures: UInt64 { state.withLock { $0.failures } }

  /// Carries everything that is in the log now. Those who ask while it is read share one reading.
  ///
  /// - Throws: What the store throws; the place stays as it is.
  func catchUp() async throws {
    let ticket = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    try await lane.run {
      let asked = state.withLock { state in
        state.served >= ticket || state.isClosed ? nil : state.asked
      }
      guard let asked else { return }
      do { try await read() } catch {
        state.withLock { $0.failures += 1 }
        throw error
      }
      state.withLock { $0.served = asked }
    }
  }

  private func read() async throws {
    while true {
      let page = try await store.matchChanges(
        after: state.withLock { $0.place }, limit: 1000)
      try await sink.deliver(page)
      state.withLock { $0.place = page.end }
      guard page.hasMore else { return }
    }
  }

  /// Carries soon what this process has done, without waiting for it.
  func nudge() {
    let isFirst = state.withLock { state in
      defer { state.isNudged = true }
      return !state.isNudged && !state.isClosed
    }
    guard isFirst else { return }
    Task {
      state.withLock { $0.isNudged = false }
      // Counted; `run` asks again.
      try? await catchUp()
    }
  }

  /// Carries what others do, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      // Counted; the next round asks again.
      try? await catchUp()
      // Cancelled while it waits: the loop ends by itself.
      try? await Task.sleep(for: Self.interval)
    }
  }

  /// Ends after what is being read; nothing is carried any more.
  func close() async {
    state.withLock { $0.isClosed = true }
    await lane.run {}
  }
}
