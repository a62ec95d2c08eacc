import CardFeed
import Dispatch

/// Moves the write-ahead log into the database file beside the writer, so that no commit waits for
/// it but the last one of a round.
///
/// SQLite's own way, to move the log inside the commit that fills it, makes everybody who waits for
/// that commit wait for the whole log. Here a connection of its own moves what the log holds, again
/// while the writer goes on appending, until little is left. That little the writer moves itself,
/// between two commits, because the log can only begin anew when nobody appends. Should the log
/// grow faster than it is moved, the writer moves it as well, which holds the commits up and lets
/// the disk catch up.
///
/// A failure is left to the next round: the log holds everything, and commits report a disk that
/// fails.
///
/// Unchecked: the connection is used on the serial queue only; the rest is immutable or behind the
/// lock.
final class Checkpointer: @unchecked Sendable {
  /// How far a round goes on by itself, in pages of the log.
  struct Limits: Sendable {
    /// Pages in the log at which a round begins.
    var start: Int
    /// Pages that the writer may be left with.
    var rest: Int
    /// Pages in the log at which the writer has to help, whatever is left.
    var most: Int
  }

  private enum Phase {
    case idle
    /// Somebody else makes a checkpoint; SQLite allows one at a time.
    case held
    case moving
    /// The writer has to move the rest.
    case ending
    case closed
  }

  private let connection: Connection
  private let queue = DispatchQueue(label: "CardFeedSQLite.Checkpointer")
  private let phase = Lock(Phase.idle)
  private let holds = SerialLane()
  private let limits: Limits

  init(_ connection: sending Connection, limits: Limits) {
    self.connection = connection
    self.limits = limits
  }

  /// To be called by the writer between two commits. Seldom it takes as long as two syncs.
  ///
  /// - Parameters:
  ///   - logPages: Pages in the log after the last commit.
  ///   - writer: The writer's connection, outside a transaction.
  func afterCommit(logPages: Int, writer: Connection) {
    guard logPages >= limits.start else { return }
    let found = phase.withLock { phase in
      let found = phase
      if found == .idle { phase = .moving }
      return found
    }
    switch found {
    case .idle: queue.async { self.move() }
    case .ending:
      // If a reader needs the log, the rest stays, and a round begins after the next commit.
      _ = try? writer.checkpoint(.passive)
      phase.withLock { if $0 == .ending { $0 = .idle } }
    case .moving, .held, .closed: break
    }
  }

  /// Runs `body`, which makes a checkpoint of its own, while no round runs.
  func holding<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await holds.run {
      phase.withLock { if $0 != .closed { $0 = .held } }
      await withCheckedContinuation { idle in queue.async { idle.resume() } }
      defer { phase.withLock { if $0 == .held { $0 = .idle } } }
      return try await body()
    }
  }

  /// Waits for the round that runs, and closes the connection.
  func close() async throws {
    phase.withLock { $0 = .closed }
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      queue.async { done.resume(with: Result { try self.connection.close() }) }
    }
  }

  private func move() {
    var movedBefore = -1
    while phase.withLock({ $0 == .moving }) {
      guard let done = try? connection.checkpoint(.passive) else { return leave(.idle) }
      let left = done.logged - done.moved
      if left <= limits.rest || done.logged >= limits.most { return leave(.ending) }
      // A reader that began long ago keeps the log; trying on would move nothing.
      if done.moved == movedBefore { return leave(.idle) }
      movedBefore = done.moved
    }
  }

  private func leave(_ next: Phase) {
    phase.withLock { if $0 == .moving { $0 = next } }
  }
}
