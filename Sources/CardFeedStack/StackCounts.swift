/// Where all cards of a ``CardStack`` went since its last reset.
///
/// At any time `offered + recirculated == upcoming + history + evicted + removed`.
public struct StackCounts: Hashable, Sendable {
  /// Cards that were inserted.
  public package(set) var offered = 0
  /// Swiped cards that went to the back of a looping stack, rewinds subtracted.
  public package(set) var recirculated = 0
  /// History records that were dropped because the history was full.
  public package(set) var evicted = 0
  /// Upcoming cards and history records that were removed, or dropped by a replacement.
  public package(set) var removed = 0

  @usableFromInline package init() {}

  // Inlinable code of the stack cannot use the setters above directly.
  @usableFromInline
  package mutating func add(
    offered: Int = 0, recirculated: Int = 0, evicted: Int = 0, removed: Int = 0
  ) {
    self.offered += offered
    self.recirculated += recirculated
    self.evicted += evicted
    self.removed += removed
  }
}
