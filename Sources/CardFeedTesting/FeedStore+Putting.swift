public import CardFeed

/// For tests that do not look at when cards changed.
extension FeedStore {
  /// Puts cards at a time that no store takes for one at which they changed.
  ///
  /// - Returns: Their numbers, in order.
  /// - Throws: What the store throws.
  public func put(_ cards: [StoredCard]) async throws -> [CardNumber] {
    try await put(cards, at: Timestamp(milliseconds: 0)).compactMap(\.number)
  }

  /// Revises cards at such a time.
  ///
  /// - Returns: Each card as it is kept; nil where it was passed over.
  /// - Throws: What the store throws.
  public func revise(_ cards: [StoredCard]) async throws -> [StoredCard?] {
    try await revise(cards, at: Timestamp(milliseconds: 0))
  }
}
