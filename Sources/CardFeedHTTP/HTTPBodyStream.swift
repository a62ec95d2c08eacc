/// Why the body of a request ended before its end.
public enum HTTPBodyError: Error, Sendable, Hashable {
  /// It is longer than the admission allowed.
  case tooLarge
  /// The client went away, or sent what is no body.
  case disconnected
  /// It came too slowly.
  case timedOut
}

/// The body of a request as it comes, in pieces of one or more bytes.
///
/// It can be iterated once. Nothing more is read from the client while pieces wait to be taken, so a
/// slow consumer holds little memory and slows its client down.
public struct HTTPBodyStream: AsyncSequence, Sendable {
  /// A piece, never empty.
  public typealias Element = [UInt8]
  /// Why it can end early.
  public typealias Failure = HTTPBodyError

  /// Takes the pieces.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let pull: @Sendable () async -> Result<[UInt8]?, HTTPBodyError>

    /// The next piece, or nil at the end.
    ///
    /// - Throws: `HTTPBodyError`, then again at every further call.
    public mutating func next() async throws(HTTPBodyError) -> [UInt8]? {
      try await pull().get()
    }

    /// The next piece, or nil at the end.
    ///
    /// - Parameter actor: Who asks.
    /// - Throws: `HTTPBodyError`, then again at every further call.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPBodyError) -> [UInt8]? {
      try await pull().get()
    }
  }

  let pull: @Sendable () async -> Result<[UInt8]?, HTTPBodyError>

  /// A body from a function, for tests of responders.
  ///
  /// - Parameter pull: Returns the next piece, nil at the end, or why there is none. Called by one
  ///   task at a time.
  public init(pull: @escaping @Sendable () async -> Result<[UInt8]?, HTTPBodyError>) {
    self.pull = pull
  }

  /// Begins to take pieces. Further iterators continue where the others stand.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pull: pull) }
}
