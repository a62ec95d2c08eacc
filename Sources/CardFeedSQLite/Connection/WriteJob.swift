/// One call of ``WriteQueue``, from being queued until its caller goes on.
///
/// Unchecked: a job is handed over once, under the queue's lock, and afterwards touched by the
/// queue's serial dispatch queue only.
class WriteJob: @unchecked Sendable {
  /// Whether it runs alone and outside of transactions.
  let isExclusive: Bool

  init(isExclusive: Bool) {
    self.isExclusive = isExclusive
  }

  /// Runs the body and keeps its result or error, in place of those of an earlier attempt.
  func attempt(_ run: Runner, on connection: Connection) {
    preconditionFailure("WriteJob.attempt is implemented by TypedWriteJob only; create that.")
  }

  /// Replaces the outcome by an error.
  func fail(_ error: any Error) {
    preconditionFailure("WriteJob.fail is implemented by TypedWriteJob only; create that.")
  }

  var hasSucceeded: Bool {
    preconditionFailure("WriteJob.hasSucceeded is implemented by TypedWriteJob only; create that.")
  }

  /// Tells the commit observer.
  func announce() {}

  /// Lets the caller go on.
  func resume() {}

  enum Runner {
    case inSavepoint
    case directly
  }
}

final class TypedWriteJob<Value: Sendable>: WriteJob, @unchecked Sendable {
  private let body: @Sendable (Connection) throws -> Value
  private let committed: (@Sendable (Value) -> Void)?
  private let continuation: CheckedContinuation<Value, any Error>
  private var outcome: Result<Value, any Error>?

  init(
    isExclusive: Bool, body: @escaping @Sendable (Connection) throws -> Value,
    committed: (@Sendable (Value) -> Void)?, continuation: CheckedContinuation<Value, any Error>
  ) {
    self.body = body
    self.committed = committed
    self.continuation = continuation
    super.init(isExclusive: isExclusive)
  }

  override func attempt(_ run: Runner, on connection: Connection) {
    outcome = Result {
      switch run {
      case .inSavepoint: try connection.savepoint(body)
      case .directly: try body(connection)
      }
    }
  }

  override func fail(_ error: any Error) {
    outcome = .failure(error)
  }

  override var hasSucceeded: Bool {
    if case .success = outcome { true } else { false }
  }

  override func announce() {
    if case .success(let value) = outcome {
      committed?(value)
    }
  }

  override func resume() {
    guard let outcome else {
      preconditionFailure("A write job was resumed before it ran; attempt or fail it first.")
    }
    continuation.resume(with: outcome)
  }
}
