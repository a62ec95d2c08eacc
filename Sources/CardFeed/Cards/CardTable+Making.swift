extension CardTable {
  /// A table of its own, for tests and tools that need no feed. O(n).
  package static func make(
    _ cards: [(card: D.Card, number: CardNumber)], changed: [CardNumber: Timestamp] = [:],
    deck: D
  ) -> CardTable<D> {
    CardTable().putting(cards.map { ($0, $1, changed[$1]) }, deck: deck)
  }
}
