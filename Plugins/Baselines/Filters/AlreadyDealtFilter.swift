public import CardFeed

/// Removes cards that were dealt to the viewer and never answered, for a time or for ever.
///
/// Cards the viewer has ever answered are for `already-swiped` to judge. Cards in the hand are no
/// candidates, so this filter never takes one out of it.
public struct AlreadyDealtFilter<D: Deck>: FilterStrategy {
  private let wait: Int64?

  /// Keeps dealt cards away for `milliseconds`, 0 or more; nil is for ever.
  public init(forMilliseconds milliseconds: Int64? = nil) {
    precondition(
      milliseconds.map { $0 >= 0 } ?? true, "A card stays away for 0 milliseconds or more.")
    wait = milliseconds
  }

  /// Why it removes cards.
  public var reasons: [String] { ["dealt before"] }

  /// No: the card was dealt.
  public var revalidates: Bool { false }

  /// Looks each candidate up. O(n).
  public func verdicts(for slate: Slate<D>, relaxation: Int) async throws -> [FilterVerdict] {
    slate.numbers.map { number in
      guard let entry = slate.context.seen[number], entry.answer == nil,
        let dealtAt = entry.dealtAt
      else { return .keep }
      guard let wait else { return .remove() }
      let due = dealtAt.saturatingAdvance(byMilliseconds: wait)
      return slate.context.now < due ? .remove(due: due) : .keep
    }
  }
}
