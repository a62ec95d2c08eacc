/// What a ``CardStack`` does with a card once it was swiped.
public enum StackPolicy: String, Hashable, Sendable, CaseIterable {
  /// The card goes into the history. When the last card was swiped the stack has run out.
  case stop

  /// The card goes into the history and, one lap later, comes round again: a deck of n cards
  /// repeats in order and the card at position p is the one with index `floorMod(p, n)`. Memory
  /// does not grow. A looping stack runs out only if it is emptied by a removal.
  case loop
}
