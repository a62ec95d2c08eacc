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
}
