extension CardStack {
  /// Changes what is kept with the upcoming cards, top first. Identities must stay as they are.
  ///
  /// - Parameter change: Called with each upcoming card.
  /// - Complexity: O(upcoming); allocates nothing itself.
  @inlinable
  public mutating func updateUpcoming(_ change: (inout Card) -> Void) {
    for offset in state.historyCount..<ring.count {
      var entry = ring[offset]
      let id = entry.card.id
      change(&entry.card)
      precondition(
        entry.card.id == id,
        "updateUpcoming changed a card's identity; remove the card and append the other instead.")
      ring[offset] = entry
    }
  }

  /// Starts another generation of the same cards: decisions that were taken before are stale from
  /// then on. For whoever changes a stack that others hold copies of, so that theirs, which may have
  /// its top at the same position again, are found to be old.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func startGeneration() { state.generation += 1 }
}
