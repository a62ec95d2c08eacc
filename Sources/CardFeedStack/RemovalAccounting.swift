/// What became of every id that was to be removed from a ``CardStack``.
///
/// `removedUpcoming + removedHistory + duplicateInBatch + unknown` is the number of ids, except
/// that in a looping stack `removedHistory` only counts ids that were no longer upcoming.
public struct RemovalAccounting<ID: Hashable> {
  /// Ids whose card was upcoming.
  public package(set) var removedUpcoming = 0
  /// Ids whose card was only in the history. Its swipe can no longer be rewound.
  public package(set) var removedHistory = 0
  /// Ids that had been named before in the same batch.
  public package(set) var duplicateInBatch = 0
  /// Ids the stack does not hold.
  public package(set) var unknown = 0

  /// The ids the stack does not hold, in the order they were named. Empty, and so not allocated,
  /// in the ordinary case.
  public package(set) var unknownIDs: [ID] = []

  /// Whether this very operation removed the last upcoming card.
  public package(set) var ranOut = false

  @usableFromInline package init() {}

  @usableFromInline package mutating func countUnknown(_ id: ID) {
    unknown += 1
    unknownIDs.append(id)
  }

  // Inlinable code of the stack cannot use the setters above directly.
  @usableFromInline
  package mutating func add(upcoming: Int = 0, history: Int = 0, duplicates: Int = 0) {
    removedUpcoming += upcoming
    removedHistory += history
    duplicateInBatch += duplicates
  }

  @usableFromInline package mutating func noteRanOut() { ranOut = true }

  /// The number of ids that were to be removed: the sum of the four counts.
  public var total: Int { removedUpcoming + removedHistory + duplicateInBatch + unknown }
}

extension RemovalAccounting: Equatable {}
extension RemovalAccounting: Sendable where ID: Sendable {}
