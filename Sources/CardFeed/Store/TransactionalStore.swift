/// A store whose transactions are local calls, so that the rules can run inside them.
///
/// Conforming types write `write(_:)` and the reads; the commits follow from the rules.
public protocol TransactionalStore: FeedStore {
  /// The rows of this store inside a transaction.
  associatedtype Transaction: StoreTransaction

  /// Runs `body` as one transaction: all of it is durable when this returns, none of it when
  /// `body` throws.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout Transaction) throws -> Result
  ) async throws -> Result
}

extension TransactionalStore {
  /// Makes a deal durable, unless one of its cards was blocked or the hand was moved meanwhile.
  public func commit(_ deal: DealCommand) async throws -> DealDecision {
    try await write { transaction in try transaction.apply(deal) }
  }

  /// Makes swipes durable, all in one transaction, one decision each.
  public func commit(_ swipes: [SwipeCommand]) async throws -> [SwipeDecision] {
    try await write { transaction in
      var decisions: [SwipeDecision] = []
      for swipe in swipes { decisions.append(try transaction.apply(swipe)) }
      return decisions
    }
  }

  /// Takes a swipe back.
  public func commit(_ rewind: RewindCommand) async throws -> RewindDecision {
    try await write { transaction in try transaction.apply(rewind) }
  }

  /// Keeps two people apart from now on, and ends their match; an unmatch only if there is one.
  public func commit(_ block: BlockCommand) async throws -> RecordDecision {
    try await write { transaction in try transaction.apply(block) }
  }

  /// Records that a client showed a card.
  public func recordImpression(
    viewer: ViewerNumber, card: CardNumber, event: EventID, time: Timestamp, dwell: Dwell?
  ) async throws -> RecordDecision {
    try await write { transaction in
      try transaction.applyImpression(
        viewer: viewer, card: card, event: event, time: time, dwell: dwell)
    }
  }

  /// Replaces the viewer's stack, unless the hand was moved meanwhile.
  @discardableResult
  public func save(
    _ stack: StoredStack, of viewer: ViewerNumber, basis: HandRevision?
  ) async throws -> Bool {
    try await write { transaction in try transaction.apply(stack, of: viewer, basis: basis) }
  }
}
