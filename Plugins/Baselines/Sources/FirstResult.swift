internal import CardFeed

/// Runs `operation` and answers with its result, or with nil once the time is over.
///
/// Two tasks race for one continuation. A task group would wait for the operation to end even
/// after it has lost; here it is cancelled and left to itself, and what it brings is dropped.
func firstResult<Value: Sendable>(
  withinMilliseconds milliseconds: Int, _ operation: @escaping @Sendable () async throws -> Value
) async -> Result<Value, any Error>? {
  let race = Race<Result<Value, any Error>>()
  let work = Task {
    do {
      race.finish(.success(try await operation()))
    } catch {
      race.finish(.failure(error))
    }
  }
  let timer = Task {
    try await Task.sleep(for: .milliseconds(milliseconds))
    race.finish(nil)
  }
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { race.start($0) }
  } onCancel: {
    work.cancel()
  }
  work.cancel()
  timer.cancel()
  return result
}

/// Hands the first result over to whoever waits; later ones are dropped.
private final class Race<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value?, Never>)
    case finished(Value?)
    case over
  }

  private let state = Lock(State.open)

  func start(_ continuation: CheckedContinuation<Value?, Never>) {
    let early: Value?? = state.withLock { state in
      if case .finished(let value) = state {
        state = .over
        return .some(value)
      }
      state = .waiting(continuation)
      return .none
    }
    if let early { continuation.resume(returning: early) }
  }

  func finish(_ value: Value?) {
    let waiting: CheckedContinuation<Value?, Never>? = state.withLock { state in
      switch state {
      case .open:
        state = .finished(value)
        return nil
      case .waiting(let continuation):
        state = .over
        return continuation
      case .finished, .over: return nil
      }
    }
    waiting?.resume(returning: value)
  }
}
