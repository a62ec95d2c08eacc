/// What became of every card of a batch that was given to a ``CardStack``.
///
/// The five counts add up to the size of the batch.
public struct AppendAccounting<ID: Hashable> {
  /// Why a card was not inserted.
  public enum Reason: Hashable, Sendable {
    /// The same batch had inserted a card with this id before.
    case duplicateInBatch
    /// A card with this id was upcoming already.
    case alreadyUpcoming
    /// A card with this id is in the history. Never with ``StackPolicy/loop``.
    case alreadySeen
    /// The stack held as many upcoming cards as its capacity allows.
    case rejectedForCapacity
  }

  /// A card of the batch that was not inserted.
  public struct Rejection {
    /// The card.
    public let id: ID
    /// Why it was not inserted.
    public let reason: Reason

    @inlinable
    package init(id: ID, reason: Reason) {
      self.id = id
      self.reason = reason
    }
  }

  /// Cards that are upcoming now because of this batch.
  public package(set) var inserted = 0
  /// Cards whose id this batch had inserted before.
  public package(set) var duplicateInBatch = 0
  /// Cards whose id was upcoming before this batch.
  public package(set) var alreadyUpcoming = 0
  /// Cards whose id is in the history.
  public package(set) var alreadySeen = 0
  /// Cards for which there was no room. Such a card is not remembered: its duplicate counts here.
  public package(set) var rejectedForCapacity = 0

  /// The cards that were not inserted, in the order of the batch. Empty, and so not allocated, in
  /// the ordinary case.
  public package(set) var rejections: [Rejection] = []

  @usableFromInline package init() {}

  /// The size of the batch: the sum of the five counts.
  public var total: Int {
    inserted + duplicateInBatch + alreadyUpcoming + alreadySeen + rejectedForCapacity
  }

  @usableFromInline package mutating func countInserted() { inserted += 1 }

  @usableFromInline package mutating func reject(_ id: ID, _ reason: Reason) {
    count(reason)
    rejections.append(Rejection(id: id, reason: reason))
  }

  @usableFromInline package mutating func count(_ reason: Reason) {
    switch reason {
    case .duplicateInBatch: duplicateInBatch += 1
    case .alreadyUpcoming: alreadyUpcoming += 1
    case .alreadySeen: alreadySeen += 1
    case .rejectedForCapacity: rejectedForCapacity += 1
    }
  }
}

extension AppendAccounting: Equatable {}
extension AppendAccounting: Sendable where ID: Sendable {}
extension AppendAccounting.Rejection: Equatable {}
extension AppendAccounting.Rejection: Sendable where ID: Sendable {}
