#if Postgres
  internal import CardFeed
  internal import Dispatch

  /// A fixed number of connections, each on a thread of its own, opened when first needed and again
  /// after they broke. Work waits in order for a free one.
  final class ConnectionPool: Sendable {
    /// A thread with its connection.
    ///
    /// Unchecked: the connection is touched on the queue only.
    private final class Worker: @unchecked Sendable {
      let queue = DispatchQueue(label: "CardFeedPostgres.ConnectionPool")
      var connection: PostgresConnection?
    }

    private struct State {
      var idle: [Worker] = []
      var waiting: [CheckedContinuation<Worker?, Never>] = []
      var isClosed = false
      var random: SplitMix64
    }

    let options: PostgresConnectionOptions
    let size: Int
    private let backOff: BackOff
    private let state: Lock<State>
    private let breaks = Lock<PostgresBreak?>(nil)

    init(_ options: PostgresConnectionOptions, size: Int, backOff: BackOff) {
      self.options = options
      self.size = max(1, size)
      self.backOff = backOff
      state = Lock(
        State(
          idle: (0..<max(1, size)).map { _ in Worker() }, random: SplitMix64(seed: backOff.seed)))
    }

    /// Has `body` decide before and behind each round trip whether the connection breaks there.
    func breakConnections(_ body: PostgresBreak?) { breaks.withLock { $0 = body } }

    /// Runs `body` on a connection; when the failure may pass, waits and runs it again. What `body`
    /// does must be safe to repeat. Cancelling the task does not withdraw the work. A failure behind
    /// a try whose connection broke says that the try may have been kept.
    ///
    /// - Throws: What `body` throws; ``PostgresError``.
    func run<Value: Sendable>(
      _ operation: String, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
      var failures = 0
      var isOutcomeUnknown = false
      while true {
        do { return try await runOnce(operation, body) } catch let error as PostgresError {
          failures += 1
          if !error.mayPass || failures >= backOff.attempts {
            throw isOutcomeUnknown ? error.behindALostTry : error
          }
          isOutcomeUnknown = isOutcomeUnknown || error.code == .connectionLost
          let milliseconds = state.withLock {
            backOff.milliseconds(afterFailure: failures, &$0.random)
          }
          await Self.pause(milliseconds: milliseconds)
        }
      }
    }

    /// Runs `body` on a connection, once.
    func runOnce<Value: Sendable>(
      _ operation: String, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
      guard let worker = await take() else {
        throw PostgresError(
          .misuse, server: options.schema, operation: operation, found: "the store is closed",
          advice: "Close a store only after the last use of it.")
      }
      return try await withCheckedThrowingContinuation { continuation in
        worker.queue.async {
          let result = Result { try self.work(worker, body) }
          self.give(worker)
          continuation.resume(with: result)
        }
      }
    }

    private func work<Value>(
      _ worker: Worker, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
      if worker.connection?.isStillOpen == false { worker.connection = nil }
      let connection = try worker.connection ?? PostgresConnection(options)
      worker.connection = connection
      connection.breaks = breaks.withLock { $0 }
      do {
        let value = try body(connection)
        // A decision that nothing is to be done leaves its transaction open.
        try connection.rollBack()
        return value
      } catch {
        // A server that stopped taking writes is left, so that the next try finds the one that does.
        let isReadOnly = (error as? PostgresError)?.code == .readOnly
        if (try? connection.rollBack()) == nil || !connection.isUsable || isReadOnly {
          worker.connection = nil
        }
        throw error
      }
    }

    /// Sleeps on a timer, so that a cancelled task waits as well.
    static func pause(milliseconds: Int64) async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) {
          continuation.resume()
        }
      }
    }

    private func take() async -> Worker? {
      await withCheckedContinuation { continuation in
        let outcome: (isDecided: Bool, worker: Worker?) = state.withLock { state in
          if state.isClosed { return (true, nil) }
          if let worker = state.idle.popLast() { return (true, worker) }
          state.waiting.append(continuation)
          return (false, nil)
        }
        if outcome.isDecided { continuation.resume(returning: outcome.worker) }
      }
    }

    private func give(_ worker: Worker) {
      let next: CheckedContinuation<Worker?, Never>? = state.withLock { state in
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        state.idle.append(worker)
        return nil
      }
      next?.resume(returning: worker)
    }

    /// Waits for running work, then closes every connection. Closing twice is allowed.
    func close() async {
      var workers: [Worker] = []
      // Whoever waits for a connection gets one first: each is handed over until all came back.
      for _ in 0..<size {
        guard let worker = await take() else { break }
        workers.append(worker)
      }
      state.withLock { $0.isClosed = true }
      for worker in workers {
        await withCheckedContinuation { continuation in
          worker.queue.async {
            worker.connection = nil
            continuation.resume()
          }
        }
      }
      let left = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      left.forEach { $0.resume(returning: nil) }
    }
  }
#endif
