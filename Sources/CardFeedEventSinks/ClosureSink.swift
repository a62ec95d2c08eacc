public import CardFeed

/// A sink that calls a closure.
public struct ClosureSink: EventSink {
  private let body: @Sendable ([OutboxEvent]) async throws -> Void

  /// Calls `body` with each batch.
  ///
  /// - Parameter body: Takes the events over, or throws to get them again.
  public init(_ body: @escaping @Sendable ([OutboxEvent]) async throws -> Void) {
    self.body = body
  }

  /// Calls the closure.
  public func deliver(_ events: [OutboxEvent]) async throws { try await body(events) }
}
