/// What a replacement of the upcoming cards, or a reset, did to a ``CardStack``.
public struct ReplacementAccounting<ID: Hashable> {
  /// What became of the batch. Its counts add up to the size of the batch.
  public let cards: AppendAccounting<ID>

  /// The upcoming cards that were given up. A card that is upcoming again because of the batch
  /// counts here and as inserted.
  public let droppedUpcoming: Int

  /// The history records that were given up; always 0 when only the upcoming cards were replaced.
  public let droppedHistory: Int

  /// Whether the batch led to the very cards that were upcoming already. Then nothing was dropped,
  /// the generation stayed, and only the cards' values were renewed.
  public let isUnchanged: Bool

  /// Whether this very operation emptied the stack.
  public let ranOut: Bool

  @inlinable
  package init(
    cards: AppendAccounting<ID>, droppedUpcoming: Int, droppedHistory: Int, isUnchanged: Bool,
    ranOut: Bool
  ) {
    self.cards = cards
    self.droppedUpcoming = droppedUpcoming
    self.droppedHistory = droppedHistory
    self.isUnchanged = isUnchanged
    self.ranOut = ranOut
  }

  /// Cards of the batch that were put into the stack by this operation.
  public var inserted: Int { cards.inserted }
}

extension ReplacementAccounting: Equatable {}
extension ReplacementAccounting: Sendable where ID: Sendable {}
